import type { InferredOptionType, Options, PositionalOptions } from 'yargs';
import { formatValue } from '../lib/messages.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** A stream of text; on a terminal, with its width. */
type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
export type SignalListener = (signal: NodeJS.Signals) => void;

/** What the program has from its process. */
export interface CliIo {
  readonly env: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether stdin is a terminal. */
  readonly isInteractive: boolean;
  /** Where signals arrive: `process`, or an event emitter in tests. */
  readonly signals: Record<'on' | 'off', (signal: NodeJS.Signals, listener: SignalListener) => unknown>;
  /** Ends the process by a signal that was caught. */
  raise(signal: NodeJS.Signals): void;
}

export type Flags = Readonly<Record<string, Options>>;
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
  /** Runs the command and resolves to its exit code, by default 0. */
  run(input: Input<A> & Input<V> & Input<F>, io: CliIo): Promise<number | undefined>;
}

export interface Command extends CommandSpec {
  /** The name and the positional arguments as yargs writes them: `check <fixture..>`. */
  readonly usage: string;
  readonly describe: string;
}

/** Defines a command. The input of `run` is typed by its flags. */
export const defineCommand = <A extends Arguments = None, V extends Flags = None, F extends Flags = None>(
  usage: string,
  describe: string,
  spec: CommandSpec<A, V, F>,
): Command => ({ usage, describe, ...spec });

/** A command that a signal ended early. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.signal = signal;
  }
}

export function fail(message: string): never {
  throw new Error(message);
}

export const failValue = (flag: string, found: string, expected: string): never =>
  fail(`--${flag}: found ${formatValue(found)}; expected ${expected}.`);

export const reasonFor = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const flag = <D extends string>(describe: D) => ({ type: 'string', requiresArg: true, describe }) as const;

export const numberFlag = <D extends string>(describe: D) => ({ ...flag(describe), coerce: parseNumber }) as const;

/** Parses a number; other text is returned unchanged for the schema to reject. */
export const parseNumber = (text: string): number | string => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flags of options that are lists: one value each time. */
const LIST_FLAGS: Readonly<Record<string, string>> = { allowedHosts: 'allowed-host', headers: 'header' };

/**
 * The flag of an option, for messages.
 * @param path an option, or a path within it: `defaultPrivacy`, `allowedHosts[0]`
 */
export function flagLabel(path: string): string {
  const [option = ''] = path.split(/[.[]/);
  return `--${LIST_FLAGS[option] ?? toKebabCase(option)}`;
}

/** The environment variable of a flag: `VAL_EMULATOR_DEFAULT_PRIVACY`. */
export const variableFor = (flag: string): string => `VAL_EMULATOR_${flag.replaceAll('-', '_').toUpperCase()}`;

/**
 * Takes the defaults of flags from environment variables. The `.env()` of yargs does not do: it reads `process.env`
 * alone, refuses variables without a flag (VAL_EMULATOR_TOKEN, which `exec` sets), and has neither lists nor errors.
 */
export function withEnvironment(flags: Flags, env: Environment): Flags {
  const entries = Object.entries(flags).map(([flag, options]) => {
    const value = env[variableFor(flag)];
    return [flag, value ? { ...options, default: parseVariable(flag, options, value) } : options];
  });
  return Object.fromEntries(entries);
}

function parseVariable(flag: string, { type, array }: Options, value: string): string | boolean | string[] {
  if (array) return value.split(',').map((part) => part.trim());
  if (type !== 'boolean') return value;
  if (/^(?:1|true|yes|on)$/i.test(value)) return true;
  if (/^(?:0|false|no|off)$/i.test(value)) return false;
  return fail(`${variableFor(flag)}: found ${formatValue(value)}; expected true or false.`);
}

/**
 * Keeps the last value of a repeated flag, unless it is a list. The `duplicate-arguments-array` of yargs would keep all
 * values of every flag, or the last one of lists as well.
 */
export function keepLastValues(input: Record<string, unknown>, flags: Flags): void {
  for (const [name, value] of Object.entries(input)) {
    const isList = name === '_' || name === '--' || flags[toKebabCase(name)]?.array;
    if (Array.isArray(value) && !isList) input[name] = value.at(-1);
  }
}
