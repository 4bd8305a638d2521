import type { Instant } from './clock.js';
import { asc, type Bounds, by, Collection, desc, type Range, type Source } from './collection.js';
import { runNotFound } from './errors.js';
import type { State } from './state.js';
import type { User } from './users.js';
import type { Val } from './vals.js';

export const RUN_SOURCES = ['ui', 'api', 'interval', 'email'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

/** A value that JSON can write. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One execution of a val. */
export interface Run {
  readonly id: string;
  readonly valId: string;
  /** The author of the val, whose run it is. */
  readonly authorId: string;
  /** The version that ran. */
  readonly version: number;
  /** Null for a success; else a sentence or an object that tells what failed. */
  readonly error: string | Record<string, Json> | null;
  /** The run that started this one; its own id if none did. */
  readonly parentId: string;
  readonly runStartAt: Instant;
  /** Null while it goes on. */
  readonly runEndAt: Instant | null;
  readonly source: RunSource;
  readonly emails: readonly Json[];
  readonly logs: readonly Json[];
  readonly returnValue: Json;
  readonly args: readonly Json[];
  /** Position in the order of recording: tells runs of the same instant apart. */
  readonly serial: number;
}

export const hasFailed = (run: Run): boolean => run.error !== null;

const newestFirst = [desc((run: Run) => run.runStartAt), desc((run: Run) => run.serial)] as const;

const ofAuthor = [asc((run: Run) => run.authorId), ...newestFirst] as const;

export const runCollection = (runs: Source<Run>) =>
  Collection.from(
    by<Run>(asc((run) => run.id)),
    {
      author: by<Run>(...ofAuthor),
      authorOutcome: by<Run>(
        asc((run) => run.authorId),
        asc(hasFailed),
        ...newestFirst,
      ),
      val: by<Run>(
        asc((run) => run.valId),
        ...newestFirst,
      ),
      valOutcome: by<Run>(
        asc((run) => run.valId),
        asc(hasFailed),
        ...newestFirst,
      ),
    },
    runs,
    ofAuthor,
  );
export type Runs = ReturnType<typeof runCollection>;

/** The run, if it is of a val of the caller's own. Throws the 404. */
export function findOwnRun(state: State, id: string, caller: User): Run {
  const run = state.runs.get(id);
  if (run?.authorId !== caller.id) throw runNotFound();
  return run;
}

/** Runs of any val of the author, newest first; `failed` picks the failed or the successful ones. */
export const runsOfAuthor = (state: State, author: User, failed: boolean | undefined, window: Bounds): Range<Run> =>
  failed === undefined
    ? state.runs.by.author.range([author.id], window)
    : state.runs.by.authorOutcome.range([author.id, failed], window);

/** Runs of the val, newest first; `failed` picks the failed or the successful ones. */
export const runsOfVal = (state: State, val: Val, failed: boolean | undefined, window: Bounds): Range<Run> =>
  failed === undefined
    ? state.runs.by.val.range([val.id], window)
    : state.runs.by.valOutcome.range([val.id, failed], window);

/** Those of the runs that were started in one of these ways; all when none is named. */
export const fromSources = (runs: Range<Run>, sources: readonly RunSource[] | undefined): Range<Run> | Iterable<Run> =>
  sources === undefined ? runs : runs.filter((run) => sources.includes(run.source));
