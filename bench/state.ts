/**
 * What the state costs as it grows: runs spread over 100 users with 10 vals each, at 1,000 to 1,000,000 of them.
 *
 *   npm run bench:state            a table, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:state -- --json  the same for machines
 */
import { type Run, type Runs, runCollection } from '../src/domain/runs.js';
import { State } from '../src/domain/state.js';
import { Tree } from '../src/domain/tree.js';
import { World } from '../src/domain/world.js';
import { median } from './measure.js';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const USERS = 100;
const VALS = 1_000;
const PAGE = 20;
const MINUTE = 60_000;
const NOW = Date.UTC(2024, 5, 11, 12);

const settings = { auth: 'strict', defaultPrivacy: 'private', idSeed: 'bench' } as const;

/** A repeatable mix of the numbers below 2^32. */
const mix = (n: number): number => (Math.imul(n ^ (n >>> 15), 0x9e3779b1) ^ (n << 7)) >>> 0;
const hex = (n: number, length: number) => n.toString(16).padStart(length, '0').slice(0, length);
/** Flat text, as JSON gives it; a template gives a rope of its parts, which is slower to compare. */
const flat = (text: string) => Buffer.from(text).toString('latin1');
const idOf = (kind: number, n: number) => flat(`${hex(mix(n), 8)}-${hex(kind, 4)}-4000-8000-${hex(n, 12)}`);

// Records of one user name it by one and the same string, as they do when they come from a fixture or a request.
const USER_IDS = Array.from({ length: USERS }, (_, n) => idOf(1, n));
const VAL_IDS = Array.from({ length: VALS }, (_, n) => idOf(2, n));
const userId = (n: number): string => USER_IDS[n % USERS] ?? '';

