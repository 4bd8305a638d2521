import { isDeepStrictEqual } from 'node:util';
import type { Names } from '../definition/context.js';

import type { AnyDefinition } from '../definition/define.js';
import { findRecord, getRecordId, getRecords } from '../definition/definitions.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { StateNames } from '../seed/names.js';

import type { State } from '../state/state.js';

/** Names of changed records that a commit lists at most. */
const MAX_NAMES = 10;
/** Fields of a val that follow from its code. */
const DERIVED_FIELDS: readonly string[] = ['version', 'nextVersion', 'versionCreatedAt'];

/** Shows a record in fixture format, without secrets. */
export function showRecord(names: Names, { secrets = [], show, write }: AnyDefinition, record: object): object {
  const shown = (show ?? write)(names, record);
  if (secrets.length === 0) return shown;
  return Object.fromEntries(Object.entries(shown).filter(([key]) => !secrets.includes(key)));
}

function* listNames(definition: AnyDefinition, before: State, after: State): Generator<string> {
  const { name, display } = definition;
  const [old, now] = [new StateNames(before), new StateNames(after)];
  for (const change of getRecords(after, name).diff(getRecords(before, name))) {
    if (isOfChangedVal(change.record, before, after)) continue;
    if (!change.after) yield `- ${display(old, change.record)}`;
    else if (!change.before) yield `+ ${display(now, change.record)}`;
    else {
      const fields = listChangedFields(
        showRecord(old, definition, change.before),
        showRecord(now, definition, change.after),
      );
      yield `${display(now, change.after)}: ${fields.join(', ')}`;
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
  const { all } = after.definitions;
  const isVals = ({ name }: AnyDefinition): boolean => name === 'vals';
  for (const definition of [...all.filter(isVals), ...all.filter((each) => !isVals(each))]) {
    for (const name of listNames(definition, before, after)) {
      names.push(name);
      if (names.length === MAX_NAMES) return names;
    }
  }
  return names;
}

/** A record that the history may have. */
export interface RecordReference {
  readonly definition: AnyDefinition;
  readonly id: string;
}

/**
 * Finds a record in states, the newest first.
 * @param text `vals/<id>`, the same for other collections, `ada/hello` for a val, or `ada` for a user
 * @throws NotFoundError when no state has it
 */
export function findReference(states: readonly State[], text: string): RecordReference {
  const [first = '', second] = text.split(/\/(.*)/s);
  for (const state of states) {
    const definition = second === undefined ? undefined : state.definitions.byName.get(first);
    const ids = second === undefined ? [] : [second, second.toLowerCase()];
    const id = definition && ids.find((each) => findRecord(state, definition, each));
    if (definition && id !== undefined) return { definition, id };
    for (const each of state.definitions.all) {
      const record = each.naming?.find(state, text);
      if (record) return { definition: each, id: getRecordId(getRecords(state, each.name), record) };
    }
  }
  throw new NotFoundError(
    `There is no record ${formatValue(text)} in the history: use vals/<id>, ada/hello for a val, or ada for a user.`,
  );
}

/** Returns a record before and after a commit, in fixture format. Undefined if the commit did not touch it. */
export function compareRecord({ definition, id }: RecordReference, before: State, after: State) {
  const [old, current] = [findRecord(before, definition, id), findRecord(after, definition, id)];
  if (old === current) return undefined;
  return {
    before: old ? showRecord(new StateNames(before), definition, old) : null,
    after: current ? showRecord(new StateNames(after), definition, current) : null,
  };
}
