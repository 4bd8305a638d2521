import { Type } from 'typebox';
import { strictObject } from '../../schema/schema.js';
import { Reply } from '../reply.js';
import { controlRoute } from '../route.js';

export const signInRoutes = [
  controlRoute('POST', '/_emulator/sign-in', 'Sign in with the control token, for a page', {
    id: 'signIn',
    description:
      'The response sets a cookie, which ends with the emulator. Requests that rely on it send `X-Emulator-Page: 1`, as this one does.',
    body: strictObject({ token: Type.String({ description: 'The option `controlToken`' }) }, { title: 'SignIn' }),
    errors: [400, 403, 404],
    example: { body: { token: 'a-long-secret' } },
    handle: async ({ emulator, request, body }) => new Reply({ 'set-cookie': emulator.signIn(request, body.token) }),
  }),
  controlRoute('POST', '/_emulator/sign-out', 'Sign out, for a page', {
    id: 'signOut',
    errors: [403, 404],
    handle: async ({ emulator, request }) => new Reply({ 'set-cookie': emulator.signOut(request) }),
  }),
];
