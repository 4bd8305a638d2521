import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { refusal, run } from './cli.js';

test('clock prints the time, and changes it', async () => {
  const emulator = await emulate({});
  const ask = (...args: string[]) => run(['clock', ...args, '--url', emulator.url]);
  const shows = (time: string) => ({ stdout: `${time}\n`, stderr: '', code: 0 });
  expect(await ask()).toEqual(shows('2024-06-11T22:05:12.585Z (frozen)'));
  expect(await ask('--advance', '10m')).toEqual(shows('2024-06-11T22:15:12.585Z (frozen)'));
  expect(await ask('--set', '2025-01-01T00:00:00Z')).toEqual(shows('2025-01-01T00:00:00.000Z (frozen)'));
  expect((await ask('--set', 'now')).stdout).toContain(new Date().toISOString().slice(0, 10));
  expect(await ask('--set', '2025-01-01')).toEqual(shows('2025-01-01T00:00:00.000Z (frozen)'));
  expect((await ask('--resume')).stdout).toMatch(/^2025-01-01T00:\d\d:\d\d\.\d{3}Z \(running\)\n$/);
  expect((await ask('--freeze')).stdout).toMatch(/^2025-01-01T00:\d\d:\d\d\.\d{3}Z \(frozen\)\n$/);
  expect(await ask('--freeze', '2024-02-29T12:00:00+02:00')).toEqual(shows('2024-02-29T10:00:00.000Z (frozen)'));
  expect(emulator.clock.read()).toEqual({ now: '2024-02-29T10:00:00.000Z', frozen: true });
});

test('clock acts on one sandbox', async () => {
  const emulator = await emulate({});
  const checkout = emulator.sandbox('checkout');
  await run(['clock', '--advance', '1h', '--url', emulator.url, '--sandbox', 'checkout']);
  expect(checkout.clock.read().now).toBe('2024-06-11T23:05:12.585Z');
  expect(emulator.clock.read().now).toBe('2024-06-11T22:05:12.585Z');
});

test.each<[args: string[], message: RegExp, code: number]>([
  [['--advance', 'soon'], /^val-emulator: --advance: found "soon"; expected a duration such as "90s", .*\n$/, 2],
  [['--freeze', 'today'], /^val-emulator: --freeze: found "today"; expected an RFC 3339 timestamp .*\n$/, 2],
  [
    ['--set', '2024-13-01T00:00:00Z'],
    /^val-emulator: --set: found "2024-13-01T00:00:00Z"; expected an RFC 3339 .*\n$/,
    2,
  ],
  [['--resume', '--advance', '5m'], /^val-emulator: Use either --advance or --resume, not both\.\n/, 2],
])('clock %j prints a message on stderr and sets the exit code', async (args, message, code) => {
  const { url } = await emulate({});
  expect(await run(['clock', ...args, '--url', url])).toEqual(refusal(message, code));
});
