import type { Run } from '#vals/service/service.collection.js';

export const USERS = 100;
const VALS = 1_000;
export const MINUTE = 60_000;
/** Start of the newest run. */
export const NOW = Date.UTC(2024, 5, 11, 12);

/** Hashes a number to a number below 2^32. */
export const mix = (n: number): number => {
  const mixed = Math.imul(n ^ (n >>> 15), 0x9e3779b1);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
const hex = (n: number, length: number) => n.toString(16).padStart(length, '0').slice(0, length);
const makeId = (kind: number, n: number) =>
  Buffer.from(`${hex(mix(n), 8)}-${hex(kind, 4)}-4000-8000-${hex(n, 12)}`).toString('latin1');

const USER_IDS = Array.from({ length: USERS }, (_, n) => makeId(1, n));
const VAL_IDS = Array.from({ length: VALS }, (_, n) => makeId(2, n));
export const userId = (n: number): string => USER_IDS[n % USERS] ?? '';

/** Milliseconds since the oldest of `count` runs started: each user has one per minute. */
export const historyLength = (count: number): number => Math.ceil(count / USERS) * MINUTE;

/** Makes the n-th run: of each user in turn, one in ten failed. */
export function makeRun(n: number, runStartAt = NOW - Math.floor(n / USERS) * MINUTE - (mix(n) % MINUTE)): Run {
  const id = makeId(3, n);
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

/** Makes `count` runs in random order. */
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

/** The indexes of a collection of runs, apart from the ids, as comparisons. */
const ORDERS: readonly Order[] = [
  (a, b) => text(a.authorId, b.authorId) || newest(a, b),
  (a, b) => text(a.authorId, b.authorId) || failed(a, b) || newest(a, b),
  (a, b) => text(a.valId, b.valId) || newest(a, b),
  (a, b) => text(a.valId, b.valId) || failed(a, b) || newest(a, b),
];

/** A `Map` by id and one sorted array per index. Fast to read; a write moves everything. */
export class Plain {
  readonly byId: ReadonlyMap<string, Run>;
  readonly #sorted: readonly { readonly order: Order; readonly runs: readonly Run[] }[];

  constructor(runs: readonly Run[]) {
    this.byId = new Map(runs.map((run) => [run.id, run]));
    this.#sorted = ORDERS.map((order) => ({ order, runs: [...runs].sort(order) }));
  }

  /** Finds the position of a run in each array by binary search. */
  findPositions(run: Run): number[] {
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
