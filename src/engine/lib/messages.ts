import { distance } from 'fastest-levenshtein';
import { type AsymmetricMatcher, isAsymmetricMatcher } from './objects.js';

/** Longest value that a message shows, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 60;

export function formatValue(value: unknown): string {
  const text = isText(value) ? String(value) : (toJson(value) ?? String(value));
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 3)}...` : text;
}

/** Whether a value is clearer as text than as JSON. */
const isText = (value: unknown): boolean =>
  typeof value === 'number' || value instanceof Date || Object.prototype.toString.call(value) === '[object RegExp]';

/** Describes a matcher of a test runner: `Any<String>`, `StringMatching /^a/`. */
function describeMatcher(matcher: AsymmetricMatcher): string {
  if (typeof matcher.toAsymmetricMatcher === 'function') return matcher.toAsymmetricMatcher();
  return matcher.sample === undefined ? String(matcher) : `${matcher} ${formatValue(matcher.sample)}`;
}

/** Undefined for values without a JSON form, such as a function. */
function toJson(value: unknown): string | undefined {
  try {
    if (isAsymmetricMatcher(value)) return describeMatcher(value);
    // Each value takes a character at least, so that later ones are not shown.
    let left = MAX_SHOWN_LENGTH;
    return JSON.stringify(value, (_, field: unknown) => {
      if (left-- < 0) return undefined;
      if (Array.isArray(field)) return field.slice(0, MAX_SHOWN_LENGTH);
      return isAsymmetricMatcher(field) ? describeMatcher(field) : field;
    });
  } catch {
    return typeof value === 'object' ? 'an object that JSON cannot write' : undefined;
  }
}

/** Returns ` Did you mean "ada"?` when one of the names is close to the value, else an empty string. */
export function didYouMean(value: unknown, names: Iterable<string>): string {
  const name = typeof value === 'string' ? findSimilar(value, names)[0] : undefined;
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`;
}

/** Returns ` Did you mean "start" or "state"?` with all names of the closest. For short lists: data can have many. */
export function didYouMeanAny(value: string, names: Iterable<string>): string {
  const similar = findSimilar(value, names);
  return similar.length === 0 ? '' : ` Did you mean ${joinAlternatives(similar.map(formatValue))}?`;
}

/** Finds the most similar names, at most a third of the letters away. */
export function findSimilar(value: string, names: Iterable<string>): string[] {
  const limit = Math.max(1, Math.floor(value.length / 3));
  let similar: string[] = [];
  let best = limit;
  for (const name of names) {
    if (Math.abs(name.length - value.length) > limit) continue;
    const edits = countEdits(value.toLowerCase(), name.toLowerCase());
    if (edits > best) continue;
    if (edits < best) similar = [];
    best = edits;
    similar.push(name);
  }
  return similar;
}

function countEdits(value: string, name: string): number {
  const edits = distance(value, name);
  // Two swapped letters are one slip, but two edits.
  return edits === 2 && sortLetters(value) === sortLetters(name) ? 1 : edits;
}

const sortLetters = (text: string) => [...text].sort().join('');

/** Joins names to one phrase: `a, b or c`. */
export const joinAlternatives = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' or ');

/** Appends a key or an index to a path: `users[2].name`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Suggests an id: of those like `r17`, the last one before an unknown one, since a request without changes has no commit. */
export function suggestId(id: string, known: readonly string[]): string {
  const number = Number(id.slice(1));
  const earlier = known.filter((other) => other[0] === id[0] && Number(other.slice(1)) < number).at(-1);
  return earlier === undefined ? didYouMean(id, known) : ` The last one before it is ${earlier}.`;
}

/** Parses a place from the end of a list: `last` and `-1`, `-2` for the one before. Undefined for an id. */
export function parseBack(text: string): number | undefined {
  if (text === 'last') return 1;
  const [, back] = /^-([1-9]\d{0,5})$/.exec(text) ?? [];
  return back === undefined ? undefined : Number(back);
}

/** Formats a command line that sends a GET request with a token. */
export const formatCurl = (url: string, token: string): string =>
  `curl -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(url)}`;

/** Characters that no shell replaces in double quotes: cmd.exe has no other quotes. */
const PLAIN = /^[\w:/. ()[\]-]+$/;

/** Quotes a word for a shell, some of which read the brackets of an IPv6 address as a pattern. */
export function quoteForShell(word: string): string {
  if (/^[\w:/.-]+$/.test(word)) return word;
  return PLAIN.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
