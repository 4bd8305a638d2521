import type { SandboxClock } from '../clock/clock.js';
import type { ChaosOptions } from '../faults/chaos.js';
import type { FaultOptions, FaultRecord } from '../faults/faults.js';
import type { ChaosName } from '../faults/presets.js';
import type { RequestFilter } from '../journal/expectations.js';
import type { RequestRecord } from '../journal/request-record.js';
import type { SandboxRateLimit } from '../rate-limit/rate-limit.js';
import type { CallerRecord } from '../state/callers.js';
import type { DiffOptions, ScoreOptions, StateDiff } from './comparison.js';
import type { HistoryEntry, HistoryOptions } from './history-entries.js';
import type { MakeTestOptions, WrittenTest } from './make-test.js';
import type { RequestExplanation } from './request-explanation.js';
import type { Score } from './score.js';
import type { SnapshotRecord } from './snapshots.js';
import type { StateReference } from './state-reference.js';
import type { SandboxTypes } from './types.js';

/**
 * What a sandbox of this process and one of a running emulator have alike: there, each method returns a promise. Members
 * with several signatures or with separate types have their documentation in their class.
 */
export interface SandboxMembers<T extends SandboxTypes = SandboxTypes> {
  /** 1–64 of `A–Z a–z 0–9 . _ -`; empty for the default sandbox. */
  readonly name: string;
  /** The base URL of this sandbox. */
  readonly url: string;
  /** Headers that select this sandbox on requests to the emulator's own base URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** A drop-in `fetch` that reaches this sandbox without a socket. Accepts a path alone: `/v1/me`. */
  readonly fetch: typeof fetch;
  /** The current users, in the order of the fixtures. */
  readonly users: CallerRecord[];
  /**
   * Adds a record, or a list of records, in fixture format and returns what was added with all defaults filled in.
   * Each method throws a FixtureError with all errors of all records and then adds nothing.
   */
  readonly add: T['add'];
  /** Its clock, which a reset restores. */
  readonly clock: SandboxClock;
  /** The rate limit, which a reset restores. */
  readonly rateLimit: SandboxRateLimit;
  /**
   * Goes back to the seed data: records, ids, clock, faults, rate limits, journal and history. Keeps snapshots. Relative
   * times count from now, to the second. O(1), unless such times are older.
   */
  reset(): void;
  /**
   * Takes a snapshot to {@link restore} and returns its name. O(1).
   * @param name default: a new one. A snapshot of the same name is replaced.
   * @param at of the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @throws ApiError when there are 1,000 snapshots
   * @throws NotFoundError when the history has no such commit
   */
  snapshot(name?: string, at?: string): string;
  /** Goes back to a snapshot and keeps it. O(1). @throws NotFoundError */
  restore(name: string): void;
  /** @throws NotFoundError */
  dropSnapshot(name: string): void;
  snapshots(): SnapshotRecord[];
  /**
   * Returns the last 1,000 requests to the API since the start or the last reset, oldest first.
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value; ApiError 409 without a journal
   */
  requests(filter?: RequestFilter<T['route']>): RequestRecord[];
  /**
   * Explains a request of the journal, `r3`: why it got its response, the most similar request that was accepted, and what
   * to change.
   * @throws NotFoundError; ApiError 409 without a journal
   */
  explain(id: string): RequestExplanation;
  /** Returns the requests to routes that do not exist, and calls of unknown tools. @throws ApiError 409 without a journal */
  unhandled(): RequestRecord[];
  /**
   * Asserts that a tool of the service's MCP server was called: `expectToolCall('create_file', { path: 'main.ts' })`.
   * @param args some of its arguments. Default: any
   * @param times exact number of these calls, 0 for none. Default: at least one
   * @throws ExpectationError with the near misses
   * @throws OptionsError for an unknown tool
   */
  expectToolCall(tool: string, args?: object, times?: number): void;
  /** Returns the sandbox as a session file: seed data, history, snapshots and journal, without tokens. */
  session(): string;
  /**
   * Writes a test of requests of the journal: with the data that they found, and what they got. Another emulator in this process
   * gets them first. Tokens and other secrets are replaced, as in a session.
   * @param requests such as `r3` or `last`, at most 100. Default: all
   * @throws NotFoundError for an unknown request, and for requests before the oldest state of the history
   * @throws OptionsError for an unknown option or a wrong value; ApiError 400 for too many requests, 409 without a journal
   */
  makeTest(requests?: string | readonly string[], options?: MakeTestOptions): Promise<WrittenTest>;
  /** Clears the journal. */
  clearRequests(): void;
  /**
   * Returns the last commits, oldest first, with what they changed.
   * @param options.limit of 2,000. Default: 100, and all of a record
   * @param options.record with the record before and after each commit
   * @throws NotFoundError when no state of the history has the record. OptionsError for a wrong limit
   */
  history(options?: HistoryOptions): HistoryEntry[];
  /**
   * Goes back to just before a commit. That commit and all later ones are dropped.
   * @param to number of commits to take back, or the id of a commit in {@link history}
   * @throws NotFoundError when the history has no such commit
   */
  rewind(to: number | string): void;
  /**
   * Compares two states: `sandbox:NAME`, `snapshot:NAME`, `commit:r17`, `commit:start`, `fixture:PATH`, in another process
   * `fixture:NAME`, a name alone that fits one of them, or fixtures as an object. Costs in proportion to the records that they do not share.
   * @param before default: `commit:start`
   * @param after default: the current state
   * @throws NotFoundError for an unknown state. OptionsError for a name that fits several, and for wrong options. FixtureError
   */
  diff(before?: StateReference, after?: StateReference, options?: DiffOptions): StateDiff;
  /**
   * Scores the difference of two states: matched / (expected + unexpected), and 1 if both are 0.
   * @throws OptionsError for expectations that cannot match, otherwise as {@link diff} does. ApiError for more than 100,000 changes
   */
  score(options: ScoreOptions): Score;
  /**
   * Arms a fault. Faults are tried in the order of arming; the first that is injected ends the search.
   * @param route as in `POST /v1/vals`; `*` for any
   * @throws FaultError for a wrong value, or an unknown route or user
   */
  fail(route: T['route'] | '*', options?: FaultOptions): FaultRecord;
  /**
   * Arms the faults of a name, which end by the clock of the sandbox: `slow-api` and `flaky` after 5 minutes, `rate-limited`
   * after 1 minute, `offline` after 30 seconds.
   * @param options.for another duration, such as `'10s'`, or milliseconds
   * @param options.seed selects other requests. Default: 0
   * @throws OptionsError for an unknown name, and for a wrong value
   */
  chaos(name: ChaosName, options?: ChaosOptions): FaultRecord[];
  /** Returns the armed faults with their counters, in the order of arming. */
  faults(): FaultRecord[];
  /** Disarms one fault, or all. @throws NotFoundError */
  disarm(id?: string): void;
}
