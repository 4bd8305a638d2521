import { createHash } from 'node:crypto';
import type { WasmPointer } from './api.js';
import { Connection } from './connection.js';
import type { Engine } from './engine.js';
import { type DatabaseSource, OPTIONS, type Script } from './script.js';
import { type Columns, findRowid, quoteName, readValue } from './values.js';

/** Bytes of a blob that is shown whole. */
const MAX_BLOB = 1_000;
const SCHEMA = 'sqlite_schema';

/** Yields the rows of a database, each as the JSON of its table, its key and its columns. The schema comes first, as a table. */
export function* listRows(engine: Engine, { file }: DatabaseSource): Script<{ readonly isExact: boolean }> {
  const connection = new Connection(engine, file, OPTIONS);
  try {
    const schema = `SELECT type, name, sql FROM ${SCHEMA} WHERE sql NOT NULL ORDER BY type, name`;
    const entries = [...connection.rows(schema)].map(([type, name, sql]) => ({ type, name: String(name), sql }));
    for (const { type, name, sql } of entries) yield JSON.stringify([SCHEMA, `${type} ${name}`, { type, name, sql }]);
    const isTable = ({ type, sql }: (typeof entries)[number]) =>
      type === 'table' && !/^CREATE VIRTUAL/i.test(String(sql));
    for (const { name } of entries.filter(isTable)) {
      yield* readTable(connection, name);
    }
    return { isExact: true };
  } finally {
    connection.close();
  }
}

function* readTable(connection: Connection, table: string): Generator<string> {
  const name = quoteName(table);
  const info = [...connection.rows(`PRAGMA table_xinfo(${name})`)].filter(([, , , , , , hidden]) => hidden !== 1);
  const columns = info.map(([, column]) => String(column));
  const keys = info.flatMap(([, , , , , key], i) => (key === 0 ? [] : [i]));
  const rowid = keys.length > 0 ? undefined : findRowid(columns);
  const select = `SELECT ${[rowid ?? 'NULL', ...columns.map(quoteName)]} FROM ${name}`;
  for (const [number, ...values] of connection.readRows(select, readExactly)) {
    const identity = keys.length > 0 ? keys.map((i) => values[i]) : [rowid ? number : values];
    const isPlain = (value: unknown) => typeof value === 'string' && (identity.length === 1 || !/[",]/.test(value));
    const key = identity.map((value) => (isPlain(value) ? value : JSON.stringify(value))).join();
    yield JSON.stringify([table, key, Object.fromEntries(columns.map((column, i) => [column, values[i]]))]);
  }
}

/**
 * Reads a value as JSON that no other value has: bytes as `{ base64 }`, more than 1,000 by their size and hash, large integers as
 * `{ integer }`, and infinity as `{ real }`. Numbers that are equal in SQL are equal.
 */
function readExactly(columns: Columns, statement: WasmPointer, column: number): unknown {
  const value = readValue(columns, statement, column);
  if (value instanceof Uint8Array) return writeBytes(Buffer.from(value));
  const type = columns.typeOf(statement, column);
  if (type === columns.INTEGER && typeof value === 'string') return { integer: value };
  if (type === columns.FLOAT && value === null) return { real: String(columns.toDouble(statement, column)) };
  return value;
}

const writeBytes = (bytes: Buffer) =>
  bytes.length > MAX_BLOB
    ? { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    : { base64: bytes.toString('base64') };
