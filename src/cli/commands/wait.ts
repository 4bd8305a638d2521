import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { defineCommand } from '../command.js';
import { printLine } from '../io.js';
import { ControlClient, remoteFlags } from '../remote-command.js';

const isHealth = compile('cli health', Type.Object({ status: Type.Literal('ok'), version: Type.String() }), 'response');

const WAIT_INTERVAL_MS = 50;
/** Maximum milliseconds of one attempt: the next one may find another server. */
const ATTEMPT_TIMEOUT_MS = 1_000;

export const wait = defineCommand('wait', 'Wait until an emulator responds', {
  variables: {
    url: remoteFlags.url,
    timeout: { ...remoteFlags.timeout, describe: 'Time limit of the wait: 500ms, 10s, 1m', default: '10s' },
    json: remoteFlags.json,
  },
  examples: { '$0 --url http://127.0.0.1:4010 --timeout 30s': 'in a script that starts it in the background' },
  async run({ url: { base }, json, timeout }, io) {
    const end = performance.now() + timeout;
    for (;;) {
      const remaining = Math.max(1, Math.ceil(end - performance.now()));
      const client = new ControlClient({ base, timeout: Math.min(remaining, ATTEMPT_TIMEOUT_MS) });
      try {
        const value = await client.request('GET', '/health', isHealth);
        printLine(io, json ? JSON.stringify(value) : `val-emulator ${value.version} responds at ${base}.`);
        return;
      } catch (error) {
        if (performance.now() + WAIT_INTERVAL_MS >= end) throw error;
      }
      await sleep(WAIT_INTERVAL_MS);
    }
  },
});
