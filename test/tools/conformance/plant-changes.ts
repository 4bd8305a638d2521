import { isObject } from '#engine/lib/objects.js';
import type { Plant, Reply, Request } from './plants.js';

// What plants do to responses.

type Json = Readonly<Record<string, unknown>>;
export type Change = (reply: Reply, request: Request) => Reply | Promise<Reply>;

/** Differences, each on some of the operations. */
export interface PlantClass extends Pick<Plant, 'method' | 'isEverywhere'> {
  /** Operations that the differences concern. */
  readonly on: readonly string[];
  readonly changes: Readonly<Record<string, Change>>;
}

const isText = (value: unknown): value is string => typeof value === 'string';
export const isSuccess = ({ status }: Reply): boolean => status < 300;

/** Changes each object in a body, from the inside. */
export function mapObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, mapObjects(field, change)])));
}

export const inBody =
  (change: (body: unknown, request: Request) => unknown): Change =>
  (reply, request) =>
    isSuccess(reply) ? { ...reply, body: change(reply.body, request) } : reply;
export const inHeaders =
  (headers: Readonly<Record<string, string | undefined>>): Change =>
  (reply) => ({
    ...reply,
    headers: Object.fromEntries(
      Object.entries({ ...reply.headers, ...headers }).filter((entry): entry is [string, string] => isText(entry[1])),
    ),
  });
export const withStatus =
  (status: number): Change =>
  (reply) => ({ ...reply, status });

/** Changes the links of each record that has a link of this name. */
export const inLinks = (
  name: string,
  toLinks: (links: Readonly<Record<string, string>>, record: Json) => Json,
): Change =>
  inBody((body) =>
    mapObjects(body, (record) => {
      const { links } = record;
      if (!isObject(links) || !(name in links)) return record;
      const texts = Object.fromEntries(Object.entries(links).map(([key, link]) => [key, String(link)]));
      return { ...record, links: { ...links, ...toLinks(texts, record) } };
    }),
  );
export const link = (name: string, change: (link: string, record: Json) => string): Change =>
  inLinks(name, (links, record) => ({ [name]: change(links[name] ?? '', record) }));
/** Changes the address of the page of each val, or of each user. */
export const url = (start: string, change: (url: string, record: Json) => string): Change =>
  inBody((body) =>
    mapObjects(body, (record) =>
      isText(record.url) && record.url.startsWith(start) ? { ...record, url: change(record.url, record) } : record,
    ),
  );
export const inItems = (change: (items: readonly unknown[]) => readonly unknown[]): Change =>
  inBody((body) => (isObject(body) && Array.isArray(body.data) ? { ...body, data: change(body.data) } : body));
export const swap = <T>(items: readonly T[], i: number): T[] => [
  ...items.slice(0, i),
  ...items.slice(i, i + 2).toReversed(),
  ...items.slice(i + 2),
];

export const inBytes =
  (change: (bytes: Buffer) => Uint8Array | string): Change =>
  (reply) => {
    if (!isSuccess(reply)) return reply;
    const { body } = reply;
    const bytes = body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const changed = Buffer.from(change(Buffer.from(bytes)));
    // Nothing has changed in an equal body.
    return changed.equals(bytes) ? reply : { ...reply, body: changed };
  };
export const asText = (change: (text: string) => string): Change => inBytes((bytes) => change(bytes.toString()));
/** Changes the sizes in a list of blobs. */
export const inSizes = (change: (size: number) => number): Change =>
  inBody((body) => mapObjects(body, (item) => ({ ...item, size: change(Number(item.size)) })));
/** Lists other blobs than the ones of the prefix. */
export const listing =
  (isListed: (key: string, prefix: string) => boolean): Change =>
  async (reply, { url: { pathname, searchParams }, sender, asAuthor }) => {
    const prefix = searchParams.get('prefix');
    if (prefix === null || sender !== 'author') return reply;
    const { body } = await asAuthor('GET', pathname);
    return { ...reply, body: Array.isArray(body) ? body.filter(({ key }) => isListed(String(key), prefix)) : body };
  };

/** Changes each result of SQL. @param sql the statement of the result */
export const inResults = (change: (result: Json, sql: string) => Json): Change =>
  inBody((body, { body: sent }) => {
    const statements: unknown[] = isObject(sent) ? [sent.statement ?? sent.statements].flat() : [];
    const texts = statements.map((each) => String(isObject(each) ? each.sql : each));
    return Array.isArray(body)
      ? body.map((result, i) => (isObject(result) ? change(result, texts[i] ?? '') : result))
      : isObject(body)
        ? change(body, texts[0] ?? '')
        : body;
  });
/** Changes the affected rows of statements that match. */
export const affected = (pattern: RegExp, change: (rows: number, result: Json) => unknown): Change =>
  inResults((result, sql) =>
    pattern.test(sql) ? { ...result, rowsAffected: change(Number(result.rowsAffected), result) } : result,
  );
export const countRows = ({ rows }: Json): number => (Array.isArray(rows) ? rows.length : 0);

export const allowHeaders =
  (text: (requested: string) => string | undefined): Change =>
  (reply, request) =>
    inHeaders({ 'access-control-allow-headers': text(request.headers.get('access-control-request-headers') ?? '') })(
      reply,
      request,
    );
export const requestedMethod = ({ headers }: Request): string => headers.get('access-control-request-method') ?? '';

/** Responds as to the same request with other parameters. */
export const querying =
  (change: (parameters: URLSearchParams) => void): Change =>
  async (reply, { url: { pathname, searchParams }, sender, asAuthor }) => {
    const parameters = new URLSearchParams(searchParams);
    change(parameters);
    if (sender !== 'author' || `${parameters}` === `${searchParams}`) return reply;
    const { status, body } = await asAuthor('GET', `${pathname}?${parameters}`);
    return { ...reply, status, body };
  };
/** Ignores parameters of the query. */
export const without = (...names: readonly string[]): Change =>
  querying((parameters) => {
    for (const name of names) parameters.delete(name);
  });
