import type { Route } from '#engine/api/route.js';
import { isObject } from '#engine/lib/objects.js';
import { routes } from '#vals/service/all.routes.js';
import { BOUND_PLANTS } from './plant-bounds.js';
import { CLASS_PLANTS } from './plant-classes.js';
import { MESSAGE_PLANTS } from './plant-messages.js';

/** A response as a plant changes it. The body is parsed JSON, or bytes that are none; undefined if there is none. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The sender of a request: the author of most vals, the same user by a token without scopes or with scopes that read, another
 * user, a client without a token, or one with an unknown token.
 */
export type Sender = 'author' | 'limited' | 'reader' | 'other' | 'anonymous' | 'unknown';

/** A request as the plants see it. */
export interface Request {
  readonly url: URL;
  readonly headers: Headers;
  readonly sender: Sender;
  /** Parsed JSON, or undefined. */
  readonly body: unknown;
  /** Sends it as the author of most vals; given a method and a target, another one with the same body. */
  asAuthor(method?: string, target?: string): Promise<Reply>;
}

/** A difference in front of the emulator: it changes the requests or the responses of an operation. */
export interface Plant {
  readonly id: string;
  /** The operation that a failure must name. */
  readonly route: string;
  /** Method of the requests that it changes. Default: the one of the operation */
  readonly method?: 'HEAD' | 'OPTIONS';
  /** Whether it changes all operations. Default: false */
  readonly isEverywhere?: boolean;
  /** Whether the state after a request is the one before it. Default: false */
  readonly isUndone?: boolean;
  /** Changes the body of a request. */
  readonly toRequest?: (body: Json) => Json;
  /** Changes a response. */
  readonly toReply?: (reply: Reply, request: Request) => Reply | Promise<Reply>;
}

type Json = Readonly<Record<string, unknown>>;
/** A part of a response schema, as far as it is read here. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
/** Keys that lead to a value; `*` for each item of a list. */
type Path = readonly string[];

const REMOVED = Symbol('removed');

