import { formatChange } from '#engine/changes/format.js';
import { formatCount } from '#engine/lib/text.js';
import type { ControlOutput } from '../client/control-client.js';

/** The snapshot of what is replaced. One name, so that a script which resets again and again keeps one state. */
export const UNDO = 'before-reset';
export const formatUndo = (url: string): string => `Take it back: val-emulator snapshot restore ${UNDO} --url ${url}`;

/** Names of changed records that a line lists. */
const MAX_NAMES = 3;

/** Names the first changed records. */
export const formatNames = (changes: ControlOutput<'reset'>['changes']): string =>
  [...changes.slice(0, MAX_NAMES).map(formatChange), ...(changes.length > MAX_NAMES ? ['…'] : [])].join(', ');

/** Formats what a reset, a rewind, a restored snapshot or other seed data changed: numbers, and a line of names. */
export function formatReplacement({ commits, counts, changes, others }: ControlOutput<'reset'>): string {
  const parts = Object.entries(counts).map(([collection, count]) => {
    const numbers = Object.entries(count).flatMap(([type, number]) => (number > 0 ? [`${number} ${type}`] : []));
    return `${collection}: ${numbers.join(', ')}`;
  });
  const back = commits > 0 ? [`${formatCount(commits, 'commit')} taken back`] : [];
  const changed = [...back, ...parts, ...others.map((name) => `${name} changed`)];
  return `${changed.join('; ') || 'Nothing changed.'}\n${formatNames(changes)}`.trimEnd();
}
