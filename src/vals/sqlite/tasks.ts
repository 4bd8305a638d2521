import { reasonFor } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { Connection } from './connection.js';
import type { Deadline, Engine } from './engine.js';
import { listRows } from './rows.js';
import { build, type DatabaseSource, dump, type Script } from './script.js';
import { DatabaseSourceError, interrupted, NO_TABLE, SqlError } from './sql-error.js';
import type { SqlStatement } from './values.js';

/** Databases that are open at once: up to 10 MB each in the memory of the engine. */
const MAX_OPEN = 8;
/** Milliseconds of a script between two turns of other statements. */
export const TURN = 50;
/** Bytes of memory beyond the open databases: an engine that has more is given up. */
const MAX_EXCESS = 64 * 1_048_576;

/** Milliseconds that statements may take: all of a request, or each one of a script. */
export interface Timed {
  readonly time: number;
  /** Those that are left of them. Default: all */
  readonly left?: number;
}

/** Runs the statements of a request on the database of an id. */
export interface RunTask extends Timed {
  readonly kind: 'run';
  readonly id: number;
  /** Undefined when it may be open. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /** `try` reads, unless a statement writes. */
  readonly mode: 'try' | 'read' | 'write';
  /** The id of the database after a write. */
  readonly after: number;
  readonly now: Instant;
  readonly statements: readonly SqlStatement[];
  /** The record whose rows a write changes. */
  readonly record?: string;
}

/** Begins a script with its first turn. */
export interface ScriptTask extends Timed {
  readonly kind: 'build' | 'dump' | 'rows';
  readonly id: number;
  readonly source: DatabaseSource;
  readonly now: Instant;
}

/** Continues a script, or drops it. */
interface TurnTask extends Timed {
  readonly kind: 'turn' | 'drop';
  readonly id: number;
}

/** Work for an engine, which can be sent to a thread. */
export type Task = RunTask | ScriptTask | TurnTask;

/** What a task has done. A field that is added is optional. */
export interface Done {
  /** The results of a request as JSON, one for each statement. Undefined when a statement writes, in the mode `try`. */
  readonly results?: readonly string[] | undefined;
  /** Texts in double quotes that name no column. */
  readonly texts?: readonly string[];
  /** The rows that a write has changed: the JSON of a list of `RowChanges`. */
  readonly rows?: string;
  /** The bytes of the database after a write, or the one that a script has made. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The lines of SQL, or the rows, since the last turn. */
  readonly lines?: readonly string[];
  /** Whether the lines make an equal database. Undefined before the last one. */
  readonly isExact?: boolean;
}

/** An error in a form that can be sent. */
export type Failure =
  | {
      readonly kind: 'sql';
      readonly code: string;
      readonly reason: string;
      readonly offset: number | undefined;
      readonly tables: readonly string[] | undefined;
    }
  | { readonly kind: 'source'; readonly path: string; readonly message: string }
  /** The engine is not intact, or its code threw an error. */
  | { readonly kind: 'crash'; readonly reason: string };

/** `missing`: nothing is open by this id. */
export type Reply = Done | { readonly failure: Failure } | { readonly missing: true };

/** Performs tasks, one after another. Open databases are a cache. */
export class Tasks {
  readonly #engine: Engine;
  readonly #startTimer: (milliseconds: number) => { readonly isOver: boolean };
  /** The least recently used first. */
  readonly #open = new Map<number, Connection>();
  readonly #scripts = new Map<number, Script<Done>>();
  #isBroken = false;

  /** @param startTimer measures time, or the steps of a test */
  constructor(engine: Engine, startTimer: (milliseconds: number) => { readonly isOver: boolean }) {
    this.#engine = engine;
    this.#startTimer = startTimer;
  }

