import { findDifferences } from '#engine/lib/matching.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { parseInstant } from '#engine/lib/time.js';

/** The kinds of differences between two responses, in words. */
const KINDS = {
  status: 'another status',
  header: 'another header',
  key: 'another set of keys',
  type: 'a value of another type',
  links: 'other links',
  order: 'another order',
  items: 'other items',
  message: 'another message',
  value: 'another value',
} as const;
type DifferenceKind = keyof typeof KINDS;

export interface Difference {
  readonly kind: DifferenceKind;
  /** A path in the body such as `$.data[].code`, or the name of a header. */
  readonly path: string;
  /** Value of the service, and of the emulator. Undefined for none */
  readonly theirs: unknown;
  readonly ours: unknown;
  /** The side that contradicts the OpenAPI document. The other value is then the documented one. */
  readonly deviates?: 'theirs' | 'ours';
}

export interface CompareOptions {
  /** Whether two values count as equal, whatever they are. */
  readonly isSame?: (theirs: unknown, ours: unknown, path: string) => boolean;
  readonly isIgnored?: (id: string) => boolean;
}

interface ListBody {
  readonly data: readonly unknown[];
  readonly links: Readonly<Record<string, unknown>>;
}

const isList = (body: unknown): body is Record<string, unknown> & ListBody =>
  isObject(body) && Array.isArray(body.data) && isObject(body.links);

/** Lists the items of a page. Any other value has none. */
export const listItems = (page: unknown): readonly unknown[] =>
  isObject(page) && Array.isArray(page.data) ? page.data : [];

/** Names an item of a list by its id, its version, or the ids of a reference. */
function nameItem(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  const { id, version, reference, dependsOn } = item;
  if (isObject(reference) && isObject(dependsOn)) return `${reference.id} ${dependsOn.id}`;
  return String(id ?? version);
}

/** Pairs the items of a list with their names. An item that is repeated gets another name, so that it is a difference. */
function nameItems(items: readonly unknown[]): Map<string, unknown> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const name = nameItem(item);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} (${count})`, item];
    }),
  );
}

/** Compares two bodies. In lists it pairs items by name, and compares their order and the links too. */
export function* compareBodies(theirs: unknown, ours: unknown, options: CompareOptions = {}): Generator<Difference> {
  if (!isList(theirs) || !isList(ours)) return yield* compareValues(theirs, ours, options);
  const [found, own] = [nameItems(theirs.data), nameItems(ours.data)];
  const isCounted = (name: string) => !name.split(' ').some((id) => options.isIgnored?.(id));
  const added = [...found.keys()].filter((name) => !own.has(name) && isCounted(name));
  const missing = [...own.keys()].filter((name) => !found.has(name) && isCounted(name));
  const isSameWindow = added.length === 0 && missing.length === 0;
  if (!isSameWindow) {
    const [theirNames, ourNames] = [added, missing].map((names) => names.join(', ') || undefined);
    yield { kind: 'items', path: '$.data', theirs: theirNames, ours: ourNames };
  }
  const names = [...found.keys()].filter((name) => own.has(name));
  const ownNames = [...own.keys()].filter((name) => found.has(name));
  const i = names.findIndex((name, index) => name !== ownNames[index]);
  if (i >= 0) yield { kind: 'order', path: '$.data', theirs: names[i], ours: ownNames[i] };
  yield* compareLinks(theirs, ours, isSameWindow);
  const [rest, ownRest] = isSameWindow ? [theirs, ours] : [];
  yield* compareValues(
    { ...rest, links: {}, data: names.map((name) => found.get(name)) },
    { ...ownRest, links: {}, data: names.map((name) => own.get(name)) },
    options,
  );
}

/** Compares all values. The path of a difference is the same for all items of a list. */
function* compareValues(theirs: unknown, ours: unknown, options: CompareOptions): Generator<Difference> {
  const toPath = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');
  const isSame = (theirValue: unknown, ourValue: unknown, path: string): boolean =>
    (isObject(theirValue) && isObject(ourValue) && options.isIgnored?.(String(theirValue.id))) ||
    (options.isSame?.(theirValue, ourValue, toPath(path)) ?? false);
  for (const { path, wanted, found } of findDifferences(theirs, ours, '$', { isExact: true, isSame })) {
    yield { kind: 'value', path: toPath(path), theirs: wanted, ours: found };
  }
}

/** Compares the links of two pages, without their bases. */
function* compareLinks(theirs: ListBody, ours: ListBody, isSameWindow: boolean): Generator<Difference> {
  for (const name of ['self', 'next', 'prev']) {
    const [their, our] = [theirs.links[name], ours.links[name]];
    const isOnOneSide = (their === undefined) !== (our === undefined);
    const isDifferent =
      isOnOneSide || typeof their !== 'string' || typeof our !== 'string'
        ? isOnOneSide && isSameWindow
        : normalizeLink(their) !== normalizeLink(our);
    if (isDifferent) return yield { kind: 'links', path: '$.links', theirs: their, ours: our };
  }
}

/** Writes a link as path and sorted query. */
function normalizeLink(link: string): string {
  if (!URL.canParse(link)) return link;
  const { pathname, searchParams } = new URL(link);
  searchParams.sort();
  return `${pathname.replace(/^.*?(?=\/v\d+\/)/, '')}?${searchParams}`;
}

/** Finds the first key that is later than the one before it: a number, a time or a text. Returns -1 for none. */
export const findDisorder = (keys: readonly unknown[]): number =>
  keys.findIndex((key, i) => i > 0 && isBefore(keys[i - 1], key));

function isBefore(first: unknown, second: unknown): boolean {
  if (typeof first === 'number' && typeof second === 'number') return first < second;
  const [one, two] = [first, second].map(String);
  return (parseInstant(one ?? '') ?? String(one)) < (parseInstant(two ?? '') ?? String(two));
}

/** Names a difference: `GET /v1/me: another value ($.bio)`. */
export const nameDifference = ({ kind, path }: Difference, scope: string): string =>
  `${scope}: ${KINDS[kind]}${kind === 'status' ? '' : ` (${path})`}`;

/** Describes the values of the service and of the emulator. */
export function describeDifference({ theirs, ours, deviates }: Difference): string {
  const [their, our] = [theirs, ours].map(describeValue);
  if (deviates === 'theirs') return `The service has ${their}; the document: ${our}.`;
  if (deviates === 'ours') return `The emulator has ${our}; the document: ${their}.`;
  return `The service has ${their}; the emulator has ${our}.`;
}

/** Formats a short text without quotes. */
const describeValue = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' && value.length < 40 ? value : formatValue(value);
