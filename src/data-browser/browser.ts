import { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type jsonServer from 'json-server';
import type { Row } from '../control/listings.js';
import type { Sandbox } from '../control/sandbox.js';
import { COLLECTION_NAMES, type CollectionName } from '../fixtures/schema.js';
import { ApiError } from '../lib/errors.js';
import { didYouMean } from '../lib/messages.js';
import { isRead } from '../lib/methods.js';
import { escapePattern } from '../lib/text.js';
import { badRequest } from '../model/errors.js';
import type { State } from '../model/state.js';
import { resources } from './resources.js';

interface BrowserRequest {
  readonly method: string;
  /** Path and query below {@link base}: `/vals?privacy=public`. */
  readonly path: string;
  /** Base URL for links: `http://127.0.0.1:4010/_emulator/db`. */
  readonly base: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

interface BrowserResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body before serialization. */
  readonly value: unknown;
}

/** json-server, called without a socket. */
type JsonServerModule = typeof jsonServer;
type JsonServer = ReturnType<JsonServerModule['create']>;

/** A response that passes its value on instead of sending it. */
type ResponseCapture = ServerResponse & { jsonp(value: unknown): void };

/** The data browser of a sandbox: json-server over a plain copy of its records for reads, transactions for writes. */
export class DataBrowser {
  readonly #sandbox: Sandbox;
  /** The copy of the last read. */
  #copy: { readonly state: State; readonly key: string; readonly server: JsonServer } | undefined;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /**
   * @throws ApiError for an unknown path or an invalid query
   * @throws FixtureError for an invalid record; nothing has changed then
   */
  async handle(request: BrowserRequest): Promise<BrowserResponse> {
    const [target = '', search = ''] = request.path.split(/\?(.*)/s);
    const segments = target.split('/').filter(Boolean);
    if (isRead(request.method) && segments.length === 0) {
      const value = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, `${request.base}/${name}`]));
      return { status: 200, headers: {}, value };
    }
    const collection = getCollection(segments);
    const query = new URLSearchParams(search);
    const joined = listJoined(query, collection);
    if (!isRead(request.method)) return this.#write(request, segments, collection);
    const id = segments.length === 2 && !target.includes('%') ? segments[1] : undefined;
    checkSize(this.#sandbox.store.state, collection, joined, id, query);
    // json-server takes the text for a pattern.
    const plain = [...query].map(([name, text]): [string, string] => [
      name,
      name.endsWith('_like') ? escapePattern(text) : text,
    ]);
    const url = `${target}?${new URLSearchParams(plain)}`;
    return read(this.#getServer(collection, joined, id), { ...request, url });
  }

  /** Returns json-server over the records of a read. O(n), or O(1) for the same ones as before. @param id of one record */
  #getServer(collection: CollectionName, joined: readonly CollectionName[], id: string | undefined): JsonServer {
    const { state } = this.#sandbox.store;
    const key = [collection, id, ...joined].join('/');
    const isCurrent = COLLECTION_NAMES.every((name) => this.#copy?.state[name] === state[name]);
    if (this.#copy?.key === key && isCurrent) return this.#copy.server;
    // Loaded late, and by require() of a file, which tries again after a failure. Node caches a failure of a package's main file.
    const jsonServer: JsonServerModule = createRequire(import.meta.url)('json-server/lib/server/index.js');
    const rows = new Map<string, readonly Row[]>(
      [...new Set(joined)].map((name) => [name, resources[name].list(state)]),
    );
    const { list, find } = resources[collection];
    rows.set(collection, id === undefined ? list(state) : [find(state, id) ?? []].flat());
    const router = jsonServer.router(Object.fromEntries(rows));
    // The last layer prints errors and responds with the stack. Without it, errors reach the layer below.
    router.stack.pop();
    // The first layer of each collection waits for a timer.
    for (const { handle } of router.stack) if (isRouter(handle)) handle.stack.shift();
    const server = jsonServer.create();
    server.disable('x-powered-by');
    server.use(router);
    server.use((error: Error, _request: IncomingMessage, response: ResponseCapture, _next: unknown) => {
      response.jsonp(error);
    });
    this.#copy = { state, key, server };
    return server;
  }

  /** Writes as json-server does: POST to a collection, also below a record; PUT, PATCH and DELETE of a record. */
  #write({ method, base, body = {} }: BrowserRequest, segments: readonly string[], collection: CollectionName) {
    const [parent = '', id, nested] = segments;
    const resource = resources[collection];
    const now = this.#sandbox.clock.now.getTime();
    const operation = `${method} /_emulator/db/${collection}`;
    if (method === 'POST' && (id === undefined || nested !== undefined)) {
      const fixture = id === undefined ? body : { ...body, [`${parent.slice(0, -1)}Id`]: id };
      const value = this.#sandbox.update(operation, (draft) => resource.put(draft, now, undefined, fixture));
      const headers = { location: `${base}/${collection}/${value.id}`, 'access-control-expose-headers': 'Location' };
      return { status: 201, headers, value };
    }
    const row = id === undefined || nested !== undefined ? undefined : resource.find(this.#sandbox.store.state, id);
    if (!row || method === 'POST') return { status: 404, headers: {}, value: {} };
    const value = this.#sandbox.update(`${operation}/{id}`, (draft) => {
      if (method === 'DELETE') return resource.remove(draft, row.id);
      return resource.put(draft, now, row, { ...(method === 'PATCH' ? row : {}), ...body, id: row.id });
    });
    return { status: 200, headers: {}, value: value ?? {} };
  }
}