  perform(task: Task): Reply {
    try {
      switch (task.kind) {
        case 'run':
          return this.#run(task);
        case 'build':
        case 'dump':
        case 'rows':
          return this.#turn(task, this.#begin(task));
        case 'turn':
          return this.#turn(task, this.#scripts.get(task.id));
        case 'drop':
          this.#scripts.get(task.id)?.return({});
          this.#scripts.delete(task.id);
          return {};
      }
    } catch (error) {
      return { failure: this.#toFailure(error) };
    }
  }

  /** Whether the engine should not be used again: it is not intact, or holds much memory that it does not need. */
  get isSpent(): boolean {
    if (this.#isBroken) return true;
    const { memory, isExhausted } = this.#engine;
    if (this.#scripts.size > 0 || (memory.length <= MAX_EXCESS && !isExhausted)) return false;
    const open = [...this.#open.values()].reduce((sum, connection) => sum + connection.bytes.length, 0);
    return isExhausted || memory.length - open > MAX_EXCESS;
  }

  #run(task: RunTask): Reply {
    const { id, bytes, mode, statements, now } = task;
    const connection = this.#open.get(id) ?? (bytes && new Connection(this.#engine, bytes));
    if (!connection) return { missing: true };
    this.#engine.start(now, this.#startDeadline(task));
    // Until its bytes have an id again.
    this.#open.delete(id);
    try {
      const done =
        mode === 'write'
          ? { ...connection.write(statements, task.record), bytes: connection.bytes.slice() }
          : { results: connection.read(statements, mode === 'read') };
      this.#keep(mode === 'write' ? task.after : id, connection);
      return { ...done, texts: connection.texts };
    } catch (error) {
      // Others are of an engine that is not used again.
      if (!(error instanceof SqlError)) throw error;
      const tables = NO_TABLE.test(error.reason) ? connection.listTables() : undefined;
      this.#keep(id, connection);
      throw tables ? new SqlError(error.sqlCode, error.reason, error.offset, tables) : error;
    }
  }

  #keep(id: number, connection: Connection): void {
    this.#open.set(id, connection);
    const [oldest] = this.#open;
    const isFit = !connection.isOpen && !connection.hasTemporary;
    if (isFit && this.#open.size > MAX_OPEN && oldest) this.#close(...oldest);
    if (!isFit) this.#close(id, connection);
  }

  #close(id: number, connection: Connection): void {
    this.#open.delete(id);
    connection.close();
  }

  #begin({ kind, source, now, ...timed }: ScriptTask): Script<Done> {
    if (kind === 'build') return build(this.#engine, source, now, () => this.#startDeadline(timed));
    return (kind === 'dump' ? dump : listRows)(this.#engine, source);
  }

  #turn({ id, ...timed }: ScriptTask | TurnTask, script: Script<Done> | undefined): Reply {
    if (!script) return { missing: true };
    this.#scripts.delete(id);
    // Other statements may have run since the last turn.
    this.#engine.start(0, this.#startDeadline(timed));
    const turn = this.#startTimer(TURN);
    const lines: string[] = [];
    while (!turn.isOver) {
      const { done, value } = script.next();
      if (done) return { lines, ...value };
      if (value !== undefined) lines.push(value);
    }
    this.#scripts.set(id, script);
    return { lines };
  }

  #startDeadline({ time, left = time }: Timed): Deadline {
    const timer = this.#startTimer(left);
    return {
      time,
      get isOver() {
        return timer.isOver;
      },
    };
  }

  #toFailure(error: unknown): Failure {
    if (error instanceof SqlError)
      return { kind: 'sql', code: error.sqlCode, reason: error.reason, offset: error.offset, tables: error.tables };
    if (error instanceof DatabaseSourceError) return { kind: 'source', path: error.path, message: error.message };
    this.#isBroken = true;
    return { kind: 'crash', reason: reasonFor(error) };
  }
}

/** Returns what a task has done. Undefined when nothing is open by its id. @param reply undefined for a thread that was ended @throws its error */
export function toDone({ time }: Task, reply: Reply | undefined): Done | undefined {
  if (!reply) throw interrupted(time);
  if ('failure' in reply) throw toError(reply.failure);
  return 'missing' in reply ? undefined : reply;
}

function toError(failure: Failure): Error {
  switch (failure.kind) {
    case 'sql':
      return new SqlError(failure.code, failure.reason, failure.offset, failure.tables);
    case 'source':
      return new DatabaseSourceError(failure.path, failure.message);
    case 'crash':
      return new SqlError('SQLITE_INTERNAL', failure.reason);
  }
}
