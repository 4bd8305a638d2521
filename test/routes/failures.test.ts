import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { dump, send } from '../support/dump.js';
import { emulate } from '../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const OTHER = '07e30000-0000-4000-8000-000000000002';
const SINGLE = '51901e00-0000-4000-8000-000000000003';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: "import 'https://esm.town/v/bob/single';" },
    { author: 'ada', name: 'other', id: OTHER, code: '1', privacy: 'private' },
    { author: 'bob', name: 'single', id: SINGLE, code: '2' },
  ],
  versions: [{ val: 'ada/hello', code: 'zero' }],
  runs: [{ val: 'ada/hello' }, { val: 'bob/single', error: 'boom' }],
  likes: [{ user: 'bob', val: 'ada/hello' }],
  comments: [{ author: 'bob', val: 'ada/hello', comment: 'Nice' }],
};

type Row = [status: number, user: string | undefined, method: string, path: string, body?: object];

const WRITES: Row[] = [
  [409, 'ada', 'POST', '/v1/vals', { name: 'HELLO', code: '1' }],
  [400, 'ada', 'POST', '/v1/vals', { code: '' }],
  [400, 'ada', 'POST', '/v1/vals', { name: 'fresh', code: '1', type: 'cron' }],
  [413, 'ada', 'POST', '/v1/vals', { name: 'fresh', code: 'x'.repeat(1024 * 1024) }],
  [401, undefined, 'POST', '/v1/vals', { name: 'fresh', code: '1' }],
  [401, 'mallory', 'POST', '/v1/vals', { name: 'fresh', code: '1' }],
  [400, 'ada', 'PUT', '/v1/vals', { name: 'hello' }],
  [400, 'ada', 'PUT', '/v1/vals', { name: 'my-val', code: '1' }],
  [401, undefined, 'PUT', '/v1/vals', { name: 'hello', code: '1' }],
  [409, 'ada', 'POST', `/v1/vals/${HELLO}/versions`, { name: 'Other', privacy: 'private', readme: 'x', code: '1' }],
  [400, 'ada', 'POST', `/v1/vals/${HELLO}/versions`, { name: 'renamed', privacy: 'private' }],
  [400, 'ada', 'POST', `/v1/vals/${HELLO}/versions`, { name: 'my-val', code: '1' }],
  [404, 'bob', 'POST', `/v1/vals/${HELLO}/versions`, { code: '1' }],
  [404, 'bob', 'POST', `/v1/vals/${OTHER}/versions`, { code: '1' }],
  [401, undefined, 'POST', `/v1/vals/${HELLO}/versions`, { code: '1' }],
  [400, 'bob', 'DELETE', `/v1/vals/${SINGLE}/versions/0`],
  [404, 'ada', 'DELETE', `/v1/vals/${HELLO}/versions/7`],
  [404, 'bob', 'DELETE', `/v1/vals/${HELLO}/versions/0`],
  [401, undefined, 'DELETE', `/v1/vals/${HELLO}/versions/0`],
  [404, 'bob', 'DELETE', `/v1/vals/${HELLO}`],
  [401, undefined, 'DELETE', `/v1/vals/${HELLO}`],
  [400, 'ada', 'DELETE', '/v1/vals/hello'],
  [404, 'ada', 'DELETE', '/v1/vals'],
];

test.each(WRITES)('%i: %s %s %s leaves no trace', async (status, user, method, path, body) => {
  const emulator = await emulate(fixtures);
  const ids = [HELLO, OTHER, SINGLE];
  const before = await dump(emulator, ids);

  const answer = await send(emulator, user && `${user}-token`, method, path, body);

  expect(answer.status).toBe(status);
  expect(await dump(emulator, ids)).toStrictEqual(before);
});

test('what succeeds after failures is as if they had not been', async () => {
  const create = { name: 'fresh', code: '1' };
  const untroubled = await emulate(fixtures);
  const expected = await send(untroubled, 'ada-token', 'POST', '/v1/vals', create);

  const emulator = await emulate(fixtures);
  for (const [, user, method, path, body] of WRITES) {
    await send(emulator, user && `${user}-token`, method, path, body);
  }

  const answer = await send(emulator, 'ada-token', 'POST', '/v1/vals', create);
  expect(answer.line).toBe(expected.line);
});
