import { formatValue, joinPath } from './messages.js';
import { isAsymmetricMatcher, isObject } from './objects.js';

/** A value that differs from the expected one. */
export interface Difference {
  readonly path: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

/** How values are compared. */
interface Comparison {
  /** Whether objects may have no further keys. */
  readonly isExact?: boolean;
  /** The keys of the expected objects that were compared before. */
  readonly keys?: Map<object, readonly string[]> | undefined;
  /** Whether two values need not be compared. */
  readonly isSame?: (wanted: unknown, found: unknown, path: string) => boolean;
}

/** Finds the differences between an expected value and the one found, one by one. */
export function* findDifferences(
  wanted: unknown,
  found: unknown,
  path = '',
  comparison: Comparison = {},
): Generator<Difference, void> {
  if (comparison.isSame?.(wanted, found, path)) return;
  const isAsymmetric = isAsymmetricMatcher(wanted);
  if (!isAsymmetric && isObject(wanted) && isObject(found)) {
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
  wanted instanceof RegExp ? typeof found === 'string' && found.search(wanted) >= 0 : Object.is(wanted, found);

/** Returns at most `count` items, and reads no more. */
export function takeFirst<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const item of items) if (first.push(item) === count) break;
  return first;
}

/** Differences of a near miss that a failure shows, and near misses. */
const MAX_DIFFERENCES = 20;
export const SHOWN_NEAR_MISSES = 3;

/** Sorts items by the number of their first differences. */
export const rankByDifferences = <T>(items: readonly T[], compare: (item: T) => Iterable<Difference>) =>
  items
    .map((item) => ({ item, differences: takeFirst(compare(item), MAX_DIFFERENCES) }))
    .sort((a, b) => a.differences.length - b.differences.length);

/** Formats a near miss: a line that names it, and a line for each difference. */
export function formatNearMiss(name: string, differences: readonly Difference[]): string {
  const rest = differences.length === MAX_DIFFERENCES ? ['and perhaps others'] : [];
  const lines = [...differences.map(formatDifference), ...rest];
  return [name, ...(lines.length === 0 ? ['matches'] : lines)].join('\n      ');
}

export const formatDifference = ({ path, wanted, found }: Difference): string =>
  `${path}: expected ${formatValue(wanted)}, found ${formatValue(found)}`;
