import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { InferredOptionTypes } from 'yargs';
import { compile } from '../../lib/validator.js';
import type { Command } from '../command.js';
import { ControlClient } from '../control-client.js';
import { flag, withEnvironment } from '../flags.js';
import { printLine } from '../io.js';
import { remoteFlags } from '../remote-command.js';

/** Milliseconds between two attempts. */
const INTERVAL_MS = 50;
/** Maximum milliseconds of one attempt: the next one may find another server. */
const ATTEMPT_TIMEOUT_MS = 1_000;

const { url, timeout, json } = remoteFlags;
const flags = { url, timeout: { ...timeout, ...flag('Time limit of the wait: 500ms, 10s, 1m'), default: '10s' }, json };
const isHealth = compile('cli health', Type.Object({ status: Type.Literal('ok'), version: Type.String() }), 'strict');

export const command: Command = {
  flags: (env) => withEnvironment(flags, env),
  examples: [['$0 --url http://127.0.0.1:4010 --timeout 30s', 'in a script that starts it in the background']],
  async run({ url, json, timeout }: InferredOptionTypes<typeof flags>, io) {
    const client = new ControlClient({ base: url.base, sandbox: undefined }, timeout);
    const end = performance.now() + timeout;
    for (;;) {
      const remaining = Math.max(1, Math.ceil(end - performance.now()));
      try {
        const options = { timeout: Math.min(remaining, ATTEMPT_TIMEOUT_MS) };
        const { value, text } = await client.request('GET', '/health', isHealth, options);
        printLine(io, json ? text : `val-emulator ${value.version} responds at ${client.url}.`);
        return;
      } catch (error) {
        if (performance.now() + INTERVAL_MS >= end) throw error;
      }
      await sleep(INTERVAL_MS);
    }
  },
};
