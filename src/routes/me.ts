import { route, signedIn } from '../contract/route.js';
import { Me, meView } from '../contract/users.js';

export const meRoutes = [
  route({
    method: 'GET',
    path: '/v1/me',
    summary: 'Get profile information for the current user',
    auth: signedIn,
    request: {},
    status: 200,
    answer: Me,
    errors: [401],
    handle: ({ caller, links }) => meView(caller, links),
  }),
];
