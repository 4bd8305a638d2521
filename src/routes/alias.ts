import { Type } from 'typebox';
import { route } from '../api/route.js';
import { UserProfile, userView } from '../api/schemas/users.js';
import { ExtendedVal, extendedValJson } from '../api/schemas/vals.js';
import { getUserByName } from '../model/users.js';
import { getValByName } from '../model/vals.js';

const UserAlias = Type.Object({ username: Type.String({ description: 'Name of a user, with or without an @' }) });
const ValAlias = Type.Object({ ...UserAlias.properties, val_name: Type.String({ description: 'Name of a val' }) });

export const aliasRoutes = [
  route('GET', '/v1/alias/{username}', 'Get a user by username', {
    unofficial: true,
    auth: 'optional',
    params: UserAlias,
    response: UserProfile,
    errors: [401, 404],
    rules: {
      record: [
        'The response is the same as by id.',
        'An @ before the name is ignored; some clients send one.',
        'Names are case-insensitive.',
      ],
    },
    handle: ({ state, params, links }) => userView(getUserByName(state, params.username), links),
  }),
  route('GET', '/v1/alias/{username}/{val_name}', 'Get a val by author and name', {
    unofficial: true,
    auth: 'optional',
    params: ValAlias,
    response: ExtendedVal,
    errors: [401, 404],
    rules: {
      record: [
        'The response is the same as by id. Only the author can read a private val.',
        'Names are case-insensitive, and an @ before the author is ignored.',
      ],
      chosen: ['An unknown author is the same 404 as an unknown val, since the route returns vals.'],
    },
    handle: (context) =>
      extendedValJson(
        context,
        getValByName(context.state, context.params.username, context.params.val_name, context.caller),
      ),
  }),
];
