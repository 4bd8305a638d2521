import { type Static, Type } from 'typebox';
import { mapOf, record } from '../lib/schema.js';
import { Nullable } from './schemas/common.js';

const Row = Nullable(
  mapOf(Type.Unknown(), {
    description:
      'Values by column: bytes as `{ base64 }`, large ones as `{ bytes }`, and a long text as `{ text, bytes }`; null for no row',
  }),
);

const rowChanges = record('RowChanges', {
  record: Type.String({ description: 'The record that has the rows: `sqlite/ada`' }),
  statement: Nullable(
    Type.String({ description: 'The statement, cut to 200 characters; null for the sum of all that found no room' }),
  ),
  table: Nullable(Type.String()),
  changes: Type.Array(record('RowChange', { before: Row, after: Row }), {
    description: 'Rows before and after: at most 100, in 16 kB, of all statements of a request',
  }),
  inserted: Type.Integer({ description: 'Number of rows, also of those that `changes` lacks' }),
  updated: Type.Integer(),
  deleted: Type.Integer(),
});
/** What a statement has changed in a table of a record that is a database. */
export interface RowChanges extends Static<typeof rowChanges> {}
export const RowChanges = Type.Unsafe<RowChanges>(rowChanges);

/** Measures rows as JSON, in UTF-16 code units. */
export const measureRows = (rows: readonly RowChanges[]): number =>
  rows.length === 0 ? 0 : JSON.stringify(rows).length;

/** Leaves the numbers of rows. */
export const dropRows = (rows: readonly RowChanges[]): RowChanges[] => rows.map((each) => ({ ...each, changes: [] }));
