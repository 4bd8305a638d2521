import type { ControlOutput } from '../client/control-client.js';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

/** Formats a change as a diff with a line for each field. */
function formatWholeChange(change: ControlOutput<'diffStates'>['changes'][number]): string[] {
  const { collection, name, id, type, file, table, row, before, after, lines } = change;
  const below = [file, table, row].filter((part) => part !== undefined);
  const path = [collection, name === id ? id : `${name} (${id})`, ...below].join(' ');
  return [`${SIGNS[type]} ${path.replaceAll('\n', '\\n')}`, ...formatFields(before, after, lines)];
}

type Lines = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>> | null | undefined;

/** Formats the differences of two states, and how many more there are. */
export function formatDifferences({
  total,
  changes,
}: Pick<ControlOutput<'diffStates'>, 'total' | 'changes'>): string[] {
  const lines = changes.flatMap(formatWholeChange);
  return total > changes.length ? [...lines, `and ${total - changes.length} more changes`] : lines;
}

/** @param differences of texts with several lines, and of files */
export function formatFields(before: Fields, after: Fields, differences: Lines = {}): string[] {
  const fields = Object.keys({ ...before, ...after }).filter((field) => field !== 'id' && !(field in differences));
  const lines = fields.flatMap((field) => {
    const old = formatField('-', field, before);
    const now = formatField('+', field, after);
    return old?.slice(1) === now?.slice(1) ? [] : [old, now].filter((line) => line !== undefined);
  });
  const texts = Object.values(differences).flatMap((text) => text.split('\n'));
  return [...lines, ...texts].map((line) => `  ${line}`);
}

const formatField = (sign: string, field: string, row: Fields): string | undefined =>
  row?.[field] === undefined ? undefined : `${sign} ${field}: ${JSON.stringify(row[field])}`;
