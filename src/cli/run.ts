import { constants } from 'node:os';
import { didYouMeanAny } from '../lib/messages.js';
import {
  type CliIo,
  type Command,
  type ConfigFile,
  describeUnknownVariables,
  type Input,
  variableFor,
  withEnvironment,
} from './command.js';
import { check } from './commands/check.js';
import { clock } from './commands/clock.js';
import { cluster } from './commands/cluster.js';
import { completion } from './commands/completion.js';
import { conformance } from './commands/conformance.js';
import { compact, exportData, importData } from './commands/data.js';
import { openapi, schema } from './commands/documents.js';
import { exec } from './commands/exec.js';
import { fail as failCommand } from './commands/fail.js';
import { generate } from './commands/generate.js';
import { history, rewind } from './commands/history.js';
import { proxy } from './commands/proxy.js';
import { pull } from './commands/pull.js';
import { add, users } from './commands/records.js';
import { expect, requests, unhandled } from './commands/requests.js';
import { fork, sandboxes } from './commands/sandboxes.js';
import { record, replay } from './commands/sessions.js';
import { restore, snapshot } from './commands/snapshots.js';
import { start } from './commands/start.js';
import { reset, seed, state } from './commands/state.js';
import { wait } from './commands/wait.js';
import { chooseConfigFile, withConfig } from './config-file.js';
import { classifyError, fail, InterruptedError } from './errors.js';
import { guardOutput, printError, printLine } from './io.js';
import { createParser, nameIn } from './parser.js';
import { EventLogger } from './request-log.js';

/** All commands in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[start, exec, wait],
  ...[reset, seed, snapshot, restore, state, users, add],
  ...[requests, unhandled, expect, history, rewind, failCommand, clock, sandboxes, fork, cluster],
  ...[record, replay, conformance, pull, proxy],
  ...[exportData, importData, compact],
  ...[generate, check, schema, openapi, completion],
];

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
    const line = readCommandLine(argv);
    const parsed = parse(line, io);
    if (parsed.help !== '') {
      printLine(io, parsed.help);
      return 0;
    }
    let { input } = parsed;
    json = isJson(input);
    if (input.json !== true) warnOfVariables(io, input.log === 'json');
    config = line.command.configurable && chooseConfigFile(input);
    if (config) input = { ...parse(line, io, config).input, config: config.path };
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
  /** Whether the program is asked for a list of all commands. */
  readonly isOverview: boolean;
}

function readCommandLine([first = '', ...others]: readonly string[]): CommandLine {
  if (first === 'help') {
    const [name, ...rest] = others;
    return readCommandLine(name === undefined ? ['--help'] : [name, '--help', ...rest]);
  }
  const named = COMMANDS.find((command) => nameIn(command) === first);
  if (named) return { command: named, words: others, isOverview: false };
  if (/^\w/.test(first)) {
    fail(`Unknown command "${first}".${didYouMeanAny(first, COMMANDS.map(nameIn))}\nSee val-emulator --help.`);
  }
  const words = first === '' && others.length === 0 ? [] : [first, ...others];
  return { command: start, words, isOverview: words.some((word) => word === '-h' || word === '--help') };
}

/** Parses the words. A flag takes precedence over its variable, and that over the config file. */
function parse({ command, words, isOverview }: CommandLine, io: CliIo, config?: ConfigFile) {
  const parser = makeParser({ command, words, isOverview }, io, config);
  let help = '';
  const input: Input<Record<never, never>> & Record<string, unknown> = parser.parseSync(
    [...words],
    {},
    (_error, _input, output) => {
      help = output;
    },
  );
  return { input, help };
}

function makeParser({ command, words, isOverview }: CommandLine, io: CliIo, config?: ConfigFile) {
  const { variables = {}, configurable = {} } = command;
  const configured = config ? { ...variables, ...withConfig(configurable, config) } : variables;
  const flags = { ...withEnvironment(configured, io.env), ...command.flags };
  return createParser(command, { io, argv: words, flags, listed: isOverview ? COMMANDS : [] });
}

/** Prints the words that may follow, for a shell. @param words the command line, with the incomplete word at the end */
async function printCompletions(words: readonly string[], io: CliIo): Promise<number> {
  const [program = '', ...typed] = words;
  const current = typed.at(-1) ?? '';
  const command = typed.length > 1 ? COMMANDS.find((each) => nameIn(each) === typed[0]) : undefined;
  const line = { command: command ?? start, words: typed, isOverview: command === undefined };
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

function warnOfVariables(io: CliIo, json: boolean): void {
  const { env, stderr } = io;
  const warn = json ? new EventLogger(io).warn : (warning: string) => stderr.write(`val-emulator: ${warning}\n`);
  const flags = COMMANDS.flatMap(({ variables = {} }) => Object.keys(variables));
  // `exec` sets the token.
  const known = [...new Set([...flags, 'token'])].map(variableFor);
  for (const warning of describeUnknownVariables(env, known)) warn(warning);
}
