import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { Nullable } from '../api/schemas/common.js';
import type { Fields, TableRow } from '../definition/context.js';
import type { AnyDefinition, RecordFile } from '../definition/define.js';
import { getRecordId } from '../definition/definitions.js';
import { matchPaths, type PathTest } from '../lib/path-patterns.js';
import { mapOf, record } from '../lib/schema.js';
import { type Steps, sortInSteps } from '../lib/steps.js';
import { compareSerials } from '../seed/export.js';
import { StateNames } from '../seed/names.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { RecordChange, RecordSet } from '../store/collection.js';
import { Lines } from './history.js';
import { isOfOther, showRecord } from './record-history.js';
import { pairFiles, TextDiffer } from './text-changes.js';

/** Stand for a secret before and after its change. */
const SECRETS = ['(secret)', '(another secret)'] as const;
/** Changes between two yields of steps. */
const STEP = 50;

const Shown = Nullable(mapOf(Type.Unknown()));

export const CHANGE_TYPES = ['added', 'removed', 'changed'] as const;

const stateChange = record('StateChange', {
  collection: Type.String(),
  id: Type.String({ description: 'Id of the record' }),
  name: Type.String({ description: 'Name of the record' }),
  type: Type.Enum(CHANGE_TYPES),
  file: Type.Optional(Type.String({ description: 'Path of a file of the record' })),
  table: Type.Optional(Type.String({ description: 'Table of a row of the record, which is a database' })),
  row: Type.Optional(Type.String({ description: 'Primary key of the row, or a substitute for it' })),
  before: Shown,
  after: Shown,
  lines: Lines,
  part: Type.Optional(Type.Boolean({ description: 'Whether it follows from the change of another record' })),
});
/** A record, a file or a row that differs. A changed one has the fields that differ, in fixture format. */
export interface StateChange extends Static<typeof stateChange> {}
export const StateChange = Type.Unsafe<StateChange>(stateChange);

type Subject = Pick<StateChange, 'collection' | 'id' | 'name' | 'file' | 'table' | 'row'>;

/** Whether patterns match a change, or a field of it, by the id or the name of its record. */
export const matchesSubject = (
  { collection, id, name, file, table, row }: Subject,
  isMatch: PathTest,
  field?: string,
): boolean => {
  const below = [file, table, row, field].filter((part) => part !== undefined);
  return [...new Set([id, name])].some((each) => isMatch([collection, each, ...below], field !== undefined));
};

/** Returns the fields that no pattern matches. */
export const omitMatching = <V>(
  subject: Subject,
  fields: Readonly<Record<string, V>>,
  isMatch: PathTest,
): Record<string, V> =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !matchesSubject(subject, isMatch, field)));

export interface Differences {
  readonly changes: readonly StateChange[];
  /** Also counts changes beyond the limit. */
  readonly total: number;
}

/**
 * Compares two states of one service. Collections come in their order, records in the order of creation. Costs in proportion to the
 * records that the states do not share, and reads the files and rows of those that differ.
 * @param ignore patterns of paths: `*.updatedAt`, `users.ada`
 * @param most changes to return
 */
export function* diffStates(before: State, after: State, ignore: readonly string[], most: number): Steps<Differences> {
  const found = new Found(matchPaths(ignore), most);
  const names = [new StateNames(before), new StateNames(after)] as const;
  const differ = new TextDiffer();
  let count = 0;
  for (const { set: definition, records, changes } of diffSets(before, after, after.definitions.all)) {
    const compare = definition.compare ?? compareSerials;
    for (const change of yield* sortInSteps(changes, (a, b) => compare(a.record, b.record))) {
      yield* compareRecord(definition, records, change, names, differ, found);
      if (++count % STEP === 0) yield;
    }
  }
  return found;
}

/** Collects changes without what is ignored. */
class Found implements Differences {
  readonly changes: StateChange[] = [];
  total = 0;
  readonly #isIgnored: PathTest;
  readonly #most: number;

  constructor(isIgnored: PathTest, most: number) {
    this.#isIgnored = isIgnored;
    this.#most = most;
  }

