import { ControlError } from '#engine/control/send.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { FILES } from '#vals/lib/names.collection.js';
import type { ControlOutput } from '../../client/control-client.js';
import { type CliIo, type Flags, fail, switchFlag } from '../command.js';
import { fixturesArgument, generateFlag } from '../dataset.js';
import { formatReplacement, formatUndo, UNDO } from '../format-replacement.js';
import { ask, quoteName } from '../io.js';
import { type Remote, remoteCommand } from '../remote.js';
import { rethrowAsOptions } from '../rethrow.js';

const confirmFlags = {
  yes: { ...switchFlag('Do not ask (default sandbox of a shared store)'), alias: 'y' },
} as const satisfies Flags;

/**
 * Keeps the state of a sandbox, if something was written to it, and replaces it.
 * @param done what the command says
 */
async function replaceState(
  { control, url }: Pick<Remote, 'control' | 'url'>,
  done: string,
  replace: () => Promise<ControlOutput<'reset'>>,
) {
  const [commit] = await control.listHistory({ limit: 1 });
  const snapshot = commit && (await control.takeSnapshot({ name: UNDO })).name;
  const replaced = await replace();
  const undo = snapshot ? ` ${formatUndo(url)}` : '';
  const text = `${done}${undo}\n${formatReplacement(replaced)}`;
  return { value: { ok: true, snapshot, ...replaced }, text };
}

/** Sends a request, and asks on a terminal if the emulator wants a confirmation. @throws ControlError without one */
async function sendConfirmed<T>(io: CliIo, yes: boolean, send: (confirm?: true) => Promise<T>): Promise<T> {
  try {
    return await send(yes || undefined);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 409 && io.isInteractive)) throw error;
    if (!(await ask(io, error.message))) fail('Cancelled. Nothing changed.', 'refused');
    return await send(true);
  }
}

export const reset = remoteCommand({
  flags: confirmFlags,
  examples: { $0: 'restore the state after the start', '$0 --sandbox checkout': 'reset one sandbox' },
  async run({ yes }, { control, url, io }) {
    return await replaceState({ control, url }, `Reset ${url} to its seed data.`, () =>
      sendConfirmed(io, yes, (confirm) => control.reset(confirm && { confirm })),
    );
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
          : (await import('#engine/fixtures/read.js')).readCollections(fixtures, { ...FILES, datasets });
    const done = `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${url}.`;
    return await replaceState({ control, url }, done, () => {
      const sent = sendConfirmed(io, yes, (confirm) => control.reseed(body, { query: { confirm } }));
      return generate === undefined ? sent : sent.catch((error: unknown) => rethrowAsOptions(error, ['generate']));
    });
  },
});
