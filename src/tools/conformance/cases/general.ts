import { type Case, chosen, type Expectation, operation, recorded } from '../case.js';
import { errorBody, JSON_TYPE, values } from './schemas.js';
import { DELETE, make, post } from './steps.js';

const LIKES = 'GET /v1/me/likes';
const ME = values({ id: '{me.id}' });
const isError = (status: number): Expectation => ({ status, headers: JSON_TYPE, body: errorBody(status) });
const AS_JSON = { 'content-type': 'application/json' };
const BASIC = { authorization: 'Basic Y29uZm9ybWFuY2U6eA==' };

export const generalCases: readonly Case[] = operation('general', '*', [
  recorded('links', {
    'self-link: The link of a user to itself is absolute, and leads to the service': ['GET {me.links.self}', ME],
  }),
  recorded('slash', {
    'slash: /v1/me/ is /v1/me': ['GET /v1/me/', ME],
    'get-as-json: A GET with the media type of JSON and no body is accepted': [
      { send: 'GET /v1/me', headers: AS_JSON },
      200,
    ],
    'delete-as-json: A DELETE with the media type of JSON and no body is accepted': [
      [make(), { send: DELETE, headers: AS_JSON }],
      204,
    ],
  }),
  recorded('validation', {
    'validation-message: A limit of 101 is described as Ajv does': [
      `${LIKES}?limit=101`,
      values({ message: 'querystring/limit must be <= 100' }, 400),
    ],
    'repeated-parameter: A limit that occurs twice is a 400': [`${LIKES}?limit=1&limit=2`, 400],
  }),
  recorded('username', {
    'at-sign: /v1/alias/@name is /v1/alias/name': ['GET /v1/alias/@{me.username}', ME],
  }),
  chosen('error', {
    'unknown-route: An unknown route is a 404 with message, error and statusCode': [
      'GET /v1/conformance',
      {
        ...values({ message: 'Route GET:/v1/conformance not found', error: 'Not Found', statusCode: 404 }, 404),
        headers: JSON_TYPE,
      },
    ],
  }),
  chosen('unknown-token', {
    'basic: Basic authentication is a 401': [{ send: 'GET /v1/me', as: 'anonymous', headers: BASIC }, 401],
    'scheme: The scheme of the token may be in lower case': [{ send: 'GET /v1/me', scheme: 'bearer' }, ME],
    'before-validation: A request without a token is a 401, also with a limit of 0': [
      { send: `${LIKES}?limit=0`, as: 'anonymous' },
      401,
    ],
  }),
  chosen('no-username', {
    'web-address: The web address of a user ends with the username, or with the id': [
      'GET /v1/me',
      values({ url: { type: 'string', pattern: '/{me.username}$' } }),
    ],
  }),
  chosen('body', {
    'media-type: A body of text is a 415': [
      { send: 'POST /v1/vals', text: 'code', headers: { 'content-type': 'text/csv' } },
      isError(415),
    ],
    'malformed: A body that is not JSON is a 400': [{ send: 'POST /v1/vals', text: '{"code":' }, isError(400)],
    'too-large: A body of more than 1 MiB is a 413': [
      post({ code: '{long.1048577}' }),
      isError(413),
      { level: 'limits' },
    ],
  }),
]);
