import { parseDuration } from '#engine/lib/time.js';
import type { GeneratedDataset } from '#vals/generator/index.js';
import type { State } from '#vals/lib/state.collection.js';
import { load } from '../../engine/fixtures/loading.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns the milliseconds between a time and the load. */
export function agoOf(time: string | undefined): number {
  const ago = time?.startsWith('-') ? parseDuration(time.slice(1)) : undefined;
  if (ago === undefined) throw new Error(`${time} is not a time before the load`);
  return ago;
}

/** Loads a dataset. */
export const loadDataset = (dataset: GeneratedDataset): State => {
  const { users, vals, versions, likes, comments } = dataset;
  return load({ users, vals, versions, runs: [...dataset.runs], likes, comments });
};

/** A version of a val, with the time until which it was the latest. */
export interface Era {
  readonly val: string;
  readonly author: string;
  readonly number: number;
  readonly code: string;
  readonly from: number;
  readonly to: number;
}

/** The versions of each val, oldest first, from the rows of the fixture. */
export function erasOf({ vals, versions }: GeneratedDataset): Map<string, Era[]> {
  const rows = groupBy(versions, ({ val }) => val);
  return new Map(
    vals.map((val) => {
      const ref = `${val.author}/${val.name}`;
      const latest = { version: val.version, createdAt: val.versionCreatedAt ?? val.createdAt, code: val.code };
      const all = [...(rows.get(ref) ?? []), latest];
      const eras = all.map(({ version, createdAt, code }, index) => {
        const next = all[index + 1];
        const to = next ? agoOf(next.createdAt) : 0;
        return { val: ref, author: val.author, number: version ?? -1, code: String(code), from: agoOf(createdAt), to };
      });
      return [ref, eras];
    }),
  );
}

/** Lists the imports of code as references of fixtures. */
export const importsIn = (code: string): string[] =>
  [...code.matchAll(/from "https:\/\/esm\.town\/v\/([\w/]+)"/g)].map(([, ref = '']) => ref);

/** Counts the items of each key. */
export function tally<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** Groups items by key, in the order of their first. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
