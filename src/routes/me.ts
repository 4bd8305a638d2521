import { route } from '../api/route.js';
import { Me, meView } from '../api/schemas/users.js';

export const meRoutes = [
  route('GET', '/v1/me', 'Get profile information for the current user', {
    auth: 'required',
    response: Me,
    errors: [401],
    rules: {
      specification: ['The profile of the caller.'],
      record: ['Only this route includes tier and email; the rest is public.', 'The username has no @.'],
    },
    handle: ({ caller, links }) => meView(caller, links),
  }),
];
