import type { AnyDefinition, Reference } from '../definition/define.js';
import { getDefinition, getRecordId, getRecords, setRecords } from '../definition/definitions.js';
import type { RecordSet } from '../store/collection.js';
import type { Draft } from './state.js';

type Referring = readonly [other: AnyDefinition, reference: Reference<object, RecordSet>];

/** Lists the references of collections to one of them. */
const listReferring = ({ definitions }: Draft, collection: string): Referring[] =>
  definitions.all.flatMap((other) =>
    Object.values(other.references).flatMap((reference): Referring[] =>
      reference.to === collection ? [[other, reference]] : [],
    ),
  );

/** Deletes a record, and the records that refer to it with theirs. */
export function deleteRecord(draft: Draft, collection: string, record: object): void {
  const id = getRecordId(getRecords(draft, collection), record);
  for (const [{ name }, reference] of listReferring(draft, collection)) {
    for (const other of reference.find(getRecords(draft, name), id)) deleteRecord(draft, name, other);
  }
  getDefinition(draft.definitions, collection).clear?.(draft, record);
  setRecords(draft, collection, getRecords(draft, collection).delete(record));
}

/** Puts what follows from a changed record in the records that refer to it. */
export function updateReferring(draft: Draft, collection: string, record: object): void {
  const id = getRecordId(getRecords(draft, collection), record);
  for (const [{ name }, reference] of listReferring(draft, collection)) {
    if (!reference.follow) continue;
    for (const other of reference.find(getRecords(draft, name), id)) {
      setRecords(draft, name, getRecords(draft, name).put(reference.follow(other, record)));
    }
  }
}
