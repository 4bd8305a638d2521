import { gzipSync } from 'node:zlib';
import { type TSchema, Type } from 'typebox';
import type { Route } from '#engine/api/route.js';
import type { Rng } from '#engine/lib/rng.js';
import { routes } from '#vals/service/all.routes.js';
import type { Emulator } from '../../src/index.js';
import { SAMPLE_VALS } from './sample-fixtures.js';
import { LIMITED } from './wire-fixtures.js';
import { CONDITION_VALUES, CONDITIONS, PROJECT_PARAMS, PROJECTS, QUERIES } from './wire-projects.js';

/** A request as it is on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Whether a URL would change it, so that only a socket can send it. */
  readonly isRaw: boolean;
}

const MIB = 1_048_576;
const NO_ID = '99999999-0000-4000-8000-000000000000';
/** Values of path parameters that need no data, by name. */
const PARAMS: Readonly<Record<string, readonly string[]>> = {
  username: ['ada', '@ada', '%40Ada', 'none'],
  val_name: ['val0', 'VAL1', 'none'],
  key: ['hello', 'a%2Fb', 'x'.repeat(512), 'x'.repeat(513)],
  version: ['0', '2', '1', '99', '%20', '-1', '1.5', '1e0', '0x1', '01', 'one', '1e400', 'true', 'null', '%2B1'],
};
const SEGMENTS = [
  ...['hello', '%20', '%2F', '%25', '%2525', '%25zz', '%C3%A9', '%00', 'a+b', 'a;limit=0', '__proto__', 'constructor'],
  ...['x'.repeat(120), '%F0%9F%99%82', '..%2f', "a'b", '%3B', '%3f', '%23', '%61da', 'null', ''],
];
const BAD_ESCAPES = ['%', '%zz', '%C3', '%ff', '%E0%A4%A', '%2', '%u0041', '%c0%80', '%ED%A0%80', '%40%zz', 'a%2'];
const PATHS = [
  ...['/v1', '/v1/', '/v1/nothing', '/v1/ME', '/V1/me', '/v1//me', '/v1/me//', '/v1/%6de', '/v1/m%65/likes'],
  ...['/v1/users', '/v1/search', '/v1/alias', '/v1/vals/%zz/x', '/v1/none%ff', '/v1/me/none', '/v1/me%2Flikes'],
  ...[
    '/v1/vals/%',
    '/v1/vals/%zz',
    '/v1/alias/%zz?a=b',
    '/v1/vals/%C3',
    '/v1/nothing/%zz',
    '/v1/vals/%2F',
    '/v1/vals/%00',
  ],
  ...['/v1/vals/%F0%9F%99%82', '/v1/vals/a%20b', '/v1/me/constructor', '/__proto__', '/v0/me', '/v1/nope?a=b'],
  ...['/v2/me', '/v1/blob/x/y', '/v1/sqlite/execute', '/v1/projects', '/v1/me/projects', '/v1/run/ada.x', '/v1/me;a'],
];
/** Texts that a URL changes or drops. */
const RAW_TARGETS = [
  ...['/v1/me#limit=0', '/v1/me/likes#limit=0', '/v1/me/../vals', '/v1/./me', '/v1/nothing?', '/v1/nothing?a="b"'],
  ...['/v1/alias/a"b', '/v1/alias/<x>', '//v1/me', '/v1/alias/{x}', '/v1/me?', '/v1/alias/%zz?', '/v1/alias/%zz#x'],
  ...[
    '/v1/me/likes?limit=<1>',
    "/v1/me/likes?limit='1'",
    '/v1/me/likes?limit=1#&limit=0',
    '/v1/nothing#a',
    '/v1/%zz;a',
  ],
];
const NAMES = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'limit[]', 'limit%5B%5D', 'Limit', '%6cimit', '+limit'],
  ...['', 'x', '?limit', '%zz', '%', 'lim%C3%A9t', 'query', 'offset', 'since', 'relationship', 'error'],
];
const TEXTS = [
  ...'1 5 100 0 101 -1 1.5 1e2 1e400 -1e400 %20 +5 %2B5 0x10 1_0 null'.split(' '),
  '',
  ...'true false TRUE any given both ui ui,api ui,,api ui,x [] {} %00 NaN a=b'.split(' '),
  ...['2024-06-11T22:05:12Z', '2024-06-11', '2024-06-11T22:05:12+02:00', '2024-06-11T22:05:12%2B02:00', 'yesterday'],
  ...[
    '2024-02-30T00:00:00Z',
    '2024-06-11t22:05:12.5z',
    '2016-12-31T23:59:60Z',
    '2024-06-11T24:00:00Z',
    'x'.repeat(513),
  ],
  ...['%', '%zz', '%ff', '1%zz', '%C3%A9', '%31', '%31%', 'a%26b', 'a;b', '=', '9007199254740993', '1e-9', '-0'],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PURGE', 'SEARCH', 'REPORT', 'LINK'];
const JSON_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, '', ' ', 'x', '1', 'true', 'null', 'public', 'script', 'a b', 'é', '\0'],
  ...[[], ['x'], ['public'], ['script'], ['x', 'y'], [1], [null], [[]], [['x']], [{}], {}, { a: 1 }, { a: { b: [] } }],
  ...['x'.repeat(48), 'x'.repeat(49), 'x'.repeat(8_193), 'x'.repeat(256_001), '😀'.repeat(48), '😀'.repeat(49)],
];
/** Bodies that are texts, and no objects that fit. */
const ODD_BODIES = [
  ...[
    '{',
    '{"code":}',
    "{'code':'1'}",
    '{"code":"1"} x',
    '{"code":"1",}',
    '{"code":"1"',
    '[',
    ']',
    'code=1',
    'NaN',
    '01',
  ],
  ...[
    'null',
    '1',
    '"code"',
    'true',
    '[]',
    '[{"code":"1"}]',
    '[[{"code":"1"}]]',
    '[{"code":"1"},2]',
    ' ',
    '\n',
    '\uFEFF',
  ],
  ...[
    '\uFEFF{"code":"1"}',
    '\uFEFF\uFEFF{"code":"1"}',
    ' {"code":"1"}\n',
    '{"code":"\\ud800"}',
    '{"code":"a\tb"}',
    '\0',
  ],
  ...'{"code":"1","code":2} {"code":"1","__proto__":{"a":1}} {"code":"1","__proto__":null}'.split(' '),
  '[{"__proto__":1}]',
  ...[
    '{"code":"1","\\u005f_proto__":1}',
    '{"code":"1","a":[{"b":{"__proto__":1}}]}',
    '{"code":"__proto__"}',
    '"__proto__"',
  ],
  ...'{"code":"1","constructor":{"prototype":1}} {"code":"1","constructor":{"x":1}}'.split(' '),
  '{"code":"1","constructor":1}',
  ...'{"code":"1","constructor":null} {"constructor":null,"a":{"__proto__":1}}'.split(' '),
  '{"__proto__":1,"constructor":null}',
  ...['{"code":"1","prototype":1,"toString":1}', '{"code":"1","const\\u0072uctor":{"proto\\u0074ype":1}}'],
  `{"code":"1","a":${'['.repeat(600)}${']'.repeat(600)}}`,
];
const TYPES = [
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=latin1', 'application/json;'],
  ...[
    'application/json ; charset=utf-8',
    'application/json; charset',
    'application/json; a="b;c"; d=e',
    'application/json;a=b;',
  ],
  ...['application/json; charset=""', 'application/json; a="\\""', 'application/json, text/plain', 'application/jsonp'],
  ...'application/vnd.api+json application/ld+json application/json+x x-application/json text/json json'.split(' '),
  '',
  ...'text/plain text/plain;charset=UTF-8 application/x-www-form-urlencoded multipart/form-data */* text'.split(' '),
];

