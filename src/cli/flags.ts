import type { Options } from 'yargs';
import { show } from '../fixtures/problems.js';

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flag that sets an option: `--default-privacy` for `defaultPrivacy`. */
const flagFor = (option: string): string => `--${words(option)}`;

/** The environment variable that sets a flag: `VAL_EMULATOR_DEFAULT_PRIVACY`. */
const variableFor = (flag: string): string => `VAL_EMULATOR_${flag.replaceAll('-', '_').toUpperCase()}`;

/** Where an option was set, for messages: its flag, and its environment variable if there is one. */
export function placeOf(option: string): string {
  const variable = variableFor(words(option));
  return process.env[variable] ? `${flagFor(option)} (or ${variable})` : flagFor(option);
}

/** Reads a port. @throws Error that says what would be right */
export function readPort(text: string): number {
  // A number is left for the options to judge; any other text would reach them as NaN.
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new Error(`${placeOf('port')}: found ${show(text)}; expected a port from 0 to 65535.`);
}

/** The same flags, with what the environment says as their defaults. A variable that no flag has is nobody's business. */
export function withEnvironment<F extends Record<string, Options>>(flags: F, environment = process.env): F {
  const preset: Record<string, Options> = {};
  for (const [flag, options] of Object.entries(flags)) {
    const value = environment[variableFor(flag)];
    if (value !== undefined && value !== '') preset[flag] = { ...options, default: readAs(options.type, value) };
  }
  return { ...flags, ...preset };
}

const readAs = (type: Options['type'], value: string): string | boolean =>
  type === 'boolean' ? !/^(?:0|false|no|off)$/i.test(value) : value;
