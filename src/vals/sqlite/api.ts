/** An address in the memory of the engine. */
export type WasmPointer = number;

/** An open connection. */
export interface Database {
  /** Undefined once it is closed. */
  readonly pointer?: WasmPointer | undefined;
  exec(sql: string): unknown;
  close(): void;
}

/** A call that returns a code of SQLite, 0 for success. */
type Call<Parameters extends unknown[]> = (...parameters: Parameters) => number;
type ReadStatement<T> = (statement: WasmPointer) => T;
type ReadColumn<T> = (statement: WasmPointer, column: number) => T;
/** Finds the value of a column, before or after the change of a row. */
export type ReadRow = Call<[db: WasmPointer, column: number, value: WasmPointer]>;
type ReadValue<T> = (value: WasmPointer) => T;
type BindBytes = Call<[statement: WasmPointer, index: number, start: WasmPointer, bytes: number, destructor: number]>;

/** The functions and constants of SQLite that the project calls, by their names in C. Source: sqlite.org/c3ref. */
export interface Sqlite {
  readonly capi: Readonly<Record<Constant, number>> & {
    readonly sqlite3_vfs: new (
      vfs: WasmPointer,
    ) => { installMethods(methods: Readonly<Record<string, (...parameters: number[]) => number>>): unknown };
    sqlite3_vfs_find(name: string | null): WasmPointer;

    readonly sqlite3_db_config: Call<[db: WasmPointer, option: number, value: number, result: WasmPointer]>;
    sqlite3_db_readonly(db: WasmPointer, schema: string): number;
    readonly sqlite3_limit: Call<[db: Database | WasmPointer, id: number, value: number]>;
    readonly sqlite3_file_control: Call<[db: WasmPointer, schema: string, option: number, value: WasmPointer]>;
    readonly sqlite3_deserialize: Call<
      [db: WasmPointer, schema: string, start: WasmPointer, size: number, capacity: number, flags: number]
    >;
    sqlite3_serialize(db: WasmPointer, schema: string, size: WasmPointer, flags: number): WasmPointer;
    sqlite3_set_authorizer(
      db: WasmPointer,
      authorize: (data: WasmPointer, action: number, ...names: (string | 0)[]) => number,
      data: WasmPointer,
    ): number;
    sqlite3_progress_handler(db: WasmPointer, steps: number, isOver: () => number, data: WasmPointer): void;
    readonly sqlite3_create_function_v2: Call<
      [
        ...[db: WasmPointer, name: string, parameters: number, flags: number, data: WasmPointer],
        ...[call: WasmPointer, step: WasmPointer, final: WasmPointer, destroy: WasmPointer],
      ]
    >;
    sqlite3_context_db_handle(context: WasmPointer): WasmPointer;
    sqlite3_result_int(context: WasmPointer, value: number): void;
    sqlite3_result_text(context: WasmPointer, text: string, bytes: number, destructor: number): void;
    /** The text of a value, up to a NUL; null for NULL. */
    sqlite3_value_text(value: WasmPointer): string | null;

    readonly sqlite3_prepare_v3: Call<
      [db: WasmPointer, sql: WasmPointer, bytes: number, flags: number, statement: WasmPointer, rest: WasmPointer]
    >;
    sqlite3_finalize(statement: WasmPointer): number;
    readonly sqlite3_stmt_readonly: ReadStatement<number>;
    readonly sqlite3_stmt_isexplain: ReadStatement<number>;

    readonly sqlite3_bind_parameter_count: ReadStatement<number>;
    sqlite3_bind_parameter_name(statement: WasmPointer, index: number): string | null;
    sqlite3_bind_int64(statement: WasmPointer, index: number, value: bigint): number;
    sqlite3_bind_double(statement: WasmPointer, index: number, value: number): number;
    readonly sqlite3_bind_text: BindBytes;
    readonly sqlite3_bind_blob: BindBytes;

    readonly sqlite3_column_count: ReadStatement<number>;
    readonly sqlite3_column_name: ReadColumn<string>;
    readonly sqlite3_column_decltype: ReadColumn<string | null>;
    readonly sqlite3_column_text: ReadColumn<string>;

    sqlite3_changes(db: WasmPointer): number;
    sqlite3_total_changes(db: WasmPointer): number;
    sqlite3_last_insert_rowid(db: WasmPointer): bigint;
    sqlite3_set_last_insert_rowid(db: WasmPointer, rowid: bigint): void;
    sqlite3_get_autocommit(db: WasmPointer): number;
    sqlite3_errmsg(db: WasmPointer): string;
    sqlite3_error_offset(db: WasmPointer): number;
    /** The name of a code, such as `SQLITE_BUSY`. */
    sqlite3_js_rc_str(code: number): string;
  };
  readonly wasm: {
    heap8u(): Uint8Array<ArrayBuffer>;
    heap32u(): Uint32Array<ArrayBuffer>;
    alloc(bytes: number): WasmPointer;
    dealloc(start: WasmPointer): void;
    allocCString(text: string, withLength: true): [start: WasmPointer, bytes: number];
    /** Memory that is free again after the `scopedAllocCall` around it. */
    scopedAlloc(bytes: number): WasmPointer;
    scopedAllocCall<T>(use: () => T): T;
    peekPtr(start: WasmPointer): WasmPointer;
    peek64(start: WasmPointer): bigint;
    poke64(start: WasmPointer, value: bigint): unknown;
    installFunction(signature: string, call: (...parameters: number[]) => unknown): WasmPointer;
    cstrToJs(start: WasmPointer): string;
    /** The calls for rows, which may be many, are without the conversions of `capi`. */
    readonly exports: {
      /** Sets an option of the library that has two values. */
      readonly sqlite3__wasm_config_ii: Call<[option: number, first: number, second: number]>;
      readonly sqlite3_step: ReadStatement<number>;
      readonly sqlite3_column_type: ReadColumn<number>;
      readonly sqlite3_column_int64: ReadColumn<bigint>;
      readonly sqlite3_column_double: ReadColumn<number>;
      readonly sqlite3_column_blob: ReadColumn<WasmPointer>;
      readonly sqlite3_column_bytes: ReadColumn<number>;
      /** Calls a function before each change of a row. */
      sqlite3_preupdate_hook(db: WasmPointer, call: WasmPointer, data: WasmPointer): WasmPointer;
      readonly sqlite3_preupdate_old: ReadRow;
      readonly sqlite3_preupdate_new: ReadRow;
      readonly sqlite3_value_type: ReadValue<number>;
      readonly sqlite3_value_int64: ReadValue<bigint>;
      readonly sqlite3_value_double: ReadValue<number>;
      readonly sqlite3_value_blob: ReadValue<WasmPointer>;
      readonly sqlite3_value_bytes: ReadValue<number>;
    };
  };
  readonly oo1: { readonly DB: new (name: string) => Database };
}