/** The parts of an email, and of a request with SQL. */
const SERVICES: Readonly<Record<string, unknown>> = {
  from: 'Ada <ada.val0@valtown.email>',
  to: ['grace@example.com', { email: 'linus@example.com', name: 'Linus' }],
  cc: { email: 'cc@example.com' },
  bcc: [['bcc@example.com']],
  replyTo: 'reply@example.com',
  subject: 'The report',
  text: 'It is ready.',
  html: '<p>é</p>',
  headers: { 'X-Kind': 'report', 'X-Number': 1 },
  attachments: [{ content: 'AP8=', filename: 'a.bin' }],
  statement: 'SELECT 1 AS one',
  statements: ['SELECT 1', { sql: 'SELECT :a', args: { a: null } }],
  mode: 'read',
};
/** Bytes that are not UTF-8. */
const NOT_UTF8 = [[0xff], [0xc3], [0xf0, 0x9f, 0x98]];
const inCode = (bytes: readonly number[]) => Buffer.from([...Buffer.from('{"code":"'), ...bytes, 0x22, 0x7d]);

function listKeys(schema: TSchema | undefined): string[] {
  if (Type.IsUnion(schema)) return [...new Set(schema.anyOf.flatMap(listKeys))];
  return Type.IsObject(schema) ? Object.keys(schema.properties) : [];
}