/** Copies a value with another one at a path. */
function replace(value: unknown, [key, ...rest]: Path, change: (found: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (key === '*') return Array.isArray(value) ? value.map((item) => replace(item, rest, change)) : value;
  if (!isObject(value) || !(key in value)) return value;
  const changed = replace(value[key], rest, change);
  const { [key]: _, ...others } = value;
  return changed === REMOVED ? others : { ...value, [key]: changed };
}

/** Lists the fields of a schema with their paths. The inner schema of one that may be null counts. */
function* listFields(schema: Schema, path: Path = []): Generator<readonly [Path, Schema]> {
  const inner = schema.anyOf?.[0] ?? schema;
  // Any JSON has no type.
  if (inner.type === undefined && inner.enum === undefined) return;
  yield [path, inner];
  if (inner.items) yield* listFields(inner.items, [...path, '*']);
  for (const [key, field] of Object.entries(inner.properties ?? {})) yield* listFields(field, [...path, key]);
}

const DAY = 86_400_000;
const isSuccess = ({ status }: Reply) => status < 300;

/** Another value of the same type. */
function toOther(value: unknown, { enum: values, format }: Schema): unknown {
  if (values) return values[(values.indexOf(value) + 1) % values.length];
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value;
  if (format === 'date-time') return new Date(Date.parse(value) + DAY).toISOString();
  return format === 'uuid' ? value.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a')) : `${value}x`;
}

/** A value of another type. */
const toOtherType = (value: unknown): unknown =>
  value === null ? value : typeof value === 'string' ? 5 : typeof value === 'object' ? 'text' : String(value);

/** What may happen to a field. */
const FIELD_CHANGES: Readonly<Record<string, (value: unknown, schema: Schema) => unknown>> = {
  missing: () => REMOVED,
  null: () => null,
  'another value': toOther,
  'another type': toOtherType,
  'a further key': (value) => (isObject(value) ? { ...value, further: 1 } : value),
  'a time without milliseconds': (value, { format }) =>
    format === 'date-time' && typeof value === 'string' ? value.replace(/\.\d+Z/, 'Z') : value,
  'a relative address': (value, { format }) =>
    format === 'uri' && typeof value === 'string' ? value.replace(/^\w+:(?:\/\/[^/]*)?/, '') : value,
};

/** Whether a change may happen to a field. A list of records has changes of its own. */
function isChangeOf(what: string, path: Path, { type, enum: values, format }: Schema): boolean {
  if (what === 'missing') return path.length > 0 && path.at(-1) !== '*';
  if (what === 'a further key') return type === 'object';
  if (what === 'another value') return values !== undefined || (type !== undefined && !/^(?:object|array)$/.test(type));
  if (what === 'a time without milliseconds') return format === 'date-time';
  return /^(?:null|another type)$/.test(what) || format === 'uri';
}

/** Changes of a text that a service may make before it stores it. */
const TEXT_CHANGES: Readonly<Record<string, (text: string) => string>> = {
  trimmed: (text) => text.trim(),
  'without spaces at the end': (text) => text.trimEnd(),
  'with LF for CRLF': (text) => text.replaceAll('\r\n', '\n'),
  'without control characters': (text) => text.replaceAll(/[^\P{Cc}\s]/gu, ''),
  'with LF for U+2028': (text) => text.replaceAll('\u2028', '\n'),
  'without U+FEFF': (text) => text.replaceAll('\ufeff', ''),
  composed: (text) => text.normalize('NFC'),
  'without characters beyond U+FFFF': (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
};

const OTHER_STATUS: Readonly<Record<number, number>> = {
  200: 201,
  201: 200,
  202: 200,
  204: 200,
  400: 422,
  401: 403,
  403: 404,
  404: 403,
  409: 400,
};
const withoutHeader = (reply: Reply, name: string): Reply => {
  const { [name]: _, ...headers } = reply.headers;
  return { ...reply, headers };
};

/** Changes of a whole response, successes and errors alike. */
const REPLY_CHANGES: Readonly<Record<string, (reply: Reply) => Reply>> = {
  'another status': (reply) => ({
    ...reply,
    status: OTHER_STATUS[reply.status] ?? reply.status,
    body: reply.body ?? null,
  }),
  'no origin': (reply) => withoutHeader(reply, 'access-control-allow-origin'),
  'a cached response': (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'cache-control': 'public, max-age=600' },
  }),
  'no media type': (reply) => withoutHeader(reply, 'content-type'),
  'another media type': (reply) => ({
    ...reply,
    headers: { ...reply.headers, ...(reply.body !== undefined && { 'content-type': 'text/plain' }) },
  }),
  'another charset': (reply) => ({
    ...reply,
    headers: { ...reply.headers, ...(reply.body !== undefined && { 'content-type': 'application/json' }) },
  }),
};
const ERROR_CHANGES: Readonly<Record<string, (reply: Reply) => Reply>> = {
  ...REPLY_CHANGES,
  'a bare text': (reply) => ({ ...reply, body: isObject(reply.body) ? reply.body.message : reply.body }),
  ...Object.fromEntries(
    ['message', 'error', 'statusCode'].map((key) => [
      `no ${key}`,
      (reply: Reply) => ({ ...reply, body: replace(reply.body, [key], () => REMOVED) }),
    ]),
  ),
};

/** Walks the response schema of an operation, and changes each field in each way. */
function* plantFields({ name, response, status }: Route): Generator<Plant> {
  if (status === 204) return;
  for (const [path, schema] of listFields(response)) {
    for (const [what, change] of Object.entries(FIELD_CHANGES)) {
      if (!isChangeOf(what, path, schema)) continue;
      yield {
        ...{ id: `${name} $${path.map((key) => `.${key}`).join('')}: ${what}`, route: name },
        toReply: (reply) =>
          isSuccess(reply) ? { ...reply, body: replace(reply.body, path, (value) => change(value, schema)) } : reply,
      };
    }
  }
}

