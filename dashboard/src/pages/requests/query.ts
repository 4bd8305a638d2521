import { findTool } from '../../../../src/engine/api/tool-route.js';
import { matchStatus } from '../../../../src/engine/journal/statuses.js';
import { didYouMean } from '../../../../src/engine/lib/messages.js';
import { isRefused } from '../../../../src/engine/lib/reasons.js';
import { numberOf } from '../../lib/format.js';
import { lookUp } from '../../lib/look-up.js';
import type { RequestSummary } from '../../lib/types.js';

// The language of the filter: `status:4xx user:ada path:/v1/vals last:1m -text`.

/** What the requests themselves do not say. */
export interface Surroundings {
  /** The time of the sandbox in milliseconds. */
  readonly now: number;
  /** Whether a request has a text, in lower case, elsewhere than in its summary. */
  readonly hasText: (id: string, text: string) => boolean;
}

type Match = (request: RequestSummary, surroundings: Surroundings) => boolean;

/** In place of a value that is null. */
const NONE = 'none';

export const isWrite = ({ id, commit }: RequestSummary): boolean => id === commit;

/** Says what is special about a request without a route; undefined for one with a route. */
export const describeMissing = ({ route, status }: RequestSummary): string | undefined =>
  route !== null ? undefined : status === 501 ? 'not emulated' : status < 400 ? 'no tool' : 'no route';

/** Milliseconds from which a request is slow: an emulator responds in less, unless a fault delays it. */
const SLOW_MS = 100;

/** What a request can be. */
export const KINDS: Readonly<Record<string, (request: RequestSummary) => boolean>> = {
  error: isRefused,
  write: isWrite,
  fault: ({ fault }) => fault !== null,
  slow: ({ duration }) => (duration ?? 0) >= SLOW_MS,
  aborted: ({ outcome }) => outcome === 'aborted',
};

/** Whose lane a request is in, by what the lanes are of. */
export const laneOf = {
  user: ({ user }: RequestSummary) => user ?? NONE,
  program: ({ program }: RequestSummary) => program ?? NONE,
  tool: ({ route }: RequestSummary) => findTool(route) ?? NONE,
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const has = (text: string | null | undefined, part: string) =>
  text?.toLowerCase().includes(part.toLowerCase()) === true;
const is = (text: string | null | undefined, value: string) => (text ?? NONE).toLowerCase() === value.toLowerCase();

interface Key {
  /** Returns undefined for a value that is wrong. */
  readonly match: (value: string) => Match | undefined;
  /** What a value is. */
  readonly expected: string;
}

/** The keys of the language. */
export const KEYS: Readonly<Record<string, Key>> = {
  status: {
    expected: '404, 4xx, error or reset',
    match: (value) => {
      if (value === 'error') return isRefused;
      if (value === 'reset') return ({ status }) => status === 0;
      if (!/^[1-5](?:\d\d|xx)$/.test(value)) return undefined;
      const isWanted = matchStatus(value);
      return ({ status }) => isWanted(status);
    },
  },
  method: {
    expected: 'a method such as POST',
    match:
      (value) =>
      ({ method }) =>
        is(method, value),
  },
  path: {
    expected: 'a part of a path',
    match:
      (value) =>
      ({ path }) =>
        has(path, value),
  },
  route: {
    expected: '"GET /v1/me", or none',
    match:
      (value) =>
      ({ route }) =>
        is(route, value),
  },
  user: {
    expected: 'a name, or none',
    match:
      (value) =>
      ({ user }) =>
        is(user, value),
  },
  program: {
    expected: 'a part of its name',
    match:
      (value) =>
      ({ program }) =>
        has(program ?? NONE, value),
  },
  tool: {
    expected: 'a name, or none',
    match:
      (value) =>
      ({ route }) =>
        is(findTool(route), value),
  },
  is: { expected: Object.keys(KINDS).join(', '), match: (value) => lookUp(KINDS, value) },
  id: {
    expected: 'r12, or r12-r40',
    match: (value) => {
      const [, first, last = first] = /^r(\d+)(?:-r(\d+))?$/i.exec(value) ?? [];
      if (first === undefined) return undefined;
      return ({ id }) => numberOf(id) >= Number(first) && numberOf(id) <= Number(last);
    },
  },
  last: {
    expected: '30s, 1m or 2h',
    match: (value) => {
      const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(value) ?? [];
      if (count === undefined) return undefined;
      return ({ time }, { now }) => Date.parse(time) >= now - Number(count) * (UNITS[unit] ?? 0);
    },
  },
};

interface Term {
  /** As typed. */
  readonly source: string;
  readonly isNot: boolean;
  /** Undefined for a text. */
  readonly key: string | undefined;
  readonly value: string;
}

const TERM = /(-?)(?:([a-z]+):)?("(?:[^"]*)"?|\S*)/y;

