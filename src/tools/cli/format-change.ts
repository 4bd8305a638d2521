/** Formats a change as a diff with a line for each field. @param name of what has changed */
export function formatChange(name: string, before: Fields, after: Fields, lines?: Lines): string[] {
  const sign = before === null ? '+' : after === null ? '-' : '~';
  return [`${sign} ${name}`, ...formatFields(before, after, lines)];
}

type Lines = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>> | null;

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
