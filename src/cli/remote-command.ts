import { Type } from 'typebox';
import { NDJSON, parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { describeNetworkError } from '../lib/network-errors.js';
import { type EmulatorUrl, isDotSegment, parseEmulatorUrl } from '../lib/target.js';
import { compile } from '../lib/validator.js';
import type { Arguments, CliIo, Command, CommandSpec, Flags, Input, None } from './command.js';
import { defineCommand, fail, failValue, flag, jsonFlag, variableFor } from './command.js';
import { RefusedError } from './errors.js';
import { printLine } from './io.js';
import { parseTimeout } from './service-command.js';

const isSandboxes = compile('cli sandboxes', Type.Array(Type.Object({ name: Type.String() })), 'response');
const ErrorBody = Type.Object({
  message: Type.String(),
  statusCode: Type.Number(),
  problems: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
});
const isApiError = compile('cli error', ErrorBody, 'response');
/** Checks a response without a body. */
export const isEmpty = (value: unknown): value is undefined => value === undefined;

/** An emulator by its URL without a slash at the end, and the sandbox to act on. */
interface Target {
  readonly base: string;
  /** Default: the default sandbox. */
  readonly sandbox?: string | undefined;
  /** Whether the sandbox may be new. Default: an unknown name is an error, so that a typo does not create one. */
  readonly mayBeNew?: boolean | undefined;
  /** Needed from another machine, unless its network is allowed. */
  readonly controlToken?: string | undefined;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
}

export class ControlClient {
  readonly url: string;
  readonly #target: Target;
  #isKnown = false;

  constructor(target: Target) {
    this.#target = target;
    this.url = target.sandbox === undefined ? target.base : `${target.base}/_sandbox/${target.sandbox}`;
  }

  /**
   * Sends a request to a path below `/_emulator`. Resolves to the parsed response, undefined for none.
   * @throws Error with the message of the emulator, or the reason why there is none
   */
  async request<T>(
    method: string,
    path: string,
    isExpected: (value: unknown) => value is T,
    body?: unknown,
  ): Promise<T> {
    const { status, text } = await this.#send(method, path, body);
    const value = parseJsonIfValid(text);
    if (status >= 400) this.#refuse(`${method} /_emulator${path}`, status, value);
    if (isExpected(value)) return value;
    return this.#failIncompatible();
  }

  /** Gets a text that is not JSON, as {@link request} does. */
  async getText(path: string): Promise<string> {
    const { status, text, type } = await this.#send('GET', path);
    if (status >= 400) this.#refuse(`GET /_emulator${path}`, status, parseJsonIfValid(text));
    return type?.startsWith(NDJSON) ? text : this.#failIncompatible();
  }

  #failIncompatible(): never {
    return fail(`${this.url} is not a val-emulator, or runs an incompatible version.`, 'unreachable');
  }

  async #send(method: string, path: string, body?: unknown) {
    const { base, sandbox, mayBeNew, controlToken, timeout } = this.#target;
    if (sandbox !== undefined && !mayBeNew && !this.#isKnown) {
      await new ControlClient({ base, controlToken, timeout }).#expectSandbox(sandbox);
      this.#isKnown = true;
    }
    const headers = new Headers(sandbox === undefined ? {} : { 'x-emulator-sandbox': sandbox });
    if (controlToken !== undefined) headers.set('x-emulator-control-token', controlToken);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const content = body === undefined ? null : JSON.stringify(body);
    const init = { method, headers, body: content, signal: AbortSignal.timeout(timeout) };
    return await fetch(`${base}/_emulator${path}`, init)
      .then(async (response) => ({
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      }))
      .catch((error: unknown) => fail(describeFailure(error, base, timeout), 'unreachable'));
  }

  async #expectSandbox(name: string): Promise<void> {
    const names = (await this.request('GET', '/sandboxes', isSandboxes)).map((sandbox) => sandbox.name);
    if (names.includes(name)) return;
    const hint = ' The first request to a sandbox creates it, and so does val-emulator seed.';
    fail(`Unknown sandbox ${formatValue(name)} at ${this.url}.${didYouMean(name, names) || hint}`, 'refused');
  }

  #refuse(route: string, status: number, body: unknown): never {
    if (!isApiError(body)) fail(`${this.url} is not a val-emulator: ${route} responded ${status}.`, 'unreachable');
    if (status !== 404 || !/^Route .* not found$/.test(body.message))
      throw new RefusedError(status, body.message, body.problems);
    const advice = 'Start the emulator without --no-control, or correct --url.';
    return fail(`No control API at ${this.url}. ${advice}`, 'refused');
  }
}

