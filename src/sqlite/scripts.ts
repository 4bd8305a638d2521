import type { Instant } from '../lib/time.js';
import type { DatabaseSource } from './script.js';
import type { Done, ScriptTask } from './tasks.js';
import { SqliteThread } from './thread/thread.js';

/** Milliseconds of one statement that makes or reads a database. Source: chosen. */
const STATEMENT_TIME = 10_000;

/** Makes databases from SQL, and the other way round. The engine is loaded when one is needed. */
export class SqlScripts {
  #thread: SqliteThread | undefined;
  readonly #built = new WeakMap<object, Uint8Array>();

  /**
   * Makes a database, once for each key.
   * @throws DatabaseSourceError for a statement or a row, or for a file that is damaged or too large
   */
  build(key: object, source: DatabaseSource, now: Instant): Uint8Array {
    let bytes = this.#built.get(key);
    if (bytes) return bytes;
    for (const done of this.#run('build', source, now)) bytes = done.bytes;
    if (!bytes) throw new Error('the script has made no database');
    this.#built.set(key, bytes);
    return bytes;
  }

  /** Returns statements that make an equal database. Undefined for one that only a copy of its file equals. */
  dump(file: Uint8Array): string[] | undefined {
    const all: string[] = [];
    for (const { lines = [], isExact } of this.#run('dump', { file }, 0)) {
      for (const line of lines) all.push(line);
      if (isExact === false) return undefined;
    }
    return all;
  }

  /** Runs a script to its end, turn by turn. */
  *#run(kind: ScriptTask['kind'], source: DatabaseSource, now: Instant): Generator<Done> {
    this.#thread ??= new SqliteThread();
    const script = { id: this.#thread.nextId(), time: STATEMENT_TIME };
    let done = this.#thread.perform({ ...script, kind, source, now });
    while (done) {
      yield done;
      if (done.bytes || done.isExact !== undefined) return;
      done = this.#thread.perform({ ...script, kind: 'turn' });
    }
  }
}
