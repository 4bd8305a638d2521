import type { ControlOutput } from '../client/control-client.js';

/** Formats a change as a diff with a line for each field. @param name of what has changed */
export function formatChange(name: string, before: Fields, after: Fields, lines?: Lines): string[] {
  const sign = before === null ? '+' : after === null ? '-' : '~';
  return [`${sign} ${name}`, ...formatFields(before, after, lines)];
}

type Lines = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>> | null;

/** Formats the differences of two states, and how many more there are. */
export function formatDifferences({ total, changes }: ControlOutput<'diffStates'>): string[] {
  const lines = changes.flatMap(({ collection, name, id, file, table, row, before, after, lines }) => {
    const below = [file, table, row].filter((part) => part !== undefined);
    const path = [collection, name === id ? id : `${name} (${id})`, ...below].join(' ');
    return formatChange(path.replaceAll('\n', '\\n'), before, after, lines);
  });
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
