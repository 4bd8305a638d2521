import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonFor } from '#engine/lib/errors.js';
import { removeComments } from '#engine/lib/json.js';
import { formatValue, quoteForShell } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { type Environment, fail } from './command.js';

/** Commands of Deno that run modules with permissions. */
const PERMITTED = ['test', 'run', 'bench', 'serve'];
/** Those that load modules. `eval` has all permissions. */
const LOADING = [...PERMITTED, 'check', 'eval'];
const COMMANDS = [...LOADING, 'task'];
/** The addresses of val modules, which the map replaces with addresses of the emulator. */
const MODULES = 'https://esm.town/';
/** The variables that the standard library reads. */
const VARIABLES = [
  ...['VAL_EMULATOR_URL', 'VAL_EMULATOR_TOKEN', 'VAL_TOWN_API_KEY', 'valtown'],
  ...['VAL_EMULATOR_PROJECTS', 'VALTOWN_ENTRYPOINT'],
];

type Imports = Record<string, string>;
interface ImportMap {
  readonly imports: Imports;
  readonly scopes: Record<string, Imports>;
}

interface Config extends ImportMap {
  /** Whether it says where packages are. */
  readonly hasModulesDir: boolean;
}

interface Target {
  readonly url: string;
  readonly token: string;
  readonly env: Environment;
}

/** A program that runs with the modules of an emulator. */
export interface DenoRun extends Disposable {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The lines that do the same without `exec`. */
  readonly lines: readonly string[];
}

/**
 * Adds the flags to a command of Deno by which it finds the modules of vals in an emulator, and writes their import map to a
 * temporary file. `deno.lock` does not change.
 * @throws CliError for words that are no such command, for a config file that cannot be read, and for a task without one
 */
