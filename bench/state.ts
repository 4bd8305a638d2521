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
      processorTime(() => runCollection(this.runs)),
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

const rows = subjects.map((subject) => ({
  records: subject.size,
  build: timeOf(subject, 'build'),
  plain: timeOf(subject, 'plain'),
  ...Object.fromEntries(Object.keys(TASKS).map((name) => [name, timeOf(subject, name)])),
  insertComparisons: subject.comparisonsOf('insert'),
  deleteComparisons: subject.comparisonsOf('delete'),
  memory: subject.memory,
}));
