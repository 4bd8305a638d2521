import type { Fields, TableRow, Work } from '#engine/definition/context.js';
import { ApiError } from '#engine/lib/errors.js';
import type { Steps } from '#engine/lib/steps.js';
import type { Instant } from '#engine/lib/time.js';
import type { DatabaseSource } from './script.js';
import { DatabaseSourceError, SqlError } from './sql-error.js';
import type { Done, ScriptTask, Task } from './tasks.js';
import type { SqliteThread } from './thread/thread.js';
import * as lateThread from './thread/thread.js';

/** Milliseconds that the statements of a request take at most. Source: chosen. */
export const MAX_TIME = 1_000;
/** Milliseconds of a statement in fixtures of the command line, or of a program. Source: chosen. */
const STATEMENT_TIME = 10_000;
/** What a script has done in all of its turns. */
interface Result extends Done {
  readonly lines: string[];
}

/** How often a script begins: statements of others can end its thread. */
const MAX_STARTS = 3;

/** Makes databases from SQL, and the other way round. The engine is loaded when one is needed. */
export class SqlScripts {
  readonly #time: number;
  #thread: SqliteThread | undefined;
  readonly #built = new Map<string, Uint8Array | DatabaseSourceError>();

  /** @param time milliseconds of a statement */
  constructor(time = STATEMENT_TIME) {
    this.#time = time;
  }

  /**
   * Makes a database, once for each key.
   * @throws DatabaseSourceError for a statement or a row, or for a file that is damaged or too large
   */
  *build(key: string, readSource: () => DatabaseSource, now: Instant): Steps<Uint8Array> {
    const built = this.#built.get(key) ?? (yield* this.#build(readSource, now));
    this.#built.set(key, built);
    if (built instanceof DatabaseSourceError) throw built;
    return built;
  }

  *#build(readSource: () => DatabaseSource, now: Instant): Steps<Uint8Array | DatabaseSourceError> {
    try {
      const { bytes } = yield* this.#run('build', readSource(), now);
      if (!bytes) throw new Error('the script has made no database');
      return bytes;
    } catch (error) {
      // Of a statement that has ended its thread: it has no path.
      if (error instanceof SqlError) return new DatabaseSourceError('', `${error.message}.`);
      if (error instanceof DatabaseSourceError) return error;
      throw error;
    }
  }

  /** Returns statements that make an equal database. Undefined for one that only a copy of its file equals. */
  *dump(file: Uint8Array): Steps<string[] | undefined> {
    const { lines, isExact } = yield* this.#run('dump', { file }, 0);
    return isExact ? lines : undefined;
  }

  /** Returns the rows of a database, also of its schema, each with its table and key. */
  *readRows(file: Uint8Array): Steps<TableRow[]> {
    const { lines } = yield* this.#run('rows', { file }, 0);
    return lines.map((line) => {
      const [table, key, fields]: [string, string, Fields] = JSON.parse(line);
      return { table, key, fields };
    });
  }

  /** Runs a script to its end. @throws ApiError 503 when its thread was ended each time, by other statements */
  *#run(kind: ScriptTask['kind'], source: DatabaseSource, now: Instant): Steps<Result> {
    for (let starts = 0; starts < MAX_STARTS; starts++) {
      const done = yield* this.#start(kind, source, now);
      if (done) return done;
    }
    const problem = 'The thread of SQLite was ended by other statements, again and again: repeat this request later';
    throw new ApiError(503, problem, undefined, 1);
  }

  /** Runs a script turn by turn. Undefined when its thread was ended between two of them. */
  *#start(kind: ScriptTask['kind'], source: DatabaseSource, now: Instant): Steps<Result | undefined> {
    this.#thread ??= new lateThread.SqliteThread();
    const script = { id: this.#thread.nextId(), time: this.#time };
    const lines: string[] = [];
    let task: Task | undefined = { ...script, kind, source, now };
    try {
      while (task) {
        const done: Done | undefined = yield* this.#thread.performInStep(task);
        task = undefined;
        if (!done) return undefined;
        for (const line of done.lines ?? []) lines.push(line);
        if (done.bytes || done.isExact !== undefined) return { ...done, lines };
        task = { ...script, kind: 'turn' };
      }
    } finally {
      // The caller has stopped, such as for a client that disconnected.
      if (task) this.#thread.drop(script.id);
    }
  }
}

/** Returns the scripts of a load or write of records, which share a thread. */
export function getScripts(work: Work): SqlScripts {
  if (work.engine instanceof SqlScripts) return work.engine;
  const scripts = new SqlScripts(work.isRequest ? MAX_TIME : STATEMENT_TIME);
  work.engine = scripts;
  return scripts;
}
