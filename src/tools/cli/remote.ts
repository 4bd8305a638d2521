import { type ControlSettings, MissingOperationError, sendOperation } from '#engine/control/send.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import { type EmulatorUrl, parseEmulatorUrl } from '#engine/lib/target.js';
import { DURATION_EXAMPLES, parseDuration } from '#engine/lib/time.js';
import { type ControlClient, controlClient } from '../client/control-client.js';
import {
  type Arguments,
  type CliIo,
  type Command,
  type CommandSpec,
  defineCommand,
  type Flags,
  fail,
  failValue,
  flag,
  type Input,
  jsonFlag,
  type None,
  type Output,
  variableFor,
} from './command.js';
import { sendByHttp } from './transport.js';

export const remoteFlags = {
  url: { ...flag('URL of the emulator, or of a sandbox'), default: 'http://127.0.0.1:4010', coerce: parseUrl },
  sandbox: flag('Sandbox to act on (default: the default sandbox)'),
  'control-token': flag('Token that the emulator expects from other machines'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '60s', coerce: parseTimeout },
  json: jsonFlag('the response'),
} as const satisfies Flags;

/** The flags of a command that acts on the emulator with all its sandboxes. */
const { sandbox: _, ...sharedFlags } = remoteFlags;

/** A running emulator, as a command uses it. */
export interface Remote {
  readonly control: ControlClient;
  /** Sends a request of an operation that the service may have, after one of `control`. */
  send(operation: string, input: object): Promise<unknown>;
  /** URL of the emulator or of its sandbox, for messages. */
  readonly url: string;
  readonly io: CliIo;
}

interface RemoteSpec<A extends Arguments, F extends Flags>
  extends Pick<CommandSpec<A, None, F>, 'args' | 'flags' | 'examples' | 'epilogue'> {
  /** Whether the sandbox may be new. Default: an unknown name is an error, so that a typo does not create one. */
  readonly createsSandbox?: boolean;
  /** Whether the command acts on the emulator with all its sandboxes. Default: on the sandbox of `--sandbox`. */
  readonly allSandboxes?: boolean;
  /** Resolves to what is printed, undefined for what was printed already. */
  run(
    input: Input<A> & Input<F> & Pick<Input<typeof remoteFlags>, 'json'>,
    remote: Remote,
  ): Promise<Output | undefined>;
}

/** Defines a command that acts on a running emulator. */
export function remoteCommand<A extends Arguments = None, F extends Flags = None>({
  createsSandbox = false,
  allSandboxes = false,
  epilogue,
  run,
  ...spec
}: RemoteSpec<A, F>): Command {
  const variables: Flags = allSandboxes ? sharedFlags : remoteFlags;
  const names = `Environment variables: ${Object.keys(variables).map(variableFor).join(', ')}.`;
  return defineCommand({
    ...spec,
    variables,
    epilogue: epilogue === undefined ? names : `${epilogue}\n${names}`,
    async run(input: Input<A> & Input<F> & Input<typeof sharedFlags> & { readonly sandbox?: string | undefined }, io) {
      const { url, controlToken: token, timeout } = input;
      const sandbox = allSandboxes ? undefined : (input.sandbox ?? url.sandbox);
      if (sandbox !== undefined && encodeURIComponent(sandbox) !== sandbox) {
        failValue('sandbox', sandbox, '1–64 of A–Z a–z 0–9 . _ -');
      }
      const whole = connect(url.base, { token, timeout });
      const settings = { token, timeout, sandbox };
      const check = async () => {
        await checkServer(whole, url.base);
        if (sandbox !== undefined && !createsSandbox) await checkSandbox(whole, sandbox, url.base);
      };
      const control = afterCheck(connect(url.base, settings), check, (error) => explainMissing(error, whole, url.base));
      const send = (operation: string, body: object) =>
        sendOperation(url.base, operation, body, { ...settings, fetch: sendByHttp });
      const shown = url.base + (sandbox === undefined ? '' : `/_sandbox/${sandbox}`);
      return await run(input, { control, send, url: shown, io });
    },
  });
}

/** Creates the control client of a command. */
export const connect = (base: string, settings: ControlSettings): ControlClient =>
  controlClient(base, { ...settings, fetch: sendByHttp });

/**
 * Returns a client that checks the server before its first request, when the input is known to be right.
 * @param explain rejects with a closer error, if there is one
 */
function afterCheck(
  control: ControlClient,
  check: () => Promise<void>,
  explain: (error: unknown) => Promise<void>,
): ControlClient {
  let checked: Promise<void> | undefined;
  return new Proxy(control, {
    get(target, name) {
      const send = Reflect.get(target, name);
      return async (...args: unknown[]) => {
        checked ??= check();
        await checked;
        try {
          return await send(...args);
        } catch (error) {
          await explain(error);
          throw error;
        }
      };
    },
  });
}

/** Checks that an emulator responds: its other responses are trusted. */
export async function checkServer(control: ControlClient, url: string): Promise<{ readonly version: string }> {
  const { version } = Object(await control.getHealth());
  if (typeof version === 'string') return { version };
  return fail(`${url} is not a val-emulator, or runs an incompatible version.`, 'unreachable');
}

/** Rejects for an operation that the service of an emulator does not have, where it has others. */
async function explainMissing(error: unknown, control: ControlClient, url: string): Promise<void> {
  if (!(error instanceof MissingOperationError)) return;
  const collections = await control.listCollections().catch(() => undefined);
  if (!collections) return;
  const names = collections.map(({ name }) => name).join(', ');
  fail(`The service at ${url} does not have ${error.operation}. Its collections: ${names || 'none'}.`, 'refused');
}

async function checkSandbox(control: ControlClient, name: string, url: string): Promise<void> {
  const names = (await control.listSandboxes()).map((sandbox) => sandbox.name);
  if (names.includes(name)) return;
  const hint = ' The first request to a sandbox creates it, and so does val-emulator seed.';
  fail(`Unknown sandbox ${formatValue(name)} at ${url}.${didYouMean(name, names) || hint}`, 'refused');
}

export function parseUrl(text: string): EmulatorUrl {
  return parseEmulatorUrl(completeUrl(text)) ?? failValue('url', text, 'a URL such as "http://127.0.0.1:4010"');
}

/** Completes a host with a port, `localhost:4010`, to a URL. Other text stays unchanged. */
export const completeUrl = (text: string): string =>
  /^(?:[\w.-]+|\[[\da-f:]+\]):\d+(?:\/|$)/i.test(text) ? `http://${text}` : text;

/** @throws CliError for a text that is not a duration */
export function parseTimeout(text: string): number {
  const timeout = parseDuration(text);
  // The longest delay of a timer is a 32-bit integer.
  if (timeout !== undefined && timeout > 0) return Math.min(timeout, 2 ** 31 - 1);
  return failValue('timeout', text, `a duration such as ${DURATION_EXAMPLES}`);
}
