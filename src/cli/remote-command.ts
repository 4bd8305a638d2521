import { DURATION_EXAMPLES, parseDuration } from '../lib/duration.js';
import { type Arguments, type Command, type CommandSpec, defineCommand, type Input, type None } from './command.js';
import { ControlClient } from './control-client.js';
import { failValue } from './errors.js';
import { type Flags, flag } from './flags.js';
import { type CliIo, printLine } from './io.js';

/** The flags of every command that acts on a running emulator. */
export const remoteFlags = {
  url: { ...flag('URL of the emulator, or of a sandbox'), default: 'http://127.0.0.1:4010', coerce: parseUrl },
  sandbox: flag('Sandbox to act on (default: the default sandbox)'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '60s', coerce: parseTimeout },
  json: { type: 'boolean', default: false, describe: 'Print the response as one line of JSON' },
} as const satisfies Flags;

interface RemoteSpec<A extends Arguments, F extends Flags>
  extends Pick<CommandSpec<A, None, F>, 'args' | 'flags' | 'examples'> {
  /** Whether the sandbox may be new. Default: an unknown one is an error. */
  readonly mayBeNew?: boolean;
  /** Resolves to the response, undefined for none, and its description in words. */
  run(input: Input<A> & Input<F>, client: ControlClient, io: CliIo): Promise<{ value?: unknown; words: string }>;
}

/** Defines a command that acts on a running emulator and prints a result. */
export const remoteCommand = <A extends Arguments = None, F extends Flags = None>(
  usage: string,
  describe: string,
  { mayBeNew, run, ...spec }: RemoteSpec<A, F>,
): Command =>
  defineCommand(usage, describe, {
    ...spec,
    variables: remoteFlags,
    epilogue: 'Environment variables: VAL_EMULATOR_URL, VAL_EMULATOR_SANDBOX, VAL_EMULATOR_TIMEOUT.',
    async run(input: Input<A> & Input<typeof remoteFlags> & Input<F>, io) {
      const { url, sandbox = url.sandbox, timeout, json } = input;
      const client = new ControlClient({ base: url.base, sandbox, mayBeNew, timeout });
      const { value, words } = await run(input, client, io);
      printLine(io, json ? JSON.stringify(value ?? { ok: true }) : words);
    },
  });

/** Parses the URL of an emulator or of a sandbox. */
function parseUrl(text: string): { readonly base: string; readonly sandbox: string | undefined } {
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
