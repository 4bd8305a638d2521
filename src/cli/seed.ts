import { readWhole, shippedFixtures } from '../fixtures/read.js';
import type { Command } from './command.js';
import { nameOf, printLine } from './print.js';
import { Nothing, REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

interface Flags extends RemoteFlags {
  readonly fixtures: string;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('fixtures', {
        type: 'string',
        demandOption: true,
        describe: `A folder, a JSON file, or fixtures that ship (${shippedFixtures().join(', ')})`,
      })
      .options(remoteFlags)
      .example('$0 seed ./demo.json', 'your own data; a mistake in it changes nothing')
      .example('$0 seed empty --sandbox checkout', 'for one sandbox, which is made if there is none')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    const body = seedOf(flags.fixtures);
    const remote = await Remote.reach(flags, true);
    const answer = await remote.request('PUT', '/seed', Nothing, body);
    report(flags, answer, () => printLine(`Loaded ${nameOf(flags.fixtures)} into ${remote.url}.`));
  },
};

/**
 * What to send: the emulator has the fixtures that ship, but need not have the files of whoever asks.
 * @throws FixtureError for files that cannot be read
 */
function seedOf(source: string): object {
  if (shippedFixtures().includes(source)) return { fixtures: source };
  return readWhole(source);
}