/** Records that json-server reads for a request, since no other one is handled meanwhile. */
export const MAX_ROWS = 5_000;
/** Pairs of records that it compares for `_embed` and `_expand`. */
export const MAX_PAIRS = 1_000_000;
/** Characters of a query. */
export const MAX_QUERY_LENGTH = 1_000;

/** Reads records. @throws ApiError 400 for a query that json-server cannot handle */
function read(server: JsonServer, { method, path, url, base }: BrowserRequest & { readonly url: string }) {
  const { protocol, host, pathname } = new URL(base);
  return new Promise<BrowserResponse>((resolve, reject) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url,
      // json-server makes links from these.
      originalUrl: pathname + path,
      protocol: protocol.slice(0, -1),
      headers: { host },
      // Marks the body as read.
      _body: true,
    });
    const response: ResponseCapture = Object.assign(new ServerResponse(request), {
      jsonp(value: unknown) {
        if (value instanceof Error) return reject(badRequest(`json-server cannot handle this: ${value.message}`));
        const names = ['link', 'x-total-count', 'access-control-expose-headers'];
        const set = names.filter((name) => response.hasHeader(name));
        const headers = Object.fromEntries(set.map((name) => [name, String(response.getHeader(name))]));
        resolve({ status: response.statusCode, headers, value });
      },
    });
    server(request, response);
  });
}

const isRouter = (handle: unknown): handle is { stack: unknown[] } =>
  typeof handle === 'function' && 'stack' in handle && Array.isArray(handle.stack) && handle.stack[0]?.name === 'delay';

const findCollection = (segment: string) => COLLECTION_NAMES.find((name) => name === segment);

/** Returns the collection that a path ends in: `/vals`, `/vals/{id}`, `/users/{id}/vals`. @throws ApiError 404 */
function getCollection([first = '', , last = first]: readonly string[]): CollectionName {
  const collection = findCollection(last);
  if (findCollection(first) && collection) return collection;
  const unknown = findCollection(first) ? last : first;
  const hint = didYouMean(unknown, COLLECTION_NAMES);
  throw new ApiError(404, `There is no collection ${JSON.stringify(unknown)}: ${COLLECTION_NAMES.join(', ')}.${hint}`);
}

/** Lists the collections that a query joins, once for each time. @throws ApiError 400 for what json-server does not check */
function listJoined(query: URLSearchParams, collection: CollectionName): CollectionName[] {
  if (query.toString().length > MAX_QUERY_LENGTH)
    throw badRequest(`The query is longer than ${MAX_QUERY_LENGTH} characters.`);
  const nested = [...query.keys()].find((name) => name.includes('['));
  if (nested !== undefined) throw badRequest(`${nested}: repeat a parameter instead of brackets.`);
  const names = Object.values(resources[collection].references).map((field) => field.replace(/Id$/, ''));
  const expanded = query.getAll('_expand');
  const unknown = expanded.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const expected = names.length > 0 ? names.join(' or ') : 'none';
    throw badRequest(
      `_expand: found ${JSON.stringify(unknown)}; expected ${expected}, which is all that ${collection} refer to.`,
    );
  }
  return [...query.getAll('_embed'), ...expanded.map((name) => `${name}s`)].flatMap(
    (name) => findCollection(name) ?? [],
  );
}

/** @throws ApiError 400 for a read that would keep others waiting */
function checkSize(
  state: State,
  collection: CollectionName,
  joined: readonly CollectionName[],
  id: string | undefined,
  query: URLSearchParams,
): void {
  const size = id === undefined ? state[collection].size : 1;
  const others = joined.reduce((sum, name) => sum + state[name].size, 0);
  const page = Math.min(size, Number(query.get('_limit')) || size);
  const advice = `Use /_emulator/records/${collection}, which reads a page at a time.`;
  if (size + others > MAX_ROWS)
    throw badRequest(`json-server reads at most ${MAX_ROWS} records; these are ${size + others}. ${advice}`);
  if (page * others > MAX_PAIRS)
    throw badRequest(
      `_embed and _expand compare at most ${MAX_PAIRS} pairs of records; these are ${page * others}: set _limit=${Math.floor(MAX_PAIRS / others)}. ${advice}`,
    );
}
