import { Type } from 'typebox';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, mapCollections } from '../definition/definitions.js';
import { ExportSchema, writeState } from '../fixtures/export-options.js';
import { NDJSON } from '../lib/json.js';
import { ADD_RECORDS, addRecords, asFixtures } from '../sandbox/adder.js';
import { At, getStateAt } from '../sandbox/history-entries.js';
import { Id, Nullable } from '../schema/common.js';
import { mapOf, record, strictObject } from '../schema/schema.js';
import { formatSession } from '../session/session.js';
import type { CallerRecord } from '../state/callers.js';
import { controlRoute } from './route.js';

const Fields = mapOf(Type.Unknown());
const Records = Type.Array(Fields);
/** Validated as fixtures are, once it is written. */
const Inputs = Type.Optional(
  Type.Union([Type.Object({}), Type.Array(Type.Object({}))], { expected: 'a record, or a list of records' }),
);
const Added = Type.Unsafe<Record<string, object | object[]>>(mapOf(Type.Union([Fields, Records])));
export const toExported = ({ all }: Definitions) =>
  mapCollections<Record<string, typeof Records>, AnyDefinition>(all, () => Records);

const caller = record('EmulatorUser', {
  username: Nullable(Type.String()),
  id: Id,
  token: Type.String({ description: 'For the header `Authorization: Bearer <token>`' }),
});
export const Caller = Type.Unsafe<CallerRecord>(caller);

export const makeStateRoutes = (definitions: Definitions) => {
  const added = definitions.all.filter(({ adder }) => adder !== undefined);
  return [
    controlRoute('GET', '/_emulator/state', 'Export all records in fixture format', {
      id: 'getState',
      query: strictObject({ ...ExportSchema.properties, at: At }),
      errors: [400, 403, 404],
      response: Type.Unsafe<Record<string, object[]>>(record('EmulatorState', toExported(definitions))),
      handle({ sandbox, query: { at, ...options } }) {
        const { state, time = sandbox.clock.now.getTime() } = getStateAt(sandbox.store, at);
        return writeState(state, time, options);
      },
    }),
    controlRoute('GET', '/_emulator/session', 'Record the sandbox as a session file, without tokens', {
      id: 'recordSession',
      description: 'Seed data, snapshots, history and journal, for `val-emulator start --session`.',
      response: Type.String({ description: 'One line per record of the file' }),
      mediaType: NDJSON,
      handle: ({ sandbox }) => formatSession(sandbox, sandbox.clock.now.getTime()),
    }),
    controlRoute('GET', '/_emulator/users', 'List the users and their tokens', {
      id: 'listUsers',
      tool: 'users',
      response: Type.Array(Caller),
      handle: ({ sandbox }) => sandbox.users,
    }),
    controlRoute('POST', '/_emulator/records', 'Add records, in fixture format', {
      id: 'addRecords',
      tool: 'add',
      body: strictObject(Object.fromEntries(added.map(({ name }) => [name, Inputs])), {
        title: 'NewRecords',
        minProperties: 1,
        expected: 'at least one collection',
      }),
      status: 201,
      response: Added,
      errors: [400, 403, 422],
      example: {
        body: Object.fromEntries(
          added.slice(0, 1).flatMap(({ name, example }) => (example ? [[name, [example]]] : [])),
        ),
      },
      *handle({ sandbox, body }) {
        const given = added.filter(({ name }) => body[name] !== undefined);
        const additions = given.map((definition) => [asFixtures(definition), body[definition.name]] as const);
        const results = yield* addRecords(sandbox, ADD_RECORDS, additions);
        return Object.fromEntries(given.map(({ name }, i) => [name, results[i] ?? []]));
      },
    }),
  ];
};
