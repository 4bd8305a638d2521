import { runInThisContext } from 'node:vm';
import type { Instant } from '#engine/lib/time.js';
import type { Sqlite, WasmPointer } from './api.js';
import type { EngineFiles } from './engine-files.js';
import type { RowRecorder } from './row-recorder.js';
import { soundex } from './soundex.js';
import { interrupted } from './sql-error.js';
import { type Columns, LARGEST_DATABASE, pickColumns } from './values.js';

/** The module of Emscripten that has the engine, with the members that are used here. */
interface EngineModule {
  print(text: string): void;
  printErr(text: string): void;
  instantiateWasm(imports: object, receive: (instance: object) => object): object;
  sqlite3?: Sqlite;
  runSQLite3PostLoadInit?(module: EngineModule): void;
}

/** What the types of Node lack. */
interface WebAssembly {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** The end of the time that statements have. A test may count calls in place of milliseconds. */
export interface Deadline {
  /** Milliseconds, for messages. */
  readonly time: number;
  readonly isOver: boolean;
}

/** A function of SQL, and how it is registered. */
interface SqlFunction {
  readonly name: string;
  readonly parameters: number;
  readonly flags: number;
  readonly call: WasmPointer;
}

/** Statements without an end. */
const NO_DEADLINE: Deadline = { time: Number.POSITIVE_INFINITY, isOver: false };

/** Bytes that the open databases of an engine have in memory, with what their statements need. */
const MAX_HEAP = 192 * 1_048_576;
/** The Unix epoch as SQLite counts time: milliseconds since noon of 24 November 4714 BC. */
const JULIAN_EPOCH = 210_866_760_000_000n;

/** Bytes of the stack in the memory of the engine. Source: the option STACK_SIZE with which the package is built. */
const STACK_SIZE = 512 * 1_024;
/** Bytes at the end of the stack, which no call may reach. More than a call has at once. */
const CANARY = Buffer.alloc(8 * 1_024, 'canary');

/** What SQLite logs of a text in double quotes where no column has that name. It cuts messages to 210 bytes. */
const QUOTED_TEXT = /^double-quoted string literal: (.*?)\ufffd?$/s;
/** Texts in double quotes of one statement, and of the schema that it loads. */
const MAX_QUOTED = 1_000;

/** An instance of SQLite, with its own memory. */
export class Engine {
  readonly sqlite: Sqlite;
  /** Its module of WebAssembly, from which other threads start sooner. */
  readonly compiled: object;
  readonly #stackEnd: number;
  #deadline = NO_DEADLINE;
  /** The time of `CURRENT_TIMESTAMP` and `'now'`. */
  #now: Instant = 0;
  /** Changes that each open database had made before its request. */
  readonly changesBefore = new Map<WasmPointer, number>();
  /** Records the changes of rows on the connection that writes. */
  rows: RowRecorder | undefined;
  /** What a connection calls before each of them. */
  readonly rowHook: WasmPointer;
  /** Reads columns of the current row of a statement. */
  readonly columns: Columns;
  #memory: Buffer = Buffer.alloc(0);
  /** Four bytes for a result. */
  readonly result: WasmPointer;
  readonly functions: readonly SqlFunction[];
  /** Texts in double quotes, the longest ones without their end, that SQLite has compiled since they were cleared. */
  readonly quoted = new Set<string>();
  /** Whether a statement had no memory. */
  isExhausted = false;

