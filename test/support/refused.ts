import type { Emulator, Fixtures } from '../../src/index.js';
import { NOW } from './emulate.js';

const [SECRET, DRAFT] = ['5ec4e700-0000-4000-8000-000000000001', 'd4af7000-0000-4000-8000-000000000002'];
const SITE = '51e00000-0000-4000-8000-000000000003';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';

export const REFUSED_WORLD: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [
    { author: 'grace', name: 'secret', id: SECRET, privacy: 'private', code: '1' },
    { author: 'ada', name: 'draft', id: DRAFT, code: '1' },
  ],
  projects: [{ owner: 'ada', name: 'site', id: SITE, files: { 'main.ts': '1' } }],
  tokens: [{ user: 'ada', token: 'limited', scopes: ['user:read'] }],
};

interface Refused {
  readonly request: string;
  readonly body?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** What explains the response. */
  readonly why: string;
}

const LIST_TOKENS = 'GET /_emulator/users lists the tokens';

/** A request for each reason that the emulator knows. */
const REFUSED: readonly Refused[] = [
  {
    request: 'POST /v1/vals',
    body: '{"cod":"1"}',
    why: `body must have required property 'code' - Found "cod" in the body. Did you mean "code"?`,
  },
  {
    request: 'POST /v1/vals',
    body: '{"code":"1","privacy":"secret"}',
    why: 'body/privacy must be equal to one of the allowed values - body/privacy was "secret": use "public", "unlisted" or "private"',
  },
  { request: 'POST /v1/vals', body: '{"code"', why: "Expected ':' after property name in JSON at position 7" },
  {
    request: 'POST /v1/vals',
    body: 'code=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    why: 'Unsupported Media Type: application/x-www-form-urlencoded - Send JSON in UTF-8, with the header "content-type: application/json"',
  },
  {
    request: 'GET /v1/me/runs?limit=101',
    why: 'querystring/limit must be <= 100 - querystring/limit was "101"',
  },
  {
    request: 'GET /v1/vals/ada.hello',
    why: 'params/val_id must match format "uuid" - params/val_id was "ada.hello" - GET /v1/alias/{username}/{val_name} finds the id by name',
  },
  {
    request: 'GET /v1/users/ada/vals',
    why: 'params/user_id must match format "uuid" - params/user_id was "ada" - GET /v1/alias/{username} finds the id by name',
  },
  {
    request: 'GET /v1/val/hello',
    why: 'Route GET:/v1/val/hello not found - Did you mean "GET /v1/vals/{val_id}"?',
  },
  {
    request: 'GET /v1/me/nothing',
    why: 'Route GET:/v1/me/nothing not found - Similar: GET /v1/me, GET /v1/me/runs, GET /v1/me/likes.',
  },
  {
    request: 'GET /v1/me/notifications-of-the-day',
    why: 'Route GET:/v1/me/notifications-of-the-day not found - Similar: GET /v1/me, GET /v1/me/runs, GET /v1/me/likes.',
  },
  { request: 'POST /sse', body: '{}', why: 'Route POST:/sse not found - Did you mean "POST /v3/mcp"?' },
  { request: 'POST /v1/evaluate', body: '{}', why: 'Route POST:/v1/evaluate not found' },
  {
    request: 'GET /v1/sqlite/exec',
    why: 'Route GET:/v1/sqlite/exec not found - Did you mean "POST /v1/sqlite/execute"?',
  },
  { request: 'DELETE /v1/blob/none', why: 'The blob was not found' },
  { request: 'GET /v1/me', token: null, why: `Unauthorized - the request has no token - ${LIST_TOKENS}` },
  { request: 'GET /v1/me', token: 'none', why: `Unauthorized - no user has the token that was sent - ${LIST_TOKENS}` },
  {
    request: 'GET /v1/me',
    headers: { authorization: 'ada-token' },
    why: 'Unauthorized - the header Authorization lacks "Bearer" - Send "Authorization: Bearer ada-token"',
  },
  {
    request: 'GET /v1/me',
    headers: { authorization: 'Token of-the-service' },
    why: 'Unauthorized - the header Authorization lacks "Bearer" - Send "Authorization: Bearer <token>"',
  },
  {
    request: 'DELETE /v1/blob/none',
    token: 'limited',
    why: 'Token does not have the required permissions - the token lacks the scope blob:write or blob_rw - Send a token that has it: GET /_emulator/users lists the tokens',
  },
  { request: `GET /v1/vals/${MISSING}`, why: `The val was not found - there is no "${MISSING}" in vals` },
  {
    request: `GET /v1/vals/${SECRET}`,
    why: 'The val was not found - grace/secret exists, but ada may not read it - Send the token of a user who may read it',
  },
  {
    request: `DELETE /v1/vals/${SECRET}`,
    why: 'The val was not found - grace/secret exists, but ada may not change it - Send the token of a user who may change it',
  },
  {
    request: `GET /v1/alias/grace/secret`,
    token: null,
    why: 'The val was not found - grace/secret exists, but a request without a token may not read it - Send the token of a user who may read it',
  },
  { request: `PUT /v1/vals/${DRAFT}`, body: '{"name":"done"}', why: '' },
  {
    request: 'GET /v1/alias/ada/draft',
    why: `The val was not found - ada/draft became ada/done by r24 PUT /v1/vals/{val_id} at ${NOW}`,
  },
  { request: `DELETE /v1/vals/${DRAFT}`, why: '' },
  {
    request: `GET /v1/vals/${DRAFT}/versions`,
    why: `The val was not found - ada/done was deleted by r26 DELETE /v1/vals/{val_id} at ${NOW}`,
  },
  {
    request: 'GET /v1/alias/nobody',
    why: 'The user was not found - there is no "nobody" in users - Users: ada, grace.',
  },
  {
    request: 'POST /v1/run/ada.hello',
    body: '{}',
    why: 'The emulator does not run code: /v1/run/ada.hello is not implemented',
  },
  {
    request: 'POST /v1/sqlite/execute',
    body: '{"statement":"SELECT a FROM none"}',
    why: 'SQLITE_UNKNOWN: SQLite error: no such table: none - the database has no tables - CREATE TABLE first',
  },
  {
    request: 'POST /v1/sqlite/execute',
    body: `{"statement":"SELECT \\"titel\\""}`,
    why: '"titel" is a text here: no column has that name',
  },
  {
    request: 'GET /v1/me',
    headers: { 'x-emulator-fault': '503' },
    why: 'Service Unavailable - fault x-emulator-fault was injected',
  },
  {
    request: `GET /v1/vals/${SITE}`,
    why: `The val was not found - "${SITE}" is the project ada/site - GET /v2/vals/${SITE} reads it`,
  },
  {
    request: `DELETE /v1/vals/${SITE}`,
    why: `The val was not found - "${SITE}" is the project ada/site - Send DELETE /v2/vals/${SITE}`,
  },
  {
    request: `POST /v1/vals/${SITE}/versions`,
    body: '{"code":"1"}',
    why: `The val was not found - "${SITE}" is the project ada/site - GET /v2/vals/${SITE} reads it`,
  },
  {
    request: `DELETE /v2/vals/${SITE}`,
    token: 'grace-token',
    why: 'Not authorized: the project has another owner - ada/site exists, but grace may not change it - Send the token of a user who may change it',
  },
  {
    request: 'GET /v2/vals/ada%2Fsite',
    why: 'params/val_id must match format "uuid" - params/val_id was "ada/site" - GET /v2/alias/vals/ada/site finds the id by name',
  },
  {
    request: 'GET /v2/alias/vals/ada/sit',
    why: 'Project not found - there is no "ada/sit" in projects - Did you mean "ada/site"?',
  },
  {
    request: `POST /v2/vals/${SITE}/files?path=main.ts`,
    body: '{"content":"2","type":"script"}',
    why: 'File or directory already exists at this path - main.ts is a file - PUT /v2/vals/{val_id}/files?path=main.ts changes it',
  },
  {
    request: `PUT /v2/vals/${SITE}/files?path=mian.ts`,
    body: '{"content":"2"}',
    why: 'File not found - the branch has no "mian.ts": it has main.ts - Did you mean "main.ts"?',
  },
  {
    request: `DELETE /v2/vals/${SITE}`,
    token: 'limited',
    why: 'Token does not have the required permissions - the token lacks the scope val:write or project_rw - Send a token that has it: GET /_emulator/users lists the tokens',
  },
  {
    request: 'GET /v1/projects',
    why: 'The emulator does not have the early routes of projects, which are at /v2/vals: /v1/projects is not implemented',
  },
  {
    request: 'POST /v3/mpc',
    body: '{}',
    why: 'The emulator does not implement versions of the API later than 2, except for the MCP server at POST /v3/mcp: /v3/mpc is not implemented',
  },
];

/** Requests of which the limit allows one. */
const LIMITED: readonly Refused[] = [
  { request: 'GET /v1/me', why: '' },
  {
    request: 'GET /v1/me',
    why: 'Rate limit exceeded, retry in 1 minute - the rate limit of ada is 1 request in 1m',
  },
];

/** Sends the requests to an emulator of that world, and returns what every reader of the journal is told of each. */
export async function sendRefused(emulator: Emulator): Promise<string[]> {
  for (const each of REFUSED) await send(emulator, each);
  await emulator.rateLimit.set({ limit: 1, window: '1m' });
  for (const each of LIMITED) await send(emulator, each);
  return [...REFUSED, ...LIMITED].map(({ why }) => why);
}

async function send({ url }: Emulator, { request, body, token = 'ada-token', headers }: Refused): Promise<void> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
}
