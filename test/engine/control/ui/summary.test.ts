import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEmulator, type Emulator, type Fixtures } from '../../../../src/index.js';
import { as, emulate, NOW } from '../../../support/emulate.js';
import { folderOf } from '../../fixtures/loading.js';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'one', code: "import 'https://esm.town/v/bob/two'; import 'https://esm.town/v/bob/gone';" },
    { author: 'bob', name: 'two', code: '2', type: 'http', privacy: 'private' },
    { author: 'bob', name: 'three', code: "import 'https://esm.town/v/ada/one';", type: 'http' },
    { author: 'bob', name: 'alone', code: '4' },
  ],
  runs: [
    { val: 'ada/one', runStartAt: '2024-06-11T10:30:00Z' },
    { val: 'ada/one', runStartAt: '2024-06-11T10:59:59.999Z', error: 'boom' },
    { val: 'ada/one', runStartAt: '2024-06-11T09:00:00Z' },
    { val: 'ada/one', runStartAt: '2024-06-01T09:00:00Z' },
  ],
};

const get = async (emulator: Emulator, path: string, prefix = '') =>
  (await as(emulator).get(`${prefix}/_emulator/${path}`)).body;

test('the summary counts records, runs per hour and requests', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 9, window: '1m' } });
  await as(emulator, 'ada').get('/v1/me');

  const { version, runsPerHour, ...others } = await get(emulator, 'summary');

  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(others).toStrictEqual({
    sandbox: '',
    folder: null,
    example: '/v1/me',
    failure: null,
    at: null,
    now: NOW,
    frozen: true,
    counts: {
      ...{
        users: 2,
        clients: 0,
        grants: 0,
        tokens: 0,
        organizations: 0,
        memberships: 0,
        projects: 0,
        branches: 0,
        commits: 0,
        environment: 0,
        responses: 0,
      },
      ...{ vals: 4, versions: 4, runs: 4, likes: 0, comments: 0, emails: 0, blobs: 0, sqlite: 0 },
    },
    valTypes: { script: 2, http: 2 },
    privacies: { public: 3, private: 1 },
    requests: 1,
    commits: 0,
    rateLimit: { limit: 9, window: 60_000 },
  });
  expect(runsPerHour).toHaveLength(48);
  expect(runsPerHour[0]).toStrictEqual({ hour: '2024-06-09T11:00:00.000Z', runs: 0, failed: 0 });
  expect(runsPerHour.slice(-2)).toStrictEqual([
    { hour: '2024-06-11T09:00:00.000Z', runs: 1, failed: 0 },
    { hour: '2024-06-11T10:00:00.000Z', runs: 2, failed: 1 },
  ]);
});

test('the summary of a past state has its records and its time', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = emulator.sandbox('one');
  sandbox.add.user({ username: 'cleo' });
  sandbox.clock.advance('1h');
  sandbox.add.user({ username: 'dan' });
  sandbox.clock.resume();
  const read = async (query: string) => (await as(emulator).get(`/_sandbox/one/_emulator/summary${query}`)).body;

  expect(await read('')).toMatchObject({ sandbox: 'one', at: null, frozen: false, commits: 2, counts: { users: 4 } });
  expect(await read('?at=w1')).toMatchObject({ at: 'w1', frozen: true, now: NOW, counts: { users: 3 } });
  expect(await read('?at=w2')).toMatchObject({ now: '2024-06-11T23:05:12.585Z', counts: { users: 4 } });
  expect(await read('?at=start')).toMatchObject({ at: 'start', now: NOW, counts: { users: 2 } });
  expect((await read('?at=w9')).statusCode).toBe(404);
});

test('the summary of an empty sandbox lacks hours and a rate limit', async () => {
  expect(await get(await emulate({}), 'summary')).toMatchObject({
    valTypes: {},
    privacies: {},
    runsPerHour: [],
    rateLimit: null,
  });
});

test('the summary has the data folder that keeps the sandbox', async () => {
  const data = join(folderOf({}), 'data');
  await using emulator = await createEmulator({ fixtures, data });
  emulator.sandbox('demo', { keep: true });
  emulator.sandbox('test');
  const readFolder = async (prefix: string) => (await get(emulator, 'summary', prefix)).folder;

  expect(await readFolder('')).toBe(data);
  expect(await readFolder('/_sandbox/demo')).toBe(data);
  expect(await readFolder('/_sandbox/test')).toBeNull();
});
