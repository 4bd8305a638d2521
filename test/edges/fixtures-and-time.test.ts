import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Emulator, FaultError } from '../../src/index.js';
import { run } from '../cli/cli.js';
import { folderOf } from '../fixtures/loading.js';
import { verdict } from '../fixtures/verdict.js';
import { createEmulator, emulate } from '../support/emulate.js';
import { readJson } from '../support/read-json.js';

const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const users = [{ username: 'ada' }];
const HOUR_AGO = { author: 'ada', name: 'hello', code: '1', createdAt: '-1h' };

/** Counts the runs of the last half hour, as the first example of the specification does. */
async function countRecentRuns({ fetch, clock }: Pick<Emulator, 'fetch' | 'clock'>): Promise<number> {
  const since = new Date(clock.now.getTime() - 30 * 60_000).toISOString();
  return (await readJson(await fetch(`/v1/me/runs?since=${since}`, { headers: ADA }))).data.length;
}

test('a window of half an hour was empty in new and reset sandboxes, half an hour after the start', async () => {
  const { now } = Date;
  let passed = 0;
  const system = vi.spyOn(Date, 'now').mockImplementation(() => now() + passed);
  const emulator = await createEmulator({ listen: false });
  expect(await countRecentRuns(emulator)).toBeGreaterThan(0);

  passed = 31 * 60_000;
  const seen = { after: await countRecentRuns(emulator), sandbox: await countRecentRuns(emulator.sandbox()) };
  emulator.reset();
  const reset = await countRecentRuns(emulator);
  system.mockRestore();

  expect(seen.after).toBe(0);
  expect(seen.sandbox).toBeGreaterThan(0);
  expect(reset).toBe(seen.sandbox);
});

test('a frozen clock makes a reset equal to a start, byte for byte', async () => {
  const [one, two] = [await emulate({ users, vals: [HOUR_AGO] }), await emulate({ users, vals: [HOUR_AGO] })];
  one.clock.advance('2h');
  one.reset();
  const read = async ({ fetch }: Emulator) => (await fetch('/v1/alias/ada/hello')).text();

  expect((await read(one)).replaceAll(one.url, '')).toBe((await read(two)).replaceAll(two.url, ''));
});

test('the clock ran past the year 9999', async () => {
  const emulator = await createEmulator({ fixtures: { users }, listen: false });
  emulator.clock.set('9999-12-31T23:59:59.990Z');
  await new Promise((resolve) => setTimeout(resolve, 30));

  const body = '{"code":"1"}';
  const response = await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body });

  expect(response.status).toBe(200);
  expect((await readJson(response)).createdAt).toBe('9999-12-31T23:59:59.999Z');
  expect(emulator.clock.now.toISOString()).toBe('9999-12-31T23:59:59.999Z');
});

test('an added record has another id than the same record in fixtures, and the one that it names', async () => {
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

describe('a fault that cannot be armed', () => {
  test.each([{ status: 99 }, { times: 0 }, { rate: 2 }, { delay: -1 }, { foo: 1 }])(
    'was a 400 without problems: %j',
    async (fault) => {
      const emulator = await emulate({ users });

      const body = JSON.stringify({ route: 'GET /v1/me', ...fault });
      const headers = { 'content-type': 'application/json' };
      const response = await emulator.fetch('/_emulator/faults', { method: 'POST', headers, body });

      const [name = ''] = Object.keys(fault);
      expect(response.status).toBe(400);
      expect((await readJson(response)).problems).toEqual([
        { path: expect.stringContaining(name === 'foo' ? 'body' : name), message: expect.any(String) },
      ]);
      const arm = () => emulator.fail('GET /v1/me', JSON.parse(JSON.stringify(fault)));
      expect(arm).toThrow(FaultError);
    },
  );
});

test.each([
  ['an end before the start', { runs: [{ val: 'ada/hello', runStartAt: '-1m', runEndAt: '-2m' }] }],
  ['a next version that is not above the latest', { vals: [{ ...HOUR_AGO, version: 4, nextVersion: 4 }] }],
  ['a time more than a hundred years ago', { vals: [{ ...HOUR_AGO, createdAt: '-36526d' }] }],
])('only check finds %s, not the schema', async (_what, fixtures) => {
  const demo = { users, vals: [HOUR_AGO], ...fixtures };
  const path = join(folderOf({ 'demo.json': demo }), 'demo.json');

  expect(verdict(demo)).toBeUndefined();
  expect((await run(['check', path])).code).toBe(1);
});

test('exec took --watch for granted', async () => {
  const ended = await run(['exec', '--watch', '--', process.execPath, '-e', '']);

  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('Unknown argument: --watch')]);
});

test('the built-in dataset spans what its description says', async () => {
  const emulator = await createEmulator({ listen: false });
  const { runs = [], likes = [], comments = [] } = emulator.exportState();
  const now = emulator.clock.now.getTime();
  const daysAgo = (time = '') => (now - Date.parse(time)) / 86_400_000;

  expect(Math.ceil(Math.max(...runs.map(({ runStartAt }) => daysAgo(runStartAt))))).toBe(6);
  expect(Math.ceil(Math.max(...likes.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
  expect(Math.ceil(Math.max(...comments.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
});
