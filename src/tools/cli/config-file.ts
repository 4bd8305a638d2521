import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type TSchema, Type } from 'typebox';
import type { Options } from 'yargs';
import { readJson } from '#engine/fixtures/read-json.js';
import { FixtureError, type Problem } from '#engine/lib/errors.js';
import { isObject } from '#engine/lib/objects.js';
import { toKebabCase } from '#engine/lib/text.js';
import { mapOf } from '#engine/schema/schema.js';
import { describeErrors } from '#engine/schema/schema-errors.js';
import { compile } from '#engine/schema/validator.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { type ConfigFile, type Flags, fail, parseNumber, toCamelCase } from './command.js';
import { startFlags } from './emulator-flags.js';

const FILE_NAME = 'val-emulator.config.json';
const MANIFEST = 'package.json';
/** The key of a package.json that has what the config file has. */
const KEY = 'val-emulator';
const SIZES = ['users', 'vals', 'projects', 'runs', 'days', 'seed'];

const PROJECTS_EXPECTED = 'folders by project, such as { "ada/site": "./site" }';

function toSchema(name: string, { type, array, choices, coerce, describe }: Options): TSchema {
  const described = { description: describe ?? '' };
  if (choices) return Type.Enum(choices.map(String), described);
  if (type === 'boolean') return Type.Boolean(described);
  if (name === 'project') return mapOf(Type.String({ minLength: 1 }), { ...described, expected: PROJECTS_EXPECTED });
  if (array) return Type.Array(Type.String({ minLength: 1 }), { ...described, expected: 'an array of strings' });
  if (coerce === parseNumber) return Type.Integer(described);
  if (name !== 'generate') return Type.String({ ...described, minLength: 1 });
  const sizes = SIZES.map((size) => [size, Type.Optional(Type.Integer({ minimum: 0 }))] as const);
  const names = ['company', 'people'].map((key) => [key, Type.Optional(Type.String({ minLength: 1 }))] as const);
  const asObject = Type.Object(Object.fromEntries([...sizes, ...names]), { additionalProperties: false });
  const expected = 'sizes such as { "users": 50, "seed": 42 } or "users=50,seed=42"';
  return Type.Union([Type.String(), asObject], { ...described, expected });
}

const { config: _, ...fileFlags } = startFlags;

const ConfigSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Address of this schema, for editors' })),
    ...Object.fromEntries(
      Object.entries(fileFlags).map(([name, flag]) => [toCamelCase(name), Type.Optional(toSchema(name, flag))]),
    ),
  },
  { additionalProperties: false },
);
const isConfig = compile(ConfigSchema, 'strict');

export const configSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `val-emulator: ${FILE_NAME}`,
  ...JSON.parse(JSON.stringify(ConfigSchema, (key, value) => (key === 'expected' ? undefined : value))),
});

/**
 * Finds the config file, or a package.json with its key, in the working directory or the nearest parent with either.
 * @returns its path, undefined for none
 */
function findConfigFile(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, FILE_NAME);
    if (existsSync(path)) return path;
    const manifest = join(folder, MANIFEST);
    if (hasKey(manifest)) return manifest;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a package.json has the key. Most have a dependency of this name at most, or not even that. */
function hasKey(manifest: string): boolean {
  if (!existsSync(manifest) || !readFileSync(manifest, 'utf8').includes(`"${KEY}"`)) return false;
  return readSettings(manifest, show(manifest)) !== undefined;
}

const show = (path: string): string => relative(process.cwd(), path) || path;

/** Reads what a config file has, or a package.json below its key. */
function readSettings(path: string, shown: string): unknown {
  const value = parseFile(path, shown);
  return basename(path) === MANIFEST ? Object(value)[KEY] : value;
}

/** Reads a config file. @throws CliError with all errors, each with the file and its key */
function readConfigFile(path: string): ConfigFile {
  const shown = show(path);
  const value = readSettings(path, shown);
  if (!isConfig(value) || !isObject(value)) {
    const problems = describeErrors(isConfig.errors, basename(path) === MANIFEST ? KEY : '');
    return rejectFile(problems.map((problem) => ({ ...problem, path: `${shown} ${problem.path}`.trim() })));
  }
  const settings = Object.entries(value).filter(([key]) => key !== '$schema');
  const entries = settings.map(([key, setting]) => {
    const name = toKebabCase(key);
    return [name, toFlagValue(name, setting, dirname(path))] as const;
  });
  return { path: shown, values: new Map(entries) };
}

function parseFile(path: string, shown: string): unknown {
  try {
    return readJson(path, shown);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return rejectFile(error.problems);
  }
}

const rejectFile = (problems: readonly Problem[]): never =>
  fail(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'), 'usage', problems);

/** Writes a value as the command line has it. A path of seed data starts at the folder of the file. */
function toFlagValue(name: string, value: unknown, folder: string): string | boolean | string[] {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(String);
  const fromHere = (path: string) => relative(process.cwd(), resolve(folder, path)) || '.';
  const pairs = isObject(value) ? Object.entries(value).map((pair) => pair.join('=')) : [String(value)];
  const text = pairs.join(',');
  if (name === 'project' && isObject(value))
    return Object.entries(value).map(([project, path]) => `${project}=${fromHere(String(path))}`);
  if (name === 'generate') return text.replace(/(?<=(?:^|,) *people=)[^,]+/, fromHere);
  if (name === 'fixtures-module') return fromHere(text);
  return name === 'fixtures' && !datasets.names.includes(text) ? fromHere(text) : text;
}

/**
 * Chooses and reads the config file: the one of `--config`, none with `--no-config`, else the nearest one.
 * @param input the flags and variables, which override the file
 * @param configurable the flags that the file sets
 */
export function chooseConfigFile(
  input: Readonly<Record<string, unknown>>,
  configurable: Flags,
): ConfigFile | undefined {
  if (input.config === false) return undefined;
  const path = typeof input.config === 'string' ? resolve(input.config) : findConfigFile();
  if (path === undefined) return undefined;
  const { values, ...file } = readConfigFile(path);
  // One of them is the source of the seed data.
  const sources = ['fixtures', 'fixtures-module', 'generate'];
  const isSeeded = sources.some((name) => input[name] !== undefined);
  const isUsed = (name: string) => name in configurable && !(isSeeded && sources.includes(name));
  return { ...file, values: new Map([...values].filter(([name]) => isUsed(name))) };
}