/** Splits a query into its terms. Words without a key that follow one another are one text. */
function splitTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    TERM.lastIndex = 0;
    const [source = '', minus, key, value = ''] = TERM.exec(rest) ?? [];
    rest = rest.slice(Math.max(1, source.length)).trimStart();
    const isNot = minus === '-';
    const last = terms.at(-1);
    const isWord = key === undefined && !isNot && !value.startsWith('"');
    if (isWord && last && last.key === undefined && !last.isNot && !last.source.startsWith('"')) {
      terms.pop();
      terms.push({ ...last, source: `${last.source} ${source}`, value: `${last.value} ${value}` });
    } else terms.push({ source, isNot, key, value: value.replace(/^"|"$/g, '') });
  }
  return terms;
}

export interface Query {
  /** Texts to look for in bodies too, in lower case. */
  readonly texts: readonly string[];
  /** What is wrong with it. Terms that are wrong select nothing and exclude nothing. */
  readonly problems: readonly string[];
  /** Whether the time that passes changes what it selects. */
  readonly isRelative: boolean;
  readonly matches: Match;
}

/** Texts of a query: each is a search of the journal. */
const MAX_TEXTS = 3;

export function parseQuery(source: string): Query {
  const terms = splitTerms(source);
  const problems: string[] = [];
  const texts: string[] = [];
  const matches = terms.flatMap(({ source, isNot, key, value }): Match[] => {
    if (value === '') return [];
    const match = key === undefined ? findText(value.toLowerCase(), texts) : lookUp(KEYS, key)?.match(value);
    if (!match) problems.push(describeProblem(source, key, value));
    return match ? [(...args) => match(...args) !== isNot] : [];
  });
  return {
    texts,
    problems,
    isRelative: terms.some(({ key }) => key === 'last'),
    matches: (...args) => matches.every((match) => match(...args)),
  };
}

function findText(text: string, texts: string[]): Match | undefined {
  if (texts.length === MAX_TEXTS) return undefined;
  texts.push(text);
  return ({ id, path, user, program }, { hasText }) =>
    id === text || has(path, text) || has(user, text) || has(program, text) || hasText(id, text);
}

function describeProblem(source: string, key: string | undefined, value: string): string {
  if (key === undefined) return `${source}: at most ${MAX_TEXTS} texts.`;
  const known = Object.keys(KEYS);
  const { expected } = lookUp(KEYS, key) ?? {};
  if (expected !== undefined) return `${key}: found "${value}"; expected ${expected}.`;
  const hint = didYouMean(key, known) || ` Keys: ${known.join(', ')}.`;
  return `There is no key "${key}".${hint} Quotes search for a text: "${source}".`;
}

const quote = (value: string): string => (/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value);

/** Writes a term: `route:"GET /v1/me"`. */
export const writeTerm = (key: string, value: string): string => `${key}:${quote(value)}`;

/** Writes a query without the terms of a key. */
export const removeTerms = (query: string, key: string): string =>
  splitTerms(query)
    .flatMap((term) => (term.key === key ? [] : [term.source]))
    .join(' ');

export const hasTerm = (query: string, term: string): boolean =>
  splitTerms(query).some(({ source }) => source === term);

/** Adds a term in place of those with its key, or removes it if the query has it. */
export function toggleTerm(query: string, term: string): string {
  const [added] = splitTerms(term);
  const kept = splitTerms(query).filter(({ key, source, value }) =>
    key === 'is' ? source !== term : key !== added?.key || (key === undefined && value !== added?.value),
  );
  return [...kept.map(({ source }) => source), ...(hasTerm(query, term) ? [] : [term])].join(' ');
}

/** Lists how the last word of a query can go on. @param list the values of a key that requests have */
export function completeQuery(query: string, list: (key: string) => readonly string[]): readonly string[] {
  const [, start = '', word = ''] = /^(.*?)(\S*)$/s.exec(query) ?? [];
  const [, minus = '', key, typed = ''] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(word) ?? [];
  if (key === undefined) {
    return Object.keys(KEYS).flatMap((name) => (name.startsWith(typed) ? [`${start}${minus}${name}:`] : []));
  }
  return list(key).flatMap((value) =>
    value.toLowerCase().startsWith(typed.toLowerCase()) ? [`${start}${minus}${writeTerm(key, value)}`] : [],
  );
}