/** The n-th run of so many: one for each user in turn, and so close together that half an hour holds 30 of each. */
function makeRun(n: number): Run {
  const user = n % USERS;
  const id = idOf(3, n);
  const runStartAt = NOW - Math.floor(n / USERS) * MINUTE - (mix(n) % MINUTE);
  return {
    id,
    valId: VAL_IDS[user * (VALS / USERS) + (mix(n) % (VALS / USERS))] ?? '',
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

/** The same records in a plain Map and one sorted array for each order that the collection keeps. */
function buildPlain(runs: readonly Run[]): unknown {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const newest = (a: Run, b: Run) => b.runStartAt - a.runStartAt || b.serial - a.serial;
  const failed = (a: Run, b: Run) => Number(a.error !== null) - Number(b.error !== null);
  return [
    byId,
    [...runs].sort((a, b) => text(a.authorId, b.authorId) || newest(a, b)),
    [...runs].sort((a, b) => text(a.authorId, b.authorId) || failed(a, b) || newest(a, b)),
    [...runs].sort((a, b) => text(a.valId, b.valId) || newest(a, b)),
    [...runs].sort((a, b) => text(a.valId, b.valId) || failed(a, b) || newest(a, b)),
  ];
}

/**
 * Comparisons of one insert or delete, on average, in one of the orders of the collection. Steps, not time: a larger
 * world falls out of the processor's caches, and then every structure's steps take longer, a plain Map's too.
 */
function countComparisons(runs: readonly Run[], call: (tree: Tree<Run>, n: number) => unknown): number {
  const CALLS = 2_000;
  let comparisons = 0;
  const compare = (a: Run, b: Run) => {
    comparisons++;
    return b.runStartAt - a.runStartAt || b.serial - a.serial;
  };
  const tree = Tree.from(compare, runs.toSorted(compare));
  comparisons = 0;
  for (let n = 0; n < CALLS; n++) call(tree, n);
  return comparisons / CALLS;
}

/** Milliseconds that a call takes. */
function once(call: () => unknown): number {
  const start = performance.now();
  call();
  return performance.now() - start;
}

/** Microseconds of one call: the median of some rounds, after some to warm up. The call is told which one it is. */
function each(calls: number, call: (n: number) => unknown): number {
  const samples: number[] = [];
  for (let round = -3; round < 9; round++) {
    const took = once(() => {
      for (let i = 0; i < calls; i++) call((round + 3) * calls + i);
    });
    if (round >= 0) samples.push((took * 1_000) / calls);
  }
  return median(samples);
}

/** Bytes in use once all garbage is gone. */
function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

interface Row {
  readonly records: number;
  /** Milliseconds. */
  readonly build: number;
  readonly buildPlain: number;
  /** Microseconds. */
  readonly fork: number;
  readonly reset: number;
  readonly byId: number;
  readonly firstPage: number;
  readonly deepPage: number;
  readonly windowedPage: number;
  readonly insertInOrder: number;
  readonly insertOutOfOrder: number;
  readonly delete: number;
  /** A random id in a plain Map of the same records: how much of the growth is the memory's. */
  readonly mapGet: number;
  readonly insertComparisons: number;
  readonly deleteComparisons: number;
  /** Bytes that the collection takes for each record, the record itself apart. */
  readonly memory: number;
}

function measure(records: number): Row {
  const runs = Array.from({ length: records }, (_, n) => makeRun(n));
  // In turn, so that a slow moment of the machine falls on both.
  const rounds = Array.from({ length: records > 100_000 ? 3 : 7 }, () => ({
    plain: once(() => buildPlain(runs)),
    ours: once(() => runCollection(runs)),
  }));
  const before = heapUsed();
  const collection: Runs = runCollection(runs);
  const memory = (heapUsed() - before) / records;

  const map = new Map(runs.map((run) => [run.id, run]));
  const state = new State(settings);
  state.runs = collection;
  const world = new World(state);
  const depth = collection.by.author.range([userId(0)]).length - PAGE;
  const added = (n: number, runStartAt: number): Run => ({
    ...makeRun(n),
    id: idOf(4, n),
    runStartAt,
    serial: records + n,
  });
  const row: Row = {
    records,
    build: median(rounds.map(({ ours }) => ours)),
    buildPlain: median(rounds.map(({ plain }) => plain)),
    fork: each(20_000, () => state.fork()),
    reset: each(20_000, () => world.reset()),
    byId: each(20_000, (n) => collection.get(idOf(3, mix(n) % records))),
    firstPage: each(10_000, (n) => collection.by.author.range([userId(n)]).page(0, PAGE)),
    deepPage: each(10_000, (n) => collection.by.author.range([userId(n)]).page(Math.max(0, depth), PAGE)),
    windowedPage: each(10_000, (n) =>
      collection.by.author.range([userId(n)], { after: NOW - 30 * MINUTE, upTo: NOW }).page(0, PAGE),
    ),
    // Each upon the collection as it was built, so that the size is the same throughout.
    insertInOrder: each(5_000, (n) => collection.put(added(n, NOW + n))),
    insertOutOfOrder: each(5_000, (n) => collection.put(added(n, NOW - (mix(n) % (records * 600))))),
    delete: each(5_000, (n) => collection.delete(runs[mix(n) % records] ?? makeRun(0))),
    mapGet: each(20_000, (n) => map.get(idOf(3, mix(n) % records))),
    insertComparisons: countComparisons(runs, (tree, n) => tree.insert(added(n, NOW - (mix(n) % (records * 600))))),
    deleteComparisons: countComparisons(runs, (tree, n) => tree.delete(runs[mix(n) % records] ?? makeRun(0))),
    memory,
  };
  return row;
}

interface Check {
  readonly what: string;
  readonly value: number;
  readonly bound: number;
}

function checksOf(rows: readonly Row[]): Check[] {
  const [small] = rows;
  const large = rows.at(-1);
  if (!small || !large) return [];
  const log = Math.log(large.records) / Math.log(small.records);
  const growth = (what: string, of: (row: Row) => number, bound: number): Check => ({
    what: `${what}: ${large.records.toLocaleString('en')} against ${small.records.toLocaleString('en')}`,
    value: of(large) / of(small),
    bound,
  });
  return [
    growth('fork', (row) => row.fork, 3),
    growth('reset', (row) => row.reset, 3),
    { what: 'fork, microseconds', value: large.fork, bound: 50 },
    { what: 'reset, microseconds', value: large.reset, bound: 50 },
    ...rows.flatMap((row) => [
      { what: `deep page against the first, ${row.records}`, value: row.deepPage / row.firstPage, bound: 3 },
      { what: `windowed page against the first, ${row.records}`, value: row.windowedPage / row.firstPage, bound: 3 },
    ]),
    growth('steps of an insert', (row) => row.insertComparisons, log),
    growth('steps of a delete', (row) => row.deleteComparisons, log),
    {
      what: `build against a Map and sorted arrays, ${large.records}`,
      value: large.build / large.buildPlain,
      bound: 4,
    },
  ];
}

const rows = SIZES.map(measure);
const checks = checksOf(rows).map((check) => ({ ...check, ok: check.value <= check.bound }));

if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, checks }));
else {
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(34) + cells.map((cell) => cell.padStart(13)).join('');
  const of = (name: string, value: (row: Row) => number, digits = 2) =>
    line(
      name,
      rows.map((row) => value(row).toFixed(digits)),
    );
  console.log(
    line(
      'records',
      rows.map((row) => row.records.toLocaleString('en')),
    ),
  );
  console.log(of('build, ms', (row) => row.build));
  console.log(of('Map and sorted arrays, ms', (row) => row.buildPlain));
  console.log(of('fork, µs', (row) => row.fork));
  console.log(of('reset, µs', (row) => row.reset));
  console.log(of('by id, µs', (row) => row.byId));
  console.log(of('first page of 20, µs', (row) => row.firstPage));
  console.log(of('deepest page, µs', (row) => row.deepPage));
  console.log(of('first page of 30 minutes, µs', (row) => row.windowedPage));
  console.log(of('insert in order, µs', (row) => row.insertInOrder));
  console.log(of('insert out of order, µs', (row) => row.insertOutOfOrder));
  console.log(of('delete, µs', (row) => row.delete));
  console.log(of('by id in a plain Map, µs', (row) => row.mapGet));
  console.log(of('comparisons of an insert', (row) => row.insertComparisons));
  console.log(of('comparisons of a delete', (row) => row.deleteComparisons));
  console.log(of('memory for each record, bytes', (row) => row.memory, 0));
  console.log('');
  for (const { what, value, bound, ok } of checks) {
    console.log(`${ok ? 'ok    ' : 'MISSED'} ${what}: ${value.toFixed(2)} (bound ${bound.toFixed(2)})`);
  }
}
if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
