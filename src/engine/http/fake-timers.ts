import { isFake } from '../lib/system-timers.js';

const WARNING =
  'val-emulator: a request arrived over a socket while timers are faked in this process. Advancing the time does not wait for a socket: use emulator.fetch, as in docs/recipes/fake-timers.md.';

/** Returns a function that warns, once, while fake timers of vitest, Jest, sinon or node:test are installed. */
export function makeFakeTimersWarning(): () => void {
  let hasWarned = false;
  let checked: unknown;
  return () => {
    const { setTimeout } = globalThis;
    if (hasWarned || setTimeout === checked) return;
    checked = setTimeout;
    if (!isFake(setTimeout)) return;
    hasWarned = true;
    console.warn(WARNING);
  };
}
