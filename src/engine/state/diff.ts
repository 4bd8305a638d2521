import type { StoredSet } from '../definition/define.js';
import { getRecordId, getRecords } from '../definition/definitions.js';
import type { RecordChange, RecordSet } from '../store/collection.js';
import type { State } from './state.js';

/** A set of records that two states have in common, and its changed records. */
interface SetChange<S> {
  readonly set: S;
  readonly records: RecordSet;
  readonly changes: readonly RecordChange<object>[];
}

/** Finds the changed records of two states, set by set. Costs in proportion to the change. */
export function* diffSets<S extends Pick<StoredSet, 'name'>>(
  before: State,
  after: State,
  sets: readonly S[],
): Generator<SetChange<S>> {
  for (const set of sets) {
    const [records, old] = [getRecords(after, set.name), getRecords(before, set.name)];
    const changes = records === old ? [] : records.diff(old);
    if (changes.length > 0) yield { set, records, changes };
  }
}

/** Ids of the records of a collection that a commit added, changed and removed. */
export interface ChangedIds {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** Lists the ids of the changed records of two states by collection. */
export function listChangedIds(before: State, after: State): Readonly<Record<string, ChangedIds>> {
  const all: Record<string, ChangedIds> = {};
  for (const { set, records, changes } of diffSets(before, after, after.definitions.all)) {
    const select = (isWanted: (change: RecordChange<object>) => boolean): string[] =>
      changes.filter(isWanted).map((change) => getRecordId(records, change.record));
    all[set.name] = {
      added: select((change) => !change.before),
      changed: select((change) => change.before !== undefined && change.after !== undefined),
      removed: select((change) => !change.after),
    };
  }
  return all;
}
