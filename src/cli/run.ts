import { constants } from 'node:os';
import { didYouMeanAny } from '../lib/messages.js';
import {
  type CliIo,
  type Command,
  type ConfigFile,
  describeUnknownVariables,
  type Flags,
  type Input,
  variableFor,
  withEnvironment,
} from './command.js';
import { classifyError, fail, InterruptedError } from './errors.js';
import { guardOutput, printError, printLine } from './io.js';
import { createParser } from './parser.js';
import { EventLogger } from './request-log.js';

/** Loads each command by its name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.js')).start,
  exec: async () => (await import('./commands/exec.js')).exec,
  wait: async () => (await import('./commands/wait.js')).wait,
  reset: async () => (await import('./commands/state.js')).reset,
  seed: async () => (await import('./commands/state.js')).seed,
  snapshot: async () => (await import('./commands/snapshots.js')).snapshot,
  restore: async () => (await import('./commands/snapshots.js')).restore,
  state: async () => (await import('./commands/state.js')).state,
  users: async () => (await import('./commands/records.js')).users,
  add: async () => (await import('./commands/records.js')).add,
  requests: async () => (await import('./commands/requests.js')).requests,
  unhandled: async () => (await import('./commands/requests.js')).unhandled,
  expect: async () => (await import('./commands/requests.js')).expect,
  history: async () => (await import('./commands/history.js')).history,
  rewind: async () => (await import('./commands/history.js')).rewind,
  fail: async () => (await import('./commands/fail.js')).fail,
  clock: async () => (await import('./commands/clock.js')).clock,
  sandboxes: async () => (await import('./commands/sandboxes.js')).sandboxes,
  fork: async () => (await import('./commands/sandboxes.js')).fork,
  cluster: async () => (await import('./commands/cluster.js')).cluster,
  record: async () => (await import('./commands/record.js')).record,
  conformance: async () => (await import('./commands/conformance.js')).conformance,
  pull: async () => (await import('./commands/pull.js')).pull,
  proxy: async () => (await import('./commands/proxy.js')).proxy,
  export: async () => (await import('./commands/data.js')).exportData,
  import: async () => (await import('./commands/data.js')).importData,
  compact: async () => (await import('./commands/data.js')).compact,
  generate: async () => (await import('./commands/generate.js')).generate,
  check: async () => (await import('./commands/check.js')).check,
  schema: async () => (await import('./commands/documents.js')).schema,
  openapi: async () => (await import('./commands/documents.js')).openapi,
  completion: async () => (await import('./commands/completion.js')).completion,
};

export const loadCommands = (): Promise<Command[]> => Promise.all(Object.values(COMMANDS).map((load) => load()));

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
    if (argv[0] === COMPLETE) return await printCompletions(argv.slice(1), io);
    const line = await readCommandLine(argv);
    const parsed = parse(line, io);
    if (parsed.help !== '') {
      printLine(io, parsed.help);
      return 0;
    }
    let { input } = parsed;
    json = isJson(input);
    if (input.json !== true) await warnOfVariables(io, line.command, input.log === 'json');
    const { configurable } = line.command;
    if (configurable) {
      const { chooseConfigFile, withConfig } = await import('./config-file.js');
      config = chooseConfigFile(input);
      if (config) input = { ...parse(line, io, withConfig(configurable, config)).input, config: config.path };
    }
    json = isJson(input);
    return (await line.command.run(input, io)) ?? 0;
  } catch (error) {
    if (!(error instanceof InterruptedError)) {
      printError(io, error, { json, config });
      return classifyError(error).exitCode;
    }
    io.raise(error.signal);
    return 128 + constants.signals[error.signal];
  }
}

interface CommandLine {
  readonly command: Command;
  /** The words without the name of the command. */
  readonly words: readonly string[];
  /** The commands to list, if the program is asked for them. */
  readonly listed: readonly Command[];
}

async function readCommandLine([first = '', ...others]: readonly string[]): Promise<CommandLine> {
  if (first === 'help') {
    const [name, ...rest] = others;
    return readCommandLine(name === undefined ? ['--help'] : [name, '--help', ...rest]);
  }
  const load = findLoader(first);
  if (load) return { command: await load(), words: others, listed: [] };
  if (/^\w/.test(first)) {
    fail(`Unknown command "${first}".${didYouMeanAny(first, Object.keys(COMMANDS))}\nSee val-emulator --help.`);
  }
  const words = first === '' && others.length === 0 ? [] : [first, ...others];
  const isOverview = words.some((word) => word === '-h' || word === '--help');
  return { command: await loadStart(), words, listed: isOverview ? await loadCommands() : [] };
}

const findLoader = (name: string) => (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined);
const loadStart = async () => (await import('./commands/start.js')).start;

/** Parses the words. A flag takes precedence over its variable, and that over the config file. */
function parse(line: CommandLine, io: CliIo, configured?: Flags) {
  const parser = makeParser(line, io, configured);
  let help = '';
  const input: Input<Record<never, never>> & Record<string, unknown> = parser.parseSync(
    [...line.words],
    {},
    (_error, _input, output) => {
      help = output;
    },
  );
  return { input, help };
}

/** @param configured flags with the defaults of the config file */
function makeParser({ command, words, listed }: CommandLine, io: CliIo, configured: Flags = {}) {
  const flags = { ...withEnvironment({ ...command.variables, ...configured }, io.env), ...command.flags };
  return createParser(command, { io, argv: words, flags, listed });
}

/** Prints the words that may follow, for a shell. @param words the command line, with the incomplete word at the end */
async function printCompletions(words: readonly string[], io: CliIo): Promise<number> {
  const [program = '', ...typed] = words;
  const current = typed.at(-1) ?? '';
  const command = typed.length > 1 ? await findLoader(typed[0] ?? '')?.() : undefined;
  const line = command
    ? { command, words: typed, listed: [] }
    : { command: await loadStart(), words: typed, listed: await loadCommands() };
  const found = await makeParser(line, io)
    .completion('completion', false)
    .getCompletion([program, ...typed.slice(command ? 1 : 0)]);
  for (const word of found.filter((each) => each.startsWith(current))) printLine(io, word);
  return 0;
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

/** Warns of variables with our prefix that no command reads. */
async function warnOfVariables(io: CliIo, { variables = {} }: Command, json: boolean): Promise<void> {
  const { env, stderr } = io;
  // `exec` sets the token.
  if (describeUnknownVariables(env, [...Object.keys(variables), 'token'].map(variableFor)).length === 0) return;
  const warn = json ? new EventLogger(io).warn : (warning: string) => stderr.write(`val-emulator: ${warning}\n`);
  const commands = await loadCommands();
  const known = ['token', ...commands.flatMap((command) => Object.keys(command.variables ?? {}))];
  for (const warning of describeUnknownVariables(env, [...new Set(known)].map(variableFor))) warn(warning);
}
