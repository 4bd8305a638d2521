import { ApiError, reasonFor } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import { findChangedPages, readDatabase, storeDatabase } from '../model/databases.js';
import { unauthorized } from '../model/errors.js';
import type { User } from '../model/schema.js';
import type { Draft, State } from '../model/state.js';
import type { StoredDatabase } from '../model/user-data.js';
import { Connection } from './connection.js';
import { Engine } from './engine.js';
import { SqlError } from './sql-error.js';
import type { ResultSet, SqlStatement } from './values.js';

/** Databases that are open at once: up to 10 MB each in the memory of the engine. */
const MAX_OPEN = 8;
/** The key of databases without bytes. */
const EMPTY: StoredDatabase = { userId: '', size: 0, updatedAt: 0 };

/** How a batch runs. Source: the OpenAPI documents of the service. */
export const BATCH_MODES = ['write', 'read', 'deferred'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/** What a request needs to run statements. */
export interface SqlRequest {
  readonly caller: User;
  readonly now: Instant;
  /** The committed state, or the draft of a route that writes. */
  readonly state: State;
  /** Returns the state with the changes that are not durable yet. The response waits for them. */
  latest(): State;
  /** Changes that state. A change that throws changes nothing. */
  write<T>(change: (draft: Draft) => T): T;
}

/**
 * Runs the statements of requests. Open databases are a cache. Each change replaces the record of a database, so a connection is
 * found by it, in each sandbox, snapshot and state of the history.
 */
export class Databases {
  #engine: Engine | undefined;
  /** The least recently used first. */
  readonly #open = new Map<StoredDatabase, Connection>();

  /**
   * Runs statements, all or none. Those that only read see the committed state, and change nothing.
   * @throws SqlError for a statement. @throws ApiError 503 when the engine cannot be loaded, 507 without room
   */
  execute(request: SqlRequest, statements: readonly SqlStatement[], mode: BatchMode): ResultSet[] {
    const { state, caller, now } = request;
    const database = state.sqlite.get(caller.id) ?? EMPTY;
    return this.read(state, database, now, statements, mode === 'read') ?? this.#write(request, statements);
  }

  /**
   * Runs statements that only read, on the database of a state. Undefined when one of them writes.
   * @param isStrict whether that is an error
   * @throws as `execute` does
   */
  read(
    state: State,
    database: StoredDatabase,
    now: Instant,
    statements: readonly SqlStatement[],
    isStrict = true,
  ): ResultSet[] | undefined {
    this.#engine ??= new Engine();
    this.#engine.start(now);
    const connection = this.#connect(state, database);
    return this.#guard(() => connection.read(statements, isStrict));
  }

  #write({ caller, now, latest, write }: SqlRequest, statements: readonly SqlStatement[]): ResultSet[] {
    const state = latest();
    // Their deletion may wait to become durable.
    if (!state.users.get(caller.id)) throw unauthorized();
    const before = state.sqlite.get(caller.id) ?? EMPTY;
    const connection = this.#connect(state, before);
    // Until its bytes equal a record again.
    this.#open.delete(before);
    try {
      const results = this.#guard(() => connection.write(statements));
      const { bytes } = connection;
      const changed = findChangedPages(state, caller.id, bytes);
      const isChanged = changed.length > 0 || bytes.length !== before.size;
      const after = isChanged ? write((draft) => storeDatabase(draft, caller.id, changed, bytes.length, now)) : before;
      this.#cache(after, connection);
      return results;
    } catch (error) {
      if (error instanceof SqlError && this.#engine && !connection.isOpen) this.#cache(before, connection);
      else if (this.#engine) connection.close();
      throw error;
    }
  }

  #connect(state: State, database: StoredDatabase): Connection {
    const open = () => {
      this.#engine ??= new Engine();
      return new Connection(this.#engine, database === EMPTY ? undefined : readDatabase(state, database));
    };
    const connection = this.#open.get(database) ?? this.#guard(open);
    this.#cache(database, connection);
    return connection;
  }

  /** Runs the engine. After a crash, such as without memory, the next request loads another one. */
  #guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.#open.clear();
      this.#engine = undefined;
      throw new SqlError('SQLITE_INTERNAL', reasonFor(error));
    }
  }

  #cache(database: StoredDatabase, connection: Connection): void {
    this.#open.delete(database);
    this.#open.set(database, connection);
    const [oldest] = this.#open;
    if (this.#open.size <= MAX_OPEN || !oldest) return;
    this.#open.delete(oldest[0]);
    oldest[1].close();
  }
}
