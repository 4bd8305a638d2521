import { Type } from 'typebox';
import type { Route } from '#engine/api/route.js';
import { isObject } from '#engine/lib/objects.js';
import { routes } from '#vals/service/all.routes.js';
import type { Plant, Reply, Request } from './plants.js';

type Json = Readonly<Record<string, unknown>>;
/** The keywords of JSON Schema that bound a value, with what they bound. */
const BOUNDS: Readonly<Record<string, { readonly isLeast: boolean; readonly measure: (value: unknown) => number }>> = {
  minLength: { isLeast: true, measure: (value) => (typeof value === 'string' ? [...value].length : Number.NaN) },
  maxLength: { isLeast: false, measure: (value) => (typeof value === 'string' ? [...value].length : Number.NaN) },
  minimum: { isLeast: true, measure: Number },
  maximum: { isLeast: false, measure: Number },
  maxItems: { isLeast: false, measure: (value) => (Array.isArray(value) ? value.length : Number.NaN) },
  maxProperties: { isLeast: false, measure: (value) => (isObject(value) ? Object.keys(value).length : Number.NaN) },
};

interface Bound {
  /** Keys that lead to the value; `*` for each item of a list. */
  readonly path: readonly string[];
  readonly keyword: string;
  readonly limit: number;
}

/** Lists the bounds in a schema, in each part of a union. */
function* listBounds(schema: unknown, path: readonly string[] = []): Generator<Bound> {
  if (!isObject(schema)) return;
  for (const keyword of Object.keys(BOUNDS)) {
    const limit = schema[keyword];
    if (typeof limit === 'number') yield { path, keyword, limit };
  }
  for (const part of Array.isArray(schema.anyOf) ? schema.anyOf : []) yield* listBounds(part, path);
  yield* listBounds(schema.items, [...path, '*']);
  for (const [key, field] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    yield* listBounds(field, [...path, key]);
  }
}

/** Finds the values at a path. */
function find(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (key === '*') return Array.isArray(value) ? value.flatMap((item) => find(item, rest)) : [];
  return isObject(value) && key in value ? find(value[key], rest) : [];
}

/** Returns the params, the query and the body of a request to a route. */
function readInput({ path, query }: Route, { url, body }: Request): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`${path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`);
  const found = pattern.exec(url.pathname)?.slice(1) ?? [];
  const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i] ?? '')]));
  const sent = url.searchParams;
  const isList = (name: string) => Type.IsObject(query) && Type.IsArray(query.properties[name]);
  const lists = [...new Set(sent.keys())].filter(isList).map((name) => [name, sent.getAll(name)]);
  return { params, query: { ...Object.fromEntries(sent), ...Object.fromEntries(lists) }, body };
}

/** Moves each bound of an operation by one, to either side. */
function* plantBounds(route: Route): Generator<Plant> {
  const { name, status, params, query, body } = route;
  const refused = (path: readonly string[]): Reply['body'] => ({
    ...{ statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request' },
    message: `${path.join('/')} is beyond its bounds`,
  });
  const unique = new Map(
    [...listBounds({ properties: { params, query, body } })].map((each) => [JSON.stringify(each), each]),
  );
  for (const { path, keyword, limit } of unique.values()) {
    const { isLeast, measure } = BOUNDS[keyword] ?? {};
    if (measure === undefined) continue;
    const at = (length: number) => (request: Request) =>
      find(readInput(route, request), path).some((value) => measure(value) === length);
    const beyond = limit + (isLeast ? -1 : 1);
    const inner = limit + (isLeast ? 1 : -1);
    const [isAt, isBeyond] = [at(limit), at(beyond)];
    const id = `${name} ${path.join('.')}:`;
    if (limit > 0)
      yield {
        ...{ id: `${id} ${keyword} ${inner}`, route: name },
        toReply: (reply, request) => (isAt(request) ? { ...reply, status: 400, body: refused(path) } : reply),
      };
    if (beyond >= 0 || keyword === 'minimum')
      yield {
        ...{ id: `${id} ${keyword} ${beyond}`, route: name },
        toReply: (reply, request) =>
          reply.status === 400 && isBeyond(request) ? { ...reply, status, body: {} } : reply,
      };
  }
}

/** Bounds that no case can meet, each with the reason. */
const NOT_MET: Readonly<Record<string, RegExp>> = {
  'a name of one letter may be in use': /^(?:POST|PUT) \/v[12]\/vals body\.name: minLength 2$/,
  'a key of one letter may be in use': /^(?:POST|DELETE) \/v[12]\/blob\/\{key\} params\.key: minLength 2$/,
  'a path without a key is another one': /\/\{key\} params\.key: minLength 0$/,
};

/** Each bound of each request, moved by one. */
export const BOUND_PLANTS: readonly Plant[] = routes
  .flatMap((route) => [...plantBounds(route)])
  .filter(({ id }) => !Object.values(NOT_MET).some((ids) => ids.test(id)));
