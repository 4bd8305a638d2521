import { type Static, Type } from 'typebox';
import type { WholeChange } from '../changes/change.js';
import { diffStates } from '../changes/state-diff.js';
import { ApiError } from '../lib/errors.js';
import { type Difference, findDifferences, formatDifference, MAX_DIFFERENCES, takeFirst } from '../lib/matching.js';
import type { Steps } from '../lib/steps.js';
import { strictObject } from '../schema/schema.js';
import { compile } from '../schema/validator.js';
import { emptyState, type State } from '../state/state.js';

/** Records, files and rows that are compared at most. */
const MOST_ENTRIES = 100_000;
/** Entries that are compared between two yields of steps. */
const STEP = 500;

const Any = Type.Optional(Type.Unknown());
const expectedEntry = strictObject(
  { collection: Any, id: Any, name: Any, file: Any, table: Any, row: Any, is: Any },
  { minProperties: 1, expected: 'some of collection, id, name, file, table, row, and what it is' },
);
export const isExpectedEntry = compile(expectedEntry, 'strict');
/**
 * A record, a file or a row of the last state, whatever changed it. `is` has some of its fields; null if it should be absent. Without
 * `is`, it should be there. Values are matched as bodies of requests are.
 */
export interface ExpectedEntry extends Static<typeof expectedEntry> {}

type Entry = Pick<WholeChange, 'collection' | 'id' | 'name' | 'file' | 'table' | 'row'> & { readonly is: unknown };

/** The changes of what is as expected: with which fields, all without. */
interface Covered {
  readonly after?: unknown;
}

export interface EndState {
  readonly missing: { readonly expected: ExpectedEntry; readonly differences: string[] }[];
  /** Finds what of a change is expected. */
  readonly findCovered: (change: WholeChange) => Covered[];
}

const isAbsent = ({ is }: ExpectedEntry): boolean => is === null;
const matches = (wanted: object, found: object): boolean => findDifferences(wanted, found).next().done === true;

function omitIs({ is: _, ...subject }: ExpectedEntry): ExpectedEntry {
  return subject;
}

const keyOf = ({ collection, id, file, table, row }: Omit<Entry, 'is'>): string =>
  JSON.stringify([collection, id, file, table, row]);

/** Compares a state with what is expected of its records, files and rows. @throws ApiError for too many of them */
export function* compareEnd(end: readonly ExpectedEntry[], state: State): Steps<EndState> {
  const missing: EndState['missing'] = [];
  const covered = new Map<string, Covered[]>();
  const absent: ExpectedEntry[] = [];
  const entries = end.length === 0 ? [] : yield* listEntries(end, state);
  for (const expected of end) {
    const subject = omitIs(expected);
    const wanted = isAbsent(expected) ? subject : expected;
    const found: Entry[] = [];
    let nearest: readonly Difference[] | undefined;
    for (const [i, entry] of entries.entries()) {
      if (i % STEP === 0) yield;
      const differences = takeFirst(findDifferences(wanted, entry), nearest?.length ?? MAX_DIFFERENCES);
      if (differences.length === 0) found.push(entry);
      else if (differences.length < (nearest?.length ?? Number.POSITIVE_INFINITY)) nearest = differences;
    }
    if (isAbsent(expected)) {
      const [first] = found;
      if (first)
        missing.push({ expected, differences: [formatDifference({ path: 'is', wanted: null, found: first.is })] });
      else absent.push(subject);
    } else if (found.length === 0) missing.push({ expected, differences: (nearest ?? []).map(formatDifference) });
    for (const entry of isAbsent(expected) ? [] : found) {
      const key = keyOf(entry);
      covered.set(key, [...(covered.get(key) ?? []), cover(expected, entry)]);
    }
  }
  return {
    missing,
    findCovered: (change) => [
      ...(covered.get(keyOf(change)) ?? []),
      ...(change.after === null && absent.some((subject) => matches(subject, change)) ? [{}] : []),
    ],
  };
}

/** The path of a file is a field of its change. */
const cover = ({ is, file }: ExpectedEntry, entry: Entry): Covered =>
  is === undefined ? {} : { after: { ...Object(is), ...(file !== undefined && { path: entry.file }) } };

/** Lists the records, files and rows of the collections that are named; of all, if one is not. */
function* listEntries(end: readonly ExpectedEntry[], state: State): Steps<Entry[]> {
  const { definitions, settings } = state;
  const named = end.map(({ collection }) => collection);
  const isNamed = named.every((name) => typeof name === 'string');
  const ignored = isNamed ? definitions.names.filter((name) => !named.includes(name)) : [];
  const { changes, total } = yield* diffStates(emptyState(settings, definitions), state, ignored, MOST_ENTRIES);
  if (total > MOST_ENTRIES) {
    const problem = `The last state has ${total} records, files and rows; a score takes at most ${MOST_ENTRIES}.`;
    throw new ApiError(422, `${problem} Name a smaller collection in each item of end.`);
  }
  return changes.map(({ type: _, before: _before, after, lines: _lines, part: _part, ...subject }) => ({
    ...subject,
    is: after,
  }));
}
