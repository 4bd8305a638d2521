import type { StoredSet } from '../definition/define.js';
import { getRecords } from '../definition/definitions.js';
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
