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
    rules: {
      specified: ['The profile of the caller.'],
      record: ['Tier and email are shown to the user alone; the rest is what anybody sees.', 'A username has no @.'],
    },
    handle: ({ caller, links }) => meView(caller, links),
  }),
];
