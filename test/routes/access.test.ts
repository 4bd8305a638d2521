import { describe, expect, test } from 'vitest';
import { routes } from '../../src/routes/index.js';
import { as, emulate } from '../support/emulate.js';
import { unauthorized } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const VAL = '4e110000-0000-4000-8000-000000000001';
const RUN = '40400000-0000-4000-8000-000000000001';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';
const PRIVACIES = ['public', 'unlisted', 'private'] as const;

type AnyVal = [route: string, anonymous: number, signedIn: number];
type OneVal = [route: string, anonymous: number[], other: number[], author: number[]];

/** Who may call what: the status for anybody without a token, and for anybody with one. */
const SPECIFIED: AnyVal[] = [
  ['GET /v1/me', 401, 200],
  ['GET /v1/me/runs', 401, 200],
  ['GET /v1/me/likes', 401, 200],
  ['GET /v1/me/comments', 401, 200],
  ['GET /v1/me/references', 401, 200],
  ['POST /v1/vals', 401, 200],
  ['PUT /v1/vals', 401, 200],
];
const UNOFFICIAL: AnyVal[] = [
  ['GET /v1/users/{user_id}', 200, 200],
  ['GET /v1/users/{user_id}/vals', 200, 200],
  ['GET /v1/alias/{username}', 200, 200],
  ['GET /v1/search/vals', 200, 200],
];

/** The same for a val that is public, unlisted or private, in this order: anybody without a token, others, its author. */
const SPECIFIED_OF_A_VAL: OneVal[] = [
  ['GET /v1/vals/{val_id}', [200, 200, 404], [200, 200, 404], [200, 200, 200]],
  ['DELETE /v1/vals/{val_id}', [401, 401, 401], [404, 404, 404], [204, 204, 204]],
  ['GET /v1/vals/{val_id}/versions', [200, 200, 404], [200, 200, 404], [200, 200, 200]],
  ['POST /v1/vals/{val_id}/versions', [401, 401, 401], [404, 404, 404], [201, 201, 201]],
  ['GET /v1/vals/{val_id}/versions/{version}', [200, 200, 404], [200, 200, 404], [200, 200, 200]],
  ['DELETE /v1/vals/{val_id}/versions/{version}', [401, 401, 401], [404, 404, 404], [204, 204, 204]],
  ['GET /v1/vals/{val_id}/runs', [401, 401, 401], [404, 404, 404], [200, 200, 200]],
];
const UNOFFICIAL_OF_A_VAL: OneVal[] = [
  ['PUT /v1/vals/{val_id}', [401, 401, 401], [404, 404, 404], [204, 204, 204]],
  ['GET /v1/alias/{username}/{val_name}', [200, 200, 404], [200, 200, 404], [200, 200, 200]],
  ['GET /v1/runs/{run_id}', [401, 401, 401], [404, 404, 404], [200, 200, 200]],
];

const namesOf = (rows: readonly [string, ...unknown[]][]) => rows.map(([route]) => route);
const ALL = namesOf([...SPECIFIED, ...UNOFFICIAL, ...SPECIFIED_OF_A_VAL, ...UNOFFICIAL_OF_A_VAL]);

const village = (privacy: (typeof PRIVACIES)[number] = 'public') =>
  emulate({
    users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
    vals: [{ author: 'ada', name: 'hello', id: VAL, code: 'one', privacy }],
    versions: [{ val: 'ada/hello', code: 'zero' }],
    runs: [{ val: 'ada/hello', id: RUN }],
  });

/** Method and path of a route, and a body if it takes one; to what is in the village, or to what is nowhere. */
function requestTo(route: string, { missing = false } = {}) {
  const [name = '', template = ''] = route.split(' ');
  const method = (['get', 'post', 'put', 'delete'] as const).find((other) => other === name.toLowerCase());
  if (!method) throw new Error(`no method ${name}`);
  const values: Record<string, string> = {
    user_id: ADA,
    username: 'ada',
    val_id: missing ? MISSING : VAL,
    val_name: missing ? 'nothing' : 'hello',
    run_id: missing ? MISSING : RUN,
    version: '0',
  };
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? '');
  return {
    method,
    path: template.includes('/search/') ? `${path}?query=hello` : path,
    body: method === 'post' || method === 'put' ? { name: 'fresh', code: 'two' } : undefined,
  };
}

test('these are all the routes: those of the specification and the unofficial ones', () => {
  const unofficial = namesOf([...UNOFFICIAL, ...UNOFFICIAL_OF_A_VAL]);
  const specified = namesOf([...SPECIFIED, ...SPECIFIED_OF_A_VAL]);

  expect(specified).toHaveLength(14);
  expect(routes.flatMap(({ unofficial, name }) => (unofficial ? name : [])).sort()).toStrictEqual(unofficial.sort());
  expect(routes.flatMap(({ unofficial, name }) => (unofficial ? [] : name)).sort()).toStrictEqual(specified.sort());
});

test.each([...SPECIFIED, ...UNOFFICIAL])('%s: %i without a token, %i with one', async (route, anonymous, signedIn) => {
  const { method, path, body } = requestTo(route);
  const emulator = await village();

  const stranger = await as(emulator)[method](path).send(body);
  expect(stranger.status).toBe(anonymous);
  if (anonymous === 401) expect(stranger.body).toStrictEqual(unauthorized);
  for (const user of ['ada', 'bob']) {
    const admitted = await as(emulator, user)[method](path).send(body);
    expect(admitted.status).toBe(signedIn);
  }
});

describe.each([...SPECIFIED_OF_A_VAL, ...UNOFFICIAL_OF_A_VAL])('%s', (route, anonymous, other, author) => {
  const { method, path, body } = requestTo(route);

  test.each([
    ['anybody without a token', undefined, anonymous],
    ['another user', 'bob', other],
    ['the author', 'ada', author],
  ])('is for %s (%s) answered with %j: public, unlisted, private', async (_, user, expected) => {
    for (const [i, privacy] of PRIVACIES.entries()) {
      const emulator = await village(privacy);
      const response = await as(emulator, user)[method](path).send(body);
      expect(response.status, privacy).toBe(expected[i]);
    }
  });

  test("somebody else's private val looks like none at all", async () => {
    const emulator = await village('private');

    const hidden = await as(emulator, 'bob')[method](path).send(body);
    const missing = await as(emulator, 'bob')
      [method](requestTo(route, { missing: true }).path)
      .send(body);

    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
    expect(hidden.headers).toStrictEqual(missing.headers);
  });
});

test.each(ALL)('%s: a token that nobody holds is a 401', async (route) => {
  const { method, path, body } = requestTo(route);

  const response = await as(await village(), 'mallory')
    [method](path)
    .send(body);

  expect(response.status).toBe(401);
  expect(response.body).toStrictEqual(unauthorized);
});

test.each(ALL)('%s: who may call is decided before the request is read', async (route) => {
  const { method, path } = requestTo(route);
  const wrong = path.replace(VAL, 'no-id').replace(RUN, 'no-id').replace(/\?.*/, '');
  const emulator = await village();

  const response = await as(emulator, 'mallory')[method](`${wrong}?limit=0`).send({ code: '' });

  expect(response.status).toBe(401);
});
