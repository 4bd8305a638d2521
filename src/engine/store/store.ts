import type { Instant } from '../lib/time.js';
import type { Commit, CommitInfo } from './commit.js';
import { History } from './history.js';

export interface Snapshot<S> {
  readonly name: string;
  readonly at: Instant;
  readonly state: S;
  /** Number of commits when it was taken. */
  readonly commits: number;
}

/** The last numbers of the ids of commits: by requests (`r17`), and by control (`w3`). */
export interface CommitNumbers {
  readonly requests: number;
  readonly updates: number;
}

export const NO_NUMBERS: CommitNumbers = { requests: 0, updates: 0 };

export interface Contents<S> {
  readonly state: S;
  readonly history: History<S>;
  /** Number of commits with an info since the first state or the last reset. */
  readonly commits: number;
  /** Since the first state or the last reset. A rewind or restore keeps them, so that no id names two commits. */
  readonly numbers: CommitNumbers;
  /** Changes when commits are taken back. */
  readonly branch: number;
  /** In the order in which they were taken. */
  readonly snapshots: readonly Snapshot<S>[];
}

export type Change<S> =
  /** Makes another state the current one. With an info, the commit is in the history. */
  | { readonly type: 'commit'; readonly before: S; readonly after: S; readonly info?: CommitInfo | undefined }
  /** Replaces the state and drops the history. */
  | { readonly type: 'reset'; readonly state: S; readonly commits: number; readonly numbers: CommitNumbers }
  /** Takes back the last commits. */
  | { readonly type: 'rewind'; readonly steps: number }
  /** Drops the oldest commits of the history. */
  | { readonly type: 'forget'; readonly commits: number }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot<S> }
  | { readonly type: 'drop'; readonly name: string };

/** A change to a state that is committed as a whole or not at all. */
export class Transaction<S, D extends S> {
  readonly base: S;
  readonly #fork: (state: S) => D;
  #draft: D | undefined;

  constructor(base: S, fork: (state: S) => D) {
    this.base = base;
    this.#fork = fork;
  }

  get state(): S {
    return this.#draft ?? this.base;
  }

  /** The state to write to, forked from the base on first use. */
  get draft(): D {
    this.#draft ??= this.#fork(this.base);
    return this.#draft;
  }

  /** Runs a change on a copy of the draft, which becomes the draft if it differs. If the change throws, the copy is dropped. */
  savepoint<T>(change: (draft: D) => T): T {
    const before = this.state;
    const attempt = this.#fork(before);
    const result = change(attempt);
    for (const field in before) {
      if (attempt[field] === before[field]) continue;
      this.#draft = attempt;
      break;
    }
    return result;
  }
}

export const initialContents = <S>(state: S): Contents<S> => ({
  state,
  history: History.empty(),
  commits: 0,
  numbers: NO_NUMBERS,
  branch: 0,
  snapshots: [],
});

function takeNumber(numbers: CommitNumbers, id: string): CommitNumbers {
  const kind = id.startsWith('w') ? 'updates' : 'requests';
  return { ...numbers, [kind]: Math.max(numbers[kind], Number(id.slice(1)) || 0) };
}

/** Returns the last numbers of the ids in a history. */
export const findNumbers = (history: History<unknown>): CommitNumbers =>
  history.list().reduce((numbers, { id }) => takeNumber(numbers, id), NO_NUMBERS);

