import type { InferredOptionTypes, Options } from 'yargs';
import { parseDuration } from '../domain/duration.js';
import { AUTH_MODES } from '../domain/state.js';
import { PRIVACIES } from '../domain/vals.js';
import { type GenerateOptions, problemsOfSize, WorldOptions } from '../fixtures/generate-options.js';
import { show } from '../fixtures/problems.js';
import { shippedFixtures } from '../fixtures/read.js';
import type { EmulatorOptions } from '../options.js';
import { placeOf, readNumber, readWhole } from './flags.js';

/** What every command takes that starts an emulator. */
export const emulatorFlags = {
  port: {
    alias: 'p',
    type: 'string',
    default: '4010',
    requiresArg: true,
    coerce: readWhole('port', 'a port from 0 to 65535'),
    describe: 'Port to listen on; 0 takes any free one',
  },
  host: { type: 'string', default: '127.0.0.1', requiresArg: true, describe: 'Address to listen on; 0.0.0.0 for all' },
  fixtures: {
    alias: 'f',
    type: 'string',
    defaultDescription: 'default',
    requiresArg: true,
    describe: `Seed data: a folder, a JSON file, or one that ships (${shippedFixtures().join(', ')})`,
  },
  generate: {
    type: 'string',
    coerce: readGenerate,
    describe: 'Generated seed data instead, of these sizes: users=50,vals=500,runs=10000,days=30,seed=42',
  },
  auth: {
    choices: AUTH_MODES,
    requiresArg: true,
    default: 'strict',
    describe: 'An unknown token is a 401 (strict) or the first user (lenient)',
  },
  'default-privacy': {
    choices: PRIVACIES,
    requiresArg: true,
    default: 'private',
    describe: 'Privacy of a val that is created without one',
  },
  now: { type: 'string', requiresArg: true, describe: 'Freeze the clock at an RFC 3339 timestamp' },
  'rate-limit': {
    type: 'string',
    requiresArg: true,
    coerce: readRateLimit,
    describe: 'Requests that a token may send within a time: 100/1m (default: any number)',
  },
  control: {
    type: 'boolean',
    default: true,
    describe: "The emulator's own API under /_emulator; --no-control removes all of it but its health",
  },
  'allowed-host': {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Host name beside the loopback ones that may reach that API (may be repeated)',
  },
  'max-sandboxes': {
    type: 'string',
    default: '10000',
    requiresArg: true,
    coerce: readWhole('maxSandboxes', 'a number of sandboxes'),
    describe: 'How many sandboxes there may be beside the main one',
  },
  'spec-only': { type: 'boolean', default: false, describe: 'Answer only the routes of the specification' },
} as const satisfies Record<string, Options>;
export type EmulatorFlags = InferredOptionTypes<typeof emulatorFlags>;

/** The flags as options of the emulator. */
export const optionsFrom = (flags: EmulatorFlags): EmulatorOptions => ({
  port: flags.port,
  host: flags.host,
  fixtures: flags.fixtures,
  generate: flags.generate,
  auth: flags.auth,
  now: flags.now,
  control: flags.control,
  defaultPrivacy: flags['default-privacy'],
  rateLimit: flags['rate-limit'],
  allowedHosts: flags['allowed-host'],
  maxSandboxes: flags['max-sandboxes'],
  specOnly: flags['spec-only'],
});

function readRateLimit(text: string): { limit: number; window: string } {
  const [, limit, window = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && parseDuration(window) !== undefined) return { limit: Number(limit), window };
  throw new Error(`${placeOf('rateLimit')}: found ${show(text)}; expected requests and a time, such as 100/1m.`);
}

/** The sizes of a world from `users=50,seed=42`; all of them may be left out. */
export function readGenerate(text: string): GenerateOptions {
  const pairs = text === '' ? [] : text.split(',').map((pair) => /^(\w+)=(.+)$/.exec(pair.trim()));
  if (!pairs.every((pair) => pair !== null)) {
    throw new Error(`${placeOf('generate')}: found ${show(text)}; expected sizes such as users=50,seed=42.`);
  }
  const sizes = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, readNumber(value)]));
  const problems = problemsOfSize(sizes);
  if (problems.length === 0) return WorldOptions.parse(sizes);
  throw new Error(problems.map(({ place, message }) => `${placeOf('generate')} ${place}: ${message}`).join('\n'));
}
