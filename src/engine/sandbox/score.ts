import { type Static, Type } from 'typebox';
import { WholeChange } from '../changes/change.js';
import { CHANGE_TYPES } from '../changes/changed-record.js';
import { matchPaths, type PathTest } from '../changes/path-patterns.js';
import { matchesSubject, omitMatching } from '../changes/state-diff.js';
import type { AnyDefinition } from '../definition/define.js';
import { listTimeKeys } from '../fixtures/rows.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { type Difference, findDifferences, formatDifference, MAX_DIFFERENCES, takeFirst } from '../lib/matching.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isAsymmetricMatcher } from '../lib/objects.js';
import type { Steps } from '../lib/steps.js';
import { record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile, type Validator } from '../schema/validator.js';
import type { State } from '../state/state.js';
import { assign, type Candidate } from './assignment.js';
import { compareEnd, type ExpectedEntry, isExpectedEntry } from './end-state.js';

/** Unexpected changes that a score lists, and missing ones that it explains. */
const MOST_LISTED = 100;
/** Changes that are compared between two yields of steps. */
const STEP = 500;
/** Changes that are compared at most. */
export const MOST_CHANGES = 100_000;

export const scoreFields = {
  pass: Type.Boolean({ description: 'Whether nothing is missing and nothing is unexpected' }),
  score: Type.Number({ description: 'matched / (expected + unexpected changes), from 0 to 1' }),
  matched: Type.Integer({ description: 'Expected changes that were found' }),
  missing: Type.Array(
    record('MissingChange', {
      expected: Type.Unknown(),
      differences: Type.Array(Type.String(), {
        description: 'Why the most similar change does not match, for the first 100; empty for none',
      }),
    }),
  ),
  unexpected: Type.Array(WholeChange, {
    description: 'The first 100; of a changed record the fields that no one expects',
  }),
  total: Type.Integer({ description: 'Total number of unexpected changes' }),
  alternative: Type.Optional(
    Type.Integer({ description: 'Index in `anyOf` of the alternative with this score, the best' }),
  ),
};
const score = record('Score', scoreFields);
/** How well a difference of states is the expected one. */
export interface Score extends Static<typeof score> {}
export const Score = Type.Unsafe<Score>(score);

const Any = Type.Optional(Type.Unknown());
const expectedChange = strictObject(
  {
    collection: Any,
    id: Any,
    name: Any,
    type: Any,
    file: Any,
    table: Any,
    row: Any,
    before: Any,
    after: Any,
    lines: Any,
  },
  { minProperties: 1, expected: 'some of the keys of a change' },
);
const isExpectedChange = compile(expectedChange, 'strict');
/** Some of the keys of a change. Values are matched as bodies of requests are: objects in part, lists whole. */
export interface ExpectedChange extends Static<typeof expectedChange> {}
export const ExpectedChange = Type.Unsafe<ExpectedChange>(expectedChange);

/** The expected difference of two states, in one way. */
export interface Alternative {
  /** Each needs a separate change. Default: none */
  readonly expect?: readonly ExpectedChange[] | undefined;
  /** What may change in addition: patterns of paths, or changes. Default: nothing */
  readonly allow?: readonly (string | ExpectedChange)[] | undefined;
  /** What the last state has, whatever changed it. What is as expected may have changed. Default: nothing */
  readonly end?: readonly ExpectedEntry[] | undefined;
}

/** The expected difference of two states. */
export interface ExpectedDifference extends Alternative {
  /** At most 20 ways, each in addition to the other keys; the best score counts. Default: one way */
  readonly anyOf?: readonly Alternative[] | undefined;
}

