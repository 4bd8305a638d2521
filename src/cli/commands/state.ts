import { Type } from 'typebox';
import { builtInFixtures, readCollections } from '../../fixtures/read.js';
import { compile } from '../../lib/validator.js';
import { fail } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { quoteName } from '../io.js';
import { fixtureFlags, formatFixtures, saveFixtures } from '../output.js';
import { isEmpty, remoteCommand } from '../remote-command.js';

const Records = Type.Array(Type.Object({}));
const Collections = {
  users: Records,
  vals: Records,
  versions: Records,
  runs: Records,
  likes: Records,
  comments: Records,
};
const isFixtures = compile('cli fixtures', Type.Object(Collections), 'response');

export const reset = remoteCommand('reset', 'Reset a running emulator to its seed data', {
  examples: { $0: 'restore the state after the start', '$0 --sandbox checkout': 'reset one sandbox' },
  async run(_input, client) {
    await client.request('POST', '/reset', isEmpty);
    return { words: `Reset ${client.url} to its seed data.` };
  },
});

export const seed = remoteCommand('seed [fixtures]', 'Replace the seed data of a running emulator', {
  args: { fixtures: { type: 'string', describe: emulatorFlags.fixtures.describe } },
  flags: { generate: emulatorFlags.generate },
  mayBeNew: true,
  examples: {
    '$0 ./demo.json': 'load a file; an error in it changes nothing',
    '$0 empty --sandbox checkout': 'load into one sandbox, which is created if necessary',
    '$0 --generate users=50,seed=42': 'load generated data',
  },
  async run({ fixtures, generate }, client) {
    if (fixtures === undefined && generate === undefined) fail('Missing fixtures. Name them, or use --generate.');
    if (fixtures !== undefined && generate !== undefined) fail('Use either fixtures or --generate, not both.');
    const isBuiltIn = fixtures !== undefined && builtInFixtures().includes(fixtures);
    // Files are read here: the emulator may run on another machine.
    const body = fixtures === undefined ? { generate } : isBuiltIn ? { fixtures } : readCollections(fixtures);
    await client.request('PUT', '/seed', isEmpty, body);
    return { words: `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${client.url}.` };
  },
});

export const state = remoteCommand('state', 'Print the records of a running emulator as fixtures', {
  flags: fixtureFlags(false),
  examples: {
    '$0 --out ./demo.json': 'val-emulator seed ./demo.json loads it again; tokens are left out',
    '$0 --tokens --relative --brief --out demo/': 'a folder with one file per collection, to edit by hand',
  },
  async run({ out, tokens, relative, brief }, client, io) {
    const query = new URLSearchParams({ tokens: `${tokens}`, relative: `${relative}`, brief: `${brief}` });
    const value = await client.request('GET', `/state?${query}`, isFixtures);
    if (out === undefined) return { value, words: formatFixtures(value, brief).join('').trimEnd() };
    await saveFixtures(io, value, { out, brief });
    return { words: `Wrote the records of ${client.url} to ${out}.` };
  },
});
