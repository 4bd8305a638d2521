import { Type } from 'typebox';
import type { RawHeaders } from '../api/http-request.js';
import { readParams } from '../api/router.js';
import { encodeBase64, toBodyText } from '../lib/base64.js';
import { type Difference, findDifferences } from '../lib/matching.js';
import { isAsymmetricMatcher, isDeeperThan, MAX_JSON_DEPTH } from '../lib/objects.js';
import { parseQuery, parseTarget } from '../lib/target.js';
import { mapOf, strictObject } from '../schema/schema.js';
import type { ContentCriteria } from '../state/content-criteria.js';
import type { Exchange } from './exchange.js';

/** Names of criteria. Each is compared with each request. */
export const MAX_CRITERIA = 100;

export const Part = (description: string) =>
  Type.Optional(
    mapOf(Type.Unknown(), {
      description,
      maxProperties: MAX_CRITERIA,
      expected: `an object with at most ${MAX_CRITERIA} names`,
    }),
  );

export const contentCriteria = {
  /** Some of the headers, by case-insensitive name. Null for a header that is absent. */
  headers: Part('Some headers'),
  /** Some of the query parameters: a text, a number, or a list for a repeated one. Null for one that is absent. */
  query: Part('Some query parameters'),
  /** Some of the path parameters: `{ val_id: '…' }`. */
  params: Part('Some path parameters'),
  /** Part of the JSON body: objects may have further keys, arrays and other values are equal. */
  body: Type.Optional(Type.Unknown({ description: 'Part of the JSON body' })),
};
export const ContentSchema = strictObject(contentCriteria);

/** The parts of an exchange from which its content is parsed. */
type ContentSource = Pick<Exchange, 'headers' | 'target' | 'route' | 'requestBody'>;

/** The parsed parts of a request. Each is parsed when it is read first. */
export class RequestContent {
  readonly #source: ContentSource;
  #body: { readonly value: unknown } | undefined;

  constructor(source: ContentSource) {
    this.#source = source;
  }

  /** The headers by lower-case name; the values of a repeated one are joined. */
  get headers(): Record<string, string> {
    const headers = new Map<string, string>();
    for (const [name, value] of listHeaders(this.#source.headers)) {
      const key = name.toLowerCase();
      const earlier = headers.get(key);
      headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
    }
    return Object.fromEntries(headers);
  }

  get query(): Record<string, string | string[]> {
    return { ...parseQuery(parseTarget(this.#source.target).query) };
  }

  get params(): Record<string, string> {
    const { target, route } = this.#source;
    return route === null ? {} : readParams(route, parseTarget(target).path);
  }

  get body(): unknown {
    this.#body ??= { value: parseBody(this.#source.requestBody) };
    return this.#body.value;
  }
}

function* listHeaders(raw: RawHeaders): Iterable<[name: string, value: string]> {
  if (!Array.isArray(raw)) return yield* raw;
  for (let i = 0; i < raw.length; i += 2) yield [raw[i] ?? '', raw[i + 1] ?? ''];
}

export const TraceId = Type.String({
  pattern: '^[\\da-f]{32}$',
  expected: 'a trace id of 32 digits 0–9 a–f',
  description: 'Trace id of `traceparent`',
});

/** Source: W3C Trace Context, section 3.2. Ids of zeros alone are invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}/;

/** Finds a header by its lower-case name. Null for none. */
export function findHeader(raw: RawHeaders, wanted: string): string | null {
  for (const [name, value] of listHeaders(raw)) if (name.toLowerCase() === wanted) return value;
  return null;
}

/** Finds the trace id of the header `traceparent`. Null for none, and for an invalid one. */
export const findTraceId = (raw: RawHeaders): string | null =>
  TRACEPARENT.exec(findHeader(raw, 'traceparent') ?? '')?.[1] ?? null;

/** Names the program that sent a request by `User-Agent`: `Chrome/131` for a browser, else the first product. Null for none. */
export function findProgram(raw: RawHeaders): string | null {
  const agent = findHeader(raw, 'user-agent') ?? '';
  return (/\b(?:Firefox|Edg|Chrome)\/\d+/.exec(agent) ?? /^\S+/.exec(agent))?.[0] ?? null;
}

/** Parses a body: JSON to its value, anything else stays text, bytes that are not UTF-8 are base64, none is null. */
export function parseBody(sent: string | Uint8Array | undefined): unknown {
  if (sent === undefined) return null;
  const body = toBodyText(sent);
  if (body === undefined) return sent instanceof Uint8Array ? { base64: encodeBase64(sent) } : null;
  try {
    const value: unknown = JSON.parse(body);
    return isDeeperThan(MAX_JSON_DEPTH, value) ? body : value;
  } catch {
    return body;
  }
}

/** Writes criteria as requests are read: header names in lower case, numbers in headers and URLs as text. */
export function normalizeContent({ headers, query, params, body }: ContentCriteria): ContentCriteria {
  return {
    ...(headers && { headers: normalizeHeaders(headers) }),
    ...(query && { query: mapEntries(query, ([name, value]) => [name, toText(value)]) }),
    ...(params && { params: mapEntries(params, ([name, value]) => [name, toText(value)]) }),
    ...(body !== undefined && { body }),
  };
}

export const normalizeHeaders = (headers: Texts): Texts =>
  mapEntries(headers, ([name, value]) => [name.toLowerCase(), toText(value)]);

/**
 * Finds how a request differs from criteria that {@link normalizeContent} has written, one by one.
 * @param keys the keys of the criteria, where several requests are compared with them
 */
export function* findContentDifferences(
  { headers, query, params, body }: ContentCriteria,
  found: RequestContent,
  keys?: Map<object, readonly string[]>,
): Generator<Difference, void> {
  const parts = [
    ['params', params],
    ['query', query],
    ['headers', headers],
  ] as const;
  for (const [name, wanted] of parts) if (wanted) yield* findPartDifferences(name, wanted, found[name]);
  if (body !== undefined) yield* findDifferences(body, found.body, 'body', { keys });
}

/** Finds how headers or parameters differ from the expected ones. @param wanted undefined for any */
export function* findPartDifferences(
  name: string,
  wanted: Texts | undefined,
  found: Texts,
): Generator<Difference, void> {
  if (wanted === undefined) return;
  // Null for what is absent.
  const absent = isAsymmetricMatcher(wanted) ? {} : mapEntries(wanted, ([key]) => [key, null]);
  yield* findDifferences(wanted, { ...absent, ...found }, name);
}

type Texts = Readonly<Record<string, unknown>>;
type Entry = [key: string, value: unknown];

/** Maps the entries of an object; a matcher of a test runner stays unchanged. */
const mapEntries = (part: Texts, map: (entry: Entry) => Entry): Texts =>
  isAsymmetricMatcher(part) ? part : Object.fromEntries(Object.entries(part).map(map));

function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? null);
}
