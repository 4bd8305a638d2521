import { type Static, Type } from 'typebox';
import type { AnyDefinition } from '../../definition/define.js';
import { findRecord, getRecords } from '../../definition/definitions.js';
import { StateNames } from '../../fixtures/names.js';
import { inSteps, type Steps } from '../../lib/steps.js';
import { mapOf, record, strictObject } from '../../schema/schema.js';
import type { State, StateStore } from '../../state/state.js';
import { controlRoute, forPage } from '../route.js';

const RecordName = record('RecordName', {
  collection: Type.String(),
  name: Type.String({ description: 'As commits name it: `ada/hello`' }),
});
export type RecordNames = Record<string, Static<typeof RecordName>>;

/** Names records by their ids, also records of earlier states. Ignores unknown ids. */
function* nameRecords({ state, history }: StateStore, ids: ReadonlySet<string>): Steps<RecordNames> {
  const names: RecordNames = {};
  const wanted = new Set(ids);
  const find = (each: State, definitions: readonly AnyDefinition[]) => {
    const stateNames = new StateNames(each);
    for (const id of wanted) {
      for (const definition of definitions) {
        const found = findRecord(each, definition, id);
        if (!found) continue;
        names[id] = { collection: definition.name, name: definition.display(stateNames, found) };
        wanted.delete(id);
        break;
      }
    }
  };
  const { all } = state.definitions;
  find(state, all);
  yield* inSteps(history.list().reverse(), ({ before, after }) =>
    find(
      before,
      all.filter(({ name }) => getRecords(before, name) !== getRecords(after, name)),
    ),
  );
  return names;
}

export const nameRoutes = [
  forPage(
    controlRoute('GET', '/_emulator/names', 'Name the records of ids, also of those that are deleted', {
      id: 'nameRecords',
      query: strictObject({
        ids: Type.String({ maxLength: 16_000, description: 'Ids with commas between them; unknown ones are ignored' }),
      }),
      response: mapOf(RecordName, { description: 'By id' }),
      errors: [400, 403],
      example: { query: { ids: '9f5f6e1c-0c6d-4b2c-8f5e-6d7b1f0a2c3d' } },
      handle: ({ sandbox, query: { ids } }) => nameRecords(sandbox.store, new Set(ids.split(',', 200))),
    }),
  ),
];
