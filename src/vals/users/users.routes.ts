import { Type } from 'typebox';
import { route } from '#vals/lib/route.schema.js';
import { getValByName } from '#vals/vals/vals.rules.js';
import { ExtendedVal, extendedValJson } from '#vals/vals/vals.schema.js';
import { getAccount, getAccountByName } from './users.rules.js';
import { Me, meView, profileView, UserPath, UserProfile } from './users.schema.js';

const UserAlias = Type.Object({ username: Type.String({ description: 'Name of a user, with or without an @' }) });
const ValAlias = Type.Object({ ...UserAlias.properties, val_name: Type.String({ description: 'Name of a val' }) });

const TYPED = 'type: Since August 2025 a profile has a type, user or org. It has one with the option `userType` only.';
const ORGANIZATIONS = 'organization: With that option, an organization has a profile without bio and picture.';

export const meRoutes = [
  route('GET', '/v1/me', 'Get profile information for the current user', {
    id: 'getMe',
    description: 'Unlike the profile of another user, it has the tier and the email address.',
    auth: 'required',
    scope: 'user:read',
    response: Me,
    errors: [401, 403],
    rules: {
      specification: ['profile: The profile of the caller.'],
      record: [
        'own-keys: Only this route includes tier and email; the rest is public.',
        'plain-username: The username has no @.',
        TYPED,
      ],
    },
    handle: ({ state, caller, links }) => meView(caller, state.settings, links),
  }),
];

export const userRoutes = [
  route('GET', '/v1/users/{user_id}', 'Get a user by id', {
    id: 'getUser',
    finds: 'users',
    description: 'Returns the public profile.',
    unofficial: true,
    auth: 'optional',
    scope: 'user:read',
    params: UserPath,
    response: UserProfile,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['public-keys: Only the public keys of a user: neither email nor tier.', TYPED],
      chosen: [ORGANIZATIONS],
    },
    handle: ({ state, params, links }) => profileView(getAccount(state, params.user_id), state.settings, links),
  }),
  route('GET', '/v1/alias/{username}', 'Get a user by username', {
    id: 'getUserByName',
    description: 'Names are case-insensitive, with or without an @.',
    unofficial: true,
    auth: 'optional',
    scope: 'user:read',
    params: UserAlias,
    response: UserProfile,
    errors: [401, 403, 404],
    rules: {
      record: [
        'same: The response is the same as by id.',
        'at-sign: An @ before the name is ignored; some clients send one.',
        'case: Names are case-insensitive.',
        TYPED,
      ],
      chosen: [ORGANIZATIONS],
    },
    handle: ({ state, params, links }) => profileView(getAccountByName(state, params.username), state.settings, links),
  }),
  route('GET', '/v1/alias/{username}/{val_name}', 'Get a val by author and name', {
    id: 'getValByAlias',
    description: 'Names are case-insensitive. Only the author can read a private val.',
    unofficial: true,
    auth: 'optional',
    scope: 'val:read',
    params: ValAlias,
    response: ExtendedVal,
    errors: [401, 403, 404],
    rules: {
      record: [
        'same: The response is the same as by id. Only the author can read a private val.',
        'case: Names are case-insensitive, and an @ before the author is ignored.',
      ],
      chosen: ['unknown-author: An unknown author is the same 404 as an unknown val, since the route returns vals.'],
    },
    handle: (context) =>
      extendedValJson(
        context,
        getValByName(context.state, context.params.username, context.params.val_name, context.caller),
      ),
  }),
];
