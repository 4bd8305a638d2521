import type { InferredOptionTypes, Options } from 'yargs';
import * as z from 'zod';
import type { Command } from './command.js';
import { printLine } from './print.js';
import { REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

const flags = {
  freeze: { type: 'string', describe: 'Stand still, at an RFC 3339 timestamp or where it is' },
  set: { type: 'string', requiresArg: true, describe: 'Show a timestamp and go on as before' },
  advance: { type: 'string', requiresArg: true, describe: 'Move forward by a duration: 90s, 10m, 2d, 1d12h' },
  resume: { type: 'boolean', default: false, describe: 'Run on from the time that it shows' },
} as const satisfies Record<string, Options>;
type Changes = InferredOptionTypes<typeof flags>;

const Reading = z.looseObject({ now: z.string(), frozen: z.boolean() });

export const command: Command<RemoteFlags & Changes> = {
  builder: (parser) =>
    parser
      .options(remoteFlags)
      .options(flags)
      .check(
        (given) => changesOf(given).length <= 1 || 'Only one of --freeze, --set, --advance and --resume at a time.',
      )
      .example('$0 clock', 'what time it is')
      .example('$0 clock --freeze 2024-06-11T22:05:12Z', 'stand still there')
      .example('$0 clock --advance 10m', 'ten minutes later')
      .epilogue(REMOTE_EPILOGUE),
  async handler(given) {
    const remote = await Remote.reach(given);
    const [change] = changesOf(given);
    const answer = await (change
      ? remote.request('PUT', '/clock', Reading, change)
      : remote.request('GET', '/clock', Reading));
    const { now, frozen } = answer.value;
    report(given, answer, () => printLine(`${now} (${frozen ? 'frozen' : 'running'})`));
  },
};

/** What the flags ask for, in the words of the control plane. */
const changesOf = ({ freeze, set, advance, resume }: Changes): object[] => [
  ...(freeze === undefined ? [] : [{ freeze: freeze === '' || freeze }]),
  ...(set === undefined ? [] : [{ set }]),
  ...(advance === undefined ? [] : [{ advance }]),
  ...(resume ? [{ resume }] : []),
];
