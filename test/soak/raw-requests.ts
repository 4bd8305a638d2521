import type { Rng } from '#engine/lib/rng.js';
import { SAMPLE_VALS } from '../support/sample-fixtures.js';

/** The requests of a connection, and the expected responses. */
export interface Attempt {
  readonly kind: string;
  /** Sent one after the other. */
  readonly parts: readonly string[];
  /** How the client ends the connection: with a FIN after its last byte, or without. */
  readonly ending: 'fin' | 'destroy' | 'reset';
  /** The statuses of all responses, if they are known. */
  readonly statuses?: readonly number[];
  /** Expected bodies by the index of the response. */
  readonly bodies?: Readonly<Record<number, string>>;
  /** Whether a complete, valid request may be in it. */
  readonly mayWrite?: boolean;
}

const VAL = SAMPLE_VALS[0] ?? '';
const HOST = 'Host: localhost';
const ADA = 'Authorization: Bearer ada token';
const JSON_TYPE = 'Content-Type: application/json';

const message = (line: string, headers: readonly string[], body = '') =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;
const withBody = (line: string, body: string, ...more: readonly string[]) =>
  message(line, [HOST, ADA, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...more], body);
const get = (target: string) => message(`GET ${target} HTTP/1.1`, [HOST, ADA]);
const chunked = (line: string, chunks: string, ...more: readonly string[]) =>
  message(line, [HOST, ADA, JSON_TYPE, 'Transfer-Encoding: chunked', ...more], chunks);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const refused = (kind: string, text: string, statuses?: readonly number[]): Attempt => ({
  ...{ kind, parts: [text], ending: 'fin' },
  ...(statuses && { statuses }),
});

/** Draws a write that changes the state. */
function write(rng: Rng): { line: string; body: string } {
  const name = `cut${rng.int(0, 1e9)}`;
  return rng.pick([
    { line: 'POST /v1/vals HTTP/1.1', body: JSON.stringify({ name, code: 'export default 1;' }) },
    { line: 'PUT /v1/vals HTTP/1.1', body: JSON.stringify({ name, code: 'export default 2;' }) },
    { line: `POST /v1/vals/${VAL}/versions HTTP/1.1`, body: JSON.stringify({ code: `// ${name}` }) },
    { line: `PUT /v1/vals/${VAL} HTTP/1.1`, body: JSON.stringify({ readme: name }) },
    { line: `DELETE /v1/vals/${VAL} HTTP/1.1`, body: JSON.stringify({ name }) },
    { line: 'POST /_emulator/reset HTTP/1.1', body: JSON.stringify({ name }) },
    { line: 'PUT /_emulator/seed HTTP/1.1', body: JSON.stringify({ users: [{ username: name }] }) },
    { line: 'POST /_emulator/records/users HTTP/1.1', body: JSON.stringify({ username: name }) },
    { line: 'POST /_emulator/faults HTTP/1.1', body: JSON.stringify({ route: 'GET /v1/me', status: 500 }) },
    { line: 'POST /_emulator/db/users HTTP/1.1', body: JSON.stringify({ username: name }) },
  ]);
}

const LINES = [
  ...[
    'GET',
    'GET /v1/me',
    'GET  /v1/me HTTP/1.1',
    ' GET /v1/me HTTP/1.1',
    'GET /v1/me HTTP/9.9',
    'GET /v1/me HTTP/1.1 x',
  ],
  ...[
    'GET /v1/me http/1.1',
    'GET /v1/me HTTP/',
    'G\0ET /v1/me HTTP/1.1',
    'GET /v1/\0me HTTP/1.1',
    'GE T /v1/me HTTP/1.1',
  ],
  ...[
    'get /v1/me HTTP/1.1',
    'PRI * HTTP/2.0',
    'BREW /v1/me HTTP/1.1',
    '\u0001\u0002\u0003',
    'GET\t/v1/me\tHTTP/1.1',
    '{}',
  ],
  ...['HTTP/1.1 200 OK', '\r\n\r\n\r\nGET', 'GET /v1/me\nHost: x', '=====', 'SSH-2.0-x', '\u0016\u0003\u0001\u0002'],
];

