import { getRecordId, getRecords } from '../definition/definitions.js';
import type { RecordChange } from '../store/collection.js';
import type { State } from './state.js';

/** Ids of the records of a collection that a commit added, changed and removed. */
export interface ChangedIds {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** Lists the changed records of two states by collection. Costs in proportion to the change. */
export function listChangedIds(before: State, after: State): Readonly<Record<string, ChangedIds>> {
  const all: Record<string, ChangedIds> = {};
  for (const name of after.definitions.names) {
    const records = getRecords(after, name);
    const changes = records.diff(getRecords(before, name));
    const select = (isWanted: (change: RecordChange<object>) => boolean): string[] =>
      changes.filter(isWanted).map((change) => getRecordId(records, change.record));
    if (changes.length === 0) continue;
    all[name] = {
      added: select((change) => !change.before),
      changed: select((change) => change.before !== undefined && change.after !== undefined),
      removed: select((change) => !change.after),
    };
  }
  return all;
}
