import { setTimeout as sleep } from 'node:timers/promises';
import { defineCommand } from '../command.js';
import { checkServer, connect, remoteFlags } from '../remote.js';

const WAIT_INTERVAL_MS = 50;
/** Maximum milliseconds of one attempt: the next one may find another server. */
const ATTEMPT_TIMEOUT_MS = 1_000;

export const wait = defineCommand({
  variables: {
    url: remoteFlags.url,
    timeout: { ...remoteFlags.timeout, describe: 'Time limit of the wait: 500ms, 10s, 1m', default: '10s' },
    json: remoteFlags.json,
  },
  examples: { '$0 --url http://127.0.0.1:4010 --timeout 30s': 'in a script that starts it in the background' },
  async run({ url: { base }, timeout }) {
    const end = performance.now() + timeout;
    let last: unknown;
    for (;;) {
      const remaining = Math.max(1, Math.ceil(end - performance.now()));
      const control = connect(base, { timeout: Math.min(remaining, ATTEMPT_TIMEOUT_MS) });
      try {
        const value = await checkServer(control, base);
        return { value, text: `val-emulator ${value.version} responds at ${base}.` };
      } catch (error) {
        // An attempt that was cut short may say nothing but that.
        if (last === undefined || remaining >= ATTEMPT_TIMEOUT_MS) last = error;
        if (performance.now() + WAIT_INTERVAL_MS >= end) throw last;
      }
      await sleep(WAIT_INTERVAL_MS);
    }
  },
});