/** @throws OptionsError for an unknown key, collection or type, and for a change without a key */
function check(
  changes: readonly object[],
  path: string,
  { definitions: { names } }: State,
  isValid: Validator<object> = isExpectedChange,
): void {
  const known: Readonly<Record<string, readonly string[]>> = { collection: names, type: CHANGE_TYPES };
  const problems = changes.flatMap((change, i): Problem[] => {
    const at = `${path}[${i}]`;
    if (!isValid(change)) return describeErrors(isValid.errors, at);
    return Object.entries(known).flatMap(([key, all]) => {
      const value: unknown = Reflect.get(change, key);
      if (typeof value !== 'string' || all.includes(value)) return [];
      const message = `found ${formatValue(value)}; expected ${all.join(', ')}.${didYouMean(value, all)}`;
      return [{ path: `${at}.${key}`, message }];
    });
  });
  if (problems.length > 0) throw new OptionsError(problems);
}

const matches = (expected: ExpectedChange, change: WholeChange): boolean =>
  findDifferences(expected, change).next().done === true;

/**
 * Scores a difference: matched / (expected + unexpected), and 1 if both are 0. So it is 1 if nothing is missing and nothing is
 * unexpected, and less otherwise. Of alternatives the best score counts, and the first of equal ones.
 * @param state the last one, which also says the collections
 * @throws OptionsError for expectations that cannot match
 */
export function* scoreDifferences(
  changes: readonly WholeChange[],
  { anyOf, ...common }: ExpectedDifference,
  state: State,
): Steps<Score> {
  checkAlternative(common, '', state);
  for (const [i, each] of (anyOf ?? []).entries()) checkAlternative(each, `anyOf[${i}].`, state);
  let best: Score | undefined;
  for (const [alternative, each] of (anyOf ?? []).entries()) {
    const score = yield* scoreAlternative(changes, join(common, each), state);
    if (!best || score.score > best.score) best = { ...score, alternative };
  }
  return best ?? (yield* scoreAlternative(changes, common, state));
}

function checkAlternative({ expect = [], allow = [], end = [] }: Alternative, path: string, state: State): void {
  check(expect, `${path}expect`, state);
  check(listChanges(allow), `${path}allow`, state);
  check(end, `${path}end`, state, isExpectedEntry);
}

const listChanges = (allow: readonly (string | ExpectedChange)[]) => allow.filter((each) => typeof each !== 'string');

const join = (first: Alternative, second: Alternative): Alternative => ({
  expect: [...(first.expect ?? []), ...(second.expect ?? [])],
  allow: [...(first.allow ?? []), ...(second.allow ?? [])],
  end: [...(first.end ?? []), ...(second.end ?? [])],
});

function* scoreAlternative(
  changes: readonly WholeChange[],
  { expect = [], allow = [], end = [] }: Alternative,
  state: State,
): Steps<Score> {
  const allowed = listChanges(allow);
  const ended = yield* compareEnd(end, state);
  const isAllowed = matchPaths(allow.filter((each) => typeof each === 'string'));
  const dropNext = (change: WholeChange | undefined, taker: ExpectedChange | undefined) =>
    change && dropExpected(change, taker, isAllowed, state.definitions.byName.get(change.collection));
  /** What is unexpected of the changes. */
  const rest = new Map<WholeChange, WholeChange>();
  for (const change of changes) {
    const takers = [...allowed.filter((each) => matches(each, change)), ...ended.findCovered(change)];
    const left = change.part ? undefined : [...takers, undefined].reduce(dropNext, change);
    if (left) rest.set(change, left);
  }
  const candidates: Candidate<WholeChange>[][] = [];
  for (const each of expect) {
    const gain = (change: WholeChange) => (rest.has(change) && !dropNext(rest.get(change), each) ? 1 : 0);
    candidates.push(findCandidates(each, changes, expect.length, gain));
    yield;
  }
  const found = yield* assign(candidates);
  for (const [i, change] of found.entries()) {
    if (!change) continue;
    const left = dropNext(rest.get(change), expect[i]);
    if (left) rest.set(change, left);
    else rest.delete(change);
  }
  const unexpected = [...rest.values()];
  const missing: Score['missing'] = [];
  for (const expected of expect.filter((_, i) => !found[i])) {
    const differences = missing.length < MOST_LISTED ? yield* explain(expected, changes) : [];
    missing.push({ expected, differences });
  }
  missing.push(...ended.missing);
  const count = expect.length + end.length;
  const matched = count - missing.length;
  const all = count + unexpected.length;
  return {
    pass: missing.length === 0 && unexpected.length === 0,
    score: all === 0 ? 1 : matched / all,
    matched,
    missing,
    unexpected: unexpected.slice(0, MOST_LISTED),
    total: unexpected.length,
  };
}

