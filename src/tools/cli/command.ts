import type { InferredOptionType, Options, PositionalOptions } from 'yargs';
import { parseJson } from '#engine/fixtures/parse-json.js';
import { reasonFor } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { toKebabCase } from '#engine/lib/text.js';
import { DURATION_EXAMPLES, parseDuration } from '#engine/lib/time.js';
import { fail } from './errors.js';

export { fail, InterruptedError } from './errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** A stream of text, with the length that is not read yet; on a terminal, with its width. */
export type OutputStream = NodeJS.WritableStream & {
  readonly writableLength: number;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Where a progress bar moves the cursor. Default: this stream */
  readonly unguarded?: OutputStream;
};
/** A terminal that keys are read from. */
interface KeyInput {
  /** Whether each key arrives at once, Ctrl-C included. */
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', listener: (keys: Buffer | string) => void): unknown;
  off(event: 'data', listener: (keys: Buffer | string) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}
export type SignalListener = (signal: NodeJS.Signals) => void;

/** What the program has from its process. */
export interface CliIo {
  readonly env: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether stdin is a terminal. */
  readonly isInteractive: boolean;
  /** Stdin, opened when it is read first. */
  readonly stdin: KeyInput;
  /** Reads stdin to its end. */
  readInput(): Promise<string>;
  /** Whether the process is the foreground job of its terminal. */
  isForeground(): boolean;
  /** Finds the processes that have started this one, as far as they live. */
  findParents(): readonly number[];
  /** Opens a URL in the browser of the user. Calls back if there is none. */
  open(url: string, onFailure: () => void): void;
  /** Where signals arrive: `process`, or an event emitter in tests. */
  readonly signals: Record<'on' | 'off', (signal: NodeJS.Signals, listener: SignalListener) => unknown>;
  /** Ends the process by a signal that was caught. */
  raise(signal: NodeJS.Signals): void;
  /** Sends a message to the process that has started this one with a channel. */
  send?(message: object): void;
  /** Ends the process at once, although its output has not been read. */
  exit(code: number): void;
}

export interface ConfigFile {
  /** Its path from the working directory. */
  readonly path: string;
  /** The values of flags, as text, as on the command line. */
  readonly values: ReadonlyMap<string, string | boolean | string[]>;
}

/** Options by flag. A switch with `takesValue` may have one behind `=`, which is its value in place of true. */
export type Flags = Readonly<Record<string, Options & { readonly takesValue?: boolean }>>;
export type Arguments = Readonly<Record<string, Flags[string] & PositionalOptions>>;
export type None = Readonly<Record<never, never>>;

type CamelCase<K> = K extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : K;
/** The values of flags as yargs parses them, and the words after `--`. */
export type Input<F extends Flags> = { readonly [K in keyof F as CamelCase<K>]: InferredOptionType<F[K]> } & {
  readonly '--'?: readonly string[];
};

export interface CommandSpec<A extends Arguments = Arguments, V extends Flags = Flags, F extends Flags = Flags> {
  readonly args?: A;
  /** Flags with an environment variable each. */
  readonly variables?: V;
  /** Flags without one. */
  readonly flags?: F;
  /** Command lines with their effects. */
  readonly examples: Readonly<Record<string, string>>;
  readonly epilogue?: string;
  /** The flags that the config file sets. Default: none. */
  readonly configurable?: Flags;
  /** Whether all words from the first argument on belong to a program to run. Default: false */
  readonly runsProgram?: boolean;
  /** Runs the command and resolves to what is printed, or to its exit code. Default: nothing, and 0 */
  run(input: Input<A> & Input<V> & Input<F>, io: CliIo): Promise<Output | number | undefined>;
}

export interface Command extends CommandSpec {}

/** What a command prints: the value with `--json`, the text without. */
export interface Output {
  /** Default: `{ ok: true }` */
  readonly value?: unknown;
  readonly text: string;
  /** The exit code. Default: 0 */
  readonly code?: number;
  /** Thrown after the text is printed. */
  readonly error?: Error | undefined;
}

/** Defines a command. The input of `run` is typed by its flags. */
export const defineCommand = <A extends Arguments = None, V extends Flags = None, F extends Flags = None>(
  spec: CommandSpec<A, V, F>,
): Command => spec;

export const failValue = (flag: string, found: string, expected: string): never =>
  fail(`--${flag}: found ${formatValue(found)}; expected ${expected}.`);

export const flag = <D extends string>(describe: D) => ({ type: 'string', requiresArg: true, describe }) as const;

/** A flag that is off by default. */
export const switchFlag = <D extends string>(describe: D) => ({ type: 'boolean', default: false, describe }) as const;

/** @param printed what the command prints with it */
export const jsonFlag = <D extends string>(printed: D) => switchFlag(`Print ${printed} and errors as JSON`);

export const numberFlag = <D extends string>(describe: D) => ({ ...flag(describe), coerce: parseNumber }) as const;

/** Parses a number; other text is returned unchanged for the schema to reject. */
export const parseNumber = (text: string): number | string => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

/** Creates a parser of a duration, which may be 0. */
export function parseTime(name: string) {
  return (text: string): number =>
    (text === '0' ? 0 : parseDuration(text)) ?? failValue(name, text, `a duration such as ${DURATION_EXAMPLES}, or 0`);
}

/** A flag whose value is JSON. */
export const jsonValueFlag = <D extends string>(name: string, describe: D) =>
  ({ ...flag(describe), coerce: (text: string) => parseJsonValue(name, text) }) as const;

/** A flag whose value is a JSON object. */
export const jsonObjectFlag = <D extends string>(name: string, describe: D) =>
  ({
    ...flag(describe),
    coerce(text: string): Record<string, unknown> {
      const value = parseJsonValue(name, text);
      return isObject(value) ? value : failValue(name, text, 'a JSON object such as {"name":"report"}');
    },
  }) as const;

function parseJsonValue(name: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const hint = /^\s*[[{"]/.test(text) ? '' : ' Put a string in double quotes.';
    return fail(`--${name}: ${reasonFor(error)}${hint}`);
  }
}

export const toCamelCase = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The flags of options with another name. A flag of a list takes one value each time. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  allowedHosts: 'allowed-host',
  headers: 'header',
  projects: 'project',
  sessionAt: 'at',
};

/** Returns the name of the flag of an option. */
export const flagOf = (option: string): string => OTHER_FLAGS[option] ?? toKebabCase(option);

/**
 * The flag of an option, for messages.
 * @param path an option, or a path within it: `defaultPrivacy`, `allowedHosts[0]`, `match.headers`, `projects.ada/site`
 */
export function flagLabel(path: string): string {
  // A flag with several values: the path says which.
  if (path.startsWith('match.')) return `--${path}`;
  if (path.startsWith('generate.')) return `--${path.replace('.', ' ')}`;
  if (path.startsWith('projects.')) return `--${path.replace('projects.', 'project ')}`;
  return `--${flagOf(path.replace(/[.[].*$/s, ''))}`;
}

const PREFIX = 'VAL_EMULATOR_';

/** The environment variable of a flag: `VAL_EMULATOR_DEFAULT_PRIVACY`. */
export const variableFor = (flag: string): string => `${PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`;

/**
 * Takes the defaults of flags from environment variables, or else from the config file. The `.env()` of yargs does not do:
 * it reads `process.env` alone, refuses variables without a flag (VAL_EMULATOR_TOKEN, which `exec` sets), and has neither
 * lists nor errors.
 */
export function withDefaults(flags: Flags, env: Environment, config?: ConfigFile): Flags {
  const entries = Object.entries(flags).map(([flag, options]) => {
    const text = env[variableFor(flag)] || (flag === 'url' ? deriveUrl(env) : undefined);
    const value = text ? parseVariable(flag, options, text) : config?.values.get(flag);
    return [flag, value === undefined ? options : { ...options, default: value }];
  });
  return Object.fromEntries(entries);
}

/** Makes the URL of the emulator that `start` runs with the same variables. */
function deriveUrl({ VAL_EMULATOR_PORT: port = '' }: Environment): string | undefined {
  return /^[1-9]\d*$/.test(port) ? `http://127.0.0.1:${port}` : undefined;
}

function parseVariable(flag: string, { type, array }: Options, value: string): string | boolean | string[] {
  if (array) return value.split(',').map((part) => part.trim());
  if (type !== 'boolean') return value;
  if (/^(?:1|true|yes|on)$/i.test(value)) return true;
  if (/^(?:0|false|no|off)$/i.test(value)) return false;
  return fail(`${variableFor(flag)}: found ${formatValue(value)}; expected true or false.`);
}

/** Variables that Kubernetes sets for a service with our name: `VAL_EMULATOR_SERVICE_HOST`, `VAL_EMULATOR_PORT_4010_TCP`. */
const SERVICE_LINK = /^VAL_EMULATOR_(?:SERVICE_|PORT_\d)/;

/** Compares without the prefix, which would make any two names similar. */
const suggestVariable = (name: string, known: readonly string[]): string =>
  didYouMean(
    name.slice(PREFIX.length),
    known.map((each) => each.slice(PREFIX.length)),
  ).replace('"', `"${PREFIX}`);

/** Finds variables with our prefix that nothing reads, and describes each in a sentence. */
export function describeUnknownVariables(env: Environment, known: readonly string[]): string[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  return unknown
    .filter((name) => !SERVICE_LINK.test(name))
    .map((name) => `Unknown environment variable ${name} is ignored.${suggestVariable(name, known)}`);
}
