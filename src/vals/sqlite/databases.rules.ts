import type { Explained } from '#engine/api/plan.js';
import type { Engine } from '#engine/api/route.js';
import { StateNames } from '#engine/fixtures/names.js';
import { cutText } from '#engine/lib/text.js';
import type { Instant } from '#engine/lib/time.js';
import { unauthorized } from '#engine/state/errors.js';
import { type DataOwner, getOwnerId, nameDataOwner } from '#vals/lib/data-owners.collection.js';
import type { DataRequest } from '#vals/lib/data-owners.rules.js';
import { projectNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { StoredDatabase } from '#vals/service/service.collection.js';
import { share } from '#vals/sqlite/thread/shared.js';
import type { SqliteThread } from '#vals/sqlite/thread/thread.js';
import * as lateThread from '#vals/sqlite/thread/thread.js';
import { Timer } from '#vals/sqlite/thread/timer.js';
import { databases, findChangedPages, readDatabase, storeDatabase } from './databases.collection.js';
import { MAX_TIME } from './scripts.js';
import { interrupted } from './sql-error.js';
import type { Done, RunTask } from './tasks.js';
import type { SqlStatement } from './values.js';

/** The key of databases without bytes. */
const EMPTY: StoredDatabase = { userId: '', size: 0, updatedAt: 0 };

/** What a statement has read, as JSON has it: a blob is a list of its bytes. */
export interface Selected {
  readonly columns: readonly string[];
  /** The declared types; empty without one. */
  readonly columnTypes: readonly string[];
  readonly rows: (null | string | number | number[])[][];
}

/** Milliseconds that several statements have in sum. */
export interface Budget {
  left: number;
}

/** As for the statements of a request. */
export const makeBudget = (): Budget => ({ left: MAX_TIME });

const READ = { kind: 'run', mode: 'read', time: MAX_TIME } as const;

type RunOptions = Omit<RunTask, 'id' | 'bytes' | 'after'>;

/** How a batch runs. Source: the OpenAPI documents of the service. */
export const BATCH_MODES = ['write', 'read', 'deferred'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

export interface SqlRequest extends DataRequest {
  readonly owner: DataOwner;
  readonly now: Instant;
  /** The committed state. */
  readonly state: State;
}

/** The JSON of the results of statements, what explains them, and the rows that they have changed. */
export interface SqlResults extends Omit<Explained, 'value'> {
  readonly results: readonly string[];
}

/** Statements that have read, or that have to be run on the newest state, since they write. */
export type SqlPlan = { readonly read: SqlResults } | { readonly write: (draft: Draft) => SqlResults };

/** @param text with its double quotes */
const explainText = (text: string): string => `${cutText(text, 61)} is a text here: no column has that name`;

const toResults = ({ results = [], texts = [] }: Done): SqlResults => ({
  results,
  reason: texts.length > 0 ? texts.map(explainText).join('; ') : undefined,
});

/**
 * Runs the statements of requests. The thread finds an open database by an id of its record, which each change replaces, in each
 * sandbox, snapshot and state of the history.
 */
export class Databases {
  #used: SqliteThread | undefined;
  #isOpen = true;
  readonly #ids = new WeakMap<StoredDatabase, number>();

  /** Is loaded by its first use. */
  get #thread(): SqliteThread {
    this.#used ??= new lateThread.SqliteThread();
    return this.#used;
  }

  /** Keeps the thread until `close`, or until it is idle. */
  constructor() {
    share().emulators++;
  }

  /** Ends the thread if no other emulator is open. Idempotent. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const shared = share();
    // Without a thread, its code need not be loaded.
    if (shared.worker) this.#thread.close();
    else shared.emulators--;
  }

  /**
   * Runs statements that only read, on the committed state, and plans those that write. They run all or none.
   * @throws SqlError for a statement. @throws ApiError 503 when the engine cannot be loaded
   */
  plan(request: SqlRequest, statements: readonly SqlStatement[], mode: BatchMode): SqlPlan {
    const { state, owner, now } = request;
    this.#thread.start();
    const timer = new Timer(MAX_TIME);
    const task = { kind: 'run', statements, now, time: MAX_TIME } as const;
    const database = state.sqlite.get(getOwnerId(owner)) ?? EMPTY;
    const read = this.#perform(state, database, { ...task, mode: mode === 'read' ? 'read' : 'try' });
    if (read.results) return { read: toResults(read) };
    return { write: (draft) => this.#write(draft, request, { ...task, mode: 'write', left: timer.left }) };
  }

  /** Runs a statement that reads, and returns what it has read. @throws as `plan` does */
  readNow(state: State, database: StoredDatabase | undefined, now: Instant, statement: SqlStatement): Selected {
    this.#thread.start();
    const { results } = this.#perform(state, database ?? EMPTY, { ...READ, statements: [statement], now });
    return JSON.parse(results?.[0] ?? '');
  }

  /**
   * Runs a statement that reads, while other requests run, and returns what it has read.
   * @param database undefined for an empty one
   * @param budget of statements that share their time. Default: the statement has its own
   * @throws as `plan` does
   */
  async read(
    state: State,
    database: StoredDatabase | undefined = EMPTY,
    now: Instant,
    statement: SqlStatement,
    budget = makeBudget(),
  ): Promise<Selected> {
    const { left } = budget;
    if (left <= 0) throw interrupted(MAX_TIME);
    const task = this.#identify(database, { ...READ, statements: [statement], now, left });
    let timer: Timer | undefined;
    const perform = (bytes?: RunTask['bytes']) =>
      this.#thread.performLater(bytes ? { ...task, bytes } : task, () => {
        timer = new Timer(left);
      });
    try {
      const done = (await perform()) ?? (await perform(readDatabase(state, database)));
      return JSON.parse(done?.results?.[0] ?? '');
    } finally {
      budget.left = timer?.left ?? left;
    }
  }

  #write(draft: Draft, { caller, credential, owner, now }: SqlRequest, task: RunOptions): SqlResults {
    // Their deletion may wait to become durable.
    if (!draft.users.get(caller.id)) throw unauthorized(true);
    if (credential && !draft.tokens.get(credential.id)) throw unauthorized(true);
    if (owner.projectId !== undefined && !draft.projects.get(owner.projectId)) throw projectNotFound(owner.projectId);
    const before = draft.sqlite.get(getOwnerId(owner)) ?? EMPTY;
    const record = `${databases.name}/${nameDataOwner(new StateNames(draft), owner)}`;
    const done = this.#perform(draft, before, { ...task, record });
    const { bytes, after } = done;
    if (!bytes) throw new Error('a write has returned no bytes');
    const changed = findChangedPages(draft, owner, bytes);
    const isChanged = changed.length > 0 || bytes.length !== before.size;
    const stored = isChanged ? storeDatabase(draft, owner, changed, bytes.length, now) : before;
    this.#ids.set(stored, after);
    return { ...toResults(done), rows: isChanged ? done.rows : undefined };
  }

  #perform(state: State, database: StoredDatabase, options: RunOptions): Done & { readonly after: number } {
    const task = this.#identify(database, options);
    const done = this.#thread.perform(task) ?? this.#thread.perform({ ...task, bytes: readDatabase(state, database) });
    return { ...done, after: task.after };
  }

  /** Gives a task the ids of a database, before a write and after it. */
  #identify(database: StoredDatabase, options: RunOptions): RunTask {
    const id = this.#ids.get(database) ?? this.#thread.nextId();
    this.#ids.set(database, id);
    return { ...options, id, after: this.#thread.nextId() };
  }
}

/** @throws TypeError for the engine of another service */
export function toDatabases(engine: Engine | undefined): Databases {
  if (engine instanceof Databases) return engine;
  throw new TypeError('not the engine of the vals service');
}
