import type { State } from './state.js';
import type { Val } from './vals.js';

/** Where a word was found, best first. */
const RANKS = ['name', 'start of name', 'in name', 'readme', 'code'] as const;

/**
 * Public vals in which every word of the query occurs, whatever its case: first those it names, then those whose name
 * begins with it or holds it, then those that mention it in the readme, then in the code; the newest first of each.
 */
export function searchVals(state: State, query: string): Val[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { val: Val; rank: number }[] = [];
  for (const val of state.vals) {
    if (val.privacy !== 'public') continue;
    const texts = [val.name.toLowerCase(), val.readme?.toLowerCase() ?? '', val.latest.code.toLowerCase()] as const;
    const ranks = words.map((word) => rankOf(word, texts));
    if (ranks.every((rank) => rank < RANKS.length))
      found.push({ val, rank: ranks.reduce((sum, rank) => sum + rank, 0) });
  }
  return found.sort((a, b) => a.rank - b.rank || newestFirst(a.val, b.val)).map(({ val }) => val);
}

const newestFirst = (a: Val, b: Val) => b.createdAt - a.createdAt || b.serial - a.serial;

/** The place in RANKS, or past its end. */
function rankOf(word: string, [name, readme, code]: readonly [string, string, string]): number {
  if (name === word) return RANKS.indexOf('name');
  if (name.startsWith(word)) return RANKS.indexOf('start of name');
  if (name.includes(word)) return RANKS.indexOf('in name');
  if (readme.includes(word)) return RANKS.indexOf('readme');
  return code.includes(word) ? RANKS.indexOf('code') : RANKS.length;
}
