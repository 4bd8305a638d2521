import { isObject } from '../lib/objects.js';
import { SECRET_NAME } from '../lib/redactor.js';

/** Bytes of a result: 4,000 tokens. */
const MAX_BYTES = 16_000;
/** Bytes for what a cut result says of itself. */
const NOTE_BYTES = 600;
/** Characters of each string, and items of each list or object, that a cut result keeps: as many as fit. */
const CUTS = [
  [500, 200],
  [200, 20],
  [60, 5],
] as const;
type Cut = readonly [characters: number, items: number];
/** What a list omits of each request, with its headers and bodies: the tool `request` returns it. */
const DETAILS = ['request', 'response', 'params', 'query'];

/** Cuts a text to the size of a result. */
export const cutResult = (text: string): string => cutAndCount(text, MAX_BYTES / 4);

/** The part of a result that a client asks for. */
export interface Page {
  /** Items of a list to skip. Undefined for a tool without this argument. */
  readonly offset?: number | undefined;
  /** Where the whole result is. Undefined for one that cannot be read again. */
  readonly url?: string | undefined;
}

/**
 * Formats the result of a tool as JSON of 16 KB at most: a record, or `{ items, truncated, next }` for a list. Values of
 * secret headers are removed.
 * @param value the body of a response of the control API; undefined for none
 */
export function formatResult(value: unknown, page: Page = {}): string {
  if (value === undefined) return '{"ok":true}';
  if (Array.isArray(value)) return formatList(value.map(omitDetails), {}, 'items', page);
  if (!isObject(value)) return shrink(value, MAX_BYTES);
  const text = toText(value);
  if (Buffer.byteLength(text) <= MAX_BYTES && !page.offset) return text;
  // A page of records, or a commit with its changes: the list that is most of it.
  const lists = Object.entries(value).filter(([, field]) => Array.isArray(field));
  const [name, list] = lists.sort(([, a], [, b]) => toText(b).length - toText(a).length)[0] ?? [];
  if (name !== undefined && Array.isArray(list)) {
    const isPage = page.offset !== undefined && list.length > 0;
    if (isPage || toText(list).length > text.length / 2) return formatList(list, value, name, page);
  }
  return shrink({ ...value, truncated: true, ...whole(page) }, MAX_BYTES);
}

const whole = ({ url }: Page): object => (url === undefined ? {} : { whole: url });

/** Formats a list with as many items as fit: the newest, which are last if items have a time, else the first. */
function formatList(list: readonly unknown[], record: object, name: string, page: Page): string {
  const { offset = 0 } = page;
  // That of a page of the control API.
  const start = 'offset' in record ? Number(record.offset) : 0;
  const isByTime = list.every((item) => isObject(item) && 'time' in item);
  const rest = { ...record, [name]: [] };
  const shortRest = shrink(rest, MAX_BYTES / 2);
  const others = JSON.parse(shortRest);
  const space = MAX_BYTES - NOTE_BYTES - Buffer.byteLength(shortRest);
  const ordered = (isByTime ? list.toReversed() : list).slice(offset);
  const isLong = Buffer.byteLength(toText(ordered)) > space;
  const texts: string[] = [];
  let bytes = 0;
  for (const item of ordered) {
    const text = isLong ? shrink(item, texts.length === 0 ? space : Number.POSITIVE_INFINITY) : toText(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > space && texts.length > 0) break;
    texts.push(text);
  }
  const items: unknown[] = (isByTime ? texts.reverse() : texts).map((text) => JSON.parse(text));
  const missing = ordered.length - items.length;
  const advice = `: use offset ${start + offset + items.length}, or narrow the arguments`;
  const next = `${missing} ${isByTime ? 'older' : 'further'} ones do not fit${page.offset === undefined ? '' : advice}.`;
  const truncated = isLong || shortRest !== toText(rest);
  return JSON.stringify({
    ...{ ...others, [name]: items, truncated },
    ...(missing > 0 && { next }),
    ...(truncated && whole(page)),
  });
}

/** A near miss of a header, of a request or in `responseHeaders`: `headers.x-api-key: expected "a", found "b"`. */
const HEADER_MISS = /(headers\.([\w-]+): expected .*, found ).*/gi;

/** Removes the values of secret headers from a message of the control API. */
export const hideSecretsIn = (message: string): string =>
  message.replaceAll(HEADER_MISS, (line, start: string, name: string) =>
    SECRET_NAME.test(name) ? `${start}(removed)` : line,
  );

/** The keys of hints: what to do about a response. */
const HINTS = ['suggestion', 'change'];

/** Rewrites the hints of a record, or of each record of a list. */
export function mapHints(value: unknown, map: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapHints(each, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      HINTS.includes(key) && typeof each === 'string' ? map(each) : each,
    ]),
  );
}

/** Of most requests, most of the fields are null, or empty lists. */
const omitDetails = (item: unknown): unknown =>
  isObject(item) && 'method' in item
    ? omitNulls(Object.fromEntries(Object.entries(item).filter(([key]) => !DETAILS.includes(key))))
    : item;

/** Omits the fields of a row, or of each row of a list, that are null or an empty list. */
export function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && !(Array.isArray(field) && field.length === 0)),
  );
}

const toText = (value: unknown): string => JSON.stringify(value, hideSecrets);

/** Removes the values of headers whose names say that they are secret. */
const hideSecrets = (key: string, value: unknown): unknown =>
  key === 'headers' && isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, text]) => [name, SECRET_NAME.test(name) ? '(removed)' : text]),
      )
    : value;

/** Writes a value as JSON of a number of bytes, with strings, lists and objects cut as far as necessary. */
function shrink(value: unknown, space: number): string {
  for (const cut of CUTS) {
    const text = JSON.stringify(value, (key, each) => cutValue(hideSecrets(key, each), cut));
    if (Buffer.byteLength(text) <= space) return text;
  }
  // A character takes six bytes at most.
  return JSON.stringify({ truncated: true, beginning: toText(value).slice(0, space / 8) });
}

function cutValue(value: unknown, [characters, items]: Cut): unknown {
  if (typeof value === 'string') return cutAndCount(value, characters);
  if (Array.isArray(value) && value.length > items)
    return [...value.slice(0, items), `… (${value.length} items in all)`];
  if (!isObject(value) || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return entries.length > items
    ? { ...Object.fromEntries(entries.slice(0, items)), '…': `(${entries.length} keys in all)` }
    : value;
}

const cutAndCount = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters in all)` : text;
