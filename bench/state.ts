/**
 * Measures the store and the collections at 1,000 to 1,000,000 runs of 100 users with 10 vals each.
 *
 *   npm run bench -- state            a table and the bounds (exit code 1 if one is missed)
 *   npm run bench -- state --json  the same as JSON
 *
 * Times are CPU times. Compared tasks run in turn in each round, and a ratio is the median of the ratios of the rounds.
 */

import { finish } from '#engine/lib/steps.js';
import { createStore, emptyState, fork } from '#engine/state/state.js';
import { initialContents } from '#engine/store/store.js';
import { Tree } from '#engine/store/tree.js';
import type { Draft } from '#vals/lib/state.collection.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { collections, definitions, type Run } from '#vals/service/service.collection.js';
import { heapUsed, median, processorTime, timeOfCall } from './measure.js';
import { historyLength, MINUTE, makeRun, makeRuns, mix, NOW, newest, Plain, userId } from './runs.js';

const SMALL = 1_000;
const LARGE = 1_000_000;
const SIZES = [SMALL, 10_000, 100_000, LARGE];
const PAGE = 20;
/** Measured rounds, after one to warm up. */
const ROUNDS = 9;
const BUILD_ROUNDS = 3;
/** Number of different runs to insert. */
const ADDED = 4_000;

/** A store with `size` runs and the tasks to measure. */
class Subject {
  readonly size: number;
  /** Bytes of the collection for each run, without the run itself. */
  readonly memory: number;
  readonly runs: readonly Run[];
  /** Samples by task, one for each round: milliseconds of a build, microseconds of anything else. */
  readonly samples = new Map<string, number[]>();
  readonly #state: Draft;
  readonly #store: ReturnType<typeof createStore<Draft>>;
  readonly #plain: Plain;
  /** Runs to insert: newer than all others, and at the times of others. */
  readonly #newer: readonly Run[];
  readonly #scattered: readonly Run[];

  constructor(size: number) {
    this.size = size;
    this.runs = makeRuns(size);
    this.#state = toValsState(fork(emptyState({ auth: 'strict', idSeed: 'bench' }, definitions)));
    const before = heapUsed();
    this.#state.runs = collections.runs.collect(this.runs);
    this.memory = (heapUsed() - before) / size;
    this.#store = createStore(initialContents(this.#state));
    this.#plain = new Plain(this.runs);
    const makeAdded = (getTime: (n: number) => number) =>
      Array.from({ length: ADDED }, (_, n) => makeRun(size + n, getTime(n)));
    this.#newer = makeAdded((n) => NOW + n);
    this.#scattered = makeAdded((n) => NOW - (mix(n) % historyLength(size)));
  }

