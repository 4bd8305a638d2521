import { type Static, Type } from 'typebox';
import { WholeChange } from '../changes/change.js';
import { diffStates } from '../changes/state-diff.js';
import { ApiError, OptionsError, type Problem } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { omitUndefined } from '../lib/objects.js';
import type { Steps } from '../lib/steps.js';
import { formatCount } from '../lib/text.js';
import { record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { ExpectedEntry } from './end-state.js';
import {
  type Alternative,
  type ExpectedChange,
  type ExpectedDifference,
  MOST_CHANGES,
  Score,
  scoreDifferences,
} from './score.js';
import { getState, type StateReference, type StateSources } from './state-reference.js';

export const Reference = (description: string) =>
  Type.Optional(
    Type.Unsafe<StateReference>({
      type: ['string', 'object'],
      minLength: 1,
      expected: 'a reference such as "sandbox:demo", "snapshot:before", "commit:r17" or "fixture:empty", or fixtures',
      description,
    }),
  );
const Pattern = Type.String({ minLength: 1, expected: 'a pattern such as "*.updatedAt"' });
const Patterns = Type.Array(Pattern, { maxItems: 1_000, expected: 'at most 1000 patterns such as "*.updatedAt"' });

/** What of two states is compared. */
export const compared = {
  before: Reference('`sandbox:a`, `snapshot:b`, `commit:r17` or fixtures. Default: commit:start'),
  after: Reference('Default: the current state'),
  ignore: Type.Optional(
    Type.Unsafe<readonly string[]>({ ...Patterns, description: 'Paths: `*.updatedAt`, `users.ada.bio`' }),
  ),
};
const Change = Type.Unsafe<ExpectedChange>(
  Type.Object({}, { minProperties: 1, additionalProperties: true, expected: 'some of the keys of a change' }),
);
const Entry = Type.Unsafe<ExpectedEntry>(
  Type.Object({}, { minProperties: 1, additionalProperties: true, expected: 'a record, a file or a row' }),
);
const alternative = {
  expect: Type.Optional(
    Type.Unsafe<readonly ExpectedChange[]>(Type.Array(Change, { maxItems: 1_000, description: 'Changes, in part' })),
  ),
  allow: Type.Optional(
    Type.Unsafe<readonly (string | ExpectedChange)[]>(
      Type.Array(Type.Union([Pattern, Change]), {
        maxItems: 1_000,
        expected: 'at most 1000 patterns and changes',
        description: 'Paths, or changes',
      }),
    ),
  ),
  end: Type.Optional(
    Type.Unsafe<readonly ExpectedEntry[]>(
      Type.Array(Entry, {
        maxItems: 1_000,
        description: 'Of the last state: `{ "file": "a.ts", "is": { "text": "1" } }`',
      }),
    ),
  ),
};
const MOST_ALTERNATIVES = 20;
export const expected = {
  ...alternative,
  anyOf: Type.Optional(
    Type.Unsafe<readonly Alternative[]>(
      Type.Array(strictObject(alternative), {
        minItems: 1,
        maxItems: MOST_ALTERNATIVES,
        expected: `1 to ${MOST_ALTERNATIVES} ways, each with expect, allow or end`,
        description: 'Ways to do it, of which the best counts',
      }),
    ),
  ),
};
/** Changes of a response. */
const DEFAULT_LIMIT = 1_000;

export const ComparisonSchema = strictObject(
  {
    ...compared,
    ...expected,
    limit: Type.Integer({ minimum: 0, maximum: MOST_CHANGES, default: DEFAULT_LIMIT }),
  },
  { title: 'Comparison', default: {} },
);
const isComparison = compile(ComparisonSchema, 'strict');

const stateDiff = record('StateDiff', {
  total: Type.Integer({ description: 'Total number of changes' }),
  changes: Type.Array(WholeChange),
  score: Type.Optional(Score),
});
/** The difference of two states. */
export interface StateDiff extends Static<typeof stateDiff> {}
export const StateDiff = Type.Unsafe<StateDiff>(stateDiff);

/** How two states are compared. */
export interface DiffOptions {
  /** Patterns of paths that do not count: `*.updatedAt`, `vals.*.version`. `*` stands for any characters. Default: none */
  readonly ignore?: readonly string[] | undefined;
  /** Changes to return, up to 100,000. Default: 1,000 */
  readonly limit?: number | undefined;
}

/** The expected difference, and the states that it is of. */
export interface ScoreOptions extends ExpectedDifference, Pick<DiffOptions, 'ignore'> {
  /** Default: `commit:start` */
  readonly before?: StateReference | undefined;
  /** Default: the current state */
  readonly after?: StateReference | undefined;
}

/** Finds patterns that fit no collection. */
function checkPatterns(path: string, patterns: readonly unknown[], names: readonly string[]): Problem[] {
  return patterns.flatMap((pattern, i) => {
    const [collection = ''] = typeof pattern === 'string' ? pattern.split('.') : ['*'];
    if (collection.includes('*') || names.includes(collection)) return [];
    const hint = didYouMean(collection, names) || ` Collections: ${names.join(', ')}.`;
    const message = `found ${formatValue(pattern)}; expected a collection, or "*", before the first dot.${hint}`;
    return [{ path: `${path}[${i}]`, message }];
  });
}

/** @throws OptionsError, NotFoundError and FixtureError as {@link getState} does */
export function* diffReferences(sources: StateSources, options: DiffOptions & ScoreOptions): Steps<StateDiff> {
  const given = omitUndefined(options);
  // Fills in the default of the limit.
  const comparison = { limit: DEFAULT_LIMIT, ...Object(given) };
  if (!isComparison(comparison)) throw new OptionsError(describeErrors(isComparison.errors, ''));
  const { before = 'commit:start', after, ignore = [], limit } = comparison;
  const { expect, allow, end, anyOf } = options;
  const { names } = sources.store.state.definitions;
  const problems = [...checkPatterns('ignore', ignore, names), ...checkPatterns('allow', allow ?? [], names)];
  for (const [i, each] of (anyOf ?? []).entries())
    problems.push(...checkPatterns(`anyOf[${i}].allow`, each.allow ?? [], names));
  if (problems.length > 0) throw new OptionsError(problems);
  const old = yield* getState(before, sources, 'before');
  const now = after === undefined ? sources.store.state : yield* getState(after, sources, 'after');
  const scores = [expect, allow, end, anyOf].some((each) => each !== undefined);
  const { changes, total } = yield* diffStates(old, now, ignore, scores ? MOST_CHANGES : limit);
  if (scores && total > MOST_CHANGES) {
    const problem = `The states differ by ${formatCount(total, 'change')}; a score takes at most 100,000.`;
    throw new ApiError(422, `${problem} Ignore some.`);
  }
  return {
    total,
    changes: changes.slice(0, limit),
    ...(scores && { score: yield* scoreDifferences(changes, { expect, allow, end, anyOf }, now) }),
  };
}

/** @throws as {@link diffReferences} does */
export function* scoreReferences(sources: StateSources, options: ScoreOptions): Steps<Score> {
  const { score } = yield* diffReferences(sources, { expect: [], ...options, limit: 0 });
  if (!score) throw new RangeError('no score');
  return score;
}
