import { distance } from 'fastest-levenshtein';
import type { Problem } from './errors.js';
import { type AsymmetricMatcher, isAsymmetricMatcher } from './objects.js';
import type { SchemaError } from './validator.js';

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

/** The keywords of a schema that messages use. `expected` is our annotation: a description of valid values. */
interface SchemaInfo {
  readonly [keyword: string]: unknown;
  readonly expected?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly SchemaInfo[];
  readonly properties?: Readonly<Record<string, SchemaInfo>>;
}

/**
 * Describes the errors of a `strict` or `query` validator, one problem per path.
 * @param path path of the validated value, empty for the root
 */
export function describeErrors(errors: readonly SchemaError[] | null | undefined, path: string): Problem[] {
  const all = errors ?? [];
  // The error of a union says more than the errors of its branches.
  const unions = [
    ...new Set(all.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`)),
  ];
  const relevant = all.filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)));
  const misspelt = new Set(relevant.flatMap(findMisspelt));
  const problems = new Map<string, Problem>();
  for (const error of relevant) {
    const problemPath = joinPointer(path, error.instancePath);
    const key = typeof error.params.missingProperty === 'string' ? error.params.missingProperty : undefined;
    if (key !== undefined && misspelt.has(`${error.instancePath}/${key}`)) continue;
    const problem = describeError(error, problemPath);
    if (!problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}

/** The required keys that an unknown key was probably meant to be. */
function findMisspelt({ keyword, instancePath, params, parentSchema }: SchemaError): string[] {
  if (keyword !== 'additionalProperties') return [];
  const [name] = findSimilar(String(params.additionalProperty), knownKeys(parentSchema));
  return name === undefined ? [] : [`${instancePath}/${name}`];
}

const knownKeys = (schema: SchemaInfo = {}): string[] => Object.keys(schema.properties ?? {});

function describeError({ keyword, params, parentSchema, data }: SchemaError, path: string): Problem {
  const schema: SchemaInfo = parentSchema ?? {};
  if (keyword === 'additionalProperties') {
    const key = String(params.additionalProperty);
    const known = knownKeys(schema);
    const all = known.length === 0 ? 'Remove it: none is expected here' : `Known keys: ${known.join(', ')}`;
    const hint = didYouMean(key, known) || ` ${all}.`;
    return { path: joinPath(path, key), message: `unknown key.${hint}` };
  }
  if (keyword === 'required') {
    const key = String(params.missingProperty);
    const expected = describeExpected(schema.properties?.[key] ?? {}, 'type');
    return { path: joinPath(path, key), message: `missing; expected ${expected}.` };
  }
  const hint = keyword === 'enum' ? didYouMean(data, (schema.enum ?? []).map(String)) : '';
  return { path, message: `found ${formatValue(data)}; expected ${describeExpected(schema, keyword)}.${hint}` };
}

function describeExpected(schema: SchemaInfo, keyword: string): string {
  const { expected, type, format, anyOf } = schema;
  if (expected !== undefined) return expected;
  if (keyword === 'minimum' && schema.minimum !== undefined) return `at least ${schema.minimum}`;
  if (keyword === 'maximum' && schema.maximum !== undefined) return `at most ${schema.maximum}`;
  if (schema.enum) return joinAlternatives(schema.enum.map(formatValue));
  if (anyOf) {
    const branches = anyOf.filter((branch) => branch.type !== 'null');
    return joinAlternatives(branches.map((branch) => describeExpected(branch, 'type')));
  }
  if (format === 'uri' && keyword !== 'type') return 'a URL';
  if (type === 'integer') return 'a whole number';
  if (type === undefined) return 'another value';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** Joins names to one phrase: `a, b or c`. */
export const joinAlternatives = (texts: readonly string[]): string => texts.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** Appends a key or an index to a path: `users[2].name`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function joinPointer(path: string, pointer: string): string {
  const keys = pointer.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, key) => joinPath(parent, /^\d+$/.test(key) ? Number(key) : key), path);
}

/** Suggests an id: of those like `r17`, the last one before an unknown one, since a request without changes has no commit. */
export function suggestId(id: string, known: readonly string[]): string {
  const number = Number(id.slice(1));
  const earlier = known.filter((other) => other[0] === id[0] && Number(other.slice(1)) < number).at(-1);
  return earlier === undefined ? didYouMean(id, known) : ` The last one before it is ${earlier}.`;
}

/** Formats a command line that asks the emulator at a URL who the user of a token is. */
export const formatCurl = (url: string, token: string): string =>
  `curl -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${url}/v1/me`)}`;

/** Characters that no shell replaces in double quotes: cmd.exe has no other quotes. */
const PLAIN = /^[\w:/. ()[\]-]+$/;

/** Quotes a word for a shell, some of which read the brackets of an IPv6 address as a pattern. */
export function quoteForShell(word: string): string {
  if (/^[\w:/.-]+$/.test(word)) return word;
  return PLAIN.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
