import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { InferredOptionTypes, Options } from 'yargs';
import { createEmulator } from '../emulator.js';
import { show, suggest } from '../fixtures/problems.js';
import type { Command } from './command.js';
import { emulatorFlags, optionsFrom } from './emulator.js';
import { exit } from './exit.js';
import { withEnvironment } from './flags.js';

const flags = {
  ...emulatorFlags,
  port: { ...emulatorFlags.port, default: '0' },
  env: {
    type: 'string',
    array: true,
    default: [],
    requiresArg: true,
    describe: 'A further variable, with {url} and {token} filled in: API_BASE={url} (may be repeated)',
  },
} as const satisfies Record<string, Options>;

type Flags = InferredOptionTypes<typeof flags> & { readonly '--'?: readonly string[] };

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('command', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'The command and its arguments',
      })
      .options(withEnvironment(flags))
      .example('$0 exec -- npm test', 'the tests find VAL_EMULATOR_URL and VAL_EMULATOR_TOKEN in their environment')
      .example("$0 exec --env 'API_BASE={url}' -- pytest", 'and API_BASE as well')
      .epilogue('The exit code is that of the command.'),
  handler: exec,
};

/** Signals that are passed on. A Ctrl-C at a terminal reaches the command by itself. */
const SIGNALS = ['SIGTERM', 'SIGHUP', ...(process.stdin.isTTY ? [] : (['SIGINT'] as const))] as const;

async function exec({ '--': words = [], env, ...rest }: Flags): Promise<void> {
  const [program, ...args] = words;
  if (program === undefined) exit('What is to be run? Put it behind --, as in: val-emulator exec -- npm test');
  const emulator = await createEmulator(optionsFrom(rest)).catch(exit);
  const { url, users } = emulator;
  const token = users[0]?.token ?? '';
  const values = new Map(Object.entries({ url, token }));
  const variables = { VAL_EMULATOR_URL: url, VAL_EMULATOR_TOKEN: token, ...readVariables(env, values) };
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
    shell: process.platform === 'win32',
  });
  if (process.stdin.isTTY) process.on('SIGINT', () => {});
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => exit(`Could not run ${show(program)}: ${error.message}`));
    child.once('exit', (status, signal) => resolve(status ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  await emulator.close();
  process.exit(code);
}

function readVariables(pairs: readonly string[], values: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', template = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === '') exit(`--env: found ${show(pair)}; expected a name and a value, such as API_BASE={url}.`);
      return [name, template.replaceAll(/\{(\w+)\}/g, (found, key) => values.get(key) ?? refusePlaceholder(found))];
    }),
  );
}

const refusePlaceholder = (found: string): never =>
  exit(`--env: found ${found}; expected {url} or {token}.${suggest(found, ['{url}', '{token}'])}`);
