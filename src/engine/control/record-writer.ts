import { isDeepStrictEqual } from 'node:util';
import type { Work } from '../definition/context.js';
import type { AnyDefinition } from '../definition/define.js';
import { getRecords, setRecords } from '../definition/definitions.js';
import { toNoun } from '../definition/nouns.js';
import { insertRecord, prepareRecords } from '../fixtures/insert.js';
import { StateNames } from '../fixtures/names.js';
import { FixtureError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { addRecords, type RecordForm } from '../sandbox/adder.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { deleteRecord, updateReferring } from '../state/cascades.js';
import type { Draft, State } from '../state/state.js';
import type { Row } from './listing.js';
import type { Resource, Resources } from './resources.js';

/** A record that is not validated yet. */
export type Fixture = Readonly<Record<string, unknown>>;

/** Makes a row of the one that it replaces. */
export type Change = (row: Row) => Fixture;

/** The form of rows. A new row has the token of its record as well, which no other row has. */
export interface RecordWriter extends RecordForm<Fixture, Row> {
  /** Does what takes time before a row is written. @throws FixtureError, NotFoundError */
  prepareChange(id: string, change: Change, state: State, now: Instant): Steps<Work | undefined>;
  /** Writes a row in place of another, at its position. @throws FixtureError, NotFoundError */
  replace(id: string, change: Change, draft: Draft, now: Instant, work?: Work): Row;
  /** Deletes a record, of an id or a name, and what refers to it. @throws NotFoundError */
  remove(id: string, draft: Draft): void;
}

/** Defines how the records of a collection are written. A row has no secret and no bytes: a record keeps its old ones. */
function defineWriter({ definition, references, get, toRow }: Resource): RecordWriter {
  const { name, schema, secrets = [], withheld = [], derived = [], complete, prepare } = definition;
  const noun = toNoun(name);
  const hasId = 'id' in schema.properties;
  const replace = (draft: Draft, fixture: Fixture, now: Instant, old: object, work?: Work): object => {
    if (definition.replace) {
      const replacing = {
        sets: draft,
        insert: (given: Fixture, act: Pick<AnyDefinition, 'insert'>) =>
          insertRecord(draft, { ...definition, ...act }, given, now, work),
        updateReferring: (record: object) => updateReferring(draft, name, record),
      };
      return definition.replace(replacing, fixture, old);
    }
    setRecords(draft, name, getRecords(draft, name).delete(old));
    return insertRecord(draft, definition, fixture, now, work);
  };
  /** Adds what a row lacks of its record. */
  const toFixture = (row: Fixture, old: object | undefined, state: State): Fixture => {
    const kept = old ? Object.fromEntries(Object.entries(old).filter(([key]) => secrets.includes(key))) : {};
    const fixture = { ...kept, ...row };
    return complete ? complete(fixture, new StateNames(state), old) : fixture;
  };
  /** Splits a row into a fixture, and the values that must follow from it. */
  const split = (state: State, row: Fixture, old?: object) => {
    const { fixture, asserted } = splitRow(row, old && toRow(state, old), references, derived);
    const { id, ...rest } = fixture;
    if (hasId) return { fixture: toFixture(fixture, old, state), asserted };
    return { fixture: toFixture(rest, old, state), asserted: { ...asserted, id } };
  };
  /** Splits what a change makes of a record. */
  const splitChange = (state: State, id: string, old: object, change: Change) => {
    const row = change(toRow(state, old));
    if (row.id === undefined || row.id === id) return split(state, { ...row, id }, old);
    const message = `found ${formatValue(row.id)}; expected ${formatValue(id)}, since the id of a record cannot change.`;
    throw new FixtureError([{ path: `${noun}.id`, message }], noun);
  };
  const isShown = ([key]: readonly [string, unknown]) => secrets.includes(key) && !withheld.includes(key);
  return {
    collection: name,
    prepare: (rows, state, now, work) =>
      prepareRecords(definition, prepare ? rows.map((row) => split(state, row).fixture) : [], now, work),
    create(row, draft, now, work) {
      const { fixture, asserted } = split(draft, row);
      const record = insertRecord(draft, definition, fixture, now, work);
      const shown = Object.fromEntries(Object.entries(record).filter(isShown));
      return { ...check(asserted, toRow(draft, record), noun), ...shown };
    },
    *prepareChange(id, change, state, now) {
      const fixtures = prepare ? [splitChange(state, id, get(state, id), change).fixture] : [];
      return yield* prepareRecords(definition, fixtures, now);
    },
    replace(id, change, draft, now, work) {
      const old = get(draft, id);
      const { fixture, asserted } = splitChange(draft, id, old, change);
      const { nextSerial } = draft;
      // The serial orders the records.
      if ('serial' in old) draft.nextSerial = Number(old.serial);
      const result = toRow(draft, replace(draft, fixture, now, old, work));
      draft.nextSerial = Math.max(nextSerial, draft.nextSerial);
      return check(asserted, result, noun);
    },
    remove(id, draft) {
      const record = get(draft, id);
      if (definition.remove) definition.remove(draft, record);
      else deleteRecord(draft, name, record);
    },
  };
}

/**
 * Converts a row to a fixture, which refers to another record by one field. Of a name and an id, the changed one counts.
 * If both are changed, the id is asserted: it must belong to the name. So is a changed field that follows from others.
 * @param before the row before the change
 */
function splitRow(
  row: Fixture,
  before: Fixture | undefined,
  references: Readonly<Record<string, string>>,
  derived: readonly string[],
) {
  const fixture: Record<string, unknown> = { ...row };
  const asserted: Record<string, unknown> = {};
  const isChanged = (field: string) => row[field] !== undefined && row[field] !== before?.[field];
  for (const [nameField, idField] of Object.entries(references)) {
    delete fixture[idField];
    if (isChanged(nameField) && isChanged(idField)) asserted[idField] = row[idField];
    else if (isChanged(idField) || row[nameField] === undefined) fixture[nameField] = row[idField];
  }
  for (const field of derived) {
    delete fixture[field];
    if (isChanged(field)) asserted[field] = row[field];
  }
  return { fixture, asserted };
}

/** Returns a row. @throws FixtureError if it differs from what was given of the fields that follow from others */
function check(asserted: Fixture, row: Row, noun: string): Row {
  const problems = Object.entries(asserted)
    .filter(([field, found]) => found !== undefined && found !== row[field])
    .map(([field, found]) => {
      const expected = `${JSON.stringify(row[field])}, which follows from the other fields`;
      return { path: `${noun}.${field}`, message: `found ${formatValue(found)}; expected ${expected}.` };
    });
  if (problems.length > 0) throw new FixtureError(problems, noun);
  return row;
}

/** Where a record is written, and by which operation of the history. */
export interface WriteTarget {
  readonly resources: Resources;
  readonly sandbox: Sandbox;
  readonly collection: string;
  readonly operation: string;
}

const writerOf = ({ resources, collection }: WriteTarget): RecordWriter => defineWriter(resources.get(collection));

/** Commits a change. Reads see it once it is durable. */
const commit = <T>({ sandbox, operation }: WriteTarget, change: (draft: Draft) => T): T =>
  sandbox.update(operation, change);

/** Adds a row, or a list of rows. @throws FixtureError; nothing has changed then */
export function* createRecords(target: WriteTarget, input: Fixture | readonly Fixture[]): Steps<Row | Row[]> {
  const [added = []] = yield* addRecords(target.sandbox, target.operation, [[writerOf(target), input]]);
  return added;
}

/** Replaces the record that has an id or a name. @throws FixtureError, NotFoundError; nothing has changed then */
export function* replaceRecord(target: WriteTarget, reference: string, change: Change): Steps<Row> {
  const { sandbox, resources, collection } = target;
  const { get, toRow } = resources.get(collection);
  const row = toRow(sandbox.store.state, get(sandbox.store.state, reference));
  const { id } = row;
  if (isDeepStrictEqual({ id, ...change(row) }, row)) return row;
  const writer = writerOf(target);
  const scripts = yield* writer.prepareChange(id, change, sandbox.store.state, sandbox.now);
  return commit(target, (draft) => writer.replace(id, change, draft, sandbox.now, scripts));
}

/** Deletes a record and what refers to it. @throws NotFoundError */
export const removeRecord = (target: WriteTarget, id: string): void =>
  commit(target, (draft) => writerOf(target).remove(id, draft));
