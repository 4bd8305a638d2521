import type { Options } from 'yargs';
import { builtInFixtures } from '../fixtures/read.js';
import { parseGenerateOptions } from '../generator/options.js';
import { parseDuration } from '../lib/time.js';
import { OPTIONS, type OptionInfo } from '../options/schema.js';
import type { EmulatorOptions } from '../options.js';
import { formatInternalError, type OnError } from '../server/internal-error.js';
import { type CliIo, type Flags, fail, failValue, flagOf, parseNumber, parseTime, toCamelCase } from './command.js';
import { readPeople } from './people.js';

/** Parsers of flags whose text is not the value of the option. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  generate: parseGenerate,
  rateLimit: parseRateLimit,
  sandboxIdle: parseTime('sandbox-idle'),
};

/** Creates the flag of an option from its entry in the table. */
function toFlag(name: string, { type, enum: choices, default: unset, description = '', flag }: OptionInfo): Options {
  const describe = name === 'fixtures' ? `${description}: ${builtInFixtures().join(', ')}` : description;
  if (type === 'boolean') return { type, default: unset, describe, ...flag };
  const coerce = PARSERS[name] ?? (type === 'integer' ? parseNumber : undefined);
  const isList = type === 'array';
  return {
    type: 'string',
    requiresArg: true,
    describe,
    ...(choices && { choices }),
    ...(isList && { array: true }),
    ...(coerce && { coerce }),
    ...(unset !== undefined && !isList && { default: String(unset) }),
    ...flag,
  };
}

/** Whether an option is about a data folder, a shared store or a session. Only `start` has these: tests keep nothing. */
const isOfData = (name: string, { requires }: OptionInfo) =>
  requires !== undefined || ['data', 'store', 'session'].includes(name);

const makeFlags = (entries: typeof OPTIONS): Flags =>
  Object.fromEntries(
    entries.filter(([, { flag }]) => flag).map(([name, entry]) => [flagOf(name), toFlag(name, entry)]),
  );

export const emulatorFlags = makeFlags(OPTIONS.filter(([name, entry]) => !isOfData(name, entry)));
export const dataFlags = makeFlags(OPTIONS.filter(([name, entry]) => isOfData(name, entry)));

/** The argument that takes the place of `--fixtures`. */
export const fixturesArgument = { type: 'string', describe: emulatorFlags.fixtures?.describe } as const;

/** Selects the flags that are options of the emulator. Its errors and warnings go to stderr. */
export function toEmulatorOptions(input: Readonly<Record<string, unknown>>, { stderr }: CliIo) {
  const values = OPTIONS.filter(([, { flag }]) => flag).map(([name]) => [name, input[toCamelCase(flagOf(name))]]);
  const options: EmulatorOptions & { readonly fixtures?: string } = Object.fromEntries(values);
  const onWarning = (message: string): void => void stderr.write(`val-emulator: ${message}\n`);
  const onError: OnError = (error, request) => stderr.write(`${formatInternalError(error, request)}\n`);
  return { ...options, onWarning, onError, onDataError: ({ message }: Error) => onWarning(message) };
}

function parseRateLimit(text: string): { limit: number; window: string } {
  const [, limit, window = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && parseDuration(window) !== undefined) return { limit: Number(limit), window };
  return failValue('rate-limit', text, 'requests per time, such as 100/1m');
}

/** Parses sizes such as `users=50,seed=42`; each is optional. The people are read from a file. */
export function parseGenerate(text: string): object {
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
