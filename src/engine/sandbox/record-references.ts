import type { RowChanges } from '../api/row-changes.js';
import type { AnyDefinition } from '../definition/define.js';
import { findRecord, getRecordId, getRecords, listTargets } from '../definition/definitions.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { State } from '../state/state.js';

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

/** Selects the rows of SQL that are of a record. */
export const selectRows = ({ definition, id }: RecordReference, after: State, rows: readonly RowChanges[]) =>
  rows.filter(({ record }) => {
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
