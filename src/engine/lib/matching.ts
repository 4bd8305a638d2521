import { formatValue, joinPath } from './messages.js';
import { isAsymmetricMatcher, isKeyed } from './objects.js';

export interface Difference {
  readonly path: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

interface Comparison {
  /** Whether objects may have no further keys. */
  readonly isExact?: boolean;
  /** The keys of the expected objects that were compared before. */
  readonly keys?: Map<object, readonly string[]> | undefined;
}

/** Finds the differences between an expected value and the one found, one by one. */
export function* findDifferences(
  wanted: unknown,
  found: unknown,
  path = '',
  comparison: Comparison = {},
): Generator<Difference, void> {
  const isAsymmetric = isAsymmetricMatcher(wanted);
  if (!isAsymmetric && isKeyed(wanted) && isKeyed(found)) {
    const { isExact, keys } = comparison;
    const names = keys?.get(wanted) ?? Object.keys(isExact ? { ...wanted, ...found } : wanted);
    keys?.set(wanted, names);
    for (const key of names) yield* findDifferences(wanted[key], found[key], joinPath(path, key), comparison);
  } else if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    for (const [i, value] of wanted.entries()) {
      yield* findDifferences(value, found[i], joinPath(path, i), comparison);
    }
  } else if (!(isAsymmetric ? wanted.asymmetricMatch(found) : isEqual(wanted, found))) {
    yield { path, wanted, found };
  }
}

/** Compares values that have no parts; a text with a regular expression too. */
const isEqual = (wanted: unknown, found: unknown): boolean =>
  isRegExp(wanted) ? typeof found === 'string' && found.search(wanted) >= 0 : Object.is(wanted, found);

const isRegExp = (value: unknown): value is RegExp => Object.prototype.toString.call(value) === '[object RegExp]';

/** Returns at most `count` items, and reads no more. */
export function takeFirst<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const item of items) if (first.push(item) === count) break;
  return first;
}

/** Differences of a near miss that a failure shows, and near misses. */
export const MAX_DIFFERENCES = 20;
export const SHOWN_NEAR_MISSES = 3;

export const rankByDifferences = <T>(items: readonly T[], compare: (item: T) => Iterable<Difference>) =>
  items
    .map((item) => ({ item, differences: takeFirst(compare(item), MAX_DIFFERENCES) }))
    .sort((a, b) => a.differences.length - b.differences.length);

/** Describes the first items of a list, and counts the others. */
export function describeFirst<T>(items: readonly T[], most: number, describe: (item: T) => string): string[] {
  const lines = items.slice(0, most).map(describe);
  return items.length > most ? [...lines, `  and ${items.length - most} more`] : lines;
}

/**
 * Lists the first items that match, and the near misses with their differences.
 * @param ranked items by the number of their differences
 * @param describe returns the line of an item
 */
export function formatRanked<T>(
  ranked: readonly { readonly item: T; readonly differences: readonly Difference[] }[],
  describe: (item: T) => string,
): string {
  const matches = ranked.filter(({ differences }) => differences.length === 0);
  const misses = ranked.filter(({ differences }) => differences.length > 0).slice(0, SHOWN_NEAR_MISSES);
  return [
    ...(matches.length > 0
      ? ['Matches:', ...describeFirst(matches, SHOWN_NEAR_MISSES, ({ item }) => describe(item))]
      : []),
    ...(misses.length > 0 ? ['Near misses:'] : []),
    ...misses.map(({ item, differences }) => formatNearMiss(describe(item), differences)),
  ].join('\n');
}

/** Formats a near miss: a line that names it, and a line for each difference. */
function formatNearMiss(name: string, differences: readonly Difference[]): string {
  const rest = differences.length === MAX_DIFFERENCES ? ['and perhaps others'] : [];
  return [name, ...differences.map(formatDifference), ...rest].join('\n      ');
}

export const formatDifference = ({ path, wanted, found }: Difference): string =>
  `${path}: expected ${formatValue(wanted)}, found ${formatValue(found)}`;
