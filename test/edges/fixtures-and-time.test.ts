import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../cli/cli.js';
import { folderOf } from '../fixtures/loading.js';
import { verdict } from '../fixtures/verdict.js';
import { createEmulator, emulate } from '../support/emulate.js';

const users = [{ username: 'ada' }];
const HOUR_AGO = { author: 'ada', name: 'hello', code: '1', createdAt: '-1h' };

test('an added record has the given id, or one unlike the same record in fixtures', async () => {
  const emulator = await emulate({ users });
  const [other] = (await emulate({ users: [...users, { username: 'eve' }] })).users.slice(-1);

  const first = emulator.add.user({ username: 'eve' });
  emulator.reset();
  const again = emulator.add.user({ username: 'eve' });
  emulator.reset();

  expect(first.id).not.toBe(other?.id);
  expect(again.id).toBe(first.id);
  expect(emulator.add.user({ username: 'eve', id: other?.id }).id).toBe(other?.id);
});

test.each([
  ['an end before the start', { runs: [{ val: 'ada/hello', runStartAt: '-1m', runEndAt: '-2m' }] }],
  ['a next version that is not above the latest', { vals: [{ ...HOUR_AGO, version: 4, nextVersion: 4 }] }],
  ['a time more than a hundred years ago', { vals: [{ ...HOUR_AGO, createdAt: '-36526d' }] }],
])('check finds %s, which the schema accepts', async (_what, fixtures) => {
  const demo = { users, vals: [HOUR_AGO], ...fixtures };
  const path = join(folderOf({ 'demo.json': demo }), 'demo.json');

  expect(verdict(demo)).toBeUndefined();
  expect((await run(['check', path])).code).toBe(1);
});

test('exec refuses --watch', async () => {
  const ended = await run(['exec', '--watch', '--', process.execPath, '-e', '']);

  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('Unknown argument: --watch')]);
});

test('the built-in dataset has the span of its description', async () => {
  const emulator = await createEmulator({ listen: false });
  const { runs = [], likes = [], comments = [] } = emulator.exportState();
  const now = emulator.clock.now.getTime();
  const daysAgo = (time = '') => (now - Date.parse(time)) / 86_400_000;

  expect(Math.ceil(Math.max(...runs.map(({ runStartAt }) => daysAgo(runStartAt))))).toBe(6);
  expect(Math.ceil(Math.max(...likes.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
  expect(Math.ceil(Math.max(...comments.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
});
