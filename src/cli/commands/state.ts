import { Type } from 'typebox';
import { builtInFixtures, readCollections } from '../../fixtures/read.js';
import { compile } from '../../lib/validator.js';
import { type CliIo, type Flags, fail } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { RefusedError } from '../errors.js';
import { ask, quoteName } from '../io.js';
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

const confirmFlags = {
  yes: {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Do not ask, also for the default sandbox of a shared store',
  },
} as const satisfies Flags;

/** Sends a request, and asks on a terminal if the emulator wants a confirmation. @throws RefusedError without one */
async function sendConfirmed(io: CliIo, yes: boolean, send: (isConfirmed: boolean) => Promise<void>): Promise<void> {
  try {
    await send(yes);
  } catch (error) {
    if (!(error instanceof RefusedError && error.status === 409 && io.isInteractive)) throw error;
    if (!(await ask(io, error.message))) fail('Not confirmed. The data are as before.', 'refused');
    await send(true);
  }
}

export const reset = remoteCommand('reset', 'Reset a running emulator to its seed data', {
  flags: confirmFlags,
  examples: { $0: 'restore the state after the start', '$0 --sandbox checkout': 'reset one sandbox' },
  async run({ yes }, client, io) {
    await sendConfirmed(io, yes, (confirm) =>
      client.request('POST', '/reset', isEmpty, confirm ? { confirm } : undefined),
    );
    return { words: `Reset ${client.url} to its seed data.` };
  },
});

export const seed = remoteCommand('seed [fixtures]', 'Replace the seed data of a running emulator', {
  args: { fixtures: { type: 'string', describe: emulatorFlags.fixtures.describe } },
  flags: { generate: emulatorFlags.generate, ...confirmFlags },
  mayBeNew: true,
  examples: {
    '$0 ./demo.json': 'load a file; an error in it changes nothing',
    '$0 empty --sandbox checkout': 'load into one sandbox, which is created if necessary',
    '$0 --generate users=50,seed=42': 'load generated data',
  },
  async run({ fixtures, generate, yes }, client, io) {
    if (fixtures === undefined && generate === undefined) fail('Missing fixtures. Name them, or use --generate.');
    if (fixtures !== undefined && generate !== undefined) fail('Use either fixtures or --generate, not both.');
    const isBuiltIn = fixtures !== undefined && builtInFixtures().includes(fixtures);
    // Files are read here: the emulator may run on another machine.
    const body = fixtures === undefined ? { generate } : isBuiltIn ? { fixtures } : readCollections(fixtures);
    await sendConfirmed(io, yes, (isConfirmed) =>
      client.request('PUT', `/seed${isConfirmed ? '?confirm=true' : ''}`, isEmpty, body),
    );
    return { words: `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${client.url}.` };
  },
});

export const state = remoteCommand('state', 'Print the records of a running emulator as fixtures', {
  flags: fixtureFlags,
  examples: {
    '$0 --out ./demo.json': 'val-emulator seed ./demo.json loads it again',
    '$0 --relative --brief --out demo/': 'a folder with one file per collection, to edit by hand',
  },
  async run({ out, tokens, relative, brief }, client, io) {
    const query = new URLSearchParams({ tokens: `${tokens}`, relative: `${relative}`, brief: `${brief}` });
    const value = await client.request('GET', `/state?${query}`, isFixtures);
    if (out === undefined) return { value, words: formatFixtures(value, brief).join('').trimEnd() };
    await saveFixtures(io, value, { out, brief });
    return { words: `Wrote the records of ${client.url} to ${out}.` };
  },
});
