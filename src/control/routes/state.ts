import { Type } from 'typebox';
import { ExportSchema, writeState } from '../../fixtures/export-options.js';
import { adders } from '../../fixtures/insert.js';
import { builtInFixtures } from '../../fixtures/read.js';
import { makeGenerateSchema } from '../../generator/options.js';
import { ApiError, FixtureError } from '../../lib/errors.js';
import { didYouMean, formatValue } from '../../lib/messages.js';
import { record, strictObject } from '../../lib/schema.js';
import { formatCount } from '../../lib/text.js';
import type { Instant } from '../../lib/time.js';
import type { Draft } from '../../model/state.js';
import { At, getSnapshot, SnapshotRecord, toSnapshotRecord } from '../../sandbox/history.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Storage } from '../../sandbox/storage.js';
import { EmulatorUser } from '../../sandbox/users.js';
import { controlRoute } from '../route.js';

/** Over HTTP, a dataset is limited to what loads in seconds. */
const Generate = makeGenerateSchema({ users: 1_000, vals: 10_000, runs: 200_000 });
const Fields = Type.Record(Type.String(), Type.Unknown());
const Records = Type.Array(Fields);
/** Exported records of each collection. */
export const exportedCollections = {
  users: Records,
  vals: Records,
  versions: Records,
  runs: Records,
  likes: Records,
  comments: Records,
};

/** Defines a route that adds a record or a list. Records are validated as fixtures are, with their messages. */
const addRoute = (
  id: string,
  collection: string,
  add: (draft: Draft, input: unknown, now: Instant) => { readonly [field: string]: unknown },
  example: object,
) =>
  controlRoute('POST', `/_emulator/${collection}`, `Add a record or a list to ${collection}, in fixture format`, {
    id,
    body: Type.Union([Type.Object({}), Type.Array(Type.Object({}))], { expected: 'a record, or a list of records' }),
    status: 201,
    response: Type.Union([Fields, Records]),
    errors: [400, 403, 422],
    example: { body: example },
    handle: ({ sandbox, body }) =>
      Array.isArray(body)
        ? sandbox.addRecords(collection, body, add).map((record) => ({ ...record }))
        : { ...sandbox.addRecord(collection, body, add) },
  });

const Confirm = Type.Optional(
  Type.Boolean({ description: 'Needed for the default sandbox of a shared store, which others use. Default: false' }),
);

const SnapshotPath = Type.Object({ name: Type.String({ description: 'Name of a snapshot' }) });
const Name = Type.Optional(Type.String({ minLength: 1, expected: 'a name' }));

