import { isObject } from '#engine/lib/objects.js';

/** Tries whether some of the items still fail. */
export type Fails<T> = (kept: readonly T[]) => Promise<boolean>;

/**
 * Finds a smallest list of items that still fails: without any one of them, it does not. The items keep their order.
 *
 * The last item that is needed ends the shortest beginning that fails, which a search by halves finds. It is kept, and the
 * search continues before it. So n items of which k are needed take about k · log₂ n tries. Nothing depends on how failures
 * of subsets relate: each step keeps a list that has failed.
 * @param items which fail together
 * @param jobs tries at the same time. Default: 1
 */
export async function findSmallest<T>(items: readonly T[], fails: Fails<T>, jobs = 1): Promise<readonly T[]> {
  let rest = items;
  let needed: readonly T[] = [];
  for (;;) {
    const length = await findShortest(rest.length, (count) => fails([...rest.slice(0, count), ...needed]), jobs);
    if (length === 0) break;
    needed = [...rest.slice(length - 1, length), ...needed];
    rest = rest.slice(0, length - 1);
  }
  for (;;) {
    const without = needed.map((_, i) => needed.toSpliced(i, 1)).reverse();
    const smaller = await findFirst(without, fails, jobs);
    if (!smaller) return needed;
    needed = smaller;
  }
}

/** Finds a length that fails, while the one before it does not, or 0. @param longest which fails */
async function findShortest(longest: number, fails: (length: number) => Promise<boolean>, jobs: number) {
  if (longest === 0 || (await fails(0))) return 0;
  let low = 0;
  let high = longest;
  while (high - low > 1) {
    const count = Math.min(jobs, high - low - 1);
    const lengths = Array.from({ length: count }, (_, i) => low + Math.ceil(((high - low) * (i + 1)) / (count + 1)));
    const failed = await Promise.all(lengths.map(fails));
    const first = failed.indexOf(true);
    low = (first < 0 ? lengths.at(-1) : lengths[first - 1]) ?? low;
    high = lengths[first] ?? high;
  }
  return high;
}

/** Finds the first candidate that fails. */
async function findFirst<T>(candidates: readonly (readonly T[])[], fails: Fails<T>, jobs: number) {
  for (let i = 0; i < candidates.length; i += jobs) {
    const some = candidates.slice(i, i + jobs);
    const failed = await Promise.all(some.map(fails));
    if (failed.includes(true)) return some[failed.indexOf(true)];
  }
  return undefined;
}

/** A value in parts: a key of an object, an item of an array, a line of a text. */
interface Parts {
  readonly parts: readonly Part[];
  join(parts: readonly Part[]): unknown;
}

interface Part {
  readonly key: string;
  readonly value: unknown;
}

function split(value: unknown): Parts | undefined {
  if (Array.isArray(value)) {
    return { parts: toParts(value), join: (parts) => parts.map((part) => part.value) };
  }
  if (isObject(value)) {
    const parts = Object.entries(value).map(([key, part]) => ({ key, value: part }));
    return { parts, join: (kept) => Object.fromEntries(kept.map((part) => [part.key, part.value])) };
  }
  if (typeof value !== 'string' || !value.includes('\n')) return undefined;
  return { parts: toParts(value.split('\n')), join: (parts) => parts.map((part) => part.value).join('\n') };
}

const toParts = (values: readonly unknown[]): Part[] => values.map((value, i) => ({ key: String(i), value }));

/** Counts the keys of objects, the items of arrays and the lines of texts in a value. */
export const countParts = (value: unknown): number =>
  split(value)?.parts.reduce((sum, part) => sum + 1 + countParts(part.value), 0) ?? 0;

/** Makes a value as small as it still fails: first its own parts, then the parts of each. */
export async function shrinkValue(
  value: unknown,
  fails: (value: unknown) => Promise<boolean>,
  jobs = 1,
): Promise<unknown> {
  const found = split(value);
  if (!found) return value;
  const { join } = found;
  let parts = await findSmallest(found.parts, (kept) => fails(join(kept)), jobs);
  for (const [i, part] of parts.entries()) {
    const replace = (smaller: unknown) => parts.with(i, { ...part, value: smaller });
    const smallest = await shrinkValue(part.value, (smaller) => fails(join(replace(smaller))), jobs);
    parts = replace(smallest);
  }
  return join(parts);
}
