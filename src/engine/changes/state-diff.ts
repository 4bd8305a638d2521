import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Fields, TableRow } from '../definition/context.js';
import type { RecordFile } from '../definition/define.js';
import { compareSerials } from '../fixtures/export.js';
import { type Steps, sortInSteps } from '../lib/steps.js';
import type { State } from '../state/state.js';
import type { WholeChange } from './change.js';
import { type ChangedRecord, listDiffering, type Pair, walkChanges } from './changed-record.js';
import { matchPaths, type PathTest } from './path-patterns.js';
import { listFileSides, pairFiles, TextDiffer, toComparable } from './text-changes.js';

/** Changes between two yields of steps. */
const STEP = 50;

type Subject = Pick<WholeChange, 'collection' | 'id' | 'name' | 'file' | 'table' | 'row'>;

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
  readonly changes: readonly WholeChange[];
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
  const differ = new TextDiffer();
  let count = 0;
  for (const { definition, changes } of walkChanges(before, after)) {
    const compare = definition.compare ?? compareSerials;
    for (const change of yield* sortInSteps(changes, (a, b) => compare(a.record, b.record))) {
      yield* compareRecord(change, differ, found);
      if (++count % STEP === 0) yield;
    }
  }
  return found;
}

/** Collects changes without what is ignored. */
class Found implements Differences {
  readonly changes: WholeChange[] = [];
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
    [before, after]: Pair<Fields | undefined>,
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

function* compareRecord(change: ChangedRecord, differ: TextDiffer, found: Found): Steps<void> {
  const { collection, id, name, type } = change;
  const subject = { collection, id, name };
  if (found.skips(subject)) return;
  found.add(subject, readFields(change), { isPart: change.isPart, differ });
  // Its files and rows are deleted with it, and files of another record are copied with it.
  const isGone = type === 'removed';
  const isCopied = type === 'added' ? findCopied(change) : undefined;
  for (const [from, to] of pairFiles(...listFileSides(change))) {
    const file = (to ?? from)?.path ?? '';
    const context = { isPart: isGone || (to !== undefined && isCopied?.(to) === true), differ };
    found.add({ ...subject, file }, [from && toComparable(from), to && toComparable(to)], context);
  }
  const [before, after] = [yield* mapRows(change, 0), yield* mapRows(change, 1)];
  for (const [key, { table, key: row }] of new Map([...before, ...after])) {
    found.add({ ...subject, table, row }, [before.get(key)?.fields, after.get(key)?.fields], { isPart: isGone });
  }
}

/** Returns the fields to compare. Bytes are a hash. */
function readFields(change: ChangedRecord): Pair<Fields | undefined> {
  const { bytes } = change.definition;
  const hashes = change.read((_, record) => hash(bytes?.(record) ?? []));
  const add = (fields: Fields | undefined, sha256: string | undefined): Fields | undefined =>
    fields && (sha256 === undefined ? fields : { ...fields, sha256 });
  const [before, after] = change.omitRenamed(change.show());
  return [add(before, hashes[0]), add(after, hashes[1])];
}

function hash(all: readonly Uint8Array[]): string | undefined {
  if (all.length === 0) return undefined;
  const sum = createHash('sha256');
  for (const each of all) sum.update(each);
  return sum.digest('hex');
}

/** Returns a test of the files of a new record: whether it began with them. */
function findCopied(change: ChangedRecord): (file: RecordFile) => boolean {
  const [, copied] = change.read((names, record) => change.definition.files?.copied?.(names.sets, record));
  const all = new Map(Array.from(copied ?? [], toComparable).map((file) => [file.path, file]));
  return (file) => isDeepStrictEqual(all.get(file.path), toComparable(file));
}

/** Maps rows by table and key. Equal keys, which SQLite allows for null, are distinguished by their order. */
function* mapRows({ definition, states, sides }: ChangedRecord, side: 0 | 1): Steps<Map<string, TableRow>> {
  const map = new Map<string, TableRow>();
  const record = sides[side];
  for (const row of (record && definition.rows && (yield* definition.rows(states[side], record))) ?? []) {
    let key = JSON.stringify([row.table, row.key]);
    while (map.has(key)) key += '+';
    map.set(key, row);
  }
  return map;
}