export const stateRoutes = [
  controlRoute(
    'POST',
    '/_emulator/reset',
    'Go back to the seed data: records, ids, clock, faults, rate limits, journal and history',
    {
      id: 'reset',
      body: strictObject({ confirm: Confirm }, { title: 'Reset', default: {} }),
      errors: [400, 403, 409],
      handle({ sandbox, storage, body: { confirm } }) {
        if (!confirm)
          assertUnshared(sandbox, storage, 'A reset drops', '{ "confirm": true } (val-emulator reset --yes)');
        sandbox.reset();
      },
    },
  ),
  controlRoute(
    'PUT',
    '/_emulator/seed',
    'Load other seed data (a fixture object, { "fixtures": "name" } or { "generate": { "users": 50 } }) and reset to it',
    {
      id: 'reseed',
      query: strictObject({ confirm: Confirm }),
      body: Type.Object(
        { fixtures: Type.Optional(Type.String()), generate: Type.Optional(Generate) },
        { title: 'Seed', additionalProperties: true },
      ),
      errors: [400, 403, 409, 422],
      example: { body: { fixtures: 'empty' } },
      handle({ sandbox, sandboxes, generated, storage, query: { confirm }, body }) {
        if (!confirm) {
          const what = 'Other seed data replace';
          assertUnshared(sandbox, storage, what, 'the query confirm=true (val-emulator seed --yes)');
        }
        const { fixtures, generate, ...collections } = body;
        if (generate !== undefined) {
          assertAlone('generate', body);
          return generated.reseed(sandbox, generate, sandboxes);
        }
        if (fixtures === undefined) return sandbox.reseed(collections);
        assertBuiltIn(fixtures);
        assertAlone('fixtures', body);
        return sandbox.reseed(fixtures);
      },
    },
  ),
  controlRoute('GET', '/_emulator/state', 'Export all records in fixture format', {
    id: 'exportState',
    query: ExportSchema,
    response: record('EmulatorState', exportedCollections),
    handle: ({ sandbox: { store, clock }, query }) => writeState(store.state, clock.now.getTime(), query),
  }),
  controlRoute('GET', '/_emulator/users', 'List the users and their tokens', {
    id: 'listUsers',
    response: Type.Array(EmulatorUser),
    handle: ({ sandbox }) => sandbox.users,
  }),
  addRoute('addUser', 'users', adders.user, { username: 'hopper', bio: 'Finds bugs.' }),
  addRoute('addVal', 'vals', adders.val, { author: 'ada', name: 'limit', code: 'export const limit = 42;' }),
  addRoute('addRun', 'runs', adders.run, { val: 'ada/hello', runStartAt: '-10m', error: 'No name given' }),
  addRoute('addLike', 'likes', adders.like, { user: 'grace', val: 'ada/dewPoint' }),
  addRoute('addComment', 'comments', adders.comment, { author: 'grace', val: 'ada/hello', comment: 'Short and sweet' }),
  controlRoute('GET', '/_emulator/snapshots', 'List the snapshots, in the order in which they were taken', {
    id: 'listSnapshots',
    response: Type.Array(SnapshotRecord),
    handle: ({ sandbox }) => sandbox.snapshots(),
  }),
  controlRoute('POST', '/_emulator/snapshots', 'Take a snapshot; one of the same name is replaced', {
    id: 'takeSnapshot',
    body: strictObject({ name: Name, at: At }, { title: 'NewSnapshot', default: {} }),
    status: 201,
    response: SnapshotRecord,
    errors: [400, 403, 404, 422],
    example: { body: { name: 'after' } },
    handle: ({ sandbox, body }) => toSnapshotRecord(getSnapshot(sandbox.store, sandbox.snapshot(body.name, body.at))),
  }),
  controlRoute('POST', '/_emulator/snapshots/{name}/restore', 'Go back to a snapshot', {
    id: 'restoreSnapshot',
    params: SnapshotPath,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.restore(params.name),
  }),
  controlRoute('DELETE', '/_emulator/snapshots/{name}', 'Drop a snapshot', {
    id: 'dropSnapshot',
    params: SnapshotPath,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.dropSnapshot(params.name),
  }),
];

/** @throws ApiError 409 for the default sandbox of a shared store, which says what would be lost */
function assertUnshared(sandbox: Sandbox, storage: Storage | undefined, loss: string, confirmation: string): void {
  if (!storage?.run || sandbox.name !== '') return;
  const { store, journal } = sandbox;
  const counts = [
    formatCount(store.history.length, 'commit'),
    formatCount(journal.length, 'request'),
    formatCount(store.state.faults.length, 'fault'),
  ];
  throw new ApiError(
    409,
    `${loss} what everyone has in the default sandbox of ${storage.path}: all changes of records, ${counts.join(', ')}. To confirm, send ${confirmation}. Or use a sandbox of your own.`,
  );
}

/** Accepts names over HTTP, but no paths: a client must not read files of the machine. */
function assertBuiltIn(name: string): void {
  const names = builtInFixtures();
  if (names.includes(name)) return;
  const message = `found ${formatValue(name)}; expected ${names.join(', ')}.${didYouMean(name, names)}`;
  throw new FixtureError([{ path: 'fixtures', message }]);
}

function assertAlone(key: string, body: object): void {
  const others = Object.keys(body).filter((other) => other !== key);
  if (others.length === 0) return;
  throw new FixtureError([{ path: others.join(', '), message: `expected either ${key} or collections, not both.` }]);
}
