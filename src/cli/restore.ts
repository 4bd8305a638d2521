import type { Command } from './command.js';
import { nameOf, printLine } from './print.js';
import { Nothing, REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report, segment } from './remote.js';

interface Flags extends RemoteFlags {
  readonly name: string;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('name', { type: 'string', demandOption: true, describe: 'Of the snapshot, which stays' })
      .options(remoteFlags)
      .example('$0 restore before-checkout', 'everything as it was at that snapshot')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    const path = `/snapshots/${segment(flags.name)}/restore`;
    const remote = await Remote.reach(flags);
    const answer = await remote.request('POST', path, Nothing);
    report(flags, answer, () => printLine(`Restored snapshot ${nameOf(flags.name)} of ${remote.url}.`));
  },
};
