import { isDeepStrictEqual } from 'node:util';
import { findUserByReference } from '../fixtures/references.js';
import { COLLECTION_NAMES } from '../fixtures/schema.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { getRecordId } from '../model/identity.js';
import type { State } from '../model/state.js';
import { findUserByName } from '../model/users.js';
import { findValByName } from '../model/vals.js';
import { type RecordKind, recordKinds } from './record-kinds.js';

/** Names of changed records that a commit lists at most. */
const MAX_NAMES = 10;
/** Fields of a val that follow from its code. */
const DERIVED_FIELDS: readonly string[] = ['version', 'nextVersion', 'versionCreatedAt'];

function* listNames({ records, name, show }: RecordKind, before: State, after: State): Generator<string> {
  for (const change of records(after).diff(records(before))) {
    if (isOfChangedVal(change.record, before, after)) continue;
    if (!change.after) yield `- ${name(before, change.record)}`;
    else if (!change.before) yield `+ ${name(after, change.record)}`;
    else {
      const fields = listChangedFields(show(before, change.before), show(after, change.after));
      yield `${name(after, change.after)}: ${fields.join(', ')}`;
    }
  }
}

/** Whether a record changed with its val: a version that was added to it, or what was deleted with it. */
const isOfChangedVal = (record: object, before: State, after: State): boolean =>
  'valId' in record &&
  (!after.vals.get(String(record.valId)) ||
    ('code' in record && before.vals.get(String(record.valId)) !== after.vals.get(String(record.valId))));

function listChangedFields(before: object, after: object): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const changed = Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual(value, old[field]) ? [] : [field],
  );
  const own = changed.filter((field) => !DERIVED_FIELDS.includes(field));
  // The bytes of a blob or a database are not a field.
  if (own.length === 0) return [changed.length > 0 ? 'version' : 'content'];
  return own.map((field) => (field === 'updatedAt' ? 'content' : field));
}

/** Names what a commit changed, the first ten records: `+ ada/hello`, `ada/hello: code, readme`. */
export function listChangedNames(before: State, after: State): string[] {
  const names: string[] = [];
  for (const collection of ['vals', ...COLLECTION_NAMES.filter((name) => name !== 'vals')] as const) {
    for (const name of listNames(recordKinds[collection], before, after)) {
      names.push(name);
      if (names.length === MAX_NAMES) return names;
    }
  }
  return names;
}

/** A record that the history may have. */
export interface RecordReference {
  readonly kind: RecordKind;
  readonly id: string;
}

/**
 * Finds a record in states, the newest first.
 * @param text `vals/<id>`, the same for other collections, `ada/hello` for a val, or `ada` for a user
 * @throws NotFoundError when no state has it
 */
export function findReference(states: readonly State[], text: string): RecordReference {
  const [first = '', second] = text.split(/\/(.*)/s);
  const collection = COLLECTION_NAMES.find((name) => name === first);
  for (const state of states) {
    const kind: RecordKind | undefined = collection && recordKinds[collection];
    const found =
      second === undefined ? undefined : (kind?.find(state, second) ?? kind?.find(state, second.toLowerCase()));
    if (kind && found) return { kind, id: getRecordId(kind.records(state), found) };
    const user = findUserByReference(state, first) ?? findUserByName(state, first);
    if (user && second === undefined) return { kind: recordKinds.users, id: user.id };
    const val = user && second !== undefined ? findValByName(state, user.id, second) : undefined;
    if (val) return { kind: recordKinds.vals, id: val.id };
  }
  throw new NotFoundError(
    `There is no record ${formatValue(text)} in the history: use vals/<id>, ada/hello for a val, or ada for a user.`,
  );
}

/** Returns a record before and after a commit, in fixture format. Undefined if the commit did not touch it. */
export function compareRecord({ kind, id }: RecordReference, before: State, after: State) {
  const [old, current] = [kind.find(before, id), kind.find(after, id)];
  if (old === current) return undefined;
  return { before: old ? kind.show(before, old) : null, after: current ? kind.show(after, current) : null };
}