  build(): void {
    globalThis.gc?.();
    this.#addSample(
      'plain',
      processorTime(() => new Plain(this.runs)),
    );
    globalThis.gc?.();
    this.#addSample(
      'build',
      processorTime(() => collections.runs.collect(this.runs)),
    );
  }

  run(task: Task): void {
    this.#addSample(task, timeOfCall(this.#tasks[task]));
  }

  /** Each write starts from the built collection, so that its size stays the same. */
  readonly #tasks: Readonly<Record<Task, (n: number) => unknown>> = {
    draft: () => fork(this.#state),
    reset: () => this.#store.reset(this.#state),
    sandbox: () => createStore(initialContents(this.#state)),
    snapshot: () => this.#store.takeSnapshot('bench', 0),
    restore: () => this.#store.restore({ name: 'bench', at: 0, state: this.#state, commits: 0 }),
    byId: (n) => this.#state.runs.get(at(this.runs, n).id),
    mapGet: (n) => this.#plain.byId.get(at(this.runs, n).id),
    firstPage: (n) => this.#listRunsOf(n).page(0, PAGE),
    deepPage: (n) => {
      const runs = this.#listRunsOf(n);
      return runs.page(Math.max(0, runs.length - PAGE), PAGE);
    },
    windowedPage: (n) => {
      const until = NOW - historyLength(this.size) / 2 + 15 * MINUTE;
      return this.#state.runs.by.author.range([userId(n)], { after: until - 30 * MINUTE, until }).page(0, PAGE);
    },
    insertInOrder: (n) => this.#state.runs.put(at(this.#newer, n)),
    insertOutOfOrder: (n) => this.#state.runs.put(at(this.#scattered, n)),
    delete: (n) => this.#state.runs.delete(at(this.runs, n)),
    binarySearches: (n) => this.#plain.findPositions(at(this.#scattered, n)),
  };

  #listRunsOf(n: number) {
    return this.#state.runs.by.author.range([userId(n)]);
  }

  #addSample(name: string, sample: number): void {
    this.samples.set(name, [...(this.samples.get(name) ?? []), sample]);
  }

  /** Counts the comparisons of one insert or delete in one index, on average. */
  countComparisons(write: 'insert' | 'delete'): number {
    let comparisons = 0;
    const compare = (a: Run, b: Run) => {
      comparisons++;
      return newest(a, b);
    };
    const tree = finish(Tree.from(compare, this.runs.toSorted(newest)));
    for (let n = 0; n < ADDED; n++) tree[write](at(write === 'insert' ? this.#scattered : this.runs, n));
    return comparisons / ADDED;
  }
}

const TASKS = {
  draft: 'draft, µs',
  reset: 'reset, µs',
  sandbox: 'sandbox, µs',
  snapshot: 'snapshot, µs',
  restore: 'restore, µs',
  byId: 'by id, µs',
  mapGet: 'by id in a plain Map, µs',
  firstPage: 'first page of 20, µs',
  deepPage: 'deepest page, µs',
  windowedPage: 'page of 30 minutes, µs',
  insertInOrder: 'insert in order, µs',
  insertOutOfOrder: 'insert out of order, µs',
  delete: 'delete, µs',
  binarySearches: 'binary searches in arrays, µs',
} as const;
type Task = keyof typeof TASKS;
const isTask = (name: string): name is Task => name in TASKS;

/** Returns the n-th run, and starts again after the last. */
function at(runs: readonly Run[], n: number): Run {
  const run = runs[n % runs.length];
  if (!run) throw new RangeError('no runs');
  return run;
}

// Compiles the code before the memory is measured.
collections.runs.collect(makeRuns(SMALL));
const subjects = SIZES.map((size) => new Subject(size));
for (let round = 0; round <= BUILD_ROUNDS; round++) for (const subject of subjects) subject.build();
for (let round = 0; round <= ROUNDS; round++) {
  for (const task of Object.keys(TASKS).filter(isTask)) for (const subject of subjects) subject.run(task);
}

/** The samples without the round to warm up. */
const listSamples = (subject: Subject, name: string): number[] => (subject.samples.get(name) ?? []).slice(1);
const getTime = (subject: Subject, name: string): number => median(listSamples(subject, name));

/** Divides the samples of one task by those of another, round by round. */
type Timed = readonly [Subject, string];
const ratios = ([subject, name]: Timed, [other, against]: Timed): number[] => {
  const others = listSamples(other, against);
  return listSamples(subject, name).map((sample, round) => sample / (others[round] ?? Number.NaN));
};

/** The lines of the table. */
const LINES: readonly (readonly [name: string, value: (subject: Subject) => number])[] = [
  ['build, ms', (subject) => getTime(subject, 'build')],
  ['Map and sorted arrays, ms', (subject) => getTime(subject, 'plain')],
  ...Object.entries(TASKS).map(([task, name]) => [name, (subject: Subject) => getTime(subject, task)] as const),
  ['comparisons of an insert', (subject) => subject.countComparisons('insert')],
  ['comparisons of a delete', (subject) => subject.countComparisons('delete')],
  ['memory for each record, bytes', (subject) => subject.memory],
];

interface Check {
  readonly what: string;
  readonly value: number;
  readonly bound: number;
}

const number = (value: number): string => value.toLocaleString('en');

function checksBetween(small: Subject, large: Subject): Check[] {
  const sizes = `${number(large.size)} against ${number(small.size)}`;
  const log = Math.log(large.size) / Math.log(small.size);
  const growth = (task: Task): number[] => ratios([large, task], [small, task]);
  const searches = growth('binarySearches');
  return [
    ...(['draft', 'reset', 'sandbox', 'snapshot', 'restore'] as const).flatMap((task) => [
      { what: `${task}: ${sizes}`, value: median(growth(task)), bound: 3 },
      { what: `${task}: microseconds at ${number(large.size)}`, value: getTime(large, task), bound: 50 },
    ]),
    ...subjects.flatMap((subject) =>
      (['deepPage', 'windowedPage'] as const).map((task) => ({
        what: `${TASKS[task].replace(', µs', '')} against the first: at ${number(subject.size)}`,
        value: median(ratios([subject, task], [subject, 'firstPage'])),
        bound: 3,
      })),
    ),
    ...(['insert', 'delete'] as const).map((write) => ({
      what: `comparisons of ${write === 'insert' ? 'an insert' : 'a delete'}: ${sizes}`,
      value: large.countComparisons(write) / small.countComparisons(write),
      bound: log,
    })),
    ...(['insertInOrder', 'insertOutOfOrder', 'delete'] as const).map((task) => ({
      what: `growth of ${TASKS[task].replace(', µs', '')} against that of binary searches: ${sizes}`,
      value: median(growth(task).map((grown, round) => grown / (searches[round] ?? Number.NaN))),
      bound: 1,
    })),
    {
      what: `build against a Map and sorted arrays: at ${number(large.size)}`,
      value: median(ratios([large, 'build'], [large, 'plain'])),
      bound: 4,
    },
  ];
}

const [small, large] = [subjects[0], subjects.at(-1)];
if (!small || !large) throw new Error('nothing measured');
const checks = checksBetween(small, large).map((check) => ({ ...check, ok: check.value <= check.bound }));

const rows = LINES.map(([name, value]) => ({ name, values: subjects.map(value) }));

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ records: SIZES, rows, checks }));
} else {
  const print = (name: string, cells: readonly string[]) =>
    console.log(name.padEnd(34) + cells.map((cell) => cell.padStart(12)).join(''));
  print('records', SIZES.map(number));
  for (const { name, values } of rows) {
    print(
      name,
      values.map((value) => value.toFixed(2)),
    );
  }
  console.log('');
  for (const { what, value, bound, ok } of checks) {
    console.log(`${ok ? 'ok    ' : 'MISSED'} ${what}: ${value.toFixed(2)} (bound ${bound.toFixed(2)})`);
  }
}
if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
