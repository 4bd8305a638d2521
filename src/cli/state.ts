import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { Command } from './command.js';
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
    await replaceFile(out, `${pretty}\n`);
    report(flags, { text: '' }, () => printLine(`Wrote the records of ${remote.url} to ${out}.`));
  },
};

/** Whatever happens, the file is either the old one or all of the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  // A link stays one: what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new Error(`--out: ${path} could not be written (${error instanceof Error ? error.message : error}).`);
  }
}