export function applyChange<S>(contents: Contents<S>, change: Change<S>): Contents<S> {
  const { history, commits, numbers, branch, snapshots } = contents;
  switch (change.type) {
    case 'commit': {
      const { before, after, info } = change;
      if (!info) return { ...contents, state: after };
      const added = history.add({ id: info.id, operation: info.operation, at: info.at, before, after });
      const rest = { commits: commits + 1, numbers: takeNumber(numbers, info.id), branch, snapshots };
      return { state: after, history: added, ...rest };
    }
    case 'reset': {
      const { type: _type, ...begun } = change;
      return { ...begun, history: History.empty(), branch: branch + 1, snapshots };
    }
    case 'rewind': {
      const { steps } = change;
      const state = history.at(history.length - steps)?.before ?? contents.state;
      return { ...contents, state, history: history.dropNewest(steps), commits: commits - steps, branch: branch + 1 };
    }
    case 'forget':
      return { ...contents, history: history.dropOldest(change.commits) };
    case 'snapshot': {
      const { snapshot } = change;
      const others = snapshots.filter(({ name }) => name !== snapshot.name);
      return { ...contents, snapshots: [...others, snapshot] };
    }
    case 'drop':
      return { ...contents, snapshots: snapshots.filter(({ name }) => name !== change.name) };
  }
}

/** Persists the changes of a store, so that they outlive the process. */
export interface Recorder<S> {
  /** Why changes can no longer be persisted: then the store accepts none. */
  readonly failure: Error | undefined;
  /**
   * Persists a change. Resolves once the changes so far are durable; undefined if reads may see it at once.
   * @param isUrgent false for a change that may wait for others, such as a counter
   */
  record(change: Change<S>, before: Contents<S>, isUrgent: boolean): Promise<void> | undefined;
}

/** The current state of one sandbox, its history and snapshots. A state never changes once it is committed. */
export class Store<S extends object, D extends S> {
  readonly #fork: (state: S) => D;
  #contents: Contents<S>;
  #recorder: Recorder<S> | undefined;
  /** The contents that survive a crash. Without a recorder, there is nothing to survive it. */
  #durable: Contents<S>;
  /** The contents without the changes that wait for the recorder. */
  #committed: Contents<S>;
  /** The last change that is not durable. */
  #waiting: Promise<void> | undefined;
  /** Numbers of the last change, of the last one that reads see, and of the last one that is durable. */
  #changes = 0;
  #seen = 0;
  #survived = 0;

  /** @param fork copies a state to a draft, in constant time */
  constructor(contents: Contents<S>, fork: (state: S) => D) {
    this.#fork = fork;
    this.#contents = contents;
    this.#durable = contents;
    this.#committed = contents;
  }

  get contents(): Contents<S> {
    return this.#contents;
  }

  get state(): S {
    return this.#contents.state;
  }

  /** The contents for requests that read. They lack a write whose request has no response yet. */
  get committed(): Contents<S> {
    return this.#committed;
  }

  /** Resolves once the writes so far are durable. Undefined if they are. */
  get waiting(): Promise<void> | undefined {
    return this.#waiting;
  }

  /** Number of commits with an info since the first state or the last reset. */
  get commits(): number {
    return this.#contents.commits;
  }

  /** Changes when commits are taken back. */
  get branch(): number {
    return this.#contents.branch;
  }

  get history(): History<S> {
    return this.#contents.history;
  }

  /** Id of the last commit of the history; null without one. */
  get lastCommitId(): string | null {
    return this.#contents.history.newest?.id ?? null;
  }

  /** Id of the next commit by control. */
  get nextUpdateId(): string {
    return `w${this.#contents.numbers.updates + 1}`;
  }

  /** In the order in which they were taken. */
  get snapshots(): readonly Snapshot<S>[] {
    return this.#contents.snapshots;
  }

  /** Whether its changes are kept. */
  get isRecorded(): boolean {
    return this.#recorder !== undefined;
  }

  /** Keeps all changes from now on, or none. The contents so far are durable. */
  recordBy(recorder: Recorder<S> | undefined): void {
    this.#recorder = recorder;
    this.#durable = this.#contents;
  }

  /** Makes other contents the current ones: those that another process has made. */
  replace(contents: Contents<S>): void {
    this.#contents = contents;
    this.#durable = contents;
    this.#committed = contents;
  }

  /** Shows reads all changes so far, durable or not. Without it they see a change once it is durable. */
  publish(): void {
    this.#publish(this.#contents, this.#changes);
  }

