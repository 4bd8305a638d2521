import { type CollectionName, RECORD_SCHEMAS } from '../fixtures/schema.js';
import { FixtureError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { Instant } from '../lib/time.js';
import type { Collections } from '../model/schema.js';
import type { Draft, State } from '../model/state.js';

/** A record for json-server: in fixture format, with its id and the ids of the records that it refers to. */
export interface Row {
  id: string;
  [field: string]: unknown;
}

/** A record that is not validated yet. */
export type Fixture = Readonly<Record<string, unknown>>;

/** How the records of a collection are found, shown, written and removed. */
interface ResourceSpec<R> {
  readonly collection: CollectionName;
  /**
   * The fields that refer to other records, each with the field for the id: `{ author: 'userId' }`. json-server joins
   * records by the ids: `_expand=user` reads `userId`.
   */
  readonly references: Readonly<Record<string, string>>;
  /** In the order of fixtures. */
  list(state: State): Iterable<R>;
  find(state: State, id: string): R | undefined;
  toRow(state: State, record: R): Row;
  /** Returns the collection without the record. */
  without(state: State, record: R): Partial<Collections>;
  /** Validates a fixture and writes its record, in place of `old`, which is deleted already. @throws FixtureError */
  insert(draft: Draft, fixture: Fixture, now: Instant, old: R | undefined): R;
  /** Deletes a record and all records that refer to it. Default: the record alone. */
  remove?(draft: Draft, record: R): void;
}

/** Defines how rows of a collection are read and written. */
export const defineResource = <R extends object>({ collection, references, ...spec }: ResourceSpec<R>) => ({
  references,
  list: (state: State): Row[] => Array.from(spec.list(state), (record) => spec.toRow(state, record)),
  find(state: State, id: string): Row | undefined {
    const record = spec.find(state, id);
    return record && spec.toRow(state, record);
  },
  /** Writes `next` in place of `row`, at the same position. Returns the result. @throws FixtureError */
  put(draft: Draft, now: Instant, row: Row | undefined, next: Fixture): Row {
    const { fixture, asserted } = resolveReferences(next, row, references);
    const { id, ...rest } = fixture;
    const hasId = 'id' in RECORD_SCHEMAS[collection].properties;
    const old = row && spec.find(draft, row.id);
    const { nextSerial } = draft;
    // The serial orders the records.
    if (old && 'serial' in old) draft.nextSerial = Number(old.serial);
    if (old) Object.assign(draft, spec.without(draft, old));
    const result = spec.toRow(draft, spec.insert(draft, hasId ? fixture : rest, now, old));
    draft.nextSerial = Math.max(nextSerial, draft.nextSerial);
    checkAsserted(hasId ? asserted : { ...asserted, id }, result, collection.slice(0, -1));
    return result;
  },
  remove(draft: Draft, id: string): undefined {
    const record = spec.find(draft, id);
    if (record === undefined) return;
    if (spec.remove) spec.remove(draft, record);
    else Object.assign(draft, spec.without(draft, record));
  },
});

/**
 * Converts a row to a fixture, which refers to another record by one field. Of a name and an id, the changed one counts.
 * If both are changed, the id is asserted: it must be that of the name.
 * @param before the row before the change
 */
function resolveReferences(row: Fixture, before: Fixture | undefined, references: Readonly<Record<string, string>>) {
  const fixture: Record<string, unknown> = { ...row };
  const asserted: Record<string, unknown> = {};
  for (const [nameField, idField] of Object.entries(references)) {
    const name = row[nameField];
    const id = row[idField];
    delete fixture[idField];
    const isNameChanged = name !== undefined && name !== before?.[nameField];
    const isIdChanged = id !== undefined && id !== before?.[idField];
    if (isNameChanged && isIdChanged) asserted[idField] = id;
    else if (isIdChanged || name === undefined) fixture[nameField] = id;
  }
  return { fixture, asserted };
}

/** Checks fields that follow from others. They may be missing, but not differ. */
function checkAsserted(asserted: Fixture, result: Row, noun: string): void {
  const problems = Object.entries(asserted)
    .filter(([field, found]) => found !== undefined && found !== result[field])
    .map(([field, found]) => {
      const expected = `${JSON.stringify(result[field])}, which follows from the other fields`;
      return { path: `${noun}.${field}`, message: `found ${formatValue(found)}; expected ${expected}.` };
    });
  if (problems.length > 0) throw new FixtureError(problems, noun);
}
