import { getDefinition, getRecordId, getRecords, setRecords } from '../definition/definitions.js';
import type { Draft } from './state.js';

/** Deletes a record, and the records that refer to it with theirs. */
export function deleteRecord(draft: Draft, collection: string, record: object): void {
  const id = getRecordId(getRecords(draft, collection), record);
  for (const { name, reference } of draft.definitions.referring.get(collection) ?? []) {
    for (const other of reference.find(getRecords(draft, name), id)) deleteRecord(draft, name, other);
  }
  getDefinition(draft.definitions, collection).clear?.(draft, record);
  setRecords(draft, collection, getRecords(draft, collection).delete(record));
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
