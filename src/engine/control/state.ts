import { type Static, Type } from 'typebox';
import { Id, Nullable } from '../api/schemas/common.js';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, getDefinition, mapCollections } from '../definition/definitions.js';
import { NDJSON } from '../lib/json.js';
import { mapOf, record, strictObject } from '../lib/schema.js';
import { type Steps, settle } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { formatSession } from '../persistence/session.js';
import { addRecords } from '../sandbox/adder.js';
import { At, getStateAt } from '../sandbox/history.js';
import { ExportSchema, writeState } from '../seed/export-options.js';
import { addRecord, insertAll, prepareRecords } from '../seed/insert.js';
import type { CallerRecord } from '../state/callers.js';
import type { Draft } from '../state/state.js';
import { controlRoute } from './route.js';

const Fields = mapOf(Type.Unknown());
const Records = Type.Array(Fields);
const Inputs = Type.Optional(Type.Array(Type.Object({})));
export const toExported = ({ all }: Definitions) =>
  mapCollections<Record<string, typeof Records>, AnyDefinition>(all, () => Records);

type Fields = Static<typeof Fields>;
const caller = record('EmulatorUser', {
  username: Nullable(Type.String()),
  id: Id,
  token: Type.String({ description: 'For the header `Authorization: Bearer <token>`' }),
});
export const Caller = Type.Unsafe<CallerRecord>(caller);

/** An added record, or steps that read it. */
type Added = object | Steps<object>;

/** Reads added records, which may take turns of the thread of SQLite. */
function* complete(added: readonly Added[]): Steps<Fields[]> {
  const records: Fields[] = [];
  for (const record of added) records.push({ ...(yield* settle(record)) });
  return records;
}

/** Defines a route that adds a record or a list. Records are validated as fixtures are, with their messages. */
export const addRoute = <const Id extends string, const C extends string>(
  id: Id,
  collection: C,
  example: object = {},
) =>
  controlRoute('POST', `/_emulator/${collection}`, `Add a record or a list to ${collection}, in fixture format`, {
    id,
    body: Type.Union([Type.Object({}), Type.Array(Type.Object({}))], { expected: 'a record, or a list of records' }),
    status: 201,
    response: Type.Union([Fields, Records]),
    errors: [400, 403, 422],
    example: { body: example },
    *handle({ sandbox, body }) {
      const definition = getDefinition(sandbox.store.state.definitions, collection);
      const work = yield* prepareRecords(definition, [body].flat(), sandbox.now);
      const insert = (draft: Draft, input: unknown, now: Instant): Added =>
        addRecord(draft, definition, input, now, work);
      const added = addRecords(sandbox, collection, body, insert);
      return Array.isArray(added) ? yield* complete(added) : { ...(yield* settle(added)) };
    },
  });

export const makeAddRoutes = ({ all }: Definitions) =>
  all.flatMap(({ name, adder, example }) =>
    adder === undefined ? [] : [addRoute(`add${adder.charAt(0).toUpperCase()}${adder.slice(1)}`, name, example)],
  );

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
    controlRoute('POST', '/_emulator/records', 'Add records of several collections, in fixture format', {
      id: 'addRecords',
      tool: 'add',
      body: strictObject(Object.fromEntries(added.map(({ name }) => [name, Inputs])), {
        title: 'NewRecords',
        minProperties: 1,
        expected: 'at least one collection',
      }),
      status: 201,
      response: mapOf(Records),
      errors: [400, 403, 422],
      example: {
        body: Object.fromEntries(
          added.slice(0, 1).flatMap(({ name, example }) => (example ? [[name, [example]]] : [])),
        ),
      },
      *handle({ sandbox, body }) {
        const work = { isRequest: true };
        for (const definition of added) {
          yield* prepareRecords(definition, body[definition.name] ?? [], sandbox.now, work);
        }
        const insert = (draft: Draft) =>
          added.map((definition) => {
            const { name } = definition;
            const insertOne = (input: object): Added => addRecord(draft, definition, input, sandbox.now, work);
            return [name, insertAll(name, body[name] ?? [], insertOne)] as const;
          });
        const inserted = sandbox.update('POST /_emulator/records', insert);
        const completed: Record<string, Fields[]> = {};
        for (const [name, records] of inserted) completed[name] = yield* complete(records);
        return completed;
      },
    }),
  ];
};