  skips = (subject: Subject): boolean => matchesSubject(subject, this.#isIgnored);

  /** @param sides the fields of both sides; undefined for none */
  add(
    subject: Subject,
    [before, after]: readonly [Fields | undefined, Fields | undefined],
    { isPart, differ }: { readonly isPart: boolean; readonly differ?: TextDiffer },
  ): void {
    const differing = before && after && listDiffering(before, after);
    const pick = (fields: Fields | undefined) => {
      if (!fields) return null;
      const picked = differing ? Object.fromEntries(differing.map((key) => [key, fields[key] ?? null])) : fields;
      return omitMatching(subject, picked, this.#isIgnored);
    };
    const [old, now] = [pick(before), pick(after)];
    if (this.skips(subject) || (old && now && Object.keys(old).length === 0)) return;
    this.total++;
    if (this.changes.length >= this.#most) return;
    const lines = old && now && differ?.compareFields(old, now);
    this.changes.push({
      ...subject,
      type: !old ? 'added' : !now ? 'removed' : 'changed',
      before: old,
      after: now,
      ...(lines && { lines }),
      ...(isPart && { part: true }),
    });
  }
}

type Pair<T> = readonly [before: T, after: T];

function* compareRecord(
  definition: AnyDefinition,
  records: RecordSet,
  { record, before, after }: RecordChange<object>,
  names: Pair<StateNames>,
  differ: TextDiffer,
  found: Found,
): Steps<void> {
  const [old, now] = names;
  const subject = {
    ...{ collection: definition.name, id: getRecordId(records, record) },
    name: definition.display(after ? now : old, record),
  };
  if (found.skips(subject)) return;
  const isPart = isOfOther(definition, record, old.sets, now.sets);
  const sides =
    before && after
      ? readBoth(definition, names, [before, after])
      : ([before && readFields(definition, old, before), after && readFields(definition, now, after)] as const);
  found.add(subject, sides, { isPart, differ });
  // Its files and rows are deleted with it, and files of another record are copied with it.
  const isGone = !after;
  const isCopied = before || !after ? undefined : findCopied(definition, now, after);
  for (const [from, to] of pairFiles(listFiles(definition, old, before), listFiles(definition, now, after))) {
    const file = (to ?? from)?.path ?? '';
    const context = { isPart: isGone || (to !== undefined && isCopied?.(to) === true), differ };
    found.add({ ...subject, file }, [from && readFile(from), to && readFile(to)], context);
  }
  const [oldRows, rows] = [yield* mapRows(definition, old, before), yield* mapRows(definition, now, after)];
  for (const [key, { table, key: row }] of new Map([...oldRows, ...rows])) {
    found.add({ ...subject, table, row }, [oldRows.get(key)?.fields, rows.get(key)?.fields], { isPart: isGone });
  }
}

/** Returns the fields as shown. Bytes are a hash. */
function readFields(definition: AnyDefinition, names: StateNames, record: object): Fields {
  const shown = Object.entries(showRecord(names, definition, record)).filter(([, value]) => value !== undefined);
  const bytes = definition.bytes?.(record) ?? [];
  if (bytes.length === 0) return Object.fromEntries(shown);
  const hash = createHash('sha256');
  for (const each of bytes) hash.update(each);
  return Object.fromEntries([...shown, ['sha256', hash.digest('hex')]]);
}

/** Returns the fields to compare: no name of another record whose id is the same, and secrets without their values. */
function readBoth(definition: AnyDefinition, names: Pair<StateNames>, records: Pair<object>): Pair<Fields> {
  const { references, secrets = [], write } = definition;
  const renamed = Object.entries(references).flatMap(([key, { id }]) =>
    id(records[0]) === id(records[1]) ? [key] : [],
  );
  const written = secrets.length === 0 ? [] : [write(names[0], records[0]), write(names[1], records[1])];
  const isHidden = (key: string) => Reflect.get(Object(written[0]), key) !== Reflect.get(Object(written[1]), key);
  const hidden = secrets.filter(isHidden);
  const read = (side: 0 | 1): Fields => ({
    ...Object.fromEntries(
      Object.entries(readFields(definition, names[side], records[side])).filter(([key]) => !renamed.includes(key)),
    ),
    ...Object.fromEntries(hidden.map((key) => [key, SECRETS[side]])),
  });
  return [read(0), read(1)];
}

const listDiffering = (before: Fields, after: Fields): string[] =>
  Object.keys({ ...before, ...after }).filter((key) => !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));

const listFiles = ({ files }: AnyDefinition, { sets }: StateNames, record: object | undefined): Iterable<RecordFile> =>
  (record && files?.list(sets, record)) ?? [];

/** Returns a test of the files of a new record: whether it began with them. */
function findCopied({ files }: AnyDefinition, { sets }: StateNames, record: object): (file: RecordFile) => boolean {
  const copied = Array.from(files?.copied?.(sets, record) ?? [], readFile);
  const all = new Map(copied.map((file) => [file.path, file]));
  return (file) => isDeepStrictEqual(all.get(file.path), readFile(file));
}

const readFile = ({ path, type, text }: RecordFile): Fields => ({ path, type, text });

/** Maps rows by table and key. Equal keys, which SQLite allows for null, are distinguished by their order. */
function* mapRows(
  { rows }: AnyDefinition,
  names: StateNames,
  record: object | undefined,
): Steps<Map<string, TableRow>> {
  const map = new Map<string, TableRow>();
  for (const row of (record && rows && (yield* rows(names, record))) ?? []) {
    let key = JSON.stringify([row.table, row.key]);
    while (map.has(key)) key += '+';
    map.set(key, row);
  }
  return map;
}
