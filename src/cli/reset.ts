import type { Command } from './command.js';
import { printLine } from './print.js';
import { Nothing, REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

export const command: Command<RemoteFlags> = {
  builder: (parser) =>
    parser
      .options(remoteFlags)
      .example('$0 reset', 'everything as it was after the start')
      .example('$0 reset --sandbox checkout', 'the same for one sandbox')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    const remote = await Remote.reach(flags);
    const answer = await remote.request('POST', '/reset', Nothing);
    report(flags, answer, () => printLine(`Reset ${remote.url} to its seed data.`));
  },
};
