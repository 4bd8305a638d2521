import type { Val } from '../collections/index.js';
import type { State } from '../collections/state.js';

/** Where a word occurs, best match first. */
const RANKS = ['name', 'start of name', 'in name', 'readme', 'code'] as const;

/**
 * Finds the public vals that contain every word of a query, ignoring case: all of them for a query of spaces. Matches of the name
 * come first, then of its start, of a part of it, of the readme and of the code; the newest first within each.
 */
export function* searchVals(state: State, query: string): Generator<Val> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  /** By the sum of the ranks. A word that is in neither name nor readme must be in the code. */
  const groups: Match[][] = [];
  const all = state.vals.by.age.range();
  for (const val of all.page(0, all.length).reverse()) {
    if (val.privacy !== 'public') continue;
    const match = { val, inCode: [] };
    const rank = words.reduce((sum, word) => sum + rankMatch(word, match), 0);
    groups[rank] ??= [];
    groups[rank].push(match);
  }
  for (const { val, inCode } of groups.flat()) {
    const code = inCode.length === 0 ? '' : val.latest.code.toLowerCase();
    if (inCode.every((word) => code.includes(word))) yield val;
  }
}

interface Match {
  readonly val: Val;
  /** The words that the code must have. */
  readonly inCode: string[];
}

/** Returns an index in RANKS. */
function rankMatch(word: string, { val, inCode }: Match): number {
  const name = val.name.toLowerCase();
  if (name === word) return RANKS.indexOf('name');
  if (name.startsWith(word)) return RANKS.indexOf('start of name');
  if (name.includes(word)) return RANKS.indexOf('in name');
  if (val.readme?.toLowerCase().includes(word)) return RANKS.indexOf('readme');
  inCode.push(word);
  return RANKS.indexOf('code');
}
