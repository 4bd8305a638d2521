import * as z from 'zod';
import type { Command } from './command.js';
import { nameOf, printLine, printTable } from './print.js';
import { REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

interface Flags extends RemoteFlags {
  readonly name: string | undefined;
  readonly list: boolean;
}

const Snapshot = z.looseObject({ name: z.string(), time: z.string() });

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('name', { type: 'string', describe: 'One of this name is replaced; by default a new name' })
      .options(remoteFlags)
      .option('list', { type: 'boolean', default: false, describe: 'Print the snapshots that there are' })
      .check(({ name, list }) => !(list && name !== undefined) || 'A name does not go with --list.')
      .example('$0 snapshot before-checkout', 'val-emulator restore before-checkout comes back to it')
      .example('$0 snapshot --list', 'what there is to come back to')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    const remote = await Remote.reach(flags);
    if (flags.list) await printSnapshots(remote, flags);
    else await takeSnapshot(remote, flags);
  },
};

async function printSnapshots(remote: Remote, flags: Flags): Promise<void> {
  const answer = await remote.request('GET', '/snapshots', z.array(Snapshot));
  const rows = answer.value.map(({ name, time }) => [nameOf(name), time]);
  report(flags, answer, () => {
    if (rows.length === 0) printLine('There are no snapshots.');
    else printTable(['name', 'time'], rows);
  });
}

async function takeSnapshot(remote: Remote, flags: Flags): Promise<void> {
  const { name } = flags;
  const answer = await remote.request('POST', '/snapshots', Snapshot, name === undefined ? {} : { name });
  report(flags, answer, () => printLine(`Took snapshot ${nameOf(answer.value.name)} of ${remote.url}.`));
}