export async function prepareDeno(words: readonly string[], { url, token, env }: Target): Promise<DenoRun> {
  const at = words.findIndex((word) => /(?:^|[\\/])deno(?:\.exe)?$/i.test(word));
  const command = words[at + 1] ?? '';
  if (at === -1 || !COMMANDS.includes(command)) {
    const found = formatValue(words.slice(0, at + 2).join(' '));
    const example = `${COMMANDS.join(', ')}: val-emulator exec --deno -- deno test`;
    return fail(`--deno: found ${found}; expected deno with one of the commands ${example}`);
  }
  const end = words.indexOf('--', at);
  const given = words.slice(at + 2, end === -1 ? undefined : end);
  const start = words.slice(0, at + 2);
  const rest = end === -1 ? [] : words.slice(end);
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-deno-'));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    const map = join(folder, 'import-map.json');
    const { host, hasModulesDir } = await writeMap(given, url, map);
    const { DENO_AUTH_TOKENS, valtown } = makeVariables({ url, token, env });
    const variables = { DENO_AUTH_TOKENS, valtown };
    if (command === 'task') {
      const args = prepareTask(given, join(folder, 'deno.json'), (name, flags) => addFlags(name, flags, host, map));
      return { words: [...start, ...args, ...rest], variables, lines: [], [Symbol.dispose]: dispose };
    }
    const added = hasModulesDir ? given : addModulesDir(given);
    const toWords = (path: string) => [...start, ...addFlags(command, added, host, path), ...rest];
    const shown = toWords('import-map.json').map(quoteForShell).join(' ');
    return {
      words: toWords(map),
      variables,
      lines: [
        'without exec, these three lines do the same:',
        `val-emulator start --port ${new URL(url).port} --detach`,
        `curl -s ${url}/_emulator/esm/import-map.json > import-map.json`,
        `VAL_EMULATOR_URL=${url} VAL_EMULATOR_TOKEN=${token} DENO_AUTH_TOKENS=${quoteForShell(DENO_AUTH_TOKENS)} ${shown}`,
      ],
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Makes the variables of a shell in which Deno finds the modules of vals: `deno test $VAL_EMULATOR_DENO`. Their import map is in
 * a temporary file that stays.
 */
export async function makeShellVariables(target: Target): Promise<Record<string, string>> {
  const map = join(mkdtempSync(join(tmpdir(), 'val-emulator-deno-')), 'import-map.json');
  const { host, hasModulesDir } = await writeMap([], target.url, map);
  const flags = addFlags('test', hasModulesDir ? [] : addModulesDir([]), host, map);
  return { ...makeVariables(target), VAL_EMULATOR_DENO: flags.join(' ') };
}

/** Makes the variables by which Deno finds private modules, and a val its token. */
function makeVariables({ url, token, env }: Target): { readonly DENO_AUTH_TOKENS: string; readonly valtown: string } {
  const tokens = token === '' ? [] : [`${token}@${new URL(url).host}`];
  return {
    DENO_AUTH_TOKENS: [...tokens, ...(env.DENO_AUTH_TOKENS ? [env.DENO_AUTH_TOKENS] : [])].join(';'),
    valtown: token,
  };
}

/** Writes the import map of a command, with the entries of the user. */
async function writeMap(given: readonly string[], url: string, path: string) {
  const { hasModulesDir, ...config } = readConfig(given);
  const response = await fetch(`${url}/_emulator/esm/import-map.json`);
  const served: { readonly imports: Imports } = JSON.parse(await response.text());
  const own = mapToEmulator(config, served.imports[MODULES] ?? MODULES);
  // Entries of the user take precedence.
  writeFileSync(path, JSON.stringify({ ...own, imports: { ...served.imports, ...own.imports } }));
  return { host: new URL(url).host, hasModulesDir };
}

/** A command of Deno in the command of a task, up to the next command. */
const IN_TASK = new RegExp(`\\bdeno[ \\t]+(${LOADING.join('|')})\\b([^&|;\\n]*)`, 'g');

/**
 * Writes the tasks of the config file, in which each command of Deno has the flags. The task runs in the folder of that file, whose
 * other settings apply.
 * @param add adds the flags of a command to its words
 * @returns the words after `deno task`
 */
function prepareTask(
  given: readonly string[],
  path: string,
  add: (command: string, flags: readonly string[]) => string[],
): string[] {
  const { config: own, others } = takeConfig(given);
  const file = own ?? findConfig();
  if (file === undefined) return fail('--deno: deno task found no deno.json; expected one with "tasks"');
  const { tasks, nodeModulesDir } = readMap(file);
  if (!isObject(tasks)) return fail(`--deno: ${file}: found no "tasks", which deno task runs`);
  const addToText = (text: string): string =>
    text.replaceAll(IN_TASK, (_, command: string, rest: string) => {
      const flags = rest.split(/\s+/).filter((flag) => flag !== '');
      const added = add(command, nodeModulesDir === undefined ? addModulesDir(flags) : flags);
      const front = added.slice(0, added.length - flags.length).map(quoteForShell);
      // A list of permissions has become longer, in its place.
      const changed = flags.reduce((text, flag, at) => text.replace(flag, added.at(at - flags.length) ?? flag), rest);
      return `deno ${command} ${front.join(' ')}${changed}`;
    });
  const entries = Object.entries(tasks).map(([name, task]) => [
    name,
    typeof task === 'string'
      ? addToText(task)
      : isObject(task) && typeof task.command === 'string'
        ? { ...task, command: addToText(task.command) }
        : task,
  ]);
  writeFileSync(path, JSON.stringify({ tasks: Object.fromEntries(entries) }));
  const hasFolder = given.some((arg) => arg.startsWith('--cwd'));
  return [`--config=${path}`, ...(hasFolder ? [] : [`--cwd=${dirname(file)}`]), ...others];
}

/** Whether a request is for a module: by an address of an import map. A val asks for its files without that part. */
export const isModule = (target: string): boolean => /^\/_emulator\/esm\/[\da-f-]{36}\/v\//.test(target);

/** Reads the message of an error of the emulator, which Deno does not show. */
export async function readProblem(url: string, token: string): Promise<string> {
  const response = await fetch(url, token === '' ? {} : { headers: { authorization: `Bearer ${token}` } });
  const { message }: { readonly message?: string } = JSON.parse(await response.text());
  return message ?? url;
}

/**
 * Lets Deno read packages from its cache. Below a `package.json`, it finds only packages in `node_modules`: not the `npm:` packages of
 * vals, nor the types of Node.
 */
const addModulesDir = (given: readonly string[]): readonly string[] =>
  given.some((arg) => arg.startsWith('--node-modules-dir')) ? given : ['--node-modules-dir=none', ...given];

/** Adds flags to those that are given. A list of the user gets what the modules need. */
function addFlags(command: string, given: readonly string[], host: string, map: string): string[] {
  const args = [...given];
  const isAll = given.some((arg) => /^(?:-A|--allow-all)$/.test(arg));
  const allow = (name: string, short: string, values: readonly string[], isWhole: boolean) => {
    const flag = new RegExp(`^(?:--allow-${name}|-${short})(?:=(.*))?$`);
    const index = args.findIndex((arg) => flag.test(arg));
    const list = flag.exec(args[index] ?? '')?.[1];
    if (list !== undefined) args[index] = `--allow-${name}=${[list, ...values].join()}`;
    else if (index === -1 && !isAll) args.unshift(`--allow-${name}${isWhole ? '' : `=${values.join()}`}`);
  };
  if (PERMITTED.includes(command)) {
    allow('net', 'N', [host], false);
    allow('env', 'E', VARIABLES, true);
  }
  if (command !== 'eval') allow('import', 'I', [host], true);
  if (!given.some((arg) => /^--(?:no-)?lock\b/.test(arg))) args.unshift('--no-lock');
  return [`--import-map=${map}`, ...args];
}

/** Reads the imports of the config file that Deno would use. A map on the command line takes their place. */
function readConfig(given: readonly string[]): Config {
  if (given.some((arg) => arg.startsWith('--import-map'))) {
    return fail('--deno: found --import-map, which exec sets; move its entries to "imports" of deno.json');
  }
  if (given.includes('--no-config')) return NONE;
  const path = takeConfig(given).config ?? findConfig();
  if (path === undefined) return NONE;
  const config = readMap(path);
  const hasModulesDir = config.nodeModulesDir !== undefined;
  // A map in a separate file takes the place of imports, and its bare names mean no packages.
  if (typeof config.importMap === 'string') {
    const file = resolve(dirname(path), config.importMap);
    return { ...toMap(readMap(file), file, (imports) => imports), hasModulesDir };
  }
  return { ...toMap(config, path, expandPackages), hasModulesDir };
}

/** Splits the flag of the config file from the other words. */
function takeConfig(given: readonly string[]): { readonly config: string | undefined; readonly others: string[] } {
  const index = given.findIndex((arg) => /^(?:-c|--config)(?:=|$)/.test(arg));
  if (index === -1) return { config: undefined, others: [...given] };
  const own = given[index]?.split('=')[1];
  const named = own ?? given[index + 1];
  const others = given.toSpliced(index, own === undefined ? 2 : 1);
  return { config: named === undefined ? undefined : resolve(named), others };
}

const NONE: Config = { imports: {}, scopes: {}, hasModulesDir: false };

function findConfig(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = ['deno.json', 'deno.jsonc'].map((name) => join(folder, name)).find((each) => existsSync(each));
    if (path !== undefined || folder === dirname(folder)) return path;
  }
}

function readMap(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(removeComments(readFileSync(path, 'utf8')));
    return isObject(value) ? value : {};
  } catch (error) {
    return fail(`--deno: ${path}: ${reasonFor(error)}`);
  }
}

