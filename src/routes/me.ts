import { route } from '../api/route.js';
import { Me, meView } from '../api/schemas/users.js';

export const meRoutes = [
  route({
    method: 'GET',
    path: '/v1/me',
    summary: 'Get profile information for the current user',
    auth: 'required',
    status: 200,
    response: Me,
    errors: [401],
    rules: {
      specification: ['The profile of the caller.'],
      record: ['Only this route includes tier and email; the rest is public.', 'The username has no @.'],
    },
    handle: ({ caller, links }) => meView(caller, links),
  }),
];
