import { type Static, Type } from 'typebox';
import { Nullable } from '../schema/common.js';
import { mapOf, record } from '../schema/schema.js';

const Row = Nullable(mapOf(Type.Unknown()));

const rowChanges = record('RowChanges', {
  record: Type.String({
    description: 'The record that has the rows, as the history finds it: its collection and whose it is',
  }),
  statement: Nullable(
    Type.String({ description: 'The statement, cut to 200 characters; null for all that found no room' }),
  ),
  changes: Type.Array(record('RowChange', { table: Type.String(), before: Row, after: Row }), {
    description:
      'Rows before and after, null for none: at most 100 of a request, in 16 kB. Bytes are `{ base64 }`, more than 1,000 are `{ bytes }`, and a text of more is `{ text, bytes }` with its beginning',
  }),
  more: Type.Integer({ description: 'Rows that it has changed in addition' }),
});
/** What a statement has changed in a record that is a database. */
export interface RowChanges extends Static<typeof rowChanges> {}
export const RowChanges = Type.Unsafe<RowChanges>(rowChanges);

/** Reads the text that an exchange has, which is parsed only to be shown. Empty for none. */
export function parseRows(text = ''): RowChanges[] {
  if (text === '') return [];
  const rows: RowChanges[] = JSON.parse(text);
  return rows;
}

/** Leaves the numbers of rows. */
export const dropRows = (text: string): string =>
  text === ''
    ? ''
    : JSON.stringify(
        parseRows(text).map(({ changes, more, ...each }) => ({ ...each, changes: [], more: more + changes.length })),
      );
