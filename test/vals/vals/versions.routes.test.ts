import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';

/** The val `hello` of Ada with the versions 0, 3 and 4. */
const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [
    {
      author: 'ada',
      name: 'hello',
      id: HELLO,
      code: 'four',
      version: 4,
      readme: '# Hello',
      privacy: 'unlisted',
      type: 'http',
      createdAt: '2024-01-01T00:00:00Z',
      versionCreatedAt: '2024-01-05T00:00:00Z',
    },
    { author: 'ada', name: 'other', code: '0' },
    { author: 'bob', name: 'hello2', code: '0' },
  ],
  versions: [
    { val: 'ada/hello', code: 'zero', version: 0, createdAt: '2024-01-01T00:00:00Z' },
    { val: 'ada/hello', code: 'three', version: 3, createdAt: '2024-01-04T00:00:00Z' },
  ],
};

const zero = { val_id: HELLO, version: 0, createdAt: '2024-01-01T00:00:00.000Z' };
const three = { val_id: HELLO, version: 3, createdAt: '2024-01-04T00:00:00.000Z' };
const four = { val_id: HELLO, version: 4, createdAt: '2024-01-05T00:00:00.000Z' };
const five = { val_id: HELLO, version: 5, createdAt: NOW };

/** The val at its latest version, with other values in place of some. */
const hello = (url: string, shown: Record<string, unknown> = {}, version = 4) => ({
  name: 'hello',
  id: HELLO,
  version,
  code: 'four',
  public: false,
  createdAt: '2024-01-01T00:00:00.000Z',
  privacy: 'unlisted',
  type: 'http',
  url: 'https://val.town/v/ada/hello',
  links: {
    self: `${url}/v1/vals/${HELLO}`,
    versions: `${url}/v1/vals/${HELLO}/versions`,
    module: `https://esm.town/v/ada/hello?v=${version}`,
    endpoint: 'https://ada-hello.web.val.run',
  },
  author: { id: ADA, username: 'ada' },
  likeCount: 0,
  referenceCount: 0,
  readme: '# Hello',
  versionCreatedAt: '2024-01-05T00:00:00.000Z',
  ...shown,
});

describe('GET /v1/vals/{val_id}/versions/{version}', () => {
  test.each([
    [0, 'zero', '2024-01-01T00:00:00.000Z'],
    [3, 'three', '2024-01-04T00:00:00.000Z'],
    [4, 'four', '2024-01-05T00:00:00.000Z'],
  ])('returns the val with the code and time of version %i', async (version, code, versionCreatedAt) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/vals/${HELLO}/versions/${version}`);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual(hello(emulator.url, { code, versionCreatedAt }, version));
  });

  test.each([
    ['?limit=0', 'limit must be >= 1'],
    ['?limit=101', 'limit must be <= 100'],
    ['?limit=many', 'limit must be integer'],
    ['?offset=-1', 'offset must be >= 0'],
  ])('refuses %s as a list does', async (query, message) => {
    const response = await as(await emulate(fixtures)).get(`/v1/vals/${HELLO}/versions/4${query}`);

    expect(response.status).toBe(400);
    expect(response.body.message).toBe(`querystring/${message}`);
  });

  test.each(['?limit=20&offset=0', '?limit=1&offset=5'])('ignores %s', async (query) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/vals/${HELLO}/versions/4${query}`);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual(hello(emulator.url));
  });
});

describe('POST /v1/vals/{val_id}/versions', () => {
  test('adds the next version and keeps the settings', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send({ code: 'five' });

    expect(response.status).toBe(201);
    expect(response.body).toStrictEqual(hello(emulator.url, { code: 'five', versionCreatedAt: NOW }, 5));
    const list = await as(emulator).get(`/v1/vals/${HELLO}/versions`);
    expect(list.body.data).toStrictEqual([five, four, three, zero]);
    const val = await as(emulator).get(`/v1/vals/${HELLO}`);
    expect(val.body).toStrictEqual(response.body);
  });
});

describe('DELETE /v1/vals/{val_id}/versions/{version}', () => {
  test('never reuses a number', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}/versions/4`).expect(204);

    const posted = await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send({ code: 'five' });
    expect(posted.body.version).toBe(5);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}/versions/5`).expect(204);
    const put = await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: 'six' });
    expect(put.body.version).toBe(6);
    const list = await as(emulator).get(`/v1/vals/${HELLO}/versions`);
    expect(list.body.data).toStrictEqual([{ val_id: HELLO, version: 6, createdAt: NOW }, three, zero]);
  });
});
