import { isDeepStrictEqual } from 'node:util';
import { parseRows, type RowChanges } from '../api/row-changes.js';
import type { Names } from '../definition/context.js';

import type { AnyDefinition } from '../definition/define.js';
import { findRecord, getRecordId, getRecords, listTargets } from '../definition/definitions.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { StateNames } from '../seed/names.js';

import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { RecordChange } from '../store/collection.js';
import type { TextDiffer } from './text-changes.js';

/** Names of changed records that a commit lists at most. */
export const MAX_NAMES = 10;

/** Shows a record in fixture format, without secrets. */
export function showRecord(names: Names, { secrets = [], show, write }: AnyDefinition, record: object): object {
  const shown = (show ?? write)(names, record);
  if (secrets.length === 0) return shown;
  return Object.fromEntries(Object.entries(shown).filter(([key]) => !secrets.includes(key)));
}

/** Names a changed record: `+ ada/hello`, `ada/hello: code, privacy`. Undefined if it changed with another record, which is named. */
export function nameChange(
  definition: AnyDefinition,
  { record, before, after }: RecordChange<object>,
  [old, now]: readonly [before: StateNames, after: StateNames],
): string | undefined {
  if (isOfOther(definition, record, old.sets, now.sets)) return undefined;
  if (!after) return `- ${definition.display(old, record)}`;
  if (!before) return `+ ${definition.display(now, record)}`;
  const fields = listChangedFields(definition, showRecord(old, definition, before), showRecord(now, definition, after));
  return `${definition.display(now, after)}: ${fields.join(', ')}`;
}

/** Whether a record changed with another one, which is named: it was deleted with it, or is a part of it. */
export const isOfOther = (
  { references, isPart }: AnyDefinition,
  record: object,
  before: State,
  after: State,
): boolean =>
  Object.values(references).some((reference) => {
    const id = reference.id(record);
    return id !== undefined && !listTargets(reference).some((to) => getRecords(after, to).get(id));
  }) || isPart?.(record, before, after) === true;

function listChangedFields({ implied = [] }: AnyDefinition, before: object, after: object): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const changed = Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual(value, old[field]) ? [] : [field],
  );
  const own = changed.filter((field) => !implied.includes(field));
  // Bytes are not a field.
  if (own.length === 0) return [changed[0] ?? 'content'];
  return own.map((field) => (field === 'updatedAt' ? 'content' : field));
}

/** Names what a commit changed, the first ten records: `+ ada/hello`, `ada/hello: code, privacy`. */
export function listChangedNames(before: State, after: State): string[] {
  const names: string[] = [];
  const states = [new StateNames(before), new StateNames(after)] as const;
  for (const { set, changes } of diffSets(before, after, after.definitions.all)) {
    for (const change of changes) {
      const name = nameChange(set, change, states);
      if (name !== undefined) names.push(name);
      if (names.length === MAX_NAMES) return names;
    }
  }
  return names;
}

export interface RecordReference {
  readonly definition: AnyDefinition;
  readonly id: string;
}

/** Finds the id of a record of a collection. @param text the id, or the name of the owner that has one record of it */
export const findId = (state: State, definition: AnyDefinition, text: string): string | undefined =>
  [text, text.toLowerCase(), ...listOwners(state, definition, text)].find((id) => findRecord(state, definition, id));

/** Finds a record of a state. @param text as of {@link findReference} */
export function findNamed(state: State, text: string): RecordReference | undefined {
  const [first = '', second] = text.split(/\/(.*)/s);
  const definition = second === undefined ? undefined : state.definitions.byName.get(first);
  const id = definition && findId(state, definition, second ?? '');
  if (definition && id !== undefined) return { definition, id };
  for (const each of state.definitions.all) {
    const record = each.naming?.find(state, text);
    if (record) return { definition: each, id: getRecordId(getRecords(state, each.name), record) };
  }
  return undefined;
}

/** Lists the ids of the records of a name to which those of a collection refer: where each has one at most, that has the same id. */
const listOwners = (state: State, { references }: AnyDefinition, name: string): string[] =>
  Object.values(references)
    .flatMap(listTargets)
    .flatMap((to) => {
      const owner = state.definitions.byName.get(to)?.naming?.find(state, name);
      return owner ? [getRecordId(getRecords(state, to), owner)] : [];
    });

/** Lists the rows of an exchange that are of a record. */
export const listRows = ({ definition, id }: RecordReference, after: State, rows: string | undefined): RowChanges[] =>
  parseRows(rows).filter(({ record }) => {
    const found = findNamed(after, record);
    return found?.definition === definition && found.id === id;
  });

/**
 * Finds a record in states, the newest first.
 * @param text collection and id, `users/<id>`; a name as fixtures have it, `ada`; or a collection and the name of the owner that has one
 * record of it
 * @throws NotFoundError when no state has it
 */
export function findReference(states: readonly State[], text: string): RecordReference {
  for (const state of states) {
    const found = findNamed(state, text);
    if (found) return found;
  }
  const example = states[0]?.definitions.names[0] ?? '';
  throw new NotFoundError(
    `There is no record ${formatValue(text)} in the history: use a collection and an id, as in ${example}/<id>, or a name as fixtures have it.`,
  );
}

/** Returns a record before and after a commit, in fixture format. Undefined if the commit did not touch it. */
export function compareRecord({ definition, id }: RecordReference, before: State, after: State, differ: TextDiffer) {
  const [old, current] = [findRecord(before, definition, id), findRecord(after, definition, id)];
  if (old === current) return undefined;
  const show = (state: State, shown: object | undefined) =>
    shown && { state, record: shown, fields: { ...showRecord(new StateNames(state), definition, shown) } };
  const [was, is] = [show(before, old), show(after, current)];
  const lines = differ.compare(definition, was, is);
  return { before: was?.fields ?? null, after: is?.fields ?? null, ...(lines && { lines }) };
}