/** Describes why `fetch` failed: the cause of its error says it. */
function describeFailure(error: unknown, base: string, timeout: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `No response from ${base} within ${timeout} ms. Check --url, or set a longer --timeout.`;
  }
  return `No emulator at ${base}: ${describeNetworkError(error)}. Start one (val-emulator start) or set --url.`;
}

/** @throws Error for the two names that a URL resolves away */
export function encodePathSegment(name: string): string {
  if (isDotSegment(name)) fail(`Invalid name ${formatValue(name)}: a URL cannot contain it.`);
  return encodeURIComponent(name);
}

export const remoteFlags = {
  url: {
    ...flag('URL of the emulator, or of a sandbox'),
    default: 'http://127.0.0.1:4010',
    coerce: parseUrl,
  },
  sandbox: flag('Sandbox to act on (default: the default sandbox)'),
  'control-token': flag('Token that the emulator expects from other machines'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '60s', coerce: parseTimeout },
  json: jsonFlag('the response'),
} as const satisfies Flags;

/** The flags of a command that acts on the emulator with all its sandboxes. */
const { sandbox: _, ...sharedFlags } = remoteFlags;

type RemoteInput<A extends Arguments, F extends Flags> = Input<A> & Input<F> & Pick<Input<typeof remoteFlags>, 'json'>;

interface RemoteResult {
  /** The response, undefined for none. */
  readonly value?: unknown;
  /** Its description. */
  readonly words: string;
}

interface RemoteSpec<A extends Arguments, F extends Flags>
  extends Pick<CommandSpec<A, None, F>, 'args' | 'flags' | 'examples' | 'epilogue'> {
  readonly mayBeNew?: boolean;
  /** Whether the command acts on the emulator with all its sandboxes. Default: on the sandbox of `--sandbox`. */
  readonly actsOnAll?: boolean;
  /** Resolves to the result, undefined for one that was printed already. */
  run(input: RemoteInput<A, F>, client: ControlClient, io: CliIo): Promise<RemoteResult | undefined>;
}

/** Defines a command that acts on a running emulator and prints a result. */
export const remoteCommand = <A extends Arguments = None, F extends Flags = None>(
  usage: string,
  describe: string,
  { mayBeNew, actsOnAll, epilogue, run, ...spec }: RemoteSpec<A, F>,
): Command =>
  defineCommand(usage, describe, {
    ...spec,
    variables: actsOnAll ? sharedFlags : remoteFlags,
    epilogue: `${epilogue === undefined ? '' : `${epilogue}\n`}Environment variables: ${Object.keys(
      actsOnAll ? sharedFlags : remoteFlags,
    )
      .map(variableFor)
      .join(', ')}.`,
    async run(input: RemoteInput<A, F> & Input<typeof sharedFlags> & { readonly sandbox?: string | undefined }, io) {
      const { url, sandbox = url.sandbox, controlToken, timeout, json } = input;
      const target = { base: url.base, sandbox: actsOnAll ? undefined : sandbox, mayBeNew, controlToken, timeout };
      const result = await run(input, new ControlClient(target), io);
      if (result) printLine(io, json ? JSON.stringify(result.value ?? { ok: true }) : result.words);
    },
  });

function parseUrl(text: string): EmulatorUrl {
  return parseEmulatorUrl(text) ?? failValue('url', text, 'a URL such as "http://127.0.0.1:4010"');
}
