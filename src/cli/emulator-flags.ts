import type { InferredOptionTypes, Options } from 'yargs';
import { builtInFixtures } from '../fixtures/read.js';
import { type GenerateOptions, validateGenerateOptions } from '../generator/options.js';
import { parseDuration } from '../lib/duration.js';
import { PRIVACIES } from '../model/schema.js';
import { AUTH_MODES } from '../model/state.js';
import type { EmulatorOptions } from '../options.js';
import { fail, failValue } from './errors.js';
import { flag, parseInteger, parseNumber } from './flags.js';

/** The flags of every command that starts an emulator. */
export const emulatorFlags = {
  port: {
    ...flag('Port to listen on (0: any free port)'),
    alias: 'p',
    default: '4010',
    coerce: parseInteger('port', 'a port from 0 to 65535'),
  },
  host: { ...flag('Address to listen on (0.0.0.0: all addresses)'), default: '127.0.0.1' },
  fixtures: {
    ...flag(`Folder, JSON file or built-in (${builtInFixtures().join(', ')})`),
    alias: 'f',
    defaultDescription: 'default',
  },
  generate: {
    type: 'string',
    coerce: parseGenerate,
    describe: 'Generated seed data: users=50,vals=500,runs=10000,days=30,seed=42',
  },
  auth: {
    ...flag('Unknown token: 401 (strict) or the first user (lenient)'),
    choices: AUTH_MODES,
    default: 'strict',
  },
  'default-privacy': {
    ...flag('Privacy of a val that is created without one'),
    choices: PRIVACIES,
    default: 'private',
  },
  now: flag('Freeze the clock at an RFC 3339 timestamp'),
  'rate-limit': {
    ...flag('Requests per token and time window: 100/1m (default: no limit)'),
    coerce: parseRateLimit,
  },
  control: {
    type: 'boolean',
    default: true,
    describe: 'Serve the control API; --no-control leaves /_emulator/health only',
  },
  'allowed-host': { ...flag('Additional host name allowed to use the control API (repeatable)'), array: true },
  'max-sandboxes': {
    ...flag('Maximum number of sandboxes, without the default one'),
    default: '10000',
    coerce: parseInteger('max-sandboxes', 'a number of sandboxes'),
  },
  'spec-only': { type: 'boolean', default: false, describe: 'Serve only the routes of the specification' },
} as const satisfies Record<string, Options>;
export type EmulatorFlags = InferredOptionTypes<typeof emulatorFlags>;

/** Converts flags to options of the emulator. */
export function toEmulatorOptions(flags: EmulatorFlags): EmulatorOptions {
  const { port, host, fixtures, generate, auth, now, control } = flags;
  return {
    ...{ port, host, fixtures, generate, auth, now, control },
    defaultPrivacy: flags['default-privacy'],
    rateLimit: flags['rate-limit'],
    allowedHosts: flags['allowed-host'],
    maxSandboxes: flags['max-sandboxes'],
    specOnly: flags['spec-only'],
  };
}

function parseRateLimit(text: string): { limit: number; window: string } {
  const [, limit, window = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && parseDuration(window) !== undefined) return { limit: Number(limit), window };
  return failValue('rate-limit', text, 'requests per time, such as 100/1m');
}

/** Parses sizes such as `users=50,seed=42`; each is optional. */
function parseGenerate(text: string): GenerateOptions {
  const sizes: Record<string, number | string> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const [, name, size] = /^(\w+)=(.+)$/.exec(pair.trim()) ?? [];
    if (name === undefined || size === undefined) return failValue('generate', text, 'sizes such as users=50,seed=42');
    sizes[name] = parseNumber(size);
  }
  const problems = validateGenerateOptions(sizes);
  if (problems.length > 0) fail(problems.map(({ path, message }) => `--generate ${path}: ${message}`).join('\n'));
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, Number(size)]));
}
