/**
 * What the state costs as it grows: runs spread over 100 users with 10 vals each, at 1,000 to 1,000,000 of them.
 *
 *   npm run bench:state            a table, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:state -- --json  the same for machines
 *
 * Times are of the processor. Everything is measured in rounds, in turn with what it is compared to, and a ratio is the
 * median of those within a round, so that a slow moment of the machine falls on both sides of it.
 */
import { type Run, runCollection } from '../src/domain/runs.js';
import { State } from '../src/domain/state.js';
import { Tree } from '../src/domain/tree.js';
import { World } from '../src/domain/world.js';
import { heapUsed, median, processorTime, timeOfCall } from './measure.js';
import { historyOf, MINUTE, makeRun, makeRuns, mix, NOW, newest, Plain, userId } from './runs.js';

const SMALL = 1_000;
const LARGE = 1_000_000;
const SIZES = [SMALL, 10_000, 100_000, LARGE];
const PAGE = 20;
/** Rounds that count, after one to warm up. */
const ROUNDS = 9;
const BUILD_ROUNDS = 3;
/** How many different runs are inserted. */
const ADDED = 4_000;

/** A world of so many runs, and what is done to it. */
class Subject {
  readonly size: number;
  /** Bytes that the collection takes for each run, the run itself apart. */
  readonly memory: number;
  readonly runs: readonly Run[];
  /** Samples by task, one for each round: milliseconds of a build, microseconds of anything else. */
  readonly samples = new Map<string, number[]>();
  readonly #state = new State({ auth: 'strict', defaultPrivacy: 'private', idSeed: 'bench' });
  readonly #world: World;
  readonly #plain: Plain;
  /** Runs that are not there: newer than all, and of any time that others have. */
  readonly #newer: readonly Run[];
  readonly #scattered: readonly Run[];

  constructor(size: number) {
    this.size = size;
    this.runs = makeRuns(size);
    const before = heapUsed();
    this.#state.runs = runCollection(this.runs);
    this.memory = (heapUsed() - before) / size;
    this.#world = new World(this.#state);
    this.#plain = new Plain(this.runs);
    const added = (timeOf: (n: number) => number) =>
      Array.from({ length: ADDED }, (_, n) => makeRun(size + n, timeOf(n)));
    this.#newer = added((n) => NOW + n);
    this.#scattered = added((n) => NOW - (mix(n) % historyOf(size)));
  }

  build(): void {
    globalThis.gc?.();
    this.#note(
      'plain',
      processorTime(() => new Plain(this.runs)),
    );
    globalThis.gc?.();
    this.#note(
      'build',
      // Few records are put in order only when an index is asked.
      processorTime(() => Object.values(runCollection(this.runs).by).map(({ size }) => size)),
    );
  }

  run(task: Task): void {
    this.#note(task, timeOfCall(this.#tasks[task]));
  }

  /** Each write is one upon the collection as it was built, so that the size is the same throughout. */
  readonly #tasks: Readonly<Record<Task, (n: number) => unknown>> = {
    fork: () => this.#state.fork(),
    reset: () => this.#world.reset(),
    byId: (n) => this.#state.runs.get(at(this.runs, n).id),
    mapGet: (n) => this.#plain.byId.get(at(this.runs, n).id),
    firstPage: (n) => this.#ofUser(n).page(0, PAGE),
    deepPage: (n) => {
      const runs = this.#ofUser(n);
      return runs.page(Math.max(0, runs.length - PAGE), PAGE);
    },
    windowedPage: (n) => {
      const upTo = NOW - historyOf(this.size) / 2 + 15 * MINUTE;
      return this.#state.runs.by.author.range([userId(n)], { after: upTo - 30 * MINUTE, upTo }).page(0, PAGE);
    },
    insertInOrder: (n) => this.#state.runs.put(at(this.#newer, n)),
    insertOutOfOrder: (n) => this.#state.runs.put(at(this.#scattered, n)),
    delete: (n) => this.#state.runs.delete(at(this.runs, n)),
    binarySearches: (n) => this.#plain.placesOf(at(this.#scattered, n)),
  };

  #ofUser(n: number) {
    return this.#state.runs.by.author.range([userId(n)]);
  }

  #note(name: string, sample: number): void {
    this.samples.set(name, [...(this.samples.get(name) ?? []), sample]);
  }

  /** Comparisons of one insert or delete in one order, on average. */
  comparisonsOf(write: 'insert' | 'delete'): number {
    let comparisons = 0;
    const compare = (a: Run, b: Run) => {
      comparisons++;
      return newest(a, b);
    };
    const tree = Tree.from(compare, this.runs.toSorted(newest));
    for (let n = 0; n < ADDED; n++) tree[write](at(write === 'insert' ? this.#scattered : this.runs, n));
    return comparisons / ADDED;
  }
}

const TASKS = {
  fork: 'fork, µs',
  reset: 'reset, µs',
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

/** The n-th run, and from the start again after the last. */
function at(runs: readonly Run[], n: number): Run {
  const run = runs[n % runs.length];
  if (!run) throw new RangeError('no runs');
  return run;
}

// Once before the first is weighed, so that code made meanwhile is not weighed with it.
runCollection(makeRuns(SMALL));
const subjects = SIZES.map((size) => new Subject(size));
for (let round = 0; round <= BUILD_ROUNDS; round++) for (const subject of subjects) subject.build();
for (let round = 0; round <= ROUNDS; round++) {
  for (const task of Object.keys(TASKS).filter(isTask)) for (const subject of subjects) subject.run(task);
}

/** The samples of the rounds that count. */
const samplesOf = (subject: Subject, name: string): number[] => (subject.samples.get(name) ?? []).slice(1);
const timeOf = (subject: Subject, name: string): number => median(samplesOf(subject, name));

/** What of two things is how many times the other, each of a subject and by name. */
type Timed = readonly [Subject, string];
const ratios = ([subject, name]: Timed, [other, against]: Timed): number[] => {
  const others = samplesOf(other, against);
  return samplesOf(subject, name).map((sample, round) => sample / (others[round] ?? Number.NaN));
};

/** What is told of each subject. */
const LINES: readonly (readonly [name: string, value: (subject: Subject) => number])[] = [
  ['build, ms', (subject) => timeOf(subject, 'build')],
  ['Map and sorted arrays, ms', (subject) => timeOf(subject, 'plain')],
  ...Object.entries(TASKS).map(([task, name]) => [name, (subject: Subject) => timeOf(subject, task)] as const),
  ['comparisons of an insert', (subject) => subject.comparisonsOf('insert')],
  ['comparisons of a delete', (subject) => subject.comparisonsOf('delete')],
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
    ...(['fork', 'reset'] as const).flatMap((task) => [
      { what: `${task}: ${sizes}`, value: median(growth(task)), bound: 3 },
      { what: `${task}: microseconds at ${number(large.size)}`, value: timeOf(large, task), bound: 50 },
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
      value: large.comparisonsOf(write) / small.comparisonsOf(write),
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
