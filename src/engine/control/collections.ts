import { Type } from 'typebox';
import { fixturesSchema } from '../fixtures/json-schema.js';
import { mapOf, record } from '../schema/schema.js';
import { controlRoute } from './route.js';

const Collection = record('Collection', {
  name: Type.String(),
  adder: Type.Optional(Type.String({ description: 'The method of a sandbox that adds a record: val' })),
  plural: Type.String({ description: 'The name of its records in sentences' }),
  schema: mapOf(Type.Unknown(), { description: 'JSON Schema of a record in fixture format' }),
  references: mapOf(Type.String(), {
    description: 'Collections by the fields that name their records',
  }),
  criteria: Type.Array(Type.String(), { description: 'Fields by which records are found' }),
});

export const collectionRoutes = [
  controlRoute('GET', '/_emulator/collections', 'List the collections, with what their records are', {
    id: 'listCollections',
    response: Type.Array(Collection),
    handle: ({ emulator: { resources }, sandbox }) =>
      Array.from(resources.list(), ({ collection, criteria, definition: { adder, plural, references } }) => {
        const { items, $defs } = fixturesSchema(sandbox.store.state.definitions, collection);
        return {
          name: collection,
          ...(adder !== undefined && { adder }),
          plural,
          schema: { ...Object(items), ...($defs !== undefined && { $defs }) },
          references: Object.fromEntries(Object.entries(references).map(([field, { to }]) => [field, to])),
          criteria,
        };
      }),
  }),
];
