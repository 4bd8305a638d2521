import type { GenerateOptions } from '../fixtures/generate-options.js';
import { readWhole, shippedFixtures } from '../fixtures/read.js';
import type { Command } from './command.js';
import { emulatorFlags } from './emulator.js';
import { nameOf, printLine } from './print.js';
import { Nothing, REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

interface Flags extends RemoteFlags {
  readonly fixtures: string | undefined;
  readonly generate: GenerateOptions | undefined;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('fixtures', {
        type: 'string',
        describe: `A folder, a JSON file, or fixtures that ship (${shippedFixtures().join(', ')})`,
      })
      .options(remoteFlags)
      .option('generate', emulatorFlags.generate)
      .check(({ fixtures, generate }) => {
        if (fixtures !== undefined && generate !== undefined) return 'Fixtures do not go with --generate.';
        return fixtures !== undefined || generate !== undefined || 'Say which fixtures to load, or --generate.';
      })
      .example('$0 seed ./demo.json', 'your own data; a mistake in it changes nothing')
      .example('$0 seed empty --sandbox checkout', 'for one sandbox, which is made if there is none')
      .example('$0 seed --generate users=50,seed=42', 'generated data')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    const { fixtures, generate } = flags;
    const body = fixtures === undefined ? { generate } : seedOf(fixtures);
    const remote = await Remote.reach(flags, true);
    const answer = await remote.request('PUT', '/seed', Nothing, body);
    const what = fixtures === undefined ? 'a generated world' : nameOf(fixtures);
    report(flags, answer, () => printLine(`Loaded ${what} into ${remote.url}.`));
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
