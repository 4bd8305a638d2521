import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid, unauthorized, valNotFound } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const SECRET = '5ec30000-0000-4000-8000-000000000002';
const TOOL = '70010000-0000-4000-8000-000000000003';
const [R1, R2, R3, R4, R5] = [1, 2, 3, 4, 5].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** Ada's runs start at 22:01 to 22:04, written down in another order; Bob's at 22:05. */
const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: 'second', createdAt: '2024-01-01T00:00:00Z' },
    { author: 'ada', name: 'secret', id: SECRET, code: '0', privacy: 'private' },
    { author: 'bob', name: 'tool', id: TOOL, code: '0' },
  ],
  versions: [{ val: 'ada/hello', code: 'first' }],
  runs: [
    {
      id: R2,
      val: 'ada/secret',
      runStartAt: '2024-06-11T22:02:00.000Z',
      duration: '1m',
      error: { message: 'boom', val: 'ada.secret' },
      parentId: R1,
      source: 'interval',
    },
    { id: R4, val: 'ada/hello', runStartAt: '2024-06-11T22:04:00.000Z', runEndAt: null },
    {
      id: R1,
      val: 'ada/hello',
      runStartAt: '2024-06-11T22:01:00.000Z',
      runEndAt: '2024-06-11T22:01:00.250Z',
      version: 0,
      source: 'api',
    },
    { id: R5, val: 'bob/tool', runStartAt: '2024-06-11T22:05:00.000Z' },
    { id: R3, val: 'ada/hello', runStartAt: '2024-06-11T22:03:00.000Z', error: 'out of memory', source: 'email' },
  ],
};

const hello = {
  id: HELLO,
  name: 'hello',
  author: { id: ADA, username: 'ada' },
  author_id: ADA,
  username: 'ada',
  public: true,
  privacy: 'public',
  version: 1,
};
const first = {
  id: R1,
  error: null,
  parentId: R1,
  runStartAt: '2024-06-11T22:01:00.000Z',
  runEndAt: '2024-06-11T22:01:00.250Z',
  val: { ...hello, version: 0 },
};
const second = {
  id: R2,
  error: { message: 'boom', val: 'ada.secret' },
  parentId: R1,
  runStartAt: '2024-06-11T22:02:00.000Z',
  runEndAt: '2024-06-11T22:03:00.000Z',
  val: {
    id: SECRET,
    name: 'secret',
    author: { id: ADA, username: 'ada' },
    author_id: ADA,
    username: 'ada',
    public: false,
    privacy: 'private',
    version: 0,
  },
};
const third = {
  id: R3,
  error: 'out of memory',
  parentId: R3,
  runStartAt: '2024-06-11T22:03:00.000Z',
  runEndAt: '2024-06-11T22:03:00.100Z',
  val: hello,
};
const running = {
  id: R4,
  error: null,
  parentId: R4,
  runStartAt: '2024-06-11T22:04:00.000Z',
  runEndAt: null,
  val: hello,
};

describe('GET /v1/me/runs', () => {
  test('lists the runs of all own vals, newest first', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get('/v1/me/runs');

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      data: [running, third, second, first],
      links: { self: `${emulator.url}/v1/me/runs?limit=20&offset=0` },
    });
  });

  test.each([
    ['error=true', [third, second]],
    ['error=false', [running, first]],
    ['source=api', [first]],
    ['source=ui,email', [running, third]],
    ['source=interval%2Capi', [second, first]],
    ['error=true&source=email,api', [third]],
    ['error=true&since=2024-06-11T22:02:00.000Z', [third]],
    ['error=false&limit=1&offset=1', [first]],
    ['source=ui,api&limit=1&offset=1', [first]],
  ])('?%s picks among them', async (query, expected) => {
    const response = await as(await emulate(fixtures), 'ada').get(`/v1/me/runs?${query}`);

    expect(response.status).toBe(200);
    expect(response.body.data).toStrictEqual(expected);
  });

  test.each(['yes', '1', 'TRUE', ''])('error=%s is neither true nor false', async (value) => {
    const response = await as(await emulate(fixtures), 'ada').get(`/v1/me/runs?error=${value}`);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid('querystring/error must be boolean'));
  });

  test('a source that does not exist is refused', async () => {
    const response = await as(await emulate(fixtures), 'ada').get('/v1/me/runs?source=ui,pigeon');

    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/^querystring\/source/);
  });

  test('somebody whose vals never ran has no runs', async () => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });

    const response = await as(emulator, 'ada').get('/v1/me/runs');

    expect(response.body).toStrictEqual({
      data: [],
      links: { self: `${emulator.url}/v1/me/runs?limit=20&offset=0` },
    });
  });
});

describe('GET /v1/vals/{val_id}/runs', () => {
  test('lists the runs of that val only, newest first', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get(`/v1/vals/${HELLO}/runs`);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      data: [running, third, first],
      links: { self: `${emulator.url}/v1/vals/${HELLO}/runs?limit=20&offset=0` },
    });
  });

  test.each([
    ['error=true', [third]],
    ['error=false', [running, first]],
    ['source=email,api', [third, first]],
    ['limit=1&offset=1', [third]],
    ['since=2024-06-11T22:01:00.000Z&until=2024-06-11T22:03:00.000Z', [third]],
  ])('?%s picks among them', async (query, expected) => {
    const response = await as(await emulate(fixtures), 'ada').get(`/v1/vals/${HELLO}/runs?${query}`);

    expect(response.body.data).toStrictEqual(expected);
  });

  test('runs are for the author alone, even those of a public val', async () => {
    const emulator = await emulate(fixtures);

    const stranger = await as(emulator, 'bob').get(`/v1/vals/${HELLO}/runs`);
    expect(stranger.status).toBe(404);
    expect(stranger.body).toStrictEqual(valNotFound);

    const anonymous = await as(emulator).get(`/v1/vals/${HELLO}/runs`);
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toStrictEqual(unauthorized);
  });
});

test('a run shows its val as it is now, but the version that ran', async () => {
  const emulator = await emulate(fixtures);
  const body = { code: 'third', name: 'goodbye', privacy: 'unlisted' };
  await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send(body).expect(201);

  const response = await as(emulator, 'ada').get(`/v1/vals/${HELLO}/runs?limit=1`);

  const now = { ...hello, name: 'goodbye', public: false, privacy: 'unlisted' };
  expect(response.body.data).toStrictEqual([{ ...running, val: now }]);
});

test('the runs of a deleted val are gone', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);

  const all = await as(emulator, 'ada').get('/v1/me/runs');
  expect(all.body.data).toStrictEqual([second]);
  const failed = await as(emulator, 'ada').get('/v1/me/runs?error=true');
  expect(failed.body.data).toStrictEqual([second]);
});
