import type { Change } from '#engine/changes/change.js';
import type { Differences } from '#engine/changes/state-diff.js';
import { formatCount } from '#engine/lib/text.js';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

/** Formats a change as a diff with a line for each field. */
function formatWholeChange(change: Change): string[] {
  const { collection, name, id, type, file, table, row } = change;
  const below = [file, table, row].filter((part) => part !== undefined);
  const path = [collection, name === id ? id : `${name} (${id})`, ...below].join(' ');
  return [`${SIGNS[type]} ${path.replaceAll('\n', '\\n')}`, ...formatSides(change)];
}

/** Formats the differences of two states, and how many more there are. */
export function formatDifferences({ total, changes }: Differences): string[] {
  const lines = changes.flatMap(formatWholeChange);
  return total > changes.length ? [...lines, `and ${total - changes.length} more changes`] : lines;
}

/** Formats the fields of a change that differ, its texts with several lines, its files, and rows of SQL. */
export function formatSides({ before, after, lines: differences = {}, rows }: Change): string[] {
  const fields = Object.keys({ ...before, ...after }).filter((field) => field !== 'id' && !(field in differences));
  const lines = fields.flatMap((field) => {
    const old = formatField('-', field, before);
    const now = formatField('+', field, after);
    return old?.slice(1) === now?.slice(1) ? [] : [old, now].filter((line) => line !== undefined);
  });
  const texts = Object.values(differences).flatMap((text) => text.split('\n'));
  return [...[...lines, ...texts].map((line) => `  ${line}`), ...formatRows(rows)];
}

const formatField = (sign: string, field: string, row: Change['before']): string | undefined =>
  row?.[field] === undefined ? undefined : `${sign} ${field}: ${JSON.stringify(row[field])}`;

/** Formats the rows that statements have changed, with a line for each row before and after. */
const formatRows = (rows: Change['rows'] = []): string[] =>
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