/** Makes the addresses of a map independent of where it is. */
function toMap(map: Record<string, unknown>, path: string, expand: (imports: Imports) => Imports): ImportMap {
  const base = pathToFileURL(path);
  const toUrl = (text: string) => (/^\.{0,2}\//.test(text) ? new URL(text, base).href : text);
  const toImports = (value: unknown): Imports =>
    expand(
      Object.fromEntries(
        Object.entries(isObject(value) ? value : {}).flatMap(([name, address]) =>
          typeof address === 'string' ? [[toUrl(name), toUrl(address)]] : [],
        ),
      ),
    );
  const scopes = Object.entries(isObject(map.scopes) ? map.scopes : {});
  return {
    imports: toImports(map.imports),
    scopes: Object.fromEntries(scopes.map(([name, imports]) => [toUrl(name), toImports(imports)])),
  };
}

/**
 * Lets the entries of a map apply to modules that the emulator serves: Deno compares the addresses from which they come, and looks up
 * no address twice. The code of a program has the addresses of the service.
 */
function mapToEmulator({ imports, scopes }: ImportMap, modules: string): ImportMap {
  const toServed = (address: string) =>
    address.startsWith(MODULES) ? modules + address.slice(MODULES.length) : address;
  const toImports = (given: Imports): Imports =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, address]) => [name, toServed(name)].map((key) => [key, toServed(address)])),
    );
  return {
    imports: toImports(imports),
    scopes: Object.fromEntries(Object.entries(scopes).map(([name, given]) => [toServed(name), toImports(given)])),
  };
}

/** Lets a package of `deno.json` be imported with the path of a module in it, as Deno does. */
const expandPackages = (imports: Imports): Imports => ({
  ...Object.fromEntries(
    Object.entries(imports).flatMap(([name, address]) => {
      const [, scheme, rest] = /^(jsr|npm):\/?(.+?)\/?$/.exec(address) ?? [];
      return scheme === undefined || name.endsWith('/') ? [] : [[`${name}/`, `${scheme}:/${rest}/`]];
    }),
  ),
  ...imports,
});