/** The changes that an expectation matches. Of each cost it needs one more than other expectations can take. @param most expectations */
function findCandidates(
  expected: ExpectedChange,
  changes: readonly WholeChange[],
  most: number,
  gain: (change: WholeChange) => number,
): Candidate<WholeChange>[] {
  const gains: Candidate<WholeChange>[] = [];
  const others: Candidate<WholeChange>[] = [];
  for (const change of changes) {
    if (!matches(expected, change)) continue;
    const cost = -gain(change);
    (cost < 0 ? gains : others).push({ item: change, cost });
    if (gains.length === most) break;
  }
  return [...gains, ...others.slice(0, most)];
}

/**
 * Returns a change without what is expected or allowed; undefined if nothing is left. Of a changed record, times are always expected,
 * and so are fields that follow from others, unless they alone have changed.
 */
function dropExpected(
  change: WholeChange,
  taker: ExpectedChange | undefined,
  isAllowed: PathTest,
  definition: AnyDefinition | undefined,
): WholeChange | undefined {
  if (matchesSubject(change, isAllowed)) return undefined;
  if (!change.before || !change.after) return taker ? undefined : change;
  const parts = [taker?.before, taker?.after, taker?.lines];
  const named = parts.flatMap((part) => Object.keys(Object(part)));
  // An expectation without fields, or with a matcher for all of them, accepts any change of the record.
  if (taker && (named.length === 0 || parts.some(isAsymmetricMatcher))) return undefined;
  const isRecord = change.file === undefined && change.table === undefined;
  const implied = isRecord && definition ? listImplied(definition, taker ? [] : Object.keys(change.after)) : [];
  const drop = <V>(fields: Readonly<Record<string, V>>) =>
    Object.fromEntries(
      Object.entries(omitMatching(change, fields, isAllowed)).filter(
        ([field]) => !named.includes(field) && !implied.includes(field),
      ),
    );
  const [before, after, lines] = [drop(change.before), drop(change.after), drop(change.lines ?? {})];
  if (Object.keys(after).length === 0) return undefined;
  const { lines: _, ...rest } = change;
  return { ...rest, before, after, ...(Object.keys(lines).length > 0 && { lines }) };
}

/** @param fields that have changed, and that no expectation names */
function listImplied({ implied = [], derived = [], schema }: AnyDefinition, fields: readonly string[]): string[] {
  const always = [...derived, ...listTimeKeys(schema)];
  const all = [...implied, ...always];
  return fields.length > 0 && fields.every((field) => all.includes(field)) ? always : all;
}

/** Explains why the most similar change of the same collection does not match. */
function* explain(expected: ExpectedChange, changes: readonly WholeChange[]): Steps<string[]> {
  const { collection } = expected;
  let nearest: readonly Difference[] | undefined;
  for (const [i, change] of changes.entries()) {
    if (i % STEP === 0) yield;
    if (typeof collection === 'string' && change.collection !== collection) continue;
    const differences = takeFirst(findDifferences(expected, change), nearest?.length ?? MAX_DIFFERENCES);
    if (nearest === undefined || differences.length < nearest.length) nearest = differences;
    if (nearest.length === 0) return ['another expectation has the change that matches'];
  }
  return nearest?.map(formatDifference) ?? [];
}
