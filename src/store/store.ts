import type { Instant } from '../lib/time.js';

export interface CommitInfo {
  readonly id: string;
  /** The operation: `POST /v1/vals`. */
  readonly operation: string;
  readonly at: Instant;
}

export interface Commit<S> extends CommitInfo {
  readonly before: S;
  readonly after: S;
}

export interface Snapshot<S> {
  readonly name: string;
  readonly at: Instant;
  readonly state: S;
  /** Number of commits when it was taken. */
  readonly commits: number;
}

/** Commits that can be rewound. */
export const HISTORY_LENGTH = 100;

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

  /** Runs a change on a copy of the draft. If it returns, the copy becomes the draft; if it throws, the copy is dropped. */
  savepoint<T>(change: (draft: D) => T): T {
    const attempt = this.#fork(this.state);
    const result = change(attempt);
    this.#draft = attempt;
    return result;
  }
}

/** The current state of one sandbox, its history and snapshots. A state never changes once it is committed. */
export class Store<S, D extends S> {
  #state: S;
  readonly #fork: (state: S) => D;
  #history: Commit<S>[] = [];
  #commits = 0;
  #branch = 0;
  readonly #snapshots = new Map<string, Snapshot<S>>();

  /** @param fork copies a state to a draft, in constant time */
  constructor(state: S, fork: (state: S) => D) {
    this.#state = state;
    this.#fork = fork;
  }

  get state(): S {
    return this.#state;
  }

  /** Number of commits with an info since the first state or the last reset. */
  get commits(): number {
    return this.#commits;
  }

  /** Changes when commits are taken back. */
  get branch(): number {
    return this.#branch;
  }

  /** The last commits, oldest first. */
  get history(): readonly Commit<S>[] {
    return this.#history;
  }

  /** In the order in which they were taken. */
  get snapshots(): readonly Snapshot<S>[] {
    return [...this.#snapshots.values()];
  }

  begin(): Transaction<S, D> {
    return new Transaction(this.#state, this.#fork);
  }

  /** Makes the state of a transaction the current one. @param info records the commit in the history */
  commit({ base, state }: Transaction<S, D>, info?: CommitInfo): void {
    this.#state = state;
    if (!info) return;
    this.#commits++;
    this.#history.push({ ...info, before: base, after: state });
    if (this.#history.length > HISTORY_LENGTH) this.#history.shift();
  }

  /** Runs a change in a transaction and commits it. A change that throws changes nothing. */
  update<T>(change: (draft: D) => T, info?: CommitInfo): T {
    const transaction = this.begin();
    const result = change(transaction.draft);
    this.commit(transaction, info);
    return result;
  }

  /** Replaces the state, drops the history and keeps the snapshots. O(1). */
  reset(state: S): void {
    this.#state = state;
    this.#history = [];
    this.#commits = 0;
    this.#branch++;
  }

  /** Goes back to just before a commit and drops that commit and all later ones. */
  rewind(commit: Commit<S>): void {
    const index = this.#history.indexOf(commit);
    if (index < 0) throw new RangeError('not a commit of this store');
    this.#state = commit.before;
    this.#branch++;
    this.#commits -= this.#history.length - index;
    this.#history = this.#history.slice(0, index);
  }

  /** Names a state: the current one, or one of the history. A snapshot of the same name is replaced. O(1). */
  takeSnapshot(name: string, at: Instant, { state, commits }: Pick<Snapshot<S>, 'state' | 'commits'> = this): void {
    this.#snapshots.delete(name);
    this.#snapshots.set(name, { name, at, state, commits });
  }

  /** Goes back to a snapshot and keeps it. O(1). */
  restore({ state, commits }: Snapshot<S>): void {
    this.reset(state);
    this.#commits = commits;
  }

  dropSnapshot(name: string): void {
    this.#snapshots.delete(name);
  }
}