function* plantReplies({ name, status, errors }: Route): Generator<Plant> {
  // No request of a case is a failure of the service.
  for (const each of [status, ...errors].filter((code) => code < 500)) {
    for (const [what, change] of Object.entries(each === status ? REPLY_CHANGES : ERROR_CHANGES)) {
      if (each === 204 && /media type|charset/.test(what)) continue;
      yield {
        ...{ id: `${name} ${each}: ${what}`, route: name },
        toReply: (reply) => (reply.status === each ? change(reply) : reply),
      };
    }
  }
}

/** Operations that respond alike to all who may ask. */
const EQUAL_FOR_ALL = /\/users\/\{user_id\}$|\/alias\/\{username\}$|\/search\/vals$/;

function* plantSenders({ name, auth, method, writeScope }: Route): Generator<Plant> {
  const reads = method === 'GET' && writeScope === undefined;
  const isRefused = (each: Sender) => each === 'unknown' || each === 'limited';
  for (const each of ['other', 'anonymous', 'unknown', 'limited', ...(reads ? [] : ['reader' as const])] as const) {
    if (!isRefused(each) && EQUAL_FOR_ALL.test(name)) continue;
    yield {
      ...{ id: `${name} as ${each}: treated as the author`, route: name },
      toReply: (reply, { sender, asAuthor }) => (sender === each ? asAuthor() : reply),
    };
  }
  yield {
    ...{ id: `${name}: scopes are refused with other words`, route: name },
    toReply: (reply) =>
      reply.status === 403 ? { ...reply, body: replace(reply.body, ['message'], () => 'No') } : reply,
  };
  if (auth === 'required') return;
  const body = { message: 'Not found', error: 'Not Found', statusCode: 404 };
  for (const each of ['other', 'anonymous'] as const) {
    yield {
      ...{ id: `${name} as ${each}: not found`, route: name },
      toReply: (reply, { sender }) => (sender === each && isSuccess(reply) ? { ...reply, status: 404, body } : reply),
    };
  }
}

function* plantWrites({ name, method, body }: Route): Generator<Plant> {
  if (method === 'GET') return;
  yield { id: `${name}: it is not done`, route: name, isUndone: true };
  for (const [[key, ...rest]] of listFields(body ?? {})) {
    if (key === undefined || rest.length > 0 || /^(?:code|name)$/.test(key)) continue;
    yield {
      ...{ id: `${name} ${key}: ignored`, route: name },
      toRequest: (sent) => replaceJson(sent, key, () => REMOVED),
    };
  }
}

function* plantTexts({ name, body }: Route): Generator<Plant> {
  const keys = [...listFields(body ?? {})].flatMap(([[key]]) => (key === 'code' || key === 'readme' ? [key] : []));
  for (const key of keys) {
    for (const [what, change] of Object.entries(TEXT_CHANGES)) {
      yield {
        ...{ id: `${name} ${key}: ${what}`, route: name },
        toRequest: (sent) => replaceJson(sent, key, (text) => (typeof text === 'string' ? change(text) : text)),
      };
    }
  }
  if (keys.includes('readme'))
    yield {
      ...{ id: `${name} readme: an empty one is ignored`, route: name },
      toRequest: (sent) => replaceJson(sent, 'readme', (text) => (text === '' ? REMOVED : text)),
    };
}

function replaceJson(value: Json, key: string, change: (found: unknown) => unknown): Json {
  const changed = replace(value, [key], change);
  return isObject(changed) ? changed : value;
}

/** PUT by id stores the code of the body, which has versions of its own. */
const STORED_CODE: Plant = {
  ...{ id: 'PUT /v1/vals/{val_id} code: stored', route: 'PUT /v1/vals/{val_id}' },
  async toReply(reply, { asAuthor, url }) {
    const { status } = await asAuthor('POST', `${url.pathname}/versions`);
    return status === 201 ? { ...reply, headers: { ...reply.headers, 'x-stored': 'true' } } : reply;
  },
};

