import { isDelay, isLasting, isSendable } from '../../../../src/engine/faults/bounds.js';
import { CHAOS_NAMES } from '../../../../src/engine/faults/presets.js';
import { parseDateOrInstant, parseDuration, parseMilliseconds } from '../../../../src/engine/lib/time.js';
import { isSandboxName } from '../../../../src/engine/sandbox/names.js';
import { FILES } from '../../lib/files.js';
import { commits, faults, sandboxes, snapshots } from '../../lib/live.js';
import type { EmulatorUser } from '../../lib/types.js';
import { nameOfUser } from '../../lib/users.js';
import { DATASETS } from '../../pages/sandboxes/datasets.js';
import type { Kind, Kinds } from './grammar.js';

const isCount = (text: string): boolean => /^[1-9]\d*$/.test(text);

/** A value of a list, in any case. */
const oneOf = (expected: string, list: () => readonly string[]): Kind => ({
  expected,
  list,
  read: (text) => list().find((each) => each.toLowerCase() === text.toLowerCase()),
});

const matching = (expected: string, matches: (text: string) => boolean, ...examples: readonly string[]): Kind => ({
  expected,
  read: (text) => (matches(text) ? text : undefined),
  list: () => examples,
});

const DURATIONS = ['30s', '10m', '1h', '1d'] as const;

/** Reads `2s` or `100ms-2s`, in milliseconds. */
export function readDelay(text: string): number | [number, number] | undefined {
  const [from = 0, to, ...others] = text.split('-').map((part) => parseMilliseconds(part) ?? Number.NaN);
  if (others.length > 0 || !isDelay(from, to)) return undefined;
  return to === undefined ? from : [from, to];
}

const findCommits = () => commits.value.map(({ id }) => id).reverse();

/** Makes the kinds of values in actions. @param routes of the emulated API */
export const makeKinds = (routes: readonly string[], users: readonly EmulatorUser[]): Kinds => ({
  COUNT: matching('a number of requests', isCount, '1', '3', '10'),
  STATUS: matching(
    'a status such as 503, or "reset"',
    (text) => (/^[2-5]\d\d$/.test(text) && isSendable(Number(text))) || text === 'reset',
    ...['503', '500', '429', '404', 'reset'],
  ),
  ROUTE: oneOf('a route such as POST /v1/vals', () => ['*', ...routes.toSorted((a, b) => a.length - b.length)]),
  USER: oneOf('a user', () => users.map(nameOfUser)),
  DELAY: matching(
    'a duration such as 2s or 100ms-2s, the shorter one first, at most 10m',
    (text) => readDelay(text) !== undefined,
    ...['2s', '500ms', '100ms-2s'],
  ),
  DURATION: matching(
    'a duration such as 30s, above 0 and at most 100 years',
    (text) => isLasting(parseDuration(text) ?? 0),
    ...DURATIONS,
  ),
  STEP: matching('a duration such as 30s', (text) => parseDuration(text) !== undefined, ...DURATIONS),
  TIME: matching(
    'a time such as 2026-01-01 or 2026-01-01T09:30:00Z',
    (text) => parseDateOrInstant(text) !== undefined,
    ...['2026-01-01'],
  ),
  CHAOS: oneOf('the name of a chaos profile', () => CHAOS_NAMES),
  FAULT: oneOf('the id of an armed fault', () => faults.value.map(({ id }) => id)),
  LIMIT: matching(
    'a rate limit such as 100/1m, or "off"',
    (text) => text === 'off' || readLimit(text) !== undefined,
    ...['100/1m', 'off'],
  ),
  COMMIT: oneOf('a commit such as r17', () => [...findCommits(), 'start']),
  REWIND: {
    expected: 'the first commit to take back, such as r17, or a number of commits',
    list: findCommits,
    read: (text) => (isCount(text) ? text : findCommits().find((id) => id === text.toLowerCase())),
  },
  NAME: matching('a name', (text) => !/\s/.test(text)),
  COPY: matching('a name of A–Z a–z 0–9 . _ -, at most 64', isSandboxName),
  SANDBOX: {
    ...matching('the name of a sandbox, of A–Z a–z 0–9 . _ -, at most 64', isSandboxName),
    list: () => sandboxes.value.map(({ name }) => name),
  },
  SNAPSHOT: oneOf('the name of a snapshot', () => snapshots.value.map(({ name }) => name)),
  DATASET: oneOf('a built-in dataset', () => DATASETS.map(({ name }) => name)),
  FILE: oneOf('"session", "fixture" or "har"', () => Object.keys(FILES)),
});

/** Reads `100/1m`. */
export function readLimit(text: string): { readonly limit: number; readonly window: string } | undefined {
  const [limit = '', window = '', ...others] = text.split('/');
  return isCount(limit) && (parseDuration(window) ?? 0) > 0 && others.length === 0
    ? { limit: Number(limit), window }
    : undefined;
}
