import { mock } from 'node:test';
import { ModernFakeTimers } from '@jest/fake-timers';
import { vi } from 'vitest';

/** Fake timers of a test runner. */
interface FakeTimers {
  /** Replaces the timers of this process. The time stands at an instant. */
  use(now: number): void;
  setTime(now: number): void;
  /** Moves the time, and calls the timers on the way. */
  advance(milliseconds: number): Promise<void>;
  restore(): void;
}

const vitestTimers: FakeTimers = {
  use: (now) => void vi.useFakeTimers({ now }),
  setTime: (now) => void vi.setSystemTime(now),
  advance: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
  restore: () => void vi.useRealTimers(),
};

/** What `jest.useFakeTimers()` calls. */
const jest = new ModernFakeTimers({
  global: globalThis,
  config: Object.assign(Object.create(null), { fakeTimers: { enableGlobally: false }, rootDir: '.', testRegex: [] }),
});
const jestTimers: FakeTimers = {
  // Jest replaces the globals of a test, which are copies. Node's own modules keep these two.
  use: (now) => jest.useFakeTimers({ now, doNotFake: ['nextTick', 'queueMicrotask'] }),
  setTime: (now) => jest.setSystemTime(now),
  advance: (milliseconds) => jest.advanceTimersByTimeAsync(milliseconds),
  restore: () => jest.useRealTimers(),
};

const nodeTimers: FakeTimers = {
  use: (now) => mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval', 'setImmediate'], now }),
  setTime: (now) => mock.timers.setTime(now),
  // Node calls the timers at once, so what they lead to needs further steps.
  async advance(milliseconds) {
    for (let step = 0; step < 10; step++) {
      await settle();
      mock.timers.tick(milliseconds / 10);
    }
    await settle();
  },
  restore: () => mock.timers.reset(),
};

const { setImmediate: setRealImmediate } = globalThis;
/** Runs all microtasks that are due. */
export const settle = () => new Promise<void>((resolve) => void setRealImmediate(resolve));

/** The fake timers of each runner, by its name. */
export const FAKE_TIMERS: readonly (readonly [runner: string, timers: FakeTimers])[] = [
  ['vitest', vitestTimers],
  ['Jest', jestTimers],
  ['node:test', nodeTimers],
];
