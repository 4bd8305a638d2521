import { Type } from 'typebox';
import { adders } from '../../fixtures/insert.js';
import type { Instant } from '../../lib/time.js';
import type { Draft } from '../../model/state.js';
import { controlRoute } from '../route.js';
import { EmulatorUser } from '../sandbox.js';

/** Defines a route that adds one record. The record is validated as fixtures are, with their messages. */
const addRoute = (
  collection: string,
  add: (draft: Draft, input: unknown, now: Instant) => { readonly [field: string]: unknown },
  example: object,
) =>
  controlRoute('POST', `/_emulator/${collection}`, `Add a record to ${collection}, in fixture format`, {
    body: Type.Object({}),
    status: 201,
    response: Type.Record(Type.String(), Type.Unknown()),
    errors: [400, 403, 422],
    example: { body: example },
    handle: ({ sandbox, body }) => ({ ...sandbox.addRecord(collection, body, add) }),
  });

export const recordRoutes = [
  controlRoute('GET', '/_emulator/users', 'List the users and their tokens', {
    response: Type.Array(EmulatorUser),
    handle: ({ sandbox }) => sandbox.users,
  }),
  addRoute('users', adders.user, { username: 'hopper', bio: 'Finds bugs.' }),
  addRoute('vals', adders.val, { author: 'ada', name: 'limit', code: 'export const limit = 42;' }),
  addRoute('runs', adders.run, { val: 'ada/hello', runStartAt: '-10m', error: 'No name given' }),
  addRoute('likes', adders.like, { user: 'grace', val: 'ada/dewPoint' }),
  addRoute('comments', adders.comment, { author: 'grace', val: 'ada/hello', comment: 'Short and sweet' }),
];
