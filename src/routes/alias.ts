import * as z from 'zod';
import { anyone, route } from '../contract/route.js';
import { UserProfile, userView } from '../contract/users.js';
import { ExtendedVal, extendedValView } from '../contract/vals.js';
import { resolveUser } from '../domain/users.js';
import { resolveVal } from '../domain/vals.js';

const UserAlias = z.object({ username: z.string().describe('Name of a user, with or without an @') });
const ValAlias = UserAlias.extend({ val_name: z.string().describe('Name of a val') });

export const aliasRoutes = [
  route({
    method: 'GET',
    path: '/v1/alias/{username}',
    summary: 'Get a user by username',
    companion: true,
    auth: anyone,
    request: { params: UserAlias },
    status: 200,
    answer: UserProfile,
    errors: [401, 404],
    rules: {
      record: [
        'The same answer as by id.',
        'Some clients write an @ before the name.',
        'The case of a name does not count.',
      ],
    },
    handle: ({ state, params, links }) => userView(resolveUser(state, params.username), links),
  }),
  route({
    method: 'GET',
    path: '/v1/alias/{username}/{val_name}',
    summary: 'Get a val by author and name',
    companion: true,
    auth: anyone,
    request: { params: ValAlias },
    status: 200,
    answer: ExtendedVal,
    errors: [401, 404],
    rules: {
      record: [
        'The same answer as by id, and private vals are for their author alone.',
        'The case of a name does not count; an @ before the author is passed over.',
      ],
      chosen: ['An author that does not exist is the same 404 as a val that does not: the route is about the val.'],
    },
    handle: ({ state, caller, params, links }) =>
      extendedValView(state, resolveVal(state, params.username, params.val_name, caller), links),
  }),
];
