import { escapePattern } from '#engine/lib/text.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Val } from '#vals/service/service.collection.js';

/** Where a word occurs, best match first. */
const RANKS = ['name', 'start of name', 'in name', 'readme', 'code'] as const;

/**
 * Finds the public vals that contain every word of a query, ignoring case: all of them for a query of spaces. Matches of the name
 * come first, then of its start, of a part of it, of the readme and of the code; the newest first within each.
 */
export function* searchVals(state: State, query: string): Generator<Val> {
  const words = query.split(/\s+/).filter(Boolean).map(toWord);
  const publicVals = state.vals.by.public.range();
  if (words.length === 0) return yield* publicVals;
  /** By the sum of the ranks. A word that is in neither name nor readme must be in the code. */
  const groups: Val[][] = [];
  for (const val of publicVals) {
    let rank = 0;
    for (const word of words) rank += rankMatch(word, val);
    if (Number.isNaN(rank)) continue;
    const group = groups[rank];
    if (group) group.push(val);
    else groups[rank] = [val];
  }
  yield* groups.flat();
}

/** A word of a query. A pattern ignores case without a copy of each text in lower case. */
interface Word {
  readonly text: string;
  readonly pattern: RegExp;
}

const toWord = (word: string): Word => ({
  text: word.toLowerCase(),
  pattern: new RegExp(escapePattern(word), 'i'),
});

/** Returns an index in RANKS. NaN without a match */
function rankMatch({ text, pattern }: Word, { name, readme, latest }: Val): number {
  if (pattern.test(name)) {
    const lower = name.toLowerCase();
    return RANKS.indexOf(lower === text ? 'name' : lower.startsWith(text) ? 'start of name' : 'in name');
  }
  if (readme !== null && pattern.test(readme)) return RANKS.indexOf('readme');
  return pattern.test(latest.code) ? RANKS.indexOf('code') : Number.NaN;
}