const TARGETS = [
  'http://a b/',
  `/${'a'.repeat(9_000)}`,
  `/v1/vals/${'%41'.repeat(900)}`,
  ...'* // ///v1//me /v1/./me /v1/../v1/me /v1/%2e%2e/me /v1/me%00 /v1/me% /v1/%zz /v1/%C0%AF /v1/me%FF /v1/vals/%2F'.split(
    ' ',
  ),
  ...'/v1/vals/..%2f.. /v1/me#x /v1/me? /v1/me?% /v1/me?a=%zz&%zz=b /v1/me?&&&=&= /\\v1\\me http: http:// http://x'.split(
    ' ',
  ),
  ...'http://[::1/v1/me ftp://x/v1/me http://x?y https://x:99999/v1/none /_sandbox /_sandbox/ /_sandbox//v1/me'.split(
    ' ',
  ),
  ...'/_sandbox/%2e%2e/v1/me /_sandbox/a%2Fb/v1/me /_emulator /_emulator/ /_emulator/db/none /_emulator/db/%zz'.split(
    ' ',
  ),
  ...'/_emulator/%2e%2e/v1/none /v1/search/vals /v1/users/x /v1/eval /v2/me /v1/me/ /v1/alias/ada/none ? /?x'.split(
    ' ',
  ),
  ...'%2Fv1%2Fme v1/me'.split(' '),
];

const HEADERS = [
  ...['Name', ': x', 'A B: x', 'X: \0', 'X: a\rb', 'X:\u0001', 'Ünï: x', 'X\t: y', ' X: folded', 'X : y', '\u007f: x'],
  ...[
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 0x10',
    'Content-Length: +3',
    'Content-Length: 3, 4',
  ],
  ...[
    'Content-Length: 3\r\nContent-Length: 4',
    'Content-Length:',
    'Content-Length: 99999999999999999999',
    'Content-Length: 3 3',
  ],
  ...[
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: \u000bchunked',
  ],
  ...[
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
    `X: ${'y'.repeat(17_000)}`,
    'Expect: 200-maybe',
    'Expect: x',
  ],
  ...[
    Array.from({ length: 2_500 }, (_, i) => `X${i}: y`).join('\r\n'),
    'Content-Encoding: gzip',
    'Content-Encoding: br',
  ],
];

/** Requests that the parser rejects, or without a route. They write nothing. */
function malformed(rng: Rng): Attempt {
  const { line, body } = write(rng);
  switch (rng.int(0, 4)) {
    case 0:
      return refused('request line', message(rng.pick(LINES), [HOST, ADA]));
    case 1:
      // A GET: it writes nothing, even with a route.
      return refused(
        'target',
        message(`${rng.pick(['GET', 'HEAD', 'OPTIONS'])} ${rng.pick(TARGETS)} HTTP/1.1`, [HOST, ADA]),
      );
    case 2:
      return refused(
        'header',
        message(line, [HOST, 'Authorization: Bearer unknown', 'Origin: http://evil.example', rng.pick(HEADERS)], body),
      );
    case 3:
      return refused(
        'host',
        message(`GET /_emulator/users HTTP/1.1`, [
          `Host: ${rng.pick(['evil.example', '', 'a b', '[::1', 'localhost.evil.example'])}`,
        ]),
        [403],
      );
    default:
      return refused(
        'token',
        message('GET /v1/me HTTP/1.1', [
          HOST,
          `Authorization: ${rng.pick(['Bearer', 'Basic x', 'Bearer \u00ff', 'Bearer a,b', 'bearer  ada token'])}`,
        ]),
        [401],
      );
  }
}

/** Two lengths that contradict each other, the means of request smuggling. */
function conflict(rng: Rng): Attempt {
  const { line, body } = write(rng);
  const length = Buffer.byteLength(body);
  const both = rng.shuffle([
    `Content-Length: ${rng.pick([0, length, length + 9, 5])}`,
    `Transfer-Encoding: ${rng.pick(['chunked', 'Chunked', 'chunked, identity', 'x'])}`,
  ]);
  const lengths = rng.shuffle([`Content-Length: ${length}`, `Content-Length: ${length + rng.int(1, 9)}`]);
  const payload = rng.bool() ? body : `${chunk(body)}0\r\n\r\n`;
  const smuggled = rng.bool() ? withBody(line, body) : '';
  return refused(
    'conflict',
    message(line, [HOST, ADA, JSON_TYPE, ...(rng.bool(0.7) ? both : lengths)], payload + smuggled),
    [400],
  );
}

