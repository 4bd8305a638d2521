import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { Response } from 'express';
import type * as JsonServer from 'json-server';
import type { Row } from '../control/listing.js';
import { createRecords, removeRecord, replaceRecord } from '../control/record-writer.js';
import type { Resource, Resources } from '../control/resources.js';
import { toNoun } from '../definition/nouns.js';
import { ApiError, NotFoundError } from '../lib/errors.js';
import { didYouMean } from '../lib/messages.js';
import type { Steps } from '../lib/steps.js';
import { decode, parseQuery, parseTarget } from '../lib/target.js';
import { escapePattern } from '../lib/text.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { badRequest } from '../state/errors.js';
import type { State } from '../state/state.js';

/** Records that json-server reads for a request, since no other one is handled meanwhile. */
export const MAX_ROWS = 5_000;
/** Pairs of records that it compares for `_embed` and `_expand`. */
export const MAX_PAIRS = 1_000_000;
/** Characters of a query. */
export const MAX_QUERY_LENGTH = 1_000;

interface Source {
  readonly resources: Resources;
  readonly state: State;
}

/**
 * Makes an application of Express that responds to a read: json-server's router over a copy of the records of the read.
 * @param target path and query below the base: `/vals?privacy=public`
 * @param base URL for links: `http://127.0.0.1:4010/_emulator/db`
 * @param spaces by which the JSON is indented
 * @returns undefined for an unknown record
 * @throws ApiError for an unknown collection or an invalid query
 */
export function createReader(
  { resources, state }: Source,
  target: string,
  base: string,
  spaces: number,
): RequestListener | undefined {
  const { path, query = new URLSearchParams() } = parseTarget(target);
  const segments = parsePath(path);
  const resource = getResource(resources, segments);
  const id = segments.length === 2 ? segments[1] : undefined;
  const joined = listJoined(query, resource, resources);
  checkSize(state, resource, joined, id, query);
  const { collection, list, find } = resource;
  const found = id === undefined ? list(state) : [find(state, id) ?? []].flat();
  if (segments.length > 3 || (id !== undefined && found.length === 0)) return undefined;
  // By require() of a file, which tries again after a failure: Node caches a failure of a package's main file.
  const jsonServer: typeof JsonServer = createRequire(import.meta.url)('json-server/lib/server/index.js');
  const rows = new Map<string, unknown>(joined.map((other) => [other.collection, other.list(state)]));
  rows.set(collection, found);
  // Its own calls a function that the query names.
  const render = (_request: unknown, response: Response) => response.json(response.locals.data);
  const router = Object.assign(jsonServer.router(Object.fromEntries(rows)), { render });
  const server = jsonServer.create().disable('x-powered-by').set('json spaces', spaces).use(router);
  const { protocol, host, pathname } = new URL(base);
  const seen = {
    url: target,
    query: toFilters(query),
    // Links are made of these.
    ...{ originalUrl: pathname + target, protocol: protocol.slice(0, -1), headers: { host } },
    // Marks the body as read.
    ...{ body: undefined, _body: true },
  };
  return (request, response) => {
    server(Object.defineProperties(request, Object.getOwnPropertyDescriptors(seen)), response);
  };
}

/** Converts a query to the filters of json-server, which takes `_like` for a pattern, and a list for `_sort` for a text. */
function toFilters(query: URLSearchParams): ReturnType<typeof parseQuery> {
  const plain = new URLSearchParams();
  for (const [name, text] of query) {
    const value = name.endsWith('_like') ? escapePattern(text) : text;
    if (/^_(?!embed$|expand$)/.test(name)) plain.set(name, value);
    else plain.append(name, value);
  }
  return parseQuery(plain);
}

interface Written {
  readonly status: number;
  readonly value: object;
  readonly location?: string;
}

const NOT_FOUND: Written = { status: 404, value: {} };

/**
 * Writes as json-server does: POST to a collection, also below a record; PUT, PATCH and DELETE of a record. A given id is
 * ignored.
 * @throws ApiError for an unknown path
 * @throws FixtureError for an invalid record; nothing has changed then
 */
