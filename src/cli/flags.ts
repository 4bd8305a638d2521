import type { Options } from 'yargs';
import { formatValue } from '../lib/messages.js';
import { fail } from './errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Flags = Readonly<Record<string, Options>>;

/** A flag with a value. */
export const flag = <D extends string>(describe: D) => ({ type: 'string', requiresArg: true, describe }) as const;

/** A flag with a number. */
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