  /**
   * Takes about 60 ms.
   * @throws Error for files of another version
   */
  constructor(files: EngineFiles) {
    const { sqlite, stackStart, compiled } = instantiate(files);
    this.sqlite = sqlite;
    this.compiled = compiled;
    const { capi, wasm } = sqlite;
    this.#stackEnd = stackStart - STACK_SIZE;
    wasm.heap8u().set(CANARY, this.#stackEnd);
    this.columns = pickColumns(sqlite, () => this.memory);
    this.#installClock();
    this.#installLog();
    this.result = wasm.alloc(4);
    this.rowHook = wasm.installFunction('v(ppippjj)', (_data, _db, operation = 0, _schema, table = 0) =>
      this.rows?.record(operation, table),
    );
    const db = new sqlite.oo1.DB(':memory:');
    db.exec(`PRAGMA hard_heap_limit = ${MAX_HEAP}`);
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, LARGEST_DATABASE);
    this.functions = [this.#installCounter('changes'), this.#installCounter('total_changes'), this.#installSoundex()];
  }

  /** Begins statements. @param now the time of `CURRENT_TIMESTAMP` and `'now'` */
  start(now: Instant, deadline = NO_DEADLINE): void {
    this.#now = now;
    this.#deadline = deadline;
  }

  /** Runs work without a deadline, such as a rollback. */
  untimed<T>(run: () => T): T {
    const deadline = this.#deadline;
    this.#deadline = NO_DEADLINE;
    try {
      return run();
    } finally {
      this.#deadline = deadline;
    }
  }

  get isLate(): boolean {
    return this.#deadline.isOver;
  }

  /** @throws SqlError once the time is over. Short statements never call the progress handler. */
  assertInTime(): void {
    if (this.isLate) throw this.interruption;
  }

  /** The error of a statement that the progress handler has ended. */
  get interruption(): Error {
    return interrupted(this.#deadline.time);
  }

  /** Its memory, which moves when it grows, and never shrinks. */
  get memory(): Buffer {
    // Memory that has grown has another buffer, and the earlier buffer has lost its bytes.
    if (this.#memory.length === 0) this.#memory = Buffer.from(this.sqlite.wasm.heap8u().buffer);
    return this.#memory;
  }

  /** @throws RangeError after calls that went beyond the stack: they have overwritten other memory */
  assertIntact(): void {
    const end = this.#stackEnd;
    if (CANARY.compare(this.memory, end, end + CANARY.length) !== 0)
      throw new RangeError('the statement or a value has too many levels');
  }

  #installClock(): void {
    const { capi, wasm } = this.sqlite;
    new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null)).installMethods({
      xCurrentTimeInt64: (_vfs: WasmPointer, time: WasmPointer) => {
        wasm.poke64(time, BigInt(this.#now) + JULIAN_EPOCH);
        return 0;
      },
    });
  }

  #installLog(): void {
    const { capi, wasm } = this.sqlite;
    const log = wasm.installFunction('v(pip)', (_data, _code, message = 0) => {
      const text = QUOTED_TEXT.exec(wasm.cstrToJs(message))?.[1];
      if (text !== undefined && this.quoted.size < MAX_QUOTED) this.quoted.add(text);
    });
    wasm.exports.sqlite3__wasm_config_ii(capi.SQLITE_CONFIG_LOG, log, 0);
  }

  /** Makes a function in place of SQLite's own, which would count the changes of other requests. */
  #installCounter(name: string): SqlFunction {
    const { capi, wasm } = this.sqlite;
    const report = (context: WasmPointer) => {
      const db = capi.sqlite3_context_db_handle(context);
      const total = capi.sqlite3_total_changes(db) - (this.changesBefore.get(db) ?? 0);
      const count = name === 'changes' && total > 0 ? capi.sqlite3_changes(db) : total;
      capi.sqlite3_result_int(context, count);
    };
    return { name, parameters: 0, flags: 0, call: wasm.installFunction('v(pip)', report) };
  }

  #installSoundex(): SqlFunction {
    const { capi, wasm } = this.sqlite;
    const call = wasm.installFunction('v(pip)', (context, _count, values = 0) => {
      const word = capi.sqlite3_value_text(wasm.peekPtr(values)) ?? '';
      capi.sqlite3_result_text(context, soundex(word), -1, capi.SQLITE_TRANSIENT);
    });
    return { name: 'soundex', parameters: 1, flags: capi.SQLITE_DETERMINISTIC, call };
  }
}

/** Loads the engine at once, since a fixture is read without a promise. */
function instantiate(files: EngineFiles): Pick<Engine, 'sqlite' | 'compiled'> & { readonly stackStart: number } {
  const loaded: { exports?: (module: EngineModule) => Promise<unknown> } = {};
  const script = `(function (module, require) {${files.script}\n})`;
  runInThisContext(script, { filename: 'sqlite3.js' })(loaded, process.getBuiltinModule);
  const { Module, Instance }: WebAssembly = Reflect.get<object, string>(globalThis, 'WebAssembly');
  const compiled = files.compiled ?? new Module(files.binary);
  let stackStart = 0;
  const module: EngineModule = {
    print() {},
    printErr() {},
    instantiateWasm(imports, receive) {
      const { exports } = new Instance(compiled, imports);
      const { emscripten_stack_get_current: getStack } = exports;
      if (typeof getStack === 'function') stackStart = getStack();
      return receive({ exports: Object.fromEntries(Object.entries(exports).map(hideFromCompiler)) });
    },
  };
  // Its promise only repeats the last step.
  void loaded.exports?.(module);
  module.runSQLite3PostLoadInit?.(module);
  module.runSQLite3PostLoadInit = () => {};
  if (!module.sqlite3 || stackStart === 0) throw new Error('@sqlite.org/sqlite-wasm is of another version');
  return { sqlite: module.sqlite3, compiled, stackStart };
}

/**
 * Keeps calls of the engine out of optimized functions. V8 of Node 20 inlines them. Then it reads the length of a value before the
 * check that it is a string, and the process ends by a segmentation fault.
 */
const hideFromCompiler = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  typeof value === 'function' ? new Proxy(value, {}) : value,
];