export function* write(
  context: { readonly resources: Resources; readonly sandbox: Sandbox },
  method: string,
  target: string,
  body: Readonly<Record<string, unknown>> = {},
): Steps<Written> {
  const segments = parsePath(parseTarget(target).path);
  const [parent = '', id, nested] = segments;
  const { collection } = getResource(context.resources, segments);
  const operation = `${method} /_emulator/db/${collection}`;
  if (method === 'POST') {
    if (id !== undefined && nested === undefined) return NOT_FOUND;
    const row = id === undefined ? body : { ...body, [`${toNoun(parent)}Id`]: id };
    const value = yield* createRecords({ ...context, collection, operation }, row);
    return { status: 201, value, ...('id' in value && { location: `/${collection}/${value.id}` }) };
  }
  if (id === undefined || nested !== undefined) return NOT_FOUND;
  const found = { ...context, collection, operation: `${operation}/{id}` };
  try {
    if (method === 'DELETE') {
      removeRecord(found, id);
      return { status: 200, value: {} };
    }
    const change = (row: Row) => ({ ...(method === 'PATCH' ? row : {}), ...body, id });
    return { status: 200, value: yield* replaceRecord(found, id, change) };
  } catch (error) {
    if (error instanceof NotFoundError) return NOT_FOUND;
    throw error;
  }
}

/** @throws ApiError 400 for malformed percent-encoding */
const parsePath = (path: string): string[] =>
  path
    .split('/')
    .filter(Boolean)
    .map((segment) => {
      const decoded = decode(segment);
      if (decoded === undefined) throw badRequest(`The path has a malformed part ${JSON.stringify(segment)}.`);
      return decoded;
    });

/** Returns the collection that a path ends in: `/vals`, `/vals/{id}`, `/users/{id}/vals`. @throws ApiError 404 */
function getResource(resources: Resources, [first = '', , last = first]: readonly string[]): Resource {
  const resource = resources.find(last);
  if (resources.find(first) && resource) return resource;
  const unknown = resources.find(first) ? last : first;
  const names = Array.from(resources.list(), ({ collection }) => collection);
  const hint = didYouMean(unknown, names);
  throw new ApiError(404, `There is no collection ${JSON.stringify(unknown)}: ${names.join(', ')}.${hint}`);
}

/** Lists the collections that a query joins, once for each time. @throws ApiError 400 for what json-server does not check */
function listJoined(query: URLSearchParams, { collection, references }: Resource, resources: Resources): Resource[] {
  if (query.toString().length > MAX_QUERY_LENGTH)
    throw badRequest(`The query is longer than ${MAX_QUERY_LENGTH} characters.`);
  const names = Object.values(references).map((field) => field.replace(/Id$/, ''));
  const expanded = query.getAll('_expand');
  const unknown = expanded.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const expected = names.length > 0 ? names.join(' or ') : 'none';
    throw badRequest(
      `_expand: found ${JSON.stringify(unknown)}; expected ${expected}, which is all that ${collection} refer to.`,
    );
  }
  return [...query.getAll('_embed'), ...expanded.map((name) => `${name}s`)].flatMap(
    (name) => resources.find(name) ?? [],
  );
}

/** @throws ApiError 400 for a read that would keep others waiting */
function checkSize(
  state: State,
  { collection, records }: Resource,
  joined: readonly Resource[],
  id: string | undefined,
  query: URLSearchParams,
): void {
  const size = id === undefined ? records(state).size : 1;
  const others = joined.reduce((sum, other) => sum + other.records(state).size, 0);
  const page = Math.min(size, Number(query.get('_limit')) || size);
  const advice = `Use /_emulator/records/${collection}, which reads a page at a time.`;
  if (size + others > MAX_ROWS)
    throw badRequest(`json-server reads at most ${MAX_ROWS} records; these are ${size + others}. ${advice}`);
  if (page * others > MAX_PAIRS)
    throw badRequest(
      `_embed and _expand compare at most ${MAX_PAIRS} pairs of records; these are ${page * others}: set _limit=${Math.floor(MAX_PAIRS / others)}. ${advice}`,
    );
}