/** A change of files on a branch changes those of main as well. */
const IGNORED_BRANCHES: readonly Plant[] = (['PUT', 'DELETE'] as const).map((method) => ({
  ...{ id: `${method} /v2/vals/{val_id}/files branch_id: ignored`, route: `${method} /v2/vals/{val_id}/files` },
  async toReply(reply, { asAuthor, url }) {
    const main = new URL(url);
    main.searchParams.delete('branch_id');
    if (main.search === url.search || !isSuccess(reply)) return reply;
    await asAuthor(method, main.pathname + main.search);
    return { ...reply, headers: { ...reply.headers, 'x-ignored': 'true' } };
  },
}));

function* plantConditions({ name, isConditional }: Route): Generator<Plant> {
  if (!isConditional) return;
  yield {
    ...{ id: `${name}: conditions are ignored`, route: name },
    toReply: (reply) => (reply.status === 304 || reply.status === 412 ? { ...reply, status: 200 } : reply),
  };
}

/** Differences that no case can meet, each with the reason. */
const NOT_MET: Readonly<Record<string, RegExp>> = {
  'no response tells what an email had, or whether it was sent':
    /^POST \/v1\/email(?: text: | as other|: it is not done)/,
  'blobs of 256 MB would be sent': /^POST \/v[12]\/blob\/\{key\} 507/,
  'the second account stores and deletes no blobs': /^(?:POST|DELETE) \/v[12]\/blob\/\{key\} as other/,
  'no route starts a run, which could be cancelled': /\/cancel: it is not done/,
  'no route sets a picture': / \/v2\/.*\.imageUrl: (?:null$|a)/,
  'a page by time has no previous one': /^GET (?:\/v[12]\/vals|\/v1\/telemetry\/\w+) \$\.links\.prev/,
  'the option userType is off': /^GET \/v1\/(?:me|users\/\{user_id\}|alias\/\{username\}) \$\.type: /,
  'few accounts are in an organization':
    /^GET \/v2\/orgs(?: (?:\$\.data\.\*|\$\.links\.next)|\/.* (?:\$|200: )|.* as other)/,
  'the body of this 404 is a text': /\/cancel 404: (?:a bare text|no \w+)$/,
};
const isMet = ({ id }: Plant): boolean => !Object.values(NOT_MET).some((ids) => ids.test(id));

/** Each change of each field of each response, of what is sent, of each bound and of each class: all that can be drawn. */
export const PLANTS: readonly Plant[] = [
  STORED_CODE,
  ...IGNORED_BRANCHES,
  ...routes
    .flatMap((route) => [
      ...plantFields(route),
      ...plantReplies(route),
      ...plantSenders(route),
      ...plantWrites(route),
      ...plantTexts(route),
      ...plantConditions(route),
    ])
    .filter(isMet),
  ...BOUND_PLANTS,
  ...CLASS_PLANTS.flat(),
  ...MESSAGE_PLANTS,
];

/** Differences that no response shows, each with the reason. */
export const UNNOTICED: Readonly<Record<string, string>> = {
  'GET /v1/me $.tier: null': 'no other response has the tier',
  'GET /v1/me $.tier: another value': 'no other response has the tier',
  'GET /v1/me $.email: another value': 'no other response has the email address',
  'GET /v1/me/comments $.data.*.comment: another value': 'no other response has the text',
  'GET /v1/me/comments $.data.*.id: another value': 'no other response has the id',
  'GET /v1/blob $.*.lastModified: another value': 'no other response has the time',
  'GET /v2/blob $.*.lastModified: another value': 'no other response has the time',
  'GET /v1/me/likes as other: treated as the author': 'a list of likes does not say whose they are',
};
