import type { Run } from '../src/domain/runs.js';

export const USERS = 100;
const VALS = 1_000;
export const MINUTE = 60_000;
/** When the newest run starts. */
export const NOW = Date.UTC(2024, 5, 11, 12);

/** A repeatable mix of the numbers below 2^32. */
export const mix = (n: number): number => {
  const mixed = Math.imul(n ^ (n >>> 15), 0x9e3779b1);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
const hex = (n: number, length: number) => n.toString(16).padStart(length, '0').slice(0, length);
/** Flat text, as JSON gives it; a template gives a rope of its parts, which is slower to compare. */
const flat = (text: string) => Buffer.from(text).toString('latin1');
const idOf = (kind: number, n: number) => flat(`${hex(mix(n), 8)}-${hex(kind, 4)}-4000-8000-${hex(n, 12)}`);

// Records of one user name it by one and the same string, as they do when they come from a fixture or a request.
const USER_IDS = Array.from({ length: USERS }, (_, n) => idOf(1, n));
const VAL_IDS = Array.from({ length: VALS }, (_, n) => idOf(2, n));
export const userId = (n: number): string => USER_IDS[n % USERS] ?? '';

/** How long ago the oldest of so many runs started: each user has one a minute. */
export const historyOf = (count: number): number => Math.ceil(count / USERS) * MINUTE;

/** The n-th run, one for each user in turn, of any of the user's vals; one in ten has failed. */
export function makeRun(n: number, runStartAt = NOW - Math.floor(n / USERS) * MINUTE - (mix(n) % MINUTE)): Run {
  const id = idOf(3, n);
  return {
    id,
    valId: VAL_IDS[(n % USERS) * (VALS / USERS) + (mix(n) % (VALS / USERS))] ?? '',
    authorId: userId(n),
    version: 0,
    error: mix(n) % 10 === 0 ? 'boom' : null,
    parentId: id,
    runStartAt,
    runEndAt: runStartAt + 100,
    source: 'api',
    emails: [],
    logs: [],
    returnValue: null,
    args: [],
    serial: n,
  };
}

/** So many runs, in no particular order. */
export function makeRuns(count: number): Run[] {
  const runs = Array.from({ length: count }, (_, n) => makeRun(n));
  for (const [i, run] of runs.entries()) {
    const other = mix(i) % count;
    runs[i] = runs[other] ?? run;
    runs[other] = run;
  }
  return runs;
}

export type Order = (a: Run, b: Run) => number;

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const failed = (a: Run, b: Run) => Number(a.error !== null) - Number(b.error !== null);
export const newest: Order = (a, b) => b.runStartAt - a.runStartAt || b.serial - a.serial;

/** The orders that a collection of runs keeps besides that by id, each written by hand. */
const ORDERS: readonly Order[] = [
  (a, b) => text(a.authorId, b.authorId) || newest(a, b),
  (a, b) => text(a.authorId, b.authorId) || failed(a, b) || newest(a, b),
  (a, b) => text(a.valId, b.valId) || newest(a, b),
  (a, b) => text(a.valId, b.valId) || failed(a, b) || newest(a, b),
];

/** The same without a tree: a Map by id and one sorted array for each order. Quick to read, but a write moves it all. */
export class Plain {
  readonly byId: ReadonlyMap<string, Run>;
  readonly #sorted: readonly { readonly order: Order; readonly runs: readonly Run[] }[];

  constructor(runs: readonly Run[]) {
    this.byId = new Map(runs.map((run) => [run.id, run]));
    this.#sorted = ORDERS.map((order) => ({ order, runs: [...runs].sort(order) }));
  }

  /** Where the run belongs in each array, by binary search. */
  placesOf(run: Run): number[] {
    return this.#sorted.map(({ order, runs }) => {
      let low = 0;
      let high = runs.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = runs[middle];
        if (other !== undefined && order(other, run) < 0) low = middle + 1;
        else high = middle;
      }
      return low;
    });
  }
}
