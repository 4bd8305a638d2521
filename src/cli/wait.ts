import { setTimeout as sleep } from 'node:timers/promises';
import type { InferredOptionTypes, Options } from 'yargs';
import * as z from 'zod';
import { DURATION_EXAMPLES, parseDuration } from '../domain/duration.js';
import { show } from '../fixtures/problems.js';
import type { Command } from './command.js';
import { placeOf, withEnvironment } from './flags.js';
import { printLine } from './print.js';
import { Remote, remoteFlags, report } from './remote.js';

/** Milliseconds between two questions. */
const INTERVAL = 50;

const flags = {
  url: remoteFlags.url,
  json: remoteFlags.json,
  timeout: {
    type: 'string',
    default: '10s',
    requiresArg: true,
    coerce: readTimeout,
    describe: 'How long to wait: 500ms, 10s, 1m',
  },
} as const satisfies Record<string, Options>;

const Health = z.looseObject({ status: z.literal('ok'), version: z.string() });

export const command: Command<InferredOptionTypes<typeof flags>> = {
  builder: (parser) =>
    parser
      .options(withEnvironment(flags))
      .example('$0 wait --url http://127.0.0.1:4010 --timeout 30s', 'in a script that started it in the background'),
  async handler({ url, json, timeout }) {
    const remote = await Remote.reach({ url, json, sandbox: undefined });
    const end = performance.now() + timeout;
    for (;;) {
      try {
        const answer = await remote.request('GET', '/health', Health);
        return report({ url, json, sandbox: undefined }, answer, () =>
          printLine(`${remote.url} answers (val-emulator ${answer.value.version}).`),
        );
      } catch (error) {
        if (performance.now() + INTERVAL >= end) throw error;
      }
      await sleep(INTERVAL);
    }
  },
};

function readTimeout(text: string): number {
  const timeout = parseDuration(text);
  if (timeout !== undefined) return timeout;
  throw new Error(`${placeOf('timeout')}: found ${show(text)}; expected a duration such as ${DURATION_EXAMPLES}.`);
}
