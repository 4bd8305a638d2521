import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { FAKE_TIMERS } from './fake-timers.js';
import { findLeftovers, readShared } from './leftovers.js';

const ignore = () => {};

/** Makes something that stays in the process, and returns what ends it. */
type Leave = () => (() => unknown) | Promise<() => unknown>;

test.each<[what: string, leave: Leave, found: readonly string[]]>([
  ...FAKE_TIMERS.map(([runner, timers]): [string, Leave, readonly string[]] => [
    `fake timers of ${runner}`,
    () => {
      timers.use(0);
      return () => timers.restore();
    },
    expect.arrayContaining(['Date is another one', 'setTimeout is another one']),
  ]),
  [
    'a stubbed global',
    () => {
      vi.stubGlobal('fetch', ignore);
      return () => vi.unstubAllGlobals();
    },
    ['fetch is another one'],
  ],
  [
    'a new global',
    () => {
      Reflect.set(globalThis, 'Deno', {});
      return () => Reflect.deleteProperty(globalThis, 'Deno');
    },
    ['Deno is another one'],
  ],
  [
    'variables',
    () => {
      vi.stubEnv('VAL_EMULATOR_URL', 'http://127.0.0.1:1');
      vi.stubEnv('PATH', undefined);
      return () => vi.unstubAllEnvs();
    },
    expect.arrayContaining(['the variable VAL_EMULATOR_URL is http://127.0.0.1:1', 'the variable PATH is gone']),
  ],
  [
    'a server',
    async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      return () => server.close();
    },
    ['servers that listen: 1'],
  ],
  [
    'an emulator that has run SQL, without a server',
    async () => {
      const emulator = await createEmulator({ listen: false });
      emulator.rows('SELECT 1');
      return () => emulator.close();
    },
    ['emulators that are not closed: 1'],
  ],
  [
    'a listener of a signal',
    () => {
      process.on('SIGUSR2', ignore);
      return () => process.off('SIGUSR2', ignore);
    },
    ['listeners of process.on("SIGUSR2"): 1'],
  ],
])('%s is found, and no longer once it has ended', async (_, leave, found) => {
  const before = readShared();
  const end = await leave();
  onTestFinished(async () => void (await end()));

  expect(await findLeftovers(before, 0)).toEqual(found);
  await end();

  expect(await findLeftovers(before)).toEqual([]);
});

test('what is being closed is awaited', async () => {
  const before = readShared();
  vi.stubEnv('VAL_EMULATOR_URL', 'http://127.0.0.1:1');
  const left = findLeftovers(before);
  await sleep(20);
  vi.unstubAllEnvs();

  expect(await left).toEqual([]);
});
