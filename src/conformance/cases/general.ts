import { type Case, chosen, operation, recorded } from '../case.js';
import { errorBody, having } from './schemas.js';

const SLASH_RULE = 'A path may end with a slash. A GET or DELETE may declare its empty body as JSON.';

const create = (fields: object) => ({ name: '{new.a}', code: 'export const a = 1;', ...fields });

export const generalCases: readonly Case[] = operation('general', '*', [
  recorded(
    'A list is `{ data, links }` with absolute links. `next` and `prev` are left out, not null, if there is no such page.',
    {
      id: 'self-link',
      title: 'The link of a user to itself is absolute, and leads to the service',
      act: 'GET {me.links.self}',
      expect: { status: 200, body: having({ id: '{me.id}' }) },
    },
  ),
  recorded(SLASH_RULE, {
    id: 'slash',
    title: '/v1/me/ is /v1/me',
    act: 'GET /v1/me/',
    expect: { status: 200, body: having({ id: '{me.id}' }) },
  }),
  recorded(
    SLASH_RULE,
    {
      id: 'get-as-json',
      title: 'A GET with the media type of JSON and no body is accepted',
      act: { send: 'GET /v1/me', headers: { 'content-type': 'application/json' } },
      expect: { status: 200 },
    },
    {
      id: 'delete-as-json',
      title: 'A DELETE with the media type of JSON and no body is accepted',
      level: 'write',
      arrange: [{ send: 'POST /v1/vals', body: create({}), save: 'made' }],
      act: { send: 'DELETE /v1/vals/{made.id}', headers: { 'content-type': 'application/json' } },
      expect: { status: 204 },
    },
  ),
  recorded(
    "Requests are validated by Ajv with the options of the service's framework, Fastify. A value that does not match its schema, even after coercion, is a 400 with Ajv's message: `querystring/limit must be <= 100`.",
    {
      id: 'validation-message',
      title: 'A limit of 101 is described as Ajv does',
      act: 'GET /v1/me/likes?limit=101',
      expect: { status: 400, body: having({ message: 'querystring/limit must be <= 100' }) },
    },
    {
      id: 'repeated-parameter',
      title: 'A limit that occurs twice is a 400',
      act: 'GET /v1/me/likes?limit=1&limit=2',
      expect: { status: 400 },
    },
  ),
  recorded('The username of a user who has not chosen one is null. An @ before a name in a path is ignored.', {
    id: 'at-sign',
    title: '/v1/alias/@name is /v1/alias/name',
    act: 'GET /v1/alias/@{me.username}',
    expect: { status: 200, body: having({ id: '{me.id}' }) },
  }),
  chosen(
    'Errors are `{ message, error, statusCode }`, as Fastify writes them, with `code` where Fastify has one. All known clients find the keys that they read.',
    {
      id: 'unknown-route',
      title: 'An unknown route is a 404 with message, error and statusCode',
      act: 'GET /v1/conformance',
      expect: { status: 404, body: errorBody(404) },
    },
  ),
  chosen(
    'An unknown token is a 401 on every route, also where no token is required. So is any scheme but Bearer, in upper or lower case. Authentication comes before validation.',
    {
      id: 'basic',
      title: 'Basic authentication is a 401',
      act: { send: 'GET /v1/me', as: 'anonymous', headers: { authorization: 'Basic Y29uZm9ybWFuY2U6eA==' } },
      expect: { status: 401 },
    },
    {
      id: 'scheme',
      title: 'The scheme of the token may be in lower case',
      act: { send: 'GET /v1/me', scheme: 'bearer' },
      expect: { status: 200, body: having({ id: '{me.id}' }) },
    },
    {
      id: 'before-validation',
      title: 'A request without a token is a 401, also with a limit of 0',
      act: { send: 'GET /v1/me/likes?limit=0', as: 'anonymous' },
      expect: { status: 401 },
    },
  ),
  chosen(
    "Responses are `application/json; charset=utf-8`, and pages of any origin may read them, errors too. The rate limit is off by default; its headers are those of Fastify's plugin.",
    {
      id: 'preflight',
      title: 'A preflight request is allowed without a token',
      act: {
        send: 'OPTIONS /v1/vals',
        as: 'anonymous',
        headers: {
          origin: 'https://example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      },
      expect: { status: [200, 204], headers: { 'access-control-allow-methods': 'POST' } },
    },
  ),
  chosen('Web addresses of an account without a username use its id.', {
    id: 'web-address',
    title: 'The web address of a user ends with the username, or with the id',
    act: 'GET /v1/me',
    expect: { status: 200, body: having({ url: { type: 'string', pattern: '/{me.username}$' } }) },
  }),
  chosen(
    'Bodies have at most 1 MiB (413 beyond) and are JSON in UTF-8 (415 for others), as with Fastify. That holds for a body of a DELETE as well.',
    {
      id: 'media-type',
      title: 'A body of text is a 415',
      level: 'write',
      act: { send: 'POST /v1/vals', text: 'code', headers: { 'content-type': 'text/csv' } },
      expect: { status: 415 },
    },
    {
      id: 'malformed',
      title: 'A body that is no JSON is a 400',
      level: 'write',
      act: { send: 'POST /v1/vals', text: '{"code":' },
      expect: { status: 400 },
    },
    {
      id: 'too-large',
      title: 'A body of more than 1 MiB is a 413',
      level: 'limits',
      act: { send: 'POST /v1/vals', body: create({ code: '{long.1048577}' }) },
      expect: { status: 413 },
    },
  ),
]);
