import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import type { WasmPointer } from '@sqlite.org/sqlite-wasm';
import { ApiError, reasonFor } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import { LARGEST_DATABASE } from '../model/user-data.js';
import { type MainContext, type Sqlite, toMain } from './api.js';
import { installCounters, installSearches, type SqlFunction } from './functions.js';

/** The module of Emscripten that has the engine, with the members that are used here. */
interface EngineModule {
  print(text: string): void;
  printErr(text: string): void;
  instantiateWasm(imports: object, receive: (instance: object) => object): object;
  sqlite3?: Sqlite;
  runSQLite3PostLoadInit?(module: EngineModule): void;
}

/** Milliseconds that the statements of a request take at most. Source: chosen. */
export const MAX_TIME = 1_000;
/** Fake timers replace the function, and would stop the time of a statement. */
const readTimer = performance.now.bind(performance);

/** Bytes that the open databases of an engine have in memory, with what their statements need. */
const MAX_HEAP = 192 * 1_048_576;
/** The Unix epoch as SQLite counts time: milliseconds since noon of 24 November 4714 BC. */
const JULIAN_EPOCH = 210_866_760_000_000n;

/** An instance of SQLite, with its own memory. */
export class Engine {
  readonly sqlite: Sqlite;
  #now: Instant = 0;
  #deadline = 0;
  /** Milliseconds that the statements may take. */
  time = MAX_TIME;
  /** Functions in place of SQLite's own. */
  readonly functions: readonly SqlFunction[];
  /** Changes that the connection in use had made before its request. */
  changesBefore = 0;

  /** Takes about 60 ms. @throws ApiError 503 when the package is missing or damaged */
  constructor() {
    try {
      this.sqlite = instantiate();
      this.#installClock(this.sqlite);
      const db = new this.sqlite.oo1.DB(':memory:');
      db.exec(`PRAGMA hard_heap_limit = ${MAX_HEAP}`);
      this.sqlite.capi.sqlite3_limit(db, this.sqlite.capi.SQLITE_LIMIT_LENGTH, LARGEST_DATABASE);
      this.functions = [...installSearches(this.sqlite, db), ...installCounters(this.sqlite, this)];
    } catch (error) {
      throw new ApiError(503, `The SQLite engine cannot be loaded: ${reasonFor(error)}`, undefined, 1);
    }
  }

  /**
   * Begins statements.
   * @param now the time of `CURRENT_TIMESTAMP` and `'now'`. @param time milliseconds that they may take
   */
  start(now: Instant, time = MAX_TIME): void {
    this.#now = now;
    this.time = time;
    this.#deadline = readTimer() + time;
  }

  get now(): Instant {
    return this.#now;
  }

  /** Whether the time of the statements is over. */
  get isLate(): boolean {
    return readTimer() > this.#deadline;
  }

  #installClock({ capi, wasm }: Sqlite): void {
    new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null)).installMethods({
      xCurrentTimeInt64: toMain((_vfs: WasmPointer, time: WasmPointer) => {
        wasm.poke64(time, BigInt(this.#now) + JULIAN_EPOCH);
        return 0;
      }),
    });
  }
}

/** Loads the engine at once: a promise would let other requests in between, and fixtures are read without one. */
function instantiate(): Sqlite {
  // Whose `require` loads ES modules, as the one of Jest does not.
  const { process, WebAssembly }: MainContext = runInThisContext('({ process, WebAssembly })');
  const load = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  const init: (module: EngineModule) => Promise<unknown> = load('@sqlite.org/sqlite-wasm').default;
  const binary = new WebAssembly.Module(readFileSync(load.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')));
  const module: EngineModule = {
    print() {},
    printErr() {},
    instantiateWasm(imports, receive) {
      const { exports } = new WebAssembly.Instance(binary, imports);
      return receive({ exports: Object.fromEntries(Object.entries(exports).map(hideFromCompiler)) });
    },
  };
  // Its promise only repeats the last step.
  void init(module);
  module.runSQLite3PostLoadInit?.(module);
  module.runSQLite3PostLoadInit = () => {};
  // The package leaves it behind.
  runInThisContext('delete globalThis.sqlite3InitModule');
  if (!module.sqlite3) throw new Error('@sqlite.org/sqlite-wasm is of another version');
  return module.sqlite3;
}

/**
 * Keeps calls of the engine out of optimized functions. V8 of Node 20 inlines them. Then it reads the length of a value before the
 * check that it is a string, and the process ends by a segmentation fault.
 */
const hideFromCompiler = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  typeof value === 'function' ? new Proxy(value, {}) : value,
];