/** Actions of statements that may be refused. */
export type Action =
  | 'SQLITE_ATTACH'
  | 'SQLITE_DETACH'
  | 'SQLITE_TRANSACTION'
  | 'SQLITE_PRAGMA'
  | 'SQLITE_FUNCTION'
  | 'SQLITE_CREATE_VTABLE'
  | `SQLITE_${'INSERT' | 'ALTER_TABLE' | 'SAVEPOINT'}`
  | `SQLITE_CREATE_TEMP_${'INDEX' | 'TABLE' | 'TRIGGER' | 'VIEW'}`;

type Constant =
  | Action
  | 'SQLITE_DELETE'
  | `SQLITE_${'OK' | 'ROW' | 'DONE' | 'READONLY' | 'DENY' | 'IGNORE'}`
  | `SQLITE_${'NULL' | 'INTEGER' | 'FLOAT' | 'TEXT' | 'BLOB'}`
  | `SQLITE_${'TRANSIENT' | 'UTF8' | 'INNOCUOUS' | 'DETERMINISTIC' | 'LIMIT_LENGTH' | 'LIMIT_FUNCTION_ARG' | 'FCNTL_SIZE_LIMIT' | 'SERIALIZE_NOCOPY'}`
  | `SQLITE_DBCONFIG_${'DEFENSIVE' | 'ENABLE_FKEY' | 'DQS_DML' | 'DQS_DDL'}`
  | 'SQLITE_CONFIG_LOG'
  | `SQLITE_DESERIALIZE_${'FREEONCLOSE' | 'RESIZEABLE'}`;