const isOfProjects = ({ path }: Route): boolean => path.startsWith('/v2/');

/** Makes random requests to the API, most of them nearly right. */
export class WireRequests {
  readonly #rng: Rng;
  readonly #params: Readonly<Record<string, readonly string[]>>;

  /** @param emulator over the fixtures of `wire-fixtures.ts` */
  constructor(rng: Rng, emulator: Emulator) {
    this.#rng = rng;
    const { users, runs } = emulator.state();
    const runIds = runs.filter(({ val }) => /^ada\//.test(val)).map(({ id }) => id);
    this.#params = {
      ...PARAMS,
      val_id: [...SAMPLE_VALS.slice(0, 6), SAMPLE_VALS[9]?.toUpperCase() ?? '', NO_ID],
      user_id: [...users.slice(0, 3).map(({ id }) => id), NO_ID],
      run_id: [...runIds.slice(0, 3), NO_ID],
      evaluation_id: [...runIds.slice(0, 3), NO_ID],
    };
  }

  /** Makes a request with each odd body, media type and path. */
  listOdd(): WireRequest[] {
    const headers = { authorization: 'Bearer ada token' };
    const post = (text: string, type: string) =>
      ['/v1/vals', '/v1/email', '/v1/blob/hello'].map((target) => ({
        ...{ method: 'POST', target, headers: { ...headers, 'content-type': type }, isRaw: false },
        body: text === '' ? undefined : Buffer.from(text),
      }));
    const get = (target: string, isRaw: boolean) => ({ method: 'GET', target, headers, body: undefined, isRaw });
    return [
      ...['', ...ODD_BODIES].flatMap((text) => post(text, 'application/json')),
      ...TYPES.flatMap((type) => post('{"code":"1"}', type)),
      ...PATHS.map((path) => get(path, false)),
      get('/v1/me/likes?limit=1e400', false),
      ...NOT_UTF8.map((bytes) => ({
        ...{ method: 'POST', target: '/v1/vals', isRaw: true, body: inCode(bytes) },
        headers: { ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })),
      ...RAW_TARGETS.map((target) => get(target, true)),
    ];
  }

  next(): WireRequest {
    const rng = this.#rng;
    const route = rng.pick(routes);
    if (rng.bool(0.04)) {
      const method = rng.pick(['GET', 'POST', 'DELETE']);
      return { method, target: rng.pick(RAW_TARGETS), ...this.#content(method, route), isRaw: true };
    }
    if (rng.bool(0.94)) return this.to(route);
    const method = rng.pick(METHODS);
    return { ...this.to(route), method, ...this.#content(method, route) };
  }

  /** Makes a request to a route, or nearly. */
  to(route: Route): WireRequest {
    const rng = this.#rng;
    const method = route.method === 'GET' && rng.bool(0.05) ? 'HEAD' : route.method;
    const target = this.#path(route) + this.#query(route);
    const content = this.#content(method, route);
    if (!content.body || rng.bool(0.98)) return { method, target, ...content, isRaw: rng.bool(0.03) };
    const headers = { ...content.headers, 'transfer-encoding': 'chunked' };
    return { method, target, headers, body: rng.bool() ? content.body : this.#notUtf8(), isRaw: true };
  }

  #notUtf8 = () => inCode(this.#rng.pick(NOT_UTF8));

  #path(route: Route): string {
    const rng = this.#rng;
    const params = isOfProjects(route) ? { ...PARAMS, ...PROJECT_PARAMS } : this.#params;
    const { path } = route;
    if (rng.bool(0.06)) return rng.pick(PATHS);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (rng.bool(0.03)) return rng.pick(BAD_ESCAPES);
      return rng.pick(rng.bool(0.1) ? SEGMENTS : (params[name] ?? SEGMENTS));
    });
    return filled + (rng.bool(0.06) ? rng.pick(['/', '//', '/x', '/%', '/%20', ';limit=0', ';']) : '');
  }

  #query({ query }: Route): string {
    const rng = this.#rng;
    const names = listKeys(query);
    const pairs = names.flatMap((name) =>
      rng.bool(0.25) || name === 'query' || name === 'path' ? [this.#pair(name)] : [],
    );
    if (rng.bool(0.1)) pairs.push(this.#pair(rng.pick([...NAMES, ...names])));
    if (rng.bool(0.05))
      pairs.push(...pairs, rng.pick(['', '=', 'limit', '=1', '&', 'limit==1', '?limit=0', 'limit=1;offset=2']));
    return pairs.length === 0 ? '' : `?${rng.shuffle(pairs).join('&')}`;
  }

  #pair(name: string): string {
    const rng = this.#rng;
    const own = Object.hasOwn(QUERIES, name) && rng.bool(0.9) ? QUERIES[name] : undefined;
    return `${name}=${rng.pick(own ?? (rng.bool() ? TEXTS : TEXTS.slice(0, 3)))}`;
  }

  #token(): string {
    const share = this.#rng.next();
    if (share < 0.955) return 'ada token';
    return share < 0.97 ? LIMITED : 'unknown';
  }

