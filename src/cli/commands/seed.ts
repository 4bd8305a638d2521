import { builtInFixtures, readCollections } from '../../fixtures/read.js';
import { isEmpty } from '../control-client.js';
import { emulatorFlags } from '../emulator-flags.js';
import { fail } from '../errors.js';
import { quoteName } from '../io.js';
import { remoteCommand } from '../remote-command.js';

export const command = remoteCommand({
  args: { fixtures: { type: 'string', describe: emulatorFlags.fixtures.describe } },
  flags: { generate: emulatorFlags.generate },
  examples: [
    ['$0 ./demo.json', 'load a file; an error in it changes nothing'],
    ['$0 empty --sandbox checkout', 'load into one sandbox, which is created if necessary'],
    ['$0 --generate users=50,seed=42', 'load generated data'],
  ],
  async run({ fixtures, generate }, connect) {
    if (fixtures === undefined && generate === undefined) fail('Missing fixtures. Name them, or use --generate.');
    if (fixtures !== undefined && generate !== undefined) fail('Use either fixtures or --generate, not both.');
    const body = fixtures === undefined ? { generate } : readSeed(fixtures);
    const client = await connect(true);
    const { text } = await client.request('PUT', '/seed', isEmpty, { body });
    return {
      text,
      words: `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${client.url}.`,
    };
  },
});

/**
 * Reads files here: the emulator may run on another machine.
 * @throws FixtureError for files that cannot be read
 */
const readSeed = (source: string): object =>
  builtInFixtures().includes(source) ? { fixtures: source } : readCollections(source);
