import type { Instant } from '../lib/time.js';
import type { Commit } from './commit.js';

/** Commits of a history. One more drops the oldest one. */
export const HISTORY_LENGTH = 2_000;

/** Names the state before the oldest commit. */
export const START = 'start';

/** Commits of a chunk: a change of a history copies two chunks at most. */
const CHUNK_LENGTH = 50;

type Chunks<S> = readonly (readonly Commit<S>[])[];

/** The last commits of a store, oldest first. It never changes: a change makes another history, which shares its chunks. */
export class History<S> implements Iterable<Commit<S>> {
  /** None is empty. All but the first and the last one are full. */
  readonly #chunks: Chunks<S>;
  readonly length: number;

  private constructor(chunks: Chunks<S>, length: number) {
    this.#chunks = chunks;
    this.length = length;
  }

  static empty<S>(): History<S> {
    return new History<S>([], 0);
  }

  *[Symbol.iterator](): Generator<Commit<S>, void> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  get oldest(): Commit<S> | undefined {
    return this.#chunks[0]?.[0];
  }

  get newest(): Commit<S> | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  /** @param index from the oldest commit */
  at(index: number): Commit<S> | undefined {
    const first = this.#chunks[0]?.length ?? 0;
    if (index < first) return this.#chunks[0]?.[index];
    const rest = index - first;
    return this.#chunks[1 + Math.floor(rest / CHUNK_LENGTH)]?.[rest % CHUNK_LENGTH];
  }

  find(id: string): Commit<S> | undefined {
    return this.at(this.indexOf(id));
  }

  /** Returns the index of a commit, from the oldest one; the length of the history if it has none of this id. */
  indexOf(id: string): number {
    let end = this.length;
    for (const chunk of this.#chunks.toReversed()) {
      end -= chunk.length;
      const index = chunk.findLastIndex((commit) => commit.id === id);
      if (index >= 0) return end + index;
    }
    return this.length;
  }

  /** Lists the last commits, oldest first. Default: all */
  list(count = this.length): Commit<S>[] {
    const commits = this.#chunks.slice(-Math.ceil(count / CHUNK_LENGTH) - 1).flat();
    return commits.slice(Math.max(0, commits.length - count));
  }

  /** Adds a commit. It drops the oldest commit of a full history. */
  add(commit: Commit<S>): History<S> {
    const last = this.#chunks.at(-1);
    const isNew = last === undefined || last.length === CHUNK_LENGTH;
    const chunks = isNew ? [...this.#chunks, [commit]] : this.#chunks.with(-1, [...last, commit]);
    return new History(chunks, this.length + 1).dropOldest(this.length + 1 - HISTORY_LENGTH);
  }

  dropOldest(count: number): History<S> {
    const [first, ...others] = this.#chunks;
    if (count <= 0 || first === undefined) return this;
    if (count < first.length) return new History([first.slice(count), ...others], this.length - count);
    return new History(others, this.length - first.length).dropOldest(count - first.length);
  }

  dropNewest(count: number): History<S> {
    const last = this.#chunks.at(-1);
    if (count <= 0 || last === undefined) return this;
    if (count < last.length) return new History(this.#chunks.with(-1, last.slice(0, -count)), this.length - count);
    return new History(this.#chunks.slice(0, -1), this.length - last.length).dropNewest(count - last.length);
  }
}

/** A state that a store has, or had after a commit. */
export interface Moment<S> {
  readonly state: S;
  /** Id of the last commit; null for the state before the oldest one. */
  readonly commit: string | null;
  /** Number of commits up to this state. */
  readonly commits: number;
  /** The time that the clock showed; undefined for the current state, whose clock may run. */
  readonly time?: Instant;
}

/** The current state and the states of the history. */
type Past<S> = Pick<Moment<S>, 'state' | 'commits'> & { readonly history: History<S> };

/**
 * Finds the state after a commit: all that read, compare or store an earlier state find it here. A rewind reads
 * `before` of its commit.
 * @param at id of the commit; `start` for the state before the oldest commit. Default: the current state
 * @returns undefined if the history does not have the commit
 */
export function findMoment<S>(past: Past<S>, at?: typeof START): Moment<S>;
export function findMoment<S>(past: Past<S>, at: string | undefined): Moment<S> | undefined;
export function findMoment<S>(past: Past<S>, at?: string): Moment<S> | undefined {
  const { state, history, commits } = past;
  const { oldest, newest, length } = history;
  if (at === undefined || (at === START && !oldest)) return { state, commits, commit: newest?.id ?? null };
  if (at === START && oldest) return { state: oldest.before, commits: commits - length, commit: null, time: oldest.at };
  const commit = history.find(at);
  return commit && momentAfter(past, commit);
}

/** Returns the state after a commit of the history. */
export function momentAfter<S>({ history, commits }: Past<S>, { id, after, at }: Commit<S>): Moment<S> {
  const later = history.length - 1 - history.indexOf(id);
  return { state: after, commits: commits - later, commit: id, time: at };
}

/** Names a state as {@link findMoment} finds it. Undefined if no commit led to it. */
export function nameMoment<S>(history: History<S>, state: S): string | undefined {
  return history.oldest?.before === state ? START : history.list().findLast(({ after }) => after === state)?.id;
}
