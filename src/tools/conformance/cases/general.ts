import { type Case, chosen, type Expectation, operation, recorded } from '../case.js';
import { errorBody, JSON_TYPE, values } from './schemas.js';
import { DELETE, make, post } from './steps.js';

const SLASH_RULE = 'A path may end with a slash. A GET or DELETE may declare its empty body as JSON.';
const LIKES = 'GET /v1/me/likes';
const ME = values({ id: '{me.id}' });
const isError = (status: number): Expectation => ({ status, headers: JSON_TYPE, body: errorBody(status) });
const AS_JSON = { 'content-type': 'application/json' };
const BASIC = { authorization: 'Basic Y29uZm9ybWFuY2U6eA==' };

export const generalCases: readonly Case[] = operation('general', '*', [
  recorded(
    'A list is `{ data, links }` with absolute links. `next` and `prev` are absent, not null, if there is no such page.',
    { 'self-link: The link of a user to itself is absolute, and leads to the service': ['GET {me.links.self}', ME] },
  ),
  recorded(SLASH_RULE, {
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
  recorded(
    "Requests are validated by Ajv with the options of the service's framework, Fastify. A value that does not match its schema, even after coercion, is a 400 with Ajv's message: `querystring/limit must be <= 100`.",
    {
      'validation-message: A limit of 101 is described as Ajv does': [
        `${LIKES}?limit=101`,
        values({ message: 'querystring/limit must be <= 100' }, 400),
      ],
      'repeated-parameter: A limit that occurs twice is a 400': [`${LIKES}?limit=1&limit=2`, 400],
    },
  ),
  recorded('The username of a user who has not chosen one is null. An @ before a name in a path is ignored.', {
    'at-sign: /v1/alias/@name is /v1/alias/name': ['GET /v1/alias/@{me.username}', ME],
  }),
  chosen(
    'Errors are `{ message, error, statusCode }`, as Fastify writes them, with `code` where Fastify has one. All known clients find the keys that they read.',
    {
      'unknown-route: An unknown route is a 404 with message, error and statusCode': [
        'GET /v1/conformance',
        {
          ...values({ message: 'Route GET:/v1/conformance not found', error: 'Not Found', statusCode: 404 }, 404),
          headers: JSON_TYPE,
        },
      ],
    },
  ),
  chosen(
    'An unknown token is a 401 on every route, also where no token is required. So is any scheme but Bearer, in upper or lower case. Authentication comes before validation.',
    {
      'basic: Basic authentication is a 401': [{ send: 'GET /v1/me', as: 'anonymous', headers: BASIC }, 401],
      'scheme: The scheme of the token may be in lower case': [{ send: 'GET /v1/me', scheme: 'bearer' }, ME],
      'before-validation: A request without a token is a 401, also with a limit of 0': [
        { send: `${LIKES}?limit=0`, as: 'anonymous' },
        401,
      ],
    },
  ),
  chosen('Web addresses of an account without a username use its id.', {
    'web-address: The web address of a user ends with the username, or with the id': [
      'GET /v1/me',
      values({ url: { type: 'string', pattern: '/{me.username}$' } }),
    ],
  }),
  chosen(
    'Bodies have at most 1 MiB (413 beyond) and are JSON in UTF-8 (415 for others), as with Fastify. That holds for a body of a DELETE as well.',
    {
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
    },
  ),
]);
