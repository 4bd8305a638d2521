import type { Options } from 'yargs';
import { readJson } from '#engine/fixtures/read-json.js';
import { formatInternalError } from '#engine/http/internal-error.js';
import { FixtureError, type Problem } from '#engine/lib/errors.js';
import { parseDuration } from '#engine/lib/time.js';
import type { OnError } from '#engine/options/callbacks.js';
import { ADVANCED, type OptionInfo } from '#engine/options/schema.js';
import { type GenerateOptions, parseGenerateOptions } from '#vals/generator/options.js';
import type { EmulatorOptions } from '#vals/service/options.js';
import { OPTIONS } from '#vals/service/options.js';
import {
  type CliIo,
  type Flags,
  fail,
  failValue,
  flag,
  flagOf,
  jsonFlag,
  parseNumber,
  parseTime,
  switchFlag,
  toCamelCase,
} from './command.js';
import { toRequestId } from './criteria.js';
import { fixturesArgument, parseDataset } from './dataset.js';
import { DEFAULT_PORT } from './ports.js';
import { logFlags } from './request-log.js';

/** Parsers of flags whose text is not the value of the option. */
const PARSERS: Readonly<Record<string, ((text: string) => unknown) | ((texts: readonly string[]) => unknown)>> = {
  generate: parseGenerate,
  projects: parseProjects,
  rateLimit: parseRateLimit,
  sandboxIdle: parseTime('sandbox-idle'),
  sessionAt: toRequestId,
};

/** Returns the value of an option that no flag gives. */
function getDefault(name: string, { type, default: ofOption, flag }: OptionInfo): unknown {
  const unset: unknown = flag?.default ?? ofOption;
  const parse = PARSERS[name] ?? (type === 'integer' ? parseNumber : undefined);
  return unset === undefined || !parse ? unset : Reflect.apply(parse, undefined, [String(unset)]);
}

/** Finds an option that has another value than without its flag. @param neutral options that are not looked at */
export const findChanged = (
  options: Readonly<Record<string, unknown>>,
  neutral: readonly string[],
): string | undefined =>
  OPTIONS.filter(([name, { flag }]) => flag && options[name] !== undefined && !neutral.includes(name)).find(
    ([name, info]) => String(options[name]) !== String(getDefault(name, info)),
  )?.[0];

/** Creates the flag of an option from its entry in the table. */
function toFlag(name: string, { type, enum: choices, default: unset, description = '', flag }: OptionInfo): Options {
  const describe = name === 'fixtures' ? fixturesArgument.describe : description;
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

/** The flag of a service of the user. */
const serviceFlag = flag('Run a module that exports a service, and emulate it instead of vals: todo.js');

export const emulatorFlags = makeFlags(OPTIONS.filter(([name, entry]) => !isOfData(name, entry)));

/** The flag by which `--reseed` does not ask. */
const yesFlag = { ...switchFlag('Do not ask before --reseed'), alias: 'y' } as const;

/** The flags of the command alone. An option of the emulator, with its flag, is an entry of `options/schema.ts`. */
export const startFlags = {
  ...emulatorFlags,
  ...makeFlags(OPTIONS.filter(([name, entry]) => isOfData(name, entry))),
  port: { ...emulatorFlags.port, defaultDescription: `${DEFAULT_PORT}, or the next free one` },
  yes: yesFlag,
  service: serviceFlag,
  watch: switchFlag('Reload saved fixtures, folders of projects and --service'),
  open: switchFlag('Open the dashboard in the browser'),
  json: jsonFlag('one line when ready'),
  ...logFlags('Format of the line per request (default: text, off with --json)'),
  quiet: { ...switchFlag('Do not log requests: --log off'), alias: 'q' },
  grace: { ...ADVANCED, ...flag('Time for active requests after a signal'), default: '5s', coerce: parseTime('grace') },
  drain: {
    ...ADVANCED,
    ...flag('Time after a signal in which it accepts requests, but is not ready'),
    default: '0',
    coerce: parseTime('drain'),
  },
  config: flag('Config file (default: the nearest), or --no-config'),
} as const satisfies Flags;

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

function parseGenerate(text: string): object {
  const dataset = parseDataset(text === '' ? [] : [text], '--generate', readPeople);
  const { problems } = parseGenerateOptions(dataset);
  if (problems.length > 0) fail(problems.map(({ path, message }) => `--generate ${path}: ${message}`).join('\n'));
  return dataset;
}

function parseProjects(texts: readonly string[]): Record<string, string> {
  const projects: Record<string, string> = {};
  for (const text of texts) {
    const [, project, folder] = /^([^/=@]+\/[^/=@]+)=(.+)$/s.exec(text) ?? [];
    if (project === undefined || folder === undefined) {
      return failValue('project', text, 'a project and its folder, such as ada/site=./site');
    }
    if (Object.hasOwn(projects, project)) fail(`--project ${project}: given twice; give it once.`);
    projects[project] = folder;
  }
  return projects;
}

/** Reads the people of a generated dataset: a JSON array of usernames or users. @throws FixtureError for the file */
export function readPeople(path: string): GenerateOptions['people'] {
  const { people, problems } = parseGenerateOptions({ people: readJson(path, path) });
  if (problems.length === 0) return people;
  const locate = (problem: Problem) => ({ ...problem, path: `${path} ${problem.path.replace(/^people/, '')}`.trim() });
  throw new FixtureError(problems.map(locate), 'people');
}
