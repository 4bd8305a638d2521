import type { InferredOptionTypes, Options } from 'yargs';
import * as z from 'zod';
import { show, suggest } from '../fixtures/problems.js';
import { placeOf, withEnvironment } from './flags.js';
import { printLine } from './print.js';

const flags = {
  url: {
    type: 'string',
    default: 'http://127.0.0.1:4010',
    requiresArg: true,
    coerce: readUrl,
    describe: 'Where the emulator is reached',
  },
  sandbox: { type: 'string', requiresArg: true, describe: 'Act on this sandbox, not on the main one' },
  json: { type: 'boolean', default: false, describe: 'Print the answer as one line of JSON' },
} as const satisfies Record<string, Options>;

/** What every command takes that acts on a running emulator. */
export const remoteFlags = withEnvironment(flags);
export type RemoteFlags = InferredOptionTypes<typeof flags>;

/** The last line of their help. */
export const REMOTE_EPILOGUE = 'VAL_EMULATOR_URL and VAL_EMULATOR_SANDBOX can say what --url and --sandbox do.';

export interface Address {
  /** Without a slash at the end. */
  readonly base: string;
  /** Undefined for the main one. */
  readonly sandbox: string | undefined;
}

/** The URL of an emulator, or of a sandbox as `sandbox.url` tells it. @throws Error that says what would be right */
function readUrl(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error(`${placeOf('url')}: found ${show(text)}; expected a URL such as "http://127.0.0.1:4010".`);
  }
  const [, path = '', sandbox] = /^(.*?)(?:\/_sandbox\/([^/]+))?\/*$/.exec(url.pathname) ?? [];
  return { base: url.origin + path, sandbox };
}

/** An answer of the emulator, and the JSON as it came. */
export interface Answer<T> {
  readonly value: T;
  readonly text: string;
}

const Sandboxes = z.array(z.looseObject({ name: z.string() }));
const Problem = z.looseObject({ message: z.string(), statusCode: z.int() });
/** Of an answer without a body. */
export const Nothing = z.undefined();

/** A running emulator, or one sandbox of it. */
export class Remote {
  /** As a person would write it. */
  readonly url: string;
  readonly #address: Address;

  private constructor(address: Address) {
    const { base, sandbox } = address;
    this.#address = address;
    this.url = sandbox === undefined ? base : `${base}/_sandbox/${sandbox}`;
  }

  /**
   * A sandbox that nobody has made is refused, lest a slip of the pen makes one.
   * @param make whether to make it
   * @throws Error when there is no such sandbox, or no emulator
   */
  static async reach({ url, sandbox = url.sandbox }: RemoteFlags, make = false): Promise<Remote> {
    const main = new Remote({ base: url.base, sandbox: undefined });
    if (sandbox === undefined) return main;
    if (make) await main.request('POST', '/sandboxes', z.unknown(), { name: sandbox });
    else await main.#expectSandbox(sandbox);
    return new Remote({ base: url.base, sandbox });
  }

  async #expectSandbox(name: string): Promise<void> {
    const { value } = await this.request('GET', '/sandboxes', Sandboxes);
    const names = value.map((sandbox) => sandbox.name);
    if (names.includes(name)) return;
    const hint = suggest(name, names) || ' The first request to a sandbox makes it, and so does val-emulator seed.';
    throw new Error(`There is no sandbox ${show(name)} at ${this.url}.${hint}`);
  }

  /**
   * @param path below `/_emulator`
   * @throws Error with what the emulator complains of, or that there is none
   */
  async request<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown): Promise<Answer<T>> {
    const { status, text } = await this.#send(method, path, body);
    const json = parse(text);
    if (status >= 400) throw new Error(this.#complaint(method, path, status, json));
    const result = schema.safeParse(json);
    if (!result.success) throw new Error(`What answers at ${this.url} is no val-emulator, or another version of it.`);
    return { value: result.data, text };
  }

  async #send(method: string, path: string, body: unknown): Promise<{ status: number; text: string }> {
    const { base, sandbox } = this.#address;
    try {
      const response = await fetch(`${base}/_emulator${path}`, {
        method,
        headers: {
          ...(sandbox === undefined ? {} : { 'x-emulator-sandbox': sandbox }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new Error(
        `Could not reach an emulator at ${base}: ${reasonOf(error)}. Start one (val-emulator start), or say where it is (--url).`,
      );
    }
  }

  #complaint(method: string, path: string, status: number, json: unknown): string {
    const { data } = Problem.safeParse(json);
    if (!data) return `What answers at ${this.url} is no val-emulator: ${method} /_emulator${path} was a ${status}.`;
    const isUnknownRoute = status === 404 && /^Route .* not found$/.test(data.message);
    if (!isUnknownRoute) return data.message;
    return `There is no control plane at ${this.url}: the emulator runs with --no-control, or is reached by another path.`;
  }
}

/** Undefined for what is no JSON, as for nothing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

function reasonOf(error: unknown): string {
  // What fetch throws says no more than that it failed.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return REASONS[code] ?? (cause instanceof Error ? cause.message || code : String(cause));
}

/** A name as a segment of a path. @throws Error for the two that a URL takes for steps between folders */
export function segment(name: string): string {
  if (name === '.' || name === '..') throw new Error(`${show(name)} is no name that a URL can hold.`);
  return encodeURIComponent(name);
}

/** Prints an answer: as JSON if that was asked for, else in words. */
export function report({ json }: RemoteFlags, { text }: Pick<Answer<unknown>, 'text'>, inWords: () => void): void {
  if (json) printLine(text === '' ? '{"ok":true}' : text);
  else inWords();
}
