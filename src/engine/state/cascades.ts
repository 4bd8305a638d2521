import { getDefinition, getRecordId, getRecords, setRecords } from '../definition/definitions.js';
import type { Draft } from './state.js';

/** Deletes a record, and the records that refer to it with theirs. */
export const deleteRecord = (draft: Draft, collection: string, record: object): void =>
  deleteRecords(draft, collection, [record]);

/** Deletes records of a collection, and what refers to them, and so on, one collection at a time. */
function deleteRecords(draft: Draft, collection: string, records: readonly object[]): void {
  if (records.length === 0) return;
  const set = getRecords(draft, collection);
  const ids = records.map((record) => getRecordId(set, record));
  for (const { name, reference } of draft.definitions.referring.get(collection) ?? []) {
    const others = getRecords(draft, name);
    deleteRecords(
      draft,
      name,
      ids.flatMap((id) => [...reference.find(others, id)]),
    );
  }
  setRecords(draft, collection, getRecords(draft, collection).deleteAll(records));
  getDefinition(draft.definitions, collection).clear?.(draft, records);
}

/** Puts what follows from a changed record in the records that refer to it. */
export function updateReferring(draft: Draft, collection: string, record: object): void {
  const id = getRecordId(getRecords(draft, collection), record);
  for (const { name, reference } of draft.definitions.referring.get(collection) ?? []) {
    if (!reference.follow) continue;
    for (const other of reference.find(getRecords(draft, name), id)) {
      setRecords(draft, name, getRecords(draft, name).put(reference.follow(other, record)));
    }
  }
}
