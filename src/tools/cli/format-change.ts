import { formatCount } from '#engine/lib/text.js';
import type { ControlOutput } from '../client/control-client.js';

/** Names of changed records that a line lists. */
const MAX_NAMES = 3;

/** Lists the first names of changed records. */
export const formatNames = (names: readonly string[]): string =>
  [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ');

/** Formats what a reset, a rewind, a restored snapshot or other seed data changed: numbers, and a line of names. */
export function formatReplacement({ commits, counts, names, others }: ControlOutput<'reset'>): string {
  const parts = Object.entries(counts).map(([collection, count]) => {
    const numbers = Object.entries(count).flatMap(([type, number]) => (number > 0 ? [`${number} ${type}`] : []));
    return `${collection}: ${numbers.join(', ')}`;
  });
  const back = commits > 0 ? [`${formatCount(commits, 'commit')} taken back`] : [];
  const changed = [...back, ...parts, ...others.map((name) => OTHERS[name])];
  return [changed.join('; ') || 'Nothing changed.', ...(names.length > 0 ? [formatNames(names)] : [])].join('\n');
}

const OTHERS = {
  faults: 'other faults',
  rateLimit: 'another rate limit',
  clock: 'another clock',
} as const satisfies Record<ControlOutput<'reset'>['others'][number], string>;

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
