import { type Static, Type } from 'typebox';
import { getRecords } from '../definition/definitions.js';
import { NotFoundError, OptionsError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { inSteps, type Steps } from '../lib/steps.js';
import { toMilliseconds } from '../lib/time.js';
import { having, record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { State } from '../state/state.js';
import { initialContents } from '../store/store.js';
import { compared, expected, Reference, type ScoreOptions, scoreReferences } from './comparison.js';
import type { Sandbox, SandboxOf } from './sandbox.js';
import type { Sandboxes } from './sandboxes.js';
import { type Score, scoreFields } from './score.js';
import { getState, type StateReference } from './state-reference.js';
import type { SandboxTypes } from './types.js';

/** The snapshot of the state with which a fork begins. */
const FORK = 'fork';

const settings = {
  /** Default: the current state */
  from: Reference('State to begin with. Default: the current one'),
  /** Whether each has separate tokens, in place of the tokens of its state. Default: false */
  tokens: Type.Optional(Type.Boolean({ description: 'Whether each has tokens that are valid in it only' })),
  /** Time after which each is closed, also in use: `'10m'`, or milliseconds. Default: never, but for `sandboxIdle` */
  ttl: Type.Optional(
    Type.Union([Type.Number({ minimum: 1 }), Type.String({ format: 'fixture-duration' })], {
      expected: 'milliseconds, or a duration such as "10m"',
      description: 'Time after which each is closed. Default: never, but for `sandboxIdle`',
    }),
  ),
  /** The start of their names. Default: `fork` */
  prefix: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$',
      expected: '1 to 50 of A–Z a–z 0–9 . _ -, first a letter or digit',
      description: 'The start of their names. Default: fork',
    }),
  ),
};
export const ForksSchema = strictObject(
  { count: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of sandboxes' }), ...settings },
  { title: 'NewForks' },
);
const isForks = compile(ForksSchema, 'strict');
const ForkSettings = strictObject(settings);
/** How forks are opened. */
export interface ForksOptions extends Optional<Static<typeof ForkSettings>> {}

export const ForkScoresSchema = strictObject(
  {
    prefix: Type.Optional(Type.String({ minLength: 1, description: 'The start of their names' })),
    names: Type.Optional(Type.Unsafe<readonly string[]>(Type.Array(Type.String(), { description: 'Or their names' }))),
    ...compared,
    before: Reference('State to compare each with. Default: snapshot:fork, with which it began'),
    ...expected,
    close: Type.Boolean({ default: true, description: 'Whether to close them' }),
  },
  {
    title: 'ForkScoring',
    not: having('prefix', 'names'),
    expected: 'either prefix or names',
  },
);
const forkScore = record('ForkScore', {
  name: Type.String(),
  ...scoreFields,
  closed: Type.Optional(Type.String({ description: 'Why it has expired: its score is 0, and nothing was compared' })),
});
/** The score of a fork. */
export interface ForkScore extends Score {
  readonly name: string;
  readonly closed?: string;
}
export const ForkScore = Type.Unsafe<ForkScore>(forkScore);

/** What is expected of forks. */
export interface ForkScoreOptions extends ScoreOptions {
  /** Whether to close them. Default: true */
  readonly close?: boolean | undefined;
}

/**
 * Opens sandboxes from a state, each with the snapshot `fork` of it. Opens none if not all have room.
 * @throws OptionsError for wrong options, ApiError 503 at the limit of sandboxes, and what {@link getState} throws
 */
export function* openForks<T extends SandboxTypes>(
  sandboxes: Sandboxes<T>,
  source: Sandbox,
  options: ForksOptions & { readonly count: number },
  readsFiles: boolean,
  makeToken: () => string,
): Steps<SandboxOf<T>[]> {
  const given = omitUndefined(options);
  if (!isForks(given)) throw new OptionsError(describeErrors(isForks.errors, ''));
  const { count, from, tokens = false, ttl, prefix = FORK } = given;
  const sources = source.sources(readsFiles);
  const state = from === undefined ? sources.store.state : yield* getState(from, sources, 'from');
  sandboxes.assertRoom(count);
  const lifetime = ttl === undefined ? undefined : toMilliseconds(ttl);
  if (lifetime !== undefined && lifetime < 1) {
    throw new OptionsError([{ path: 'ttl', message: `found ${formatValue(ttl)}; expected at least 1 ms.` }]);
  }
  const { seed } = source.meta;
  const opened: SandboxOf<T>[] = [];
  try {
    yield* inSteps(Array.from({ length: count }), () => {
      // Others may have opened some between two steps.
      sandboxes.assertRoom(1);
      const begun = tokens ? replaceTokens(state, makeToken) : state;
      const snapshots = [{ name: FORK, at: source.now, state: begun, commits: 0 }];
      const init = {
        name: sandboxes.newName(prefix),
        seed,
        contents: { ...initialContents(begun), snapshots },
        lifetime,
      };
      opened.push(sandboxes.openNew(init));
    });
  } catch (error) {
    for (const sandbox of opened) sandboxes.close(sandbox);
    throw error;
  }
  return opened;
}

/** Returns a state whose callers have new tokens, also further ones. */
function replaceTokens(state: State, makeToken: () => string): State {
  const { callers, credentials } = state.definitions;
  const replaced = [callers, credentials].flatMap((definition) => {
    if (!definition) return [];
    let records = getRecords(state, definition.name);
    for (const each of [...records]) records = records.put({ ...each, token: makeToken() });
    return [[definition.name, records] as const];
  });
  return { ...state, ...Object.fromEntries(replaced) };
}

/** @throws OptionsError for anything but a list of sandboxes */
export function listSandboxNames(forks: readonly { readonly name: string }[]): string[] {
  const names = Array.isArray(forks) ? forks.map((fork): unknown => Object(fork).name) : [undefined];
  if (names.every((name) => typeof name === 'string')) return names;
  throw new OptionsError([{ path: 'forks', message: `found ${formatValue(forks)}; expected a list of sandboxes.` }]);
}

/** The score of a fork that has expired. */
const EXPIRED: Score = { pass: false, score: 0, matched: 0, missing: [], unexpected: [], total: 0 };

/**
 * Selects the sandboxes whose name begins with a prefix.
 * @param before the state to compare with. Default: the snapshot `fork`, which others than forks do not have
 * @throws NotFoundError for none
 */
export function selectForks(sandboxes: Sandboxes, prefix: string, before?: StateReference): string[] {
  const isFork = ({ store }: Sandbox) => store.snapshots.some(({ name }) => name === FORK);
  const selected = sandboxes.withPrefix(prefix).filter((sandbox) => before !== undefined || isFork(sandbox));
  if (selected.length > 0) return selected.map(({ name }) => name);
  const kind = before === undefined ? 'fork' : 'sandbox';
  throw new NotFoundError(`There is no ${kind} whose name begins with ${formatValue(prefix)}.`);
}

/**
 * Scores sandboxes against one expected difference, and closes them. None is closed if one cannot be scored.
 * One that has expired has a score of 0.
 * @throws NotFoundError for one that is not open, otherwise as {@link scoreReferences} does
 */
export function* scoreForks(
  sandboxes: Sandboxes,
  names: readonly string[],
  { close = true, before = `snapshot:${FORK}`, ...options }: ForkScoreOptions,
  readsFiles: boolean,
): Steps<ForkScore[]> {
  /** Each sandbox, or why it has expired. */
  const forks = names.map((name) => [name, sandboxes.whyClosed(name) || sandboxes.get(name)] as const);
  const scores: ForkScore[] = [];
  for (const [name, fork] of forks) {
    if (typeof fork === 'string') {
      scores.push({ name, ...EXPIRED, closed: fork });
      continue;
    }
    try {
      scores.push({ name, ...(yield* scoreReferences(fork.sources(readsFiles), { ...options, before })) });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(`${error.message} The sandbox is ${JSON.stringify(name)}.`);
    }
    yield;
  }
  if (close) for (const [, fork] of forks) if (typeof fork !== 'string') sandboxes.close(fork);
  return scores;
}
