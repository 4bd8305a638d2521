import * as z from 'zod';
import type { State } from '../../domain/state.js';
import { addComment, addLike, addRun, addUser, addVal } from '../../fixtures/add.js';
import { controlRoute } from '../route.js';

const Record = z.record(z.string(), z.unknown());

/** A route that adds one record. It lets any object in: the record is checked as fixtures are, with their messages. */
const adding = (
  collection: string,
  add: (state: State, input: unknown, now: number) => { readonly [field: string]: unknown },
  example: object,
) =>
  controlRoute({
    method: 'POST',
    path: `/_emulator/${collection}`,
    summary: `Add one of the ${collection}, in fixture shape`,
    request: { body: z.looseObject({}) },
    status: 201,
    answer: Record,
    errors: [400, 403, 422],
    example: { body: example },
    handle: ({ sandbox, body, now }) =>
      sandbox.write(`POST /_emulator/${collection}`, (state) => add(state, body, now)),
  });

export const recordRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/users',
    summary: 'The users and their tokens',
    request: {},
    status: 200,
    answer: z.array(z.strictObject({ username: z.string().nullable(), id: z.guid(), token: z.string() })),
    errors: [403],
    handle: ({ sandbox }) => [...sandbox.users],
  }),
  adding('users', addUser, { username: 'hopper', bio: 'Finds bugs.' }),
  adding('vals', addVal, { author: 'ada', name: 'answer', code: 'export const answer = 42;' }),
  adding('runs', addRun, { val: 'ada/hello', runStartAt: '-10m', error: 'Nobody to greet' }),
  adding('likes', addLike, { user: 'grace', val: 'ada/dewPoint' }),
  adding('comments', addComment, { author: 'grace', val: 'ada/hello', comment: 'Short and sweet' }),
];
