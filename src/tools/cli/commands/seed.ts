import { datasets } from '#vals/collections/datasets.js';
import { FILES } from '#vals/collections/names.js';
import { ControlError } from '../../client/control-client.js';
import { type CliIo, type Flags, fail, switchFlag } from '../command.js';
import { fixturesArgument, generateFlag } from '../dataset.js';
import { ask, quoteName } from '../io.js';
import { remoteCommand } from '../remote.js';
import { rethrowAsOptions } from '../rethrow.js';

const confirmFlags = {
  yes: { ...switchFlag('Do not ask (default sandbox of a shared store)'), alias: 'y' },
} as const satisfies Flags;

/** Sends a request, and asks on a terminal if the emulator wants a confirmation. @throws ControlError without one */
async function sendConfirmed(io: CliIo, yes: boolean, send: (confirm?: true) => Promise<void>): Promise<void> {
  try {
    await send(yes || undefined);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 409 && io.isInteractive)) throw error;
    if (!(await ask(io, error.message))) fail('Cancelled. Nothing changed.', 'refused');
    await send(true);
  }
}

export const reset = remoteCommand({
  flags: confirmFlags,
  examples: { $0: 'restore the state after the start', '$0 --sandbox checkout': 'reset one sandbox' },
  async run({ yes }, { control, url, io }) {
    await sendConfirmed(io, yes, (confirm) => control.reset(confirm && { confirm }));
    return { text: `Reset ${url} to its seed data.` };
  },
});

export const seed = remoteCommand({
  args: { fixtures: fixturesArgument },
  flags: { generate: { ...generateFlag, conflicts: 'fixtures' }, ...confirmFlags },
  createsSandbox: true,
  examples: {
    '$0 ./demo.json': 'load a file; an error in it changes nothing',
    '$0 empty --sandbox checkout': 'load into one sandbox, which is created if necessary',
    '$0 --generate users=50,seed=42': 'load generated data',
  },
  async run({ fixtures, generate, yes }, { control, url, io }) {
    if (fixtures === undefined && generate === undefined) fail('Missing fixtures. Name them, or use --generate.');
    const isBuiltIn = fixtures !== undefined && datasets.names.includes(fixtures);
    // Files are read here: the emulator may run on another machine.
    const body: object =
      fixtures === undefined
        ? { generate }
        : isBuiltIn
          ? { fixtures }
          : (await import('#engine/seed/read.js')).readCollections(fixtures, { ...FILES, datasets });
    const sent = sendConfirmed(io, yes, (confirm) => control.reseed(body, { query: { confirm } }));
    await (generate === undefined ? sent : sent.catch((error: unknown) => rethrowAsOptions(error, ['generate'])));
    return { text: `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${url}.` };
  },
});