  /** @throws Error when changes can no longer be kept */
  assertWritable(): void {
    if (this.#recorder?.failure) throw this.#recorder.failure;
  }

  begin(): Transaction<S, D> {
    return new Transaction(this.#contents.state, this.#fork);
  }

  /**
   * Makes the state of a transaction the current one.
   * @param info records the commit in the history
   * @returns what resolves once a commit with an info is durable; undefined if it is, or has no info
   */
  commit({ base, state }: Transaction<S, D>, info?: CommitInfo): Promise<void> | undefined {
    if (state === base && !info) return undefined;
    return this.#change({ type: 'commit', before: base, after: state, info }, info !== undefined);
  }

  /** Runs a change in a transaction, and commits it if the state differs. A change that throws changes nothing. */
  update<T>(change: (draft: D) => T, info?: CommitInfo): T {
    const transaction = this.begin();
    const result = transaction.savepoint(change);
    const { base: before, state: after } = transaction;
    if (after !== before) void this.#change({ type: 'commit', before, after, info });
    return result;
  }

  /** Replaces the state, drops the history and keeps the snapshots. O(1). */
  reset(state: S): void {
    void this.#change({ type: 'reset', state, commits: 0, numbers: NO_NUMBERS });
  }

  /** Goes back to just before a commit and drops that commit and all later ones. */
  rewind(commit: Commit<S>): void {
    const index = this.history.indexOf(commit.id);
    if (this.history.at(index) !== commit) throw new RangeError('not a commit of this store');
    void this.#change({ type: 'rewind', steps: this.history.length - index });
  }

  /** Drops the oldest commits of the history, which can no longer be read. */
  forget(commits: number): void {
    if (commits > 0) void this.#change({ type: 'forget', commits }, false);
  }

  /** Names a state: the current one, or one of the history. A snapshot of the same name is replaced. */
  takeSnapshot(name: string, at: Instant, { state, commits }: Pick<Snapshot<S>, 'state' | 'commits'> = this): void {
    void this.#change({ type: 'snapshot', snapshot: { name, at, state, commits } });
  }

  /** Goes back to a snapshot and keeps it. O(1). */
  restore({ state, commits }: Snapshot<S>): void {
    void this.#change({ type: 'reset', state, commits, numbers: this.#contents.numbers });
  }

  dropSnapshot(name: string): void {
    void this.#change({ type: 'drop', name });
  }

  /**
   * @param isUrgent false for a change that may wait for others, such as a counter
   * @returns what resolves once an urgent change is durable; undefined if it is
   * @throws Error when urgent changes can no longer be kept
   */
  #change(change: Change<S>, isUrgent = true): Promise<void> | undefined {
    if (isUrgent) this.assertWritable();
    const before = this.#contents;
    const after = applyChange(before, change);
    const recorder = this.#recorder?.failure ? undefined : this.#recorder;
    // If it throws, nothing has changed.
    const recorded = recorder?.record(change, before, isUrgent);
    this.#contents = after;
    const number = ++this.#changes;
    if (!recorded) {
      this.#publish(after, number);
      return undefined;
    }
    const saved = recorded.then(
      () => {
        if (number > this.#survived) this.#durable = after;
        this.#survived = Math.max(this.#survived, number);
        this.#publish(after, number);
      },
      (failure) => {
        this.#contents = this.#durable;
        this.#publish(this.#durable, this.#changes);
        throw failure;
      },
    );
    const settle = () => {
      if (this.#waiting === saved) this.#waiting = undefined;
    };
    // Those who wait for it handle the rejection.
    saved.then(settle, settle);
    if (!isUrgent) return undefined;
    this.#waiting = saved;
    return saved;
  }

  /** Lets reads see contents, unless they see later ones. */
  #publish(contents: Contents<S>, number: number): void {
    if (number < this.#seen) return;
    this.#seen = number;
    this.#committed = contents;
  }
}
