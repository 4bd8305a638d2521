import { route } from '../api/route.js';
import { UserPath, UserProfile, userView } from '../api/schemas/users.js';
import { getUser } from '../model/users.js';

export const userRoutes = [
  route('GET', '/v1/users/{user_id}', 'Get a user by id', {
    unofficial: true,
    auth: 'optional',
    params: UserPath,
    response: UserProfile,
    errors: [400, 401, 404],
    rules: {
      record: ['Only the public keys of a user: neither email nor tier.', 'An id is a UUID; other values are a 400.'],
    },
    handle: ({ state, params, links }) => userView(getUser(state, params.user_id), links),
  }),
];
