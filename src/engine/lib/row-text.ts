import { formatCount } from './text.js';

type Row = Readonly<Record<string, unknown>> | null;

/** What a statement has changed, as the record of a request has it. */
interface Rows {
  readonly record: string;
  readonly statement: string | null;
  readonly changes: readonly { readonly table: string; readonly before: Row; readonly after: Row }[];
  readonly more: number;
}

/** Formats changed rows as a diff, with a line for each row before and after. */
export const formatRows = (rows: readonly Rows[] = []): string[] =>
  rows.flatMap(({ record, statement, changes, more }) => [
    `${record}: ${statement?.replaceAll(/\s+/g, ' ') ?? 'other statements'}`,
    ...changes.flatMap(({ table, before, after }) => [
      ...(before ? [`  - ${table} ${JSON.stringify(before)}`] : []),
      ...(after ? [`  + ${table} ${JSON.stringify(after)}`] : []),
    ]),
    ...(more > 0
      ? [`  ${changes.length > 0 ? 'and ' : ''}${formatCount(more, changes.length > 0 ? 'more row' : 'row')}`]
      : []),
  ]);