  #content(method: string, { body: schema, isConditional }: Route): Pick<WireRequest, 'headers' | 'body'> {
    const rng = this.#rng;
    const headers: Record<string, string> = {};
    if (isConditional && rng.bool()) headers[rng.pick(CONDITIONS)] = rng.pick(CONDITION_VALUES);
    if (rng.bool(0.94)) headers.authorization = `Bearer ${this.#token()}`;
    if (method === 'GET' || method === 'HEAD') {
      if (rng.bool(0.1)) headers['content-type'] = rng.pick(['application/json', ...TYPES]);
      return { headers, body: undefined };
    }
    const isBodied = schema ? rng.bool(0.97) : rng.bool(0.3);
    const body = isBodied ? this.#body(schema) : undefined;
    if (rng.bool(isBodied ? 0.96 : 0.2))
      headers['content-type'] = rng.bool(0.85) ? 'application/json' : rng.pick(TYPES);
    if (!body || rng.bool(0.99)) return { headers, body };
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
  }

  #body(schema: TSchema | undefined): Buffer {
    const rng = this.#rng;
    if (rng.bool(0.02)) return Buffer.from(`{"code":"${'x'.repeat(rng.pick([MIB - 11, MIB - 10]))}"}`);
    if (rng.bool(0.02)) return this.#notUtf8();
    if (rng.bool(0.25)) return Buffer.from(rng.pick(ODD_BODIES));
    const isGood = rng.bool(0.5);
    const keys = listKeys(schema).filter((key) => key === 'code' || rng.bool(0.4));
    if (rng.bool(0.1)) keys.push(rng.pick(['other', 'valId', 'token', '', 'toString']));
    const good: Readonly<Record<string, unknown>> = {
      name: rng.pick(['val0', 'Val1', 'fresh']),
      code: 'export default 1;',
      readme: '# é',
      privacy: rng.pick(['public', ['private'], 'unlisted']),
      type: rng.pick(['http', 'script', ['email']]),
      ...SERVICES,
      ...Object.fromEntries(Object.entries(PROJECTS).map(([key, choices]) => [key, rng.pick(choices)])),
    };
    const fields = keys.map((key) => [key, isGood || rng.bool(0.6) ? good[key] : rng.pick(JSON_VALUES)]);
    return Buffer.from(JSON.stringify(Object.fromEntries(fields)));
  }
}
