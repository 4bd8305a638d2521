import { type Static, Type } from 'typebox';
import { prepareDatabases } from '../fixtures/database.js';
import { type ExportedFixtures, ExportSchema, writeState } from '../fixtures/export-options.js';
import { adders, insertAll } from '../fixtures/insert.js';
import { NDJSON } from '../lib/json.js';
import { record, strictObject } from '../lib/schema.js';
import { type Steps, settle } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { Draft } from '../model/state.js';
import { addRecords } from '../sandbox/adder.js';
import { At, getStateAt } from '../sandbox/history.js';
import { EmulatorUser } from '../sandbox/users.js';
import type { SqlScripts } from '../sqlite/scripts.js';
import { formatSession } from '../storage/session.js';
import { controlRoute } from './route.js';

const Fields = Type.Record(Type.String(), Type.Unknown());
const Records = Type.Array(Fields);
/** What adds records of a collection; those that others refer to are first. */
const ADDED = [
  ['users', adders.user],
  ['vals', adders.val],
  ['runs', adders.run],
  ['likes', adders.like],
  ['comments', adders.comment],
  ['emails', adders.email],
  ['blobs', adders.blob],
  ['sqlite', adders.sqlite],
] as const;
/** Records to add. */
const Inputs = Type.Optional(Type.Array(Type.Object({})));
/** Exported records of each collection. */
const exportedCollections = {
  users: Records,
  vals: Records,
  versions: Records,
  runs: Records,
  likes: Records,
  comments: Records,
  emails: Records,
  blobs: Records,
  sqlite: Records,
};

export const ExportedRecords = record('ExportedRecords', exportedCollections);

type Fields = Static<typeof Fields>;
/** An added record, or steps that read it. */
type Added = Fields | Steps<Fields>;

/** Reads added records, which may take turns of the thread of SQLite. */
function* complete(added: readonly Added[]): Steps<Fields[]> {
  const records: Fields[] = [];
  for (const record of added) records.push(yield* settle(record));
  return records;
}

/** Defines a route that adds a record or a list. Records are validated as fixtures are, with their messages. */
const addRoute = <const Id extends string, const C extends string>(
  id: Id,
  collection: C,
  add: (draft: Draft, input: unknown, now: Instant, scripts: SqlScripts) => Added,
  example: object,
) =>
  controlRoute('POST', `/_emulator/${collection}`, `Add a record or a list to ${collection}, in fixture format`, {
    id,
    body: Type.Union([Type.Object({}), Type.Array(Type.Object({}))], { expected: 'a record, or a list of records' }),
    status: 201,
    response: Type.Union([Fields, Records]),
    errors: [400, 403, 422],
    example: { body: example },
    *handle({ sandbox, body }) {
      const scripts = yield* prepareDatabases(collection === 'sqlite' ? [body].flat() : [], sandbox.now);
      const insert = (draft: Draft, input: unknown, now: Instant) => add(draft, input, now, scripts);
      const added = addRecords(sandbox, collection, body, insert);
      return Array.isArray(added) ? yield* complete(added) : yield* settle(added);
    },
  });

export const stateRoutes = [
  controlRoute('GET', '/_emulator/state', 'Export all records in fixture format', {
    id: 'exportState',
    query: strictObject({ ...ExportSchema.properties, at: At }),
    errors: [400, 403, 404],
    response: Type.Unsafe<ExportedFixtures>(record('EmulatorState', exportedCollections)),
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
    response: Type.Array(EmulatorUser),
    handle: ({ sandbox }) => sandbox.users,
  }),
  controlRoute('POST', '/_emulator/records', 'Add records of several collections at once, in fixture format', {
    id: 'addRecords',
    tool: 'add',
    body: strictObject(Object.fromEntries(ADDED.map(([name]) => [name, Inputs])), {
      title: 'NewRecords',
      minProperties: 1,
      expected: 'at least one collection',
    }),
    status: 201,
    response: Type.Record(Type.String(), Records),
    errors: [400, 403, 422],
    example: {
      body: { users: [{ username: 'mary' }], vals: [{ author: 'mary', name: 'draft', code: '1', privacy: 'private' }] },
    },
    *handle({ sandbox, body }) {
      const scripts = yield* prepareDatabases(body.sqlite ?? [], sandbox.now);
      const insert = (draft: Draft) =>
        ADDED.map(([name, add]) => {
          const insertOne = (input: object): Added => add(draft, input, sandbox.now, scripts);
          return [name, insertAll(name, body[name] ?? [], insertOne)] as const;
        });
      const added = sandbox.update('POST /_emulator/records', insert);
      const completed: Record<string, Fields[]> = {};
      for (const [name, records] of added) completed[name] = yield* complete(records);
      return completed;
    },
  }),
  addRoute('addUser', 'users', adders.user, { username: 'hopper', bio: 'Finds bugs.' }),
  addRoute('addVal', 'vals', adders.val, { author: 'ada', name: 'limit', code: 'export const limit = 42;' }),
  addRoute('addRun', 'runs', adders.run, { val: 'ada/hello', runStartAt: '-10m', error: 'No name given' }),
  addRoute('addLike', 'likes', adders.like, { user: 'grace', val: 'ada/dewPoint' }),
  addRoute('addComment', 'comments', adders.comment, { author: 'grace', val: 'ada/hello', comment: 'Short and sweet' }),
  addRoute('addBlob', 'blobs', adders.blob, { user: 'ada', key: 'report.json', json: { ready: true } }),
  addRoute('addDatabase', 'sqlite', adders.sqlite, { user: 'ada', rows: { todos: [{ id: 1, title: 'Rest' }] } }),
  addRoute('addEmail', 'emails', adders.email, { user: 'ada', to: 'grace@example.com', subject: 'The report' }),
];
