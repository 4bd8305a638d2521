import type { Json, Note } from './records.js';
import { Refusal } from './request.js';

/** The statements that are drawn. They know one table. */
export const CREATE = 'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text)';
export const INSERT = 'INSERT INTO notes VALUES (?, ?) RETURNING id';
const UPDATE = 'UPDATE notes SET text = :text WHERE id = :id';
export const DELETE = 'DELETE FROM notes WHERE id = ?';
export const SELECT = 'SELECT id, text, id + 1 FROM notes ORDER BY id';

interface Statement {
  readonly sql: string;
  readonly args?: readonly unknown[] | Json;
}

const texts = ['', 'a', "it's 🎲"];
const ids = [1, 2, 3, 4];
const insertions = [null, ...ids].flatMap((id) => texts.map((text): Statement => ({ sql: INSERT, args: [id, text] })));
/** Statements of which none takes another one back: whether a commit follows would depend on the bytes of the pages. */
export const BATCHED: readonly (string | Statement)[] = [
  ...insertions,
  ...Array<string>(15).fill(CREATE),
  ...Array<string>(15).fill(SELECT),
];
/** Statements of SQL on the table, which may be missing. */
export const STATEMENTS: readonly (string | Statement)[] = [
  ...BATCHED,
  ...ids.map((id) => ({ sql: DELETE, args: [id] })),
  ...texts.map((text) => ({ sql: UPDATE, args: { text, ':id': 1 } })),
];

const sqlError = (code: string, reason: string): never => {
  throw Object.assign(new Refusal(400), { body: { message: `${code}: SQLite error: ${reason}`, code } });
};

/** Runs a statement on the rows of the table, or on undefined if there is none. Rows that it changes are another list. */
export function runStatement(
  rows: readonly Note[] | undefined,
  given: string | Statement,
): readonly [rows: readonly Note[] | undefined, result: Json] {
  const { sql, args = [] } = typeof given === 'string' ? { sql: given } : given;
  const { 0: first = null, 1: second = null, text: named, ':id': key } = Object(args);
  const result = (fields: Json): Json => ({
    ...{ columns: [], columnTypes: [], rows: [], rowsAffected: 0, lastInsertRowid: null },
    ...fields,
  });
  if (sql === CREATE) return [rows ?? [], result({})];
  if (!rows) return sqlError('SQLITE_UNKNOWN', 'no such table: notes');
  switch (sql) {
    case INSERT: {
      const made = Number(first ?? Math.max(0, ...rows.map((row) => row.id)) + 1);
      if (rows.some((row) => row.id === made)) sqlError('SQLITE_CONSTRAINT', 'UNIQUE constraint failed: notes.id');
      const all = [...rows, { id: made, text: String(second) }].sort((a, b) => a.id - b.id);
      const returned = { columns: ['id'], columnTypes: ['INTEGER'], rows: [[made]] };
      return [all, result({ ...returned, rowsAffected: 1, lastInsertRowid: made })];
    }
    case UPDATE:
    case DELETE: {
      const wanted = sql === UPDATE ? key : first;
      if (!rows.some((row) => row.id === wanted)) return [rows, result({})];
      const changed = rows.map((row) => (row.id === wanted ? { ...row, text: String(named) } : row));
      // A text that is the same changes no page.
      if (sql === UPDATE && rows.every((row, i) => row.text === changed[i]?.text))
        return [rows, result({ rowsAffected: 1 })];
      return [sql === UPDATE ? changed : rows.filter((row) => row.id !== wanted), result({ rowsAffected: 1 })];
    }
    default: {
      const selected = rows.map((row) => [row.id, row.text, row.id + 1]);
      return [rows, result({ columns: ['id', 'text', 'id + 1'], columnTypes: ['INTEGER', '', ''], rows: selected })];
    }
  }
}

/** The statements that make the table, as an export has them. */
export const toSql = (rows: readonly Note[]): string[] => [
  'CREATE TABLE notes (id INTEGER PRIMARY KEY, text);',
  ...rows.map((row) => `INSERT INTO "notes" ("id","text") VALUES (${row.id},'${row.text.replaceAll("'", "''")}');`),
];
