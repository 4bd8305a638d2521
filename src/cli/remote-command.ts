import type { InferredOptionTypes } from 'yargs';
import { DURATION_EXAMPLES, parseDuration } from '../lib/duration.js';
import type { Arguments, Command, Flags } from './command.js';
import { type Address, ControlClient } from './control-client.js';
import { failValue } from './errors.js';
import { flag, withEnvironment } from './flags.js';
import { type CliIo, printLine } from './io.js';

/** The flags of every command that acts on a running emulator. */
export const remoteFlags = {
  url: { ...flag('URL of the emulator, or of a sandbox'), default: 'http://127.0.0.1:4010', coerce: parseUrl },
  sandbox: flag('Sandbox to act on (default: the default sandbox)'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '60s', coerce: parseTimeout },
  json: { type: 'boolean', default: false, describe: 'Print the response as one line of JSON' },
} as const satisfies Flags;

interface RemoteCommand<A extends Arguments, F extends Flags> extends Pick<Command, 'examples'> {
  readonly args?: A;
  readonly flags?: F;
  /** Resolves to the response as JSON and in words. */
  run(
    input: InferredOptionTypes<A> & InferredOptionTypes<F>,
    connect: (create?: boolean) => Promise<ControlClient>,
    io: CliIo,
  ): Promise<{ readonly text: string; readonly words: string }>;
}

/** Creates a command that acts on a running emulator and prints a result. */
export const remoteCommand = <A extends Arguments, F extends Flags>(command: RemoteCommand<A, F>): Command => ({
  args: command.args,
  flags: (env) => ({ ...withEnvironment(remoteFlags, env), ...command.flags }),
  examples: command.examples,
  epilogue: 'Environment variables: VAL_EMULATOR_URL, VAL_EMULATOR_SANDBOX, VAL_EMULATOR_TIMEOUT.',
  async run(input: InferredOptionTypes<A> & InferredOptionTypes<F> & InferredOptionTypes<typeof remoteFlags>, io) {
    const { url, sandbox = url.sandbox, timeout, json } = input;
    const connect = (create = false) => ControlClient.connect({ base: url.base, sandbox }, timeout, create);
    const { text, words } = await command.run(input, connect, io);
    printLine(io, json ? text || '{"ok":true}' : words);
  },
});

/** Parses the URL of an emulator or of a sandbox. */
function parseUrl(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return failValue('url', text, 'a URL such as "http://127.0.0.1:4010"');
  }
  const [, path = '', sandbox] = /^(.*?)(?:\/_sandbox\/([^/]+))?\/*$/.exec(url.pathname) ?? [];
  return { base: url.origin + path, sandbox };
}

/** The longest delay of a timer: a 32-bit integer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

function parseTimeout(text: string): number {
  const timeout = parseDuration(text);
  if (timeout !== undefined && timeout > 0) return Math.min(timeout, MAX_TIMEOUT_MS);
  return failValue('timeout', text, `a duration such as ${DURATION_EXAMPLES}`);
}
