import { anyone, route } from '../contract/route.js';
import { UserPath, UserProfile, userView } from '../contract/users.js';
import { findUser } from '../domain/users.js';

export const userRoutes = [
  route({
    method: 'GET',
    path: '/v1/users/{user_id}',
    summary: 'Get a user by id',
    companion: true,
    auth: anyone,
    request: { params: UserPath },
    status: 200,
    answer: UserProfile,
    errors: [400, 401, 404],
    rules: {
      record: ['What anybody may see of a user: neither email nor tier.', 'An id is a UUID; anything else is a 400.'],
    },
    handle: ({ state, params, links }) => userView(findUser(state, params.user_id), links),
  }),
];
