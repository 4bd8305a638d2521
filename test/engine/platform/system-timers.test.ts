import { expect, onTestFinished, test, vi } from 'vitest';
import { FAKE_TIMERS } from '../../support/fake-timers.js';

const YEAR_2031 = Date.UTC(2031, 0, 1);

/** Loads another instance of the module. */
async function load(name: string): Promise<typeof import('#engine/platform/system-timers.js')> {
  return import(/* @vite-ignore */ `../../../src/engine/platform/system-timers.js?${name}`);
}

const { performance: real } = process.getBuiltinModule('node:perf_hooks');
const { now: readReal } = Object.getPrototypeOf(real);

test.each(FAKE_TIMERS)(
  'time is real in a module that is loaded while the timers of %s are fake',
  async (runner, timers) => {
    timers.use(YEAR_2031);
    onTestFinished(() => timers.restore());
    const { systemTimers, sleep } = await load(runner);
    const readSystem = (): number => readReal.call(real);
    expect(systemTimers.uptime() / readSystem()).toBeCloseTo(1, 2);
    expect(systemTimers.now()).toBeLessThan(YEAR_2031);

    const start = readSystem();
    await sleep(systemTimers, 30);
    expect(readSystem() - start).toBeGreaterThan(29);
    await new Promise<void>((resolve) => systemTimers.setImmediate(resolve));

    const run = vi.fn();
    systemTimers.setTimeout(run, 1).cancel();
    let rounds = 0;
    await new Promise<void>((resolve) => {
      const interval = systemTimers.setInterval(() => {
        if (++rounds < 3) return;
        interval.cancel();
        resolve();
      }, 1);
    });
    await sleep(systemTimers, 10);
    expect([rounds, run.mock.calls]).toEqual([3, []]);

    // They are the same timers once the time of the process is real again.
    timers.restore();
    await sleep(systemTimers, 1);
  },
);

test('a module that is loaded under real timers keeps Node its timers', async () => {
  const { systemTimers } = await load('real');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());

  await new Promise<void>((resolve) => systemTimers.setTimeout(resolve, 1));
  await new Promise<void>((resolve) => systemTimers.setImmediate(resolve));
});

test('a module is loaded where the clock is a method of the object alone, as in Bun', async () => {
  vi.stubGlobal('performance', { timeOrigin: real.timeOrigin, now: () => real.now() });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { systemTimers } = await load('bun');
  expect(systemTimers.uptime() / real.now()).toBeCloseTo(1, 2);
});