/** Invalid chunks. */
function badChunks(rng: Rng): Attempt {
  const { line, body } = write(rng);
  const size = Buffer.byteLength(body);
  const broken = rng.pick([
    ...[
      `zz\r\n${body}\r\n0\r\n\r\n`,
      `-1\r\n${body}`,
      `${(size + 2).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      `${(size - 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ...[
      `${'f'.repeat(17)}\r\n${body}`,
      `${chunk(body)}0`,
      `${chunk(body)}0\r\n`,
      `${chunk(body)}0\r\nX`,
      chunk(body),
      `\r\n${chunk(body)}0\r\n\r\n`,
    ],
    ...[
      `0x5\r\n${body}`,
      `${size.toString(16)};${'e'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
      `${chunk(body)}0\r\nbroken trailer\r\n\r\n`,
    ],
  ]);
  return { kind: 'chunks', parts: [chunked(line, broken)], ending: rng.pick(['fin', 'destroy', 'reset']) };
}

/** A request that ends in the middle. */
function cutOff(rng: Rng): Attempt {
  const { line, body } = write(rng);
  const whole = rng.bool(0.7) ? withBody(line, body) : chunked(line, `${chunk(body)}0\r\n\r\n`);
  const cut = whole.slice(0, rng.int(1, whole.length - 1));
  const middle = rng.int(0, cut.length);
  const parts = rng.bool() ? [cut] : [cut.slice(0, middle), cut.slice(middle)];
  return { kind: 'cut off', parts, ending: rng.pick(['fin', 'destroy', 'reset']) };
}

/** A complete body that is not valid JSON. */
function badBody(rng: Rng): Attempt {
  const { line, body } = write(rng);
  const damaged = rng.pick([
    body.slice(0, -1),
    `${body}x`,
    `\u0000${body}`,
    '{"a":',
    'null,',
    '[[[',
    body.replaceAll('"', "'"),
  ]);
  const encoding = rng.bool(0.2) ? [`Content-Encoding: ${rng.pick(['gzip', 'deflate', 'x', 'gzip, gzip'])}`] : [];
  return refused('body', withBody(line, damaged, ...encoding));
}

/** Other spellings of a target, for example by proxies. They have the same response. */
function spelling(rng: Rng, me: string): Attempt {
  const target = rng.pick([
    ...'http://localhost/v1/me HTTP://localhost:4010/v1/me https://api.example.com/v1/me'.split(' '),
    'http://[::1]:80/v1/me',
    ...['/v1/%6de', '/%761/me', '/%76%31/%6D%65', '/v1/%6De', '/v1/me?', '/v1/me?x=%20'],
  ]);
  return { kind: 'spelling', parts: [get(target)], ending: 'fin', statuses: [200], bodies: { 0: me } };
}

/** Several requests at once: each takes effect, and has its response, before the next. */
function pipeline(rng: Rng, count: number): Attempt {
  const statuses: number[] = [];
  const bodies: Record<number, string> = {};
  const requests = Array.from({ length: rng.int(1, 4) }, (_, i) => {
    const readme = `pipelined ${count} ${i}`;
    const body = JSON.stringify({ readme });
    const put = `PUT /v1/vals/${VAL} HTTP/1.1`;
    bodies[statuses.length + 1] = JSON.stringify(readme);
    statuses.push(204, 200);
    const written = rng.bool(0.7)
      ? withBody(put, body)
      : chunked(put, `${chunk(body.slice(0, 5))}${chunk(body.slice(5))}0\r\n\r\n`);
    const others = rng.bool(0.3) ? [get('/v1/none'), message('GET /_emulator/health HTTP/1.1', [HOST])] : [];
    statuses.push(...(others.length > 0 ? [404, 200] : []));
    return [written, get(`/v1/vals/${VAL}`), ...others].join('');
  }).join('');
  const index = rng.int(0, requests.length);
  const parts = rng.bool(0.6) ? [requests] : [requests.slice(0, index), requests.slice(index)];
  return { kind: 'pipeline', parts, ending: 'fin', statuses, bodies, mayWrite: true };
}

/** A valid request with bytes that are changed, lost, doubled or inserted. */
function mutated(rng: Rng): Attempt {
  const { line, body } = write(rng);
  let text = rng.pick([
    withBody(line, body),
    get('/v1/me'),
    get(`/v1/vals/${VAL}?limit=3`),
    chunked(line, `${chunk(body)}0\r\n\r\n`),
  ]);
  for (let i = rng.int(1, 4); i > 0; i--) {
    const [from, to] = [rng.int(0, text.length), rng.int(0, 12)];
    const inserted = rng.pick([
      '',
      '',
      String.fromCharCode(rng.int(0, 255)),
      '\r\n',
      '\n',
      ' ',
      ':',
      text.slice(from, from + to),
    ]);
    text = text.slice(0, from) + inserted + text.slice(from + to * rng.int(0, 1));
  }
  return { kind: 'mutated', parts: [text], ending: rng.pick(['fin', 'fin', 'fin', 'destroy']), mayWrite: true };
}

/** @param me the response to GET /v1/me */
export function makeAttempt(rng: Rng, count: number, me: string): Attempt {
  const kinds = [malformed, malformed, conflict, badChunks, cutOff, cutOff, badBody, mutated, mutated, mutated];
  const index = rng.int(0, kinds.length + 1);
  if (index === kinds.length) return spelling(rng, me);
  return kinds[index]?.(rng) ?? pipeline(rng, count);
}
