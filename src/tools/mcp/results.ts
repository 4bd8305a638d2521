import { isObject } from '#engine/lib/objects.js';
import { SECRET_NAME } from '#engine/lib/redactor.js';

/** Bytes of a result. Chosen: some thousand tokens. */
const MAX_BYTES = 24_000;
/** Characters that a cut result keeps of each string. */
const MAX_STRING = 500;
/** What a list omits of each request, with its headers and bodies: the tool `request` returns it. */
const DETAILS = ['request', 'response', 'params', 'query'];

/**
 * Formats the result of a tool as JSON of about 24 KB at most: a record, or `{ items, truncated, next }` for a list.
 * Values of secret headers are removed.
 * @param value the body of a response of the control API; undefined for none
 */
export function formatResult(value: unknown): string {
  if (value === undefined) return '{"ok":true}';
  if (typeof value === 'string') return cut(value, MAX_BYTES);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => omitDetails(item));
    return formatList(items, {}, 'items');
  }
  const text = JSON.stringify(value, hideSecrets);
  if (Buffer.byteLength(text) <= MAX_BYTES || !isObject(value)) return text;
  // A page of records, or a commit with its changes.
  const [name] = Object.entries(value).find(([, field]) => Array.isArray(field)) ?? [];
  const list = name === undefined ? undefined : value[name];
  return name !== undefined && Array.isArray(list)
    ? formatList(list, value, name)
    : JSON.stringify({ ...value, truncated: true }, cutStrings);
}

/** Formats a list with as many items as fit: the newest, which are last if items have a time, else the first. */
function formatList(list: readonly unknown[], record: object, name: string): string {
  const isByTime = list.every((item) => isObject(item) && 'time' in item);
  const isLong = Buffer.byteLength(JSON.stringify(list, hideSecrets)) > MAX_BYTES;
  const texts = list.map((item) => JSON.stringify(item, isLong ? cutStrings : hideSecrets));
  const ordered = isByTime ? texts.reverse() : texts;
  let bytes = 0;
  const end = ordered.findIndex((text) => {
    bytes += Buffer.byteLength(text);
    return bytes > MAX_BYTES;
  });
  const kept = end < 0 ? ordered : ordered.slice(0, Math.max(1, end));
  const items: unknown[] = (isByTime ? kept.reverse() : kept).map((text) => JSON.parse(text));
  const missing = list.length - items.length;
  const next = `${missing} ${isByTime ? 'older' : 'further'} ones do not fit: narrow the arguments.`;
  return JSON.stringify({ ...record, [name]: items, truncated: isLong, ...(missing > 0 && { next }) });
}

/** A near miss of a header, of a request or in `responseHeaders`: `headers.x-api-key: expected "a", found "b"`. */
const HEADER_MISS = /(headers\.([\w-]+): expected .*, found ).*/gi;

/** Removes the values of secret headers from a message of the control API. */
export const hideSecretsIn = (message: string): string =>
  message.replaceAll(HEADER_MISS, (line, start: string, name: string) =>
    SECRET_NAME.test(name) ? `${start}(removed)` : line,
  );

const omitDetails = (item: unknown): unknown =>
  isObject(item) && 'method' in item
    ? Object.fromEntries(Object.entries(item).filter(([key]) => !DETAILS.includes(key)))
    : item;

/** Removes the values of headers whose names say that they are secret. */
const hideSecrets = (key: string, value: unknown): unknown =>
  key === 'headers' && isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, text]) => [name, SECRET_NAME.test(name) ? '(removed)' : text]),
      )
    : value;

const cutStrings = (key: string, value: unknown): unknown =>
  typeof value === 'string' ? cut(value, MAX_STRING) : hideSecrets(key, value);

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters in all)` : text;
