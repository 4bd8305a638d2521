import { type Static, Type } from 'typebox';
import { controlRoute } from '#engine/control/route.js';
import { ApiError } from '#engine/lib/errors.js';
import { Nullable } from '#engine/schema/common.js';
import { record, strictObject } from '#engine/schema/schema.js';
import { decideOnLogin } from './login.sandbox.js';

const loginResult = record('LoginResult', {
  url: Nullable(Type.String({ description: 'Where the login leads, with a code or an error; null for a device' })),
});
/** How a login has ended. */
export interface LoginResult extends Static<typeof loginResult> {}
const LoginResult = Type.Unsafe<LoginResult>(loginResult);

/** To the client of the examples. */
const EXAMPLE =
  'http://127.0.0.1:4010/oauth/auth?client_id=my-agent&response_type=code&redirect_uri=http://127.0.0.1:5899/callback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';

export const loginControlRoutes = [
  controlRoute(
    'POST',
    '/_emulator/login',
    'Log a user in without a page, by the URL of the login or the code of a device',
    {
      id: 'login',
      body: strictObject({
        url: Type.Optional(Type.String({ description: 'To which the client leads its user: `http://…/oauth/auth?…`' })),
        userCode: Type.Optional(Type.String({ description: 'Instead: the code that a device shows' })),
        user: Type.String({ description: 'Username or id' }),
        scopes: Type.Optional(
          Type.Unsafe<readonly string[]>(
            Type.Array(Type.String(), { description: 'Those that the user allows. Default: all' }),
          ),
        ),
        deny: Type.Optional(Type.Boolean({ description: 'Whether the user denies it' })),
      }),
      response: LoginResult,
      errors: [400, 403, 404],
      example: { body: { url: EXAMPLE, user: 'ada' } },
      handle({ sandbox, body: { url, userCode, ...decision } }) {
        if ((url === undefined) === (userCode === undefined))
          throw new ApiError(400, 'expected either url or userCode');
        const target = url === undefined ? { userCode: userCode ?? '' } : { url };
        return { url: decideOnLogin(sandbox, target, decision) ?? null };
      },
    },
  ),
];
