import { expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const SECRET = '5ec30000-0000-4000-8000-000000000002';
const TOOL = '70010000-0000-4000-8000-000000000003';
const [R1, R2, R3, R4, R5] = [1, 2, 3, 4, 5].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** Runs of Ada at 22:01 to 22:04, in another order, and one of Bob at 22:05. */
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
    {
      ...{ id: R3, val: 'ada/hello', runStartAt: '2024-06-11T22:03:00.000Z', error: 'out of memory', source: 'email' },
      ...{ emails: [{ to: 'bob@example.com' }], logs: ['one', { two: 2 }], returnValue: { deep: [1, null] } },
      args: [1, 'two'],
    },
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

const MINE: [query: string, expected: object[]][] = [
  ['', [running, third, second, first]],
  ['source=api', [first]],
  ['source=ui,email', [running, third]],
  ['source=interval%2Capi', [second, first]],
  ['error=true&source=email,api', [third]],
  ['error=true&since=2024-06-11T22:02:00.000Z', [third]],
  ['error=false&limit=1&offset=1', [first]],
  ['source=ui,api&limit=1&offset=1', [first]],
];
const OF_HELLO: [query: string, expected: object[]][] = [
  ['', [running, third, first]],
  ['source=email,api', [third, first]],
  ['limit=1&offset=1', [third]],
  ['since=2024-06-11T22:01:00.000Z&until=2024-06-11T22:03:00.000Z', [third]],
];

test.each([
  ...MINE.map(([query, expected]) => [`/v1/me/runs?${query}`, expected] as const),
  ...OF_HELLO.map(([query, expected]) => [`/v1/vals/${HELLO}/runs?${query}`, expected] as const),
])('GET %s lists these runs', async (path, expected) => {
  const response = await as(await emulate(fixtures), 'ada').get(path);

  expect(response.status).toBe(200);
  expect(response.body.data).toStrictEqual(expected);
});

test('a run by its id also has its emails, logs, return value and arguments', async () => {
  const emulator = await emulate(fixtures);

  const full = await as(emulator, 'ada').get(`/v1/runs/${R3}`);
  const empty = await as(emulator, 'ada').get(`/v1/runs/${R4}`);

  expect(full.body).toStrictEqual({
    ...third,
    ...{ emails: [{ to: 'bob@example.com' }], logs: ['one', { two: 2 }], returnValue: { deep: [1, null] } },
    args: [1, 'two'],
  });
  expect(empty.body).toStrictEqual({ ...running, emails: [], logs: [], returnValue: null, args: [] });
});

test('cancel ends an unfinished run of an own val, once', async () => {
  const emulator = await emulate(fixtures);
  const cancel = (caller: string, val: string, run?: string) =>
    as(emulator, caller).post(`/v1/vals/${val}/evaluations/${run}/cancel`);

  expect((await cancel('ada', HELLO, R2)).body).toStrictEqual({ found: false });
  expect((await cancel('ada', HELLO, R1)).body).toStrictEqual({ found: false });
  expect((await cancel('ada', HELLO, R4)).body).toStrictEqual({ found: true });
  expect((await cancel('ada', HELLO, R4)).body).toStrictEqual({ found: false });

  const run = await as(emulator, 'ada').get(`/v1/runs/${R4}`);
  expect(run.body).toMatchObject({ runEndAt: '2024-06-11T22:05:12.585Z', error: null });
});
