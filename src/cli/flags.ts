import type { Options } from 'yargs';
import { show } from '../fixtures/problems.js';

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Flags and arguments that are repeated, by the options whose lists they make. */
const REPEATED: Readonly<Record<string, string>> = {
  allowedHosts: 'allowed-host',
  headers: 'header',
  env: 'env',
  fixture: 'fixture',
};

/** The environment variable that sets a flag: `VAL_EMULATOR_DEFAULT_PRIVACY`. */
export const variableFor = (flag: string): string => `VAL_EMULATOR_${flag.replaceAll('-', '_').toUpperCase()}`;

/**
 * Where an option was set, for messages: its flag, and its environment variable if there is one.
 * @param place an option, or a place within: `defaultPrivacy`, `allowedHosts[0]`
 */
export function placeOf(place: string): string {
  const [option = ''] = place.split(/[.[]/);
  const flag = REPEATED[option] ?? words(option);
  const variable = variableFor(flag);
  return process.env[variable] ? `--${flag} (or ${variable})` : `--${flag}`;
}

/**
 * Reads whole numbers. What they throw for anything else says what would be right.
 * @param least by default any number is left for the options to judge
 */
export const readWhole =
  (option: string, expected: string, least = Number.NEGATIVE_INFINITY) =>
  (text: string): number => {
    if (/^-?\d+$/.test(text) && Number(text) >= least) return Number(text);
    throw new Error(`${placeOf(option)}: found ${show(text)}; expected ${expected}.`);
  };

/** A number where the text is one; anything else is left for its schema to judge. */
export const readNumber = (text: string): number | string => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

/** The same flags, with what the environment says as their defaults. A variable that no flag has is nobody's business. */
export function withEnvironment<F extends Record<string, Options>>(flags: F, environment = process.env): F {
  const preset: Record<string, Options> = {};
  for (const [flag, options] of Object.entries(flags)) {
    const value = environment[variableFor(flag)];
    if (value !== undefined && value !== '') preset[flag] = { ...options, default: readAs(flag, options, value) };
  }
  return { ...flags, ...preset };
}

function readAs(flag: string, { type, array }: Options, value: string): string | boolean | string[] {
  if (array) return value.split(',').map((part) => part.trim());
  if (type !== 'boolean') return value;
  if (/^(?:1|true|yes|on)$/i.test(value)) return true;
  if (/^(?:0|false|no|off)$/i.test(value)) return false;
  throw new Error(`${variableFor(flag)}: found ${show(value)}; expected true or false.`);
}

/**
 * Of a flag that is given twice the last counts, unless it makes a list. yargs by itself would make a list of any, or
 * of none.
 */
export function keepLast(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args)) {
    if (name === '_' || name === '--' || !Array.isArray(value) || Object.values(REPEATED).includes(words(name)))
      continue;
    args[name] = value.at(-1);
  }
}
