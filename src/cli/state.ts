import * as z from 'zod';
import type { Command } from './command.js';
import { replaceFile } from './output.js';
import { printLine } from './print.js';
import { REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

interface Flags extends RemoteFlags {
  readonly out: string | undefined;
}

const Fixtures = z.looseObject({ users: z.array(z.unknown()) });

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .options(remoteFlags)
      .option('out', { type: 'string', requiresArg: true, alias: 'o', describe: 'Write to this file instead' })
      .example('$0 state --out ./demo.json', 'val-emulator seed ./demo.json loads it again')
      .epilogue(`The records come without tokens. ${REMOTE_EPILOGUE}`),
  async handler(flags) {
    const remote = await Remote.reach(flags);
    const answer = await remote.request('GET', '/state', Fixtures);
    const pretty = JSON.stringify(answer.value, null, 2);
    const { out } = flags;
    if (out === undefined) {
      report(flags, answer, () => printLine(pretty));
      return;
    }
    await replaceFile(out, [`${pretty}\n`]);
    report(flags, { text: '' }, () => printLine(`Wrote the records of ${remote.url} to ${out}.`));
  },
};
