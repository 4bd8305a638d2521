import { describe, expect, test } from 'vitest';
import { routes } from '../../src/routes/index.js';
import { as, emulate } from '../support/emulate.js';
import { unauthorized } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const VAL = '4e110000-0000-4000-8000-000000000001';
const RUN = '40400000-0000-4000-8000-000000000001';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';

const SPECIFIED = [
  ...['GET /v1/me', 'GET /v1/me/runs', 'GET /v1/me/likes', 'GET /v1/me/comments', 'GET /v1/me/references'],
  ...['POST /v1/vals', 'PUT /v1/vals'],
];
const UNOFFICIAL = [
  ...['GET /v1/users/{user_id}', 'GET /v1/users/{user_id}/vals', 'GET /v1/alias/{username}', 'GET /v1/search/vals'],
  'POST /v1/email',
  ...['GET /v1/blob', 'GET /v1/blob/{key}', 'POST /v1/blob/{key}', 'DELETE /v1/blob/{key}'],
  ...['POST /v1/sqlite/execute', 'POST /v1/sqlite/batch'],
];
/** Routes of one val, each with the statuses for a public, an unlisted and a private val: for another user, and for the author. */
const SPECIFIED_OF_A_VAL: [route: string, other: number[], author: number][] = [
  ['GET /v1/vals/{val_id}', [200, 200, 404], 200],
  ['DELETE /v1/vals/{val_id}', [404, 404, 404], 204],
  ['GET /v1/vals/{val_id}/versions', [200, 200, 404], 200],
  ['POST /v1/vals/{val_id}/versions', [404, 404, 404], 201],
  ['GET /v1/vals/{val_id}/versions/{version}', [200, 200, 404], 200],
  ['DELETE /v1/vals/{val_id}/versions/{version}', [404, 404, 404], 204],
  ['GET /v1/vals/{val_id}/runs', [404, 404, 404], 200],
];
const UNOFFICIAL_OF_A_VAL: [route: string, other: number[], author: number][] = [
  ['PUT /v1/vals/{val_id}', [404, 404, 404], 204],
  ['GET /v1/alias/{username}/{val_name}', [200, 200, 404], 200],
  ['GET /v1/runs/{run_id}', [404, 404, 404], 200],
  ['POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel', [404, 404, 404], 200],
];
const specified = [...SPECIFIED, ...SPECIFIED_OF_A_VAL.map(([route]) => route)];
const unofficial = [...UNOFFICIAL, ...UNOFFICIAL_OF_A_VAL.map(([route]) => route)];

const start = (privacy: 'public' | 'unlisted' | 'private' = 'public') =>
  emulate({
    users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
    vals: [{ author: 'ada', name: 'hello', id: VAL, code: 'one', privacy }],
    versions: [{ val: 'ada/hello', code: 'zero' }],
    runs: [{ val: 'ada/hello', id: RUN }],
  });

/** Returns a request to a route, for the val or for none. */
function requestTo(route: string, { missing = false } = {}) {
  const [name = '', template = ''] = route.split(' ');
  const method = (['get', 'post', 'put', 'delete'] as const).find((other) => other === name.toLowerCase());
  if (!method) throw new Error(`no method ${name}`);
  const values: Record<string, string> = {
    ...{ user_id: ADA, username: 'ada', version: '0' },
    ...{ val_id: missing ? MISSING : VAL, val_name: missing ? 'nothing' : 'hello', run_id: missing ? MISSING : RUN },
    evaluation_id: RUN,
    key: 'a',
  };
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? '');
  return { method, path, body: method === 'get' ? undefined : { name: 'fresh', code: 'two' } };
}

test('every route is in a list of this file', () => {
  expect(specified).toHaveLength(14);
  expect(routes.flatMap(({ unofficial, name }) => (unofficial ? name : [])).sort()).toStrictEqual(unofficial.sort());
  expect(routes.flatMap(({ unofficial, name }) => (unofficial ? [] : name)).sort()).toStrictEqual(specified.sort());
});

describe.each([...SPECIFIED_OF_A_VAL, ...UNOFFICIAL_OF_A_VAL])('%s', (route, other, author) => {
  test('responds according to the privacy of the val', async () => {
    const { method, path, body } = requestTo(route);
    const statuses = [];
    for (const privacy of ['public', 'unlisted', 'private'] as const) {
      const emulator = await start(privacy);
      const { status } = await as(emulator, 'bob')[method](path).send(body);
      const own = await as(emulator, 'ada')[method](path).send(body);
      statuses.push([status, own.status]);
    }
    expect(statuses).toStrictEqual(other.map((status) => [status, author]));
  });

  test("responds alike for another user's private val and for an unknown one", async () => {
    const emulator = await start('private');
    const send = ({ method, path, body }: ReturnType<typeof requestTo>) => as(emulator, 'bob')[method](path).send(body);

    const hidden = await send(requestTo(route));
    const missing = await send(requestTo(route, { missing: true }));

    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
    expect(hidden.headers).toStrictEqual(missing.headers);
  });
});

test.each([...specified, ...unofficial])('%s rejects an unknown token before it reads the request', async (route) => {
  const { method, path } = requestTo(route);
  const wrong = path.replace(VAL, 'no-id').replace(RUN, 'no-id');

  const response = await as(await start(), 'mallory')
    [method](`${wrong}?limit=0`)
    .send(method === 'get' ? undefined : { code: '' });

  expect(response.status).toBe(401);
  expect(response.body).toStrictEqual(unauthorized);
});
