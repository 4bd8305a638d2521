import type { RecordDetail, Row } from '../../lib/types.js';
import type { Column } from './columns.js';
import type { Content } from './content.js';

export interface FormControl {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  /** A list of choices begins with the default. A collection means a reference to one of its records. Default: text */
  readonly kind?: 'text' | 'lines' | 'code' | 'json' | 'users' | 'vals' | readonly string[];
  readonly hint?: string;
}

/** How the page shows the records of a collection. */
export interface View {
  /** How a record is called: as its fixture refers to it, or by its text. */
  readonly name: (row: Row) => string;
  readonly columns: readonly Column[];
  readonly form: readonly FormControl[];
  /** Further choices of the table, each with its condition on fields. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Collections whose records are added on the page of a record. */
  readonly added?: readonly string[];
  /** A sentence on what remains, or changes, when a record is deleted. */
  readonly note?: string;
  /** The path of a record with its content, if rows do not have it, which is edited with it. */
  readonly content?: (row: Row) => string;
  readonly describe: (record: Row, detail: RecordDetail) => Content;
}

export const AUTHOR: FormControl = { name: 'author', label: 'Author', required: true, kind: 'users' };
export const VAL: FormControl = { name: 'val', label: 'Val', required: true, kind: 'vals', hint: 'As author/name' };
export const CREATED: FormControl = {
  name: 'createdAt',
  label: 'Created',
  hint: 'A timestamp, or a time before now such as -10m. Default: now',
};
