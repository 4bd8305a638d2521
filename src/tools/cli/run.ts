import { constants } from 'node:os';
import {
  type CliIo,
  type Command,
  type ConfigFile,
  describeUnknownVariables,
  type Input,
  type Output,
  variableFor,
  withDefaults,
} from './command.js';
import { COMMANDS, type CommandEntry, type CommandLine, findCommand, nameOf } from './commands.js';
import { classifyError, InterruptedError } from './errors.js';
import { guardOutput, printError, printLine } from './io.js';
import { createParser } from './parser.js';

const loadHelp = () => import('./help.js');

/** Finds a command. @throws CliError for an unknown one */
const getCommand = async (argv: readonly string[]): Promise<CommandLine> =>
  findCommand(argv) ?? (await import('./unknown-command.js')).refuseCommand(argv);

/** The request of the completion script. */
const COMPLETE = '--get-yargs-completions';

/**
 * Runs the program and resolves to its exit code. It never rejects: errors are printed on stderr.
 * @param argv the words after `val-emulator`
 */
export async function runCli(argv: readonly string[], process: CliIo): Promise<number> {
  const io = guardOutput(process);
  let json = asksForJson(argv, io);
  let config: ConfigFile | undefined;
  try {
    if (argv[0] === COMPLETE) return await printCompletions(argv.slice(2), io);
    const found = await getCommand(argv);
    if ('listed' in found) {
      printLine(io, (await loadHelp()).formatOverview(io, found));
      return 0;
    }
    const spec = await found.command.load();
    const takesRoutes = 'route' in { ...spec.args, ...spec.flags };
    const line = { ...found, spec, words: takesRoutes ? joinRoutes(found.words) : found.words };
    const parsed = parse(line, io);
    if (parsed.help !== '') {
      const examples = parsed.input.version === true ? '' : (await loadHelp()).formatExamples(io, line);
      printLine(io, parsed.help + examples);
      return 0;
    }
    let { input } = parsed;
    json = isJson(input);
    if (input.json !== true) await warnOfVariables(io, line.spec, input.log === 'json');
    const { configurable } = line.spec;
    if (configurable) {
      const { chooseConfigFile } = await import('./config-file.js');
      config = chooseConfigFile(input, configurable);
      if (config) input = { ...parse(line, io, config).input, config: config.path };
    }
    json = isJson(input);
    return printOutput(io, await line.spec.run(input, io), input.json === true);
  } catch (error) {
    if (!(error instanceof InterruptedError)) {
      printError(io, error, { json, config });
      return classifyError(error).exitCode;
    }
    io.raise(error.signal);
    return 128 + constants.signals[error.signal];
  }
}

/** Prints what a command has found. @throws the error that comes with it */
function printOutput(io: CliIo, output: Output | number | undefined, json: boolean): number {
  if (typeof output !== 'object') return output ?? 0;
  const { value = { ok: true }, text, code = 0, error } = output;
  if (json || text !== '') printLine(io, json ? JSON.stringify(value) : text);
  if (error) throw error;
  return code;
}

interface Line {
  readonly command: CommandEntry;
  readonly spec: Command;
  readonly words: readonly string[];
}

/** Two words that are a route: a method and a path, or the name of a tool. */
const ROUTE = /^(?:[A-Z]{3,7} \/(?!\/)|tool \w+$)/i;

/** Joins a route that was typed without quotes: `POST /v1/vals`, `tool create_file`. */
const joinRoutes = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => {
    const isRoute = (first = '', second = '') => !first.includes(' ') && ROUTE.test(`${first} ${second}`);
    if (isRoute(words[index - 1], word)) return [];
    const next = words[index + 1];
    if (!isRoute(word, next)) return [word];
    return [`${word.toLowerCase() === 'tool' ? 'tool' : word.toUpperCase()} ${next}`];
  });

/** Parses the words. A flag takes precedence over its variable, and that over the config file. */
function parse(line: Line, io: CliIo, config?: ConfigFile) {
  let help = '';
  const input: Input<Record<never, never>> & Record<string, unknown> = makeParser(line, io, config).parseSync(
    [...line.words],
    {},
    (_error, _input, output) => {
      help = output;
    },
  );
  return { input, help };
}

function makeParser({ command, spec, words }: Line, io: CliIo, config?: ConfigFile) {
  const flags = { ...withDefaults(spec.variables ?? {}, io.env, config), ...spec.flags };
  return createParser(command, spec, { io, argv: words, flags });
}

/** Prints the words that may follow, for a shell. @param words the command line, with the incomplete word at the end */
async function printCompletions(words: readonly string[], io: CliIo): Promise<number> {
  const current = words.at(-1) ?? '';
  const typed = words.slice(0, -1).join(' ');
  const names = COMMANDS.map(nameOf).filter((name) => typed === '' || name.startsWith(`${typed} `));
  const next = names.map((name) => name.slice(typed === '' ? 0 : typed.length + 1).split(' ')[0] ?? '');
  const found = new Set(next);
  if (typed === '' || next.length === 0) {
    const line = await getCommand(words.length > 1 ? words : []);
    if ('listed' in line) return 0;
    const spec = await line.command.load();
    const { listValues } = await import('./complete.js');
    const values = await listValues({ name: nameOf(line.command), spec, words: line.words }, io);
    // In zsh, a description follows a colon, which yargs escapes in flags.
    const isZsh = io.env.SHELL?.includes('zsh') === true;
    const escaped = isZsh ? values?.map((value) => value.replace(/[\\:]/g, '\\$&')) : values;
    for (const word of escaped ?? (await listFlags({ ...line, spec }, io))) found.add(word);
  }
  for (const word of found) if (word.startsWith(current)) printLine(io, word);
  return 0;
}

async function listFlags(line: Line, io: CliIo): Promise<string[]> {
  const flags = await makeParser(line, io)
    .completion('completion', false)
    .getCompletion(['val-emulator', ...line.words]);
  // The name of a default command, which yargs gives where it has nothing else.
  return flags.filter((flag) => flag !== '$0');
}

/** Whether errors are printed as JSON, before the words are parsed. */
function asksForJson(argv: readonly string[], { env }: CliIo): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  if (words.includes('--no-json')) return false;
  return words.includes('--json') || /^(?:1|true|yes|on)$/i.test(env.VAL_EMULATOR_JSON ?? '');
}

/** Whether errors are printed as JSON. A program reads the log as well. */
const isJson = ({ json, log }: Readonly<Record<string, unknown>>): boolean => json === true || log === 'json';

/** Variables that `exec` sets for its program, without a flag. */
const SET_BY_EXEC = ['token', 'preload'];

/** Warns of variables with our prefix that no command reads. */
async function warnOfVariables(io: CliIo, { variables = {} }: Command, json: boolean): Promise<void> {
  const { env, stderr } = io;
  if (describeUnknownVariables(env, [...Object.keys(variables), ...SET_BY_EXEC].map(variableFor)).length === 0) return;
  const warn = json
    ? new (await import('./request-log.js')).EventLogger(io).warn
    : (warning: string) => stderr.write(`val-emulator: ${warning}\n`);
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
  const known = [...SET_BY_EXEC, ...commands.flatMap((command) => Object.keys(command.variables ?? {}))];
  for (const warning of describeUnknownVariables(env, [...new Set(known)].map(variableFor))) warn(warning);
}
