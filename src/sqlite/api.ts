import { runInThisContext } from 'node:vm';
import type { Sqlite3Static, WasmPointer } from '@sqlite.org/sqlite-wasm';

/** The package, with what its types lack. */
export type Sqlite = Sqlite3Static & {
  readonly capi: {
    sqlite3_bind_parameter_name(statement: WasmPointer, index: number): string | null;
    sqlite3_column_decltype(statement: WasmPointer, column: number): string | null;
    sqlite3_get_autocommit(db: WasmPointer): number;
    sqlite3_create_function_v2(
      db: WasmPointer,
      name: string,
      parameters: number,
      flags: number,
      ...functions: [data: 0, call: WasmPointer, step: 0, final: 0, destroy: 0]
    ): number;
  };
};

/** The globals that the package has. Test runners run this file in another context, with others. */
export interface MainContext {
  readonly process: { getBuiltinModule(name: 'node:module'): typeof import('node:module') };
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  };
}

/** Makes a function of the main context: the package takes no others. */
export const toMain = <F extends (...args: never[]) => unknown>(run: F): F =>
  runInThisContext('(run) => (...args) => run(...args)')(run);
