import { STATUS_CODES } from 'node:http';
import type { Expectation, JsonSchema } from '../case.js';

export const text = { type: 'string' };
const integer = { type: 'integer', minimum: 0 };
const boolean = { type: 'boolean' };
const uuid = { type: 'string', format: 'uuid' };
export const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const url = { type: 'string', format: 'uri', pattern: '^[a-z]+:' };

const oneOf = (...values: readonly unknown[]): JsonSchema => ({ enum: values });
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** An object with exactly these keys. The keys of `optional` may be absent. */
export const exactly = (
  properties: Readonly<Record<string, JsonSchema | true>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});

/** An object in which these keys have these values, or match these schemas. */
export const having = (properties: Readonly<Record<string, unknown>>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, isSchema(value) ? value : { const: value }]),
  ),
  required: Object.keys(properties),
});

/** A success whose body matches a schema. */
export const shows = (body: JsonSchema, others: Expectation = {}): Expectation => ({ status: 200, body, ...others });
/** A success whose body has these values. */
export const values = (properties: Readonly<Record<string, unknown>>, status = 200): Expectation =>
  shows(having(properties), { status });

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An object whose keys have the values of a saved one, as far as a schema of {@link exactly} requires them. */
export const sameAs = (name: string, { required }: { readonly required: readonly string[] }): JsonSchema =>
  having(Object.fromEntries(required.map((key) => [key, `{${name}.${key}}`])));

/** A page whose items match a schema. */
export const pageOf = (item: JsonSchema): JsonSchema => having({ data: { type: 'array', items: item }, links: {} });

/** A page of anything. */
export const page = exactly({ data: { type: 'array' }, links: exactly({ self: url }, { next: url, prev: url }) });

/** A page that has an item which matches a schema. */
export const pageContaining = (item: JsonSchema): JsonSchema => having({ data: { type: 'array', contains: item } });

/** A page that has an item with these values. */
export const pageWith = (properties: Readonly<Record<string, unknown>>): JsonSchema =>
  pageContaining(having(properties));

/** A page without an item of these values. */
export const pageWithout = (properties: Readonly<Record<string, unknown>>): JsonSchema =>
  having({ data: { type: 'array', not: { contains: having(properties) } } });

/** A page with at most, or exactly, so many items. */
export const pageOfLength = (maximum: number, minimum = 0): JsonSchema =>
  having({ data: { type: 'array', maxItems: maximum, minItems: minimum } });

/** A record whose web addresses have the documented forms. */
const addressed = (of: 'user' | 'val', schema: ReturnType<typeof exactly>) => ({ ...schema, addresses: { of } });

const author = exactly({ id: uuid, username: nullable(text) });
const privacy = oneOf('public', 'unlisted', 'private');

const profile = {
  id: uuid,
  bio: nullable(text),
  username: nullable(text),
  profileImageUrl: nullable(url),
  url,
  links: exactly({ self: url }),
};
/** Since August 2025, and with the option `userType`. */
const typed = { type: oneOf('user', 'org') };
export const user = addressed('user', exactly(profile, typed));
export const me = addressed('user', exactly({ ...profile, tier: oneOf('free', 'pro', null), email: text }, typed));

const valKeys = {
  name: text,
  id: uuid,
  version: integer,
  code: nullable(text),
  public: boolean,
  createdAt: time,
  privacy,
  type: oneOf('interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'),
  url,
  links: exactly({ self: url, versions: url, module: url }, { endpoint: url }),
  author: nullable(author),
};
export const basicVal = addressed('val', exactly(valKeys));
export const extendedVal = addressed(
  'val',
  exactly(
    { ...valKeys, likeCount: integer, referenceCount: integer, readme: nullable(text) },
    { versionCreatedAt: time },
  ),
);

export const versionItem = exactly({ val_id: uuid, version: integer, createdAt: time });

const runKeys = {
  id: uuid,
  error: { type: ['string', 'object', 'null'] },
  parentId: uuid,
  runStartAt: time,
  runEndAt: nullable(time),
  val: exactly({
    ...{ id: uuid, name: text, author, author_id: uuid, username: nullable(text) },
    ...{ public: boolean, privacy, version: integer },
  }),
};
export const run = exactly(runKeys);
const list = { type: 'array' };
export const fullRun = exactly({ ...runKeys, emails: list, logs: list, returnValue: true, args: list });

export const commentVal = exactly({ name: text, id: uuid, version: integer, privacy, author: nullable(author) });
export const comment = exactly({ comment: text, id: uuid, createdAt: time, author, val: commentVal });

const referent = exactly({ id: uuid, username: nullable(text), author_id: nullable(uuid), name: text });
export const reference = exactly({ reference: referent, dependsOn: referent, referencedAt: time });

const html = exactly({ self: url, html: url });
export const project = exactly({
  ...{ name: text, id: uuid, createdAt: time, privacy, imageUrl: nullable(url), description: nullable(text) },
  author: exactly({ type: oneOf('user', 'org'), id: uuid, username: nullable(text) }),
  links: html,
});
export const branch = exactly({
  ...{ name: text, id: uuid, version: integer, createdAt: time, updatedAt: time, forkedBranchId: nullable(uuid) },
  links: html,
});
export const projectFile = exactly({
  ...{ name: text, id: uuid, path: text, version: integer, updatedAt: time },
  type: oneOf('directory', 'file', 'interval', 'http', 'email', 'script'),
  links: exactly({ self: url, html: url, module: url }, { endpoint: url, email: text }),
});
export const variable = exactly({ key: text, description: nullable(text), updatedAt: nullable(time), createdAt: time });

const attributes = {
  type: 'array',
  items: exactly({
    key: text,
    value: {
      ...{ type: 'object', minProperties: 1, maxProperties: 1 },
      properties: { stringValue: text, intValue: { type: 'string', pattern: '^-?\\d+$' }, boolValue: boolean },
    },
  }),
};
const traceId = { type: 'string', minLength: 32, maxLength: 32 };
/** A time after 2001: milliseconds have fewer digits. */
const nanoseconds = { type: 'string', pattern: '^[1-9]\\d{18}$' };
export const trace = exactly({
  ...{ traceId, name: text, startTimeUnixNano: nanoseconds, attributes },
  endTimeUnixNano: { anyOf: [{ const: '0' }, nanoseconds] },
  status: exactly({ message: text, code: { enum: [0, 1, 2] } }),
});
export const logLine = exactly({
  ...{ traceId, timeUnixNano: nanoseconds, body: { type: 'object', properties: { stringValue: text } }, attributes },
  severityText: oneOf('stdout', 'stderr'),
});

/** The media type of JSON, with its parameter. */
export const JSON_TYPE = { 'content-type': '^application/json; charset=utf-8$' };

/** An error as Fastify writes it. */
export const errorBody = (status: number): JsonSchema =>
  having({ message: { type: 'string', minLength: 1 }, error: STATUS_CODES[status], statusCode: status });
