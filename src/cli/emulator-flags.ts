import { builtInFixtures } from '../fixtures/read.js';
import { parseGenerateOptions } from '../generator/options.js';
import { DURATION_EXAMPLES, parseDuration } from '../lib/time.js';
import { PRIVACIES } from '../model/schema.js';
import { AUTH_MODES } from '../model/state.js';
import { OptionsSchema } from '../options.js';
import { formatInternalError, type OnError } from '../server/internal-error.js';
import {
  ADVANCED,
  type CliIo,
  type Flags,
  fail,
  failValue,
  flag,
  type Input,
  numberFlag,
  parseNumber,
} from './command.js';
import { readPeople } from './people.js';

const FIXTURES = `Folder, file or dataset: ${builtInFixtures().join(', ')}`;
const GENERATE = 'Generated seed data: users=50,vals=500,runs=10000,days=30,seed=42';
const PRIVACY = 'Privacy of a val that is created without one';
const JOURNAL = 'Record requests; --no-journal makes them cheaper';
const CONTROL = 'Serve the control API; --no-control leaves only health and ready of /_emulator';

export const emulatorFlags = {
  port: { ...numberFlag('Port to listen on (0: any free port)'), alias: 'p' },
  host: { ...flag('Address to listen on (0.0.0.0: all addresses)'), default: '127.0.0.1' },
  fixtures: { ...flag(FIXTURES), alias: 'f', defaultDescription: 'default' },
  generate: { type: 'string', coerce: parseGenerate, describe: GENERATE },
  auth: { ...flag('Unknown token: 401 (strict) or the first user (lenient)'), choices: AUTH_MODES, default: 'strict' },
  'default-privacy': { ...flag(PRIVACY), choices: PRIVACIES, default: 'private' },
  now: flag('Freeze the clock at an RFC 3339 timestamp'),
  'rate-limit': { ...flag('Requests per token and time window: 100/1m (default: no limit)'), coerce: parseRateLimit },
  journal: { ...ADVANCED, type: 'boolean', default: true, describe: JOURNAL },
  control: { ...ADVANCED, type: 'boolean', default: true, describe: CONTROL },
  'allowed-host': {
    ...ADVANCED,
    ...flag('Host name allowed to use the control API, or .suffix (repeatable)'),
    array: true,
  },
  'control-from': {
    ...ADVANCED,
    ...flag('Network allowed to use the control API: 10.0.0.0/8, subnet (repeatable)'),
    array: true,
  },
  'control-token': { ...ADVANCED, ...flag('Secret that allows any machine to use the control API') },
  'max-sandboxes': {
    ...ADVANCED,
    ...numberFlag('Maximum number of sandboxes, without the default one'),
    default: '10000',
  },
  'sandbox-idle': {
    ...ADVANCED,
    ...flag('Close sandboxes after this time without use (0: never)'),
    coerce: parseIdle,
    default: '1h',
  },
  'spec-only': { ...ADVANCED, type: 'boolean', default: false, describe: 'Serve only the routes of the specification' },
} as const satisfies Flags;

/** Selects the flags that are options of the emulator, which checks their values. Its internal errors go to stderr. */
export function toEmulatorOptions(input: Input<typeof emulatorFlags>, { stderr }: CliIo): object {
  const options = Object.entries({ ...input, allowedHosts: input.allowedHost });
  const onDataError = (error: Error) => stderr.write(`val-emulator: ${error.message}\n`);
  const onWarning = (message: string) => stderr.write(`val-emulator: ${message}\n`);
  const onError: OnError = (error, request) => stderr.write(`${formatInternalError(error, request)}\n`);
  const known = options.filter(([name]) => name in OptionsSchema.properties);
  return { ...Object.fromEntries(known), onError, onDataError, onWarning };
}

function parseRateLimit(text: string): { limit: number; window: string } {
  const [, limit, window = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && parseDuration(window) !== undefined) return { limit: Number(limit), window };
  return failValue('rate-limit', text, 'requests per time, such as 100/1m');
}

function parseIdle(text: string): string | number {
  if (text === '0') return 0;
  if (parseDuration(text) !== undefined) return text;
  return failValue('sandbox-idle', text, `0, or a duration such as ${DURATION_EXAMPLES}`);
}

/** Parses sizes such as `users=50,seed=42`; each is optional. The people are read from a file. */
function parseGenerate(text: string): object {
  const sizes: Record<string, unknown> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const [, name, size] = /^(\w+)=(.+)$/.exec(pair.trim()) ?? [];
    if (name === undefined || size === undefined) return failValue('generate', text, 'sizes such as users=50,seed=42');
    sizes[name] = name === 'people' ? readPeople(size) : name === 'company' ? size : parseNumber(size);
  }
  const { problems } = parseGenerateOptions(sizes);
  if (problems.length > 0) fail(problems.map(({ path, message }) => `--generate ${path}: ${message}`).join('\n'));
  return sizes;
}
