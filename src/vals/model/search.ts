import type { Val } from '../collections/index.js';
import type { State } from '../collections/state.js';

/** Where a word occurs, best match first. */
const RANKS = ['name', 'start of name', 'in name', 'readme', 'code'] as const;

/**
 * Finds the public vals that contain every word of a query, ignoring case: all of them for a query of spaces. Matches of the name
 * come first, then of its start, of a part of it, of the readme and of the code; the newest first within each.
 */
export function searchVals(state: State, query: string): Val[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { val: Val; rank: number }[] = [];
  for (const val of state.vals) {
    if (val.privacy !== 'public') continue;
    const texts = [val.name.toLowerCase(), val.readme?.toLowerCase() ?? '', val.latest.code.toLowerCase()] as const;
    const ranks = words.map((word) => rankMatch(word, texts));
    const rank = ranks.reduce((sum, each) => sum + each, 0);
    if (ranks.every((each) => each < RANKS.length)) found.push({ val, rank });
  }
  return found.sort((a, b) => a.rank - b.rank || newestFirst(a.val, b.val)).map(({ val }) => val);
}

const newestFirst = (a: Val, b: Val) => b.createdAt - a.createdAt || b.serial - a.serial;

/** Returns an index in RANKS, or its length for no match. */
function rankMatch(word: string, [name, readme, code]: readonly [string, string, string]): number {
  if (name === word) return RANKS.indexOf('name');
  if (name.startsWith(word)) return RANKS.indexOf('start of name');
  if (name.includes(word)) return RANKS.indexOf('in name');
  if (readme.includes(word)) return RANKS.indexOf('readme');
  return code.includes(word) ? RANKS.indexOf('code') : RANKS.length;
}
