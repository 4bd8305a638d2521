import { constants } from 'node:os';
import yargs, { type Argv } from 'yargs';
import { didYouMean } from '../lib/messages.js';
import { packageVersion } from '../lib/package.js';
import { type CliIo, type Command, fail, InterruptedError, keepLastValues, withEnvironment } from './command.js';
import { check } from './commands/check.js';
import { openapi, schema } from './commands/documents.js';
import { exec } from './commands/exec.js';
import { fail as failCommand } from './commands/fail.js';
import { generate } from './commands/generate.js';
import { clock, requests, reset, restore, seed, snapshot, state, wait } from './commands/remote.js';
import { start } from './commands/start.js';
import { printError, printLine } from './io.js';

/** All commands in the order of the help. */
const COMMANDS: readonly Command[] = [
  ...[start, exec, wait],
  ...[reset, seed, snapshot, restore, state, requests, failCommand, clock],
  ...[generate, check, schema, openapi],
];

/**
 * Runs the program and resolves to its exit code, 2 for every error. It never rejects: errors are printed on stderr.
 * @param argv the words after `val-emulator`
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    const [first = ''] = argv;
    const named = COMMANDS.find((command) => nameIn(command) === first);
    if (!named && /^\w/.test(first)) {
      fail(`Unknown command "${first}".${didYouMean(first, COMMANDS.map(nameIn))}\nSee val-emulator --help.`);
    }
    const command = named ?? start;
    const isOverview = !named && argv.some((word) => word === '-h' || word === '--help');
    let help = '';
    const parser = createParser(command, isOverview, io);
    const input = parser.parseSync(argv.slice(named ? 1 : 0), {}, (_error, _input, output) => {
      help = output;
    });
    if (help === '') return (await command.run(input, io)) ?? 0;
    printLine(io, help);
    return 0;
  } catch (error) {
    if (!(error instanceof InterruptedError)) {
      printError(io, error);
      return 2;
    }
    io.raise(error.signal);
    return 128 + constants.signals[error.signal];
  }
}

const nameIn = ({ usage }: Command): string => usage.replace(/ .*/, '');

/** @param isOverview whether to describe all commands, and the options of this one */
function createParser(command: Command, isOverview: boolean, { env, stdout }: CliIo): Argv {
  const { usage, describe, args = {}, variables = {}, examples, epilogue = '' } = command;
  const flags = { ...withEnvironment(variables, env), ...command.flags };
  const positionals = usage.replace(/^\w+ ?/, '');
  const scriptName = isOverview ? 'val-emulator' : `val-emulator ${nameIn(command)}`;
  const parser = yargs()
    .scriptName(scriptName)
    .strict()
    // All other messages are in English.
    .locale('en')
    // A repeated flag takes one value each time.
    .parserConfiguration({ 'greedy-arrays': false, 'populate--': true })
    .middleware((input) => keepLastValues(input, { ...args, ...flags }), true)
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    .options(flags)
    .example(Object.entries(examples))
    .epilogue(epilogue)
    .wrap(Math.min(100, stdout.columns ?? 100))
    .fail((text, error) => {
      const message = text || error.message;
      // Only the errors of our parsers say how to fix them.
      if (error instanceof Error && !message.startsWith('Not enough')) throw error;
      const isMissing = message.startsWith('Not enough non-option arguments');
      fail(`${isMissing ? `Missing argument: ${positionals}.` : message}\nSee ${scriptName} --help.`);
    });
  if (isOverview) {
    parser.usage('$0 <command>\n\nA local emulator of the vals API. Without a command, it runs start.');
    for (const other of COMMANDS) parser.command(other.usage, other.describe);
    return parser;
  }
  return parser.command(`$0 ${positionals}`.trim(), describe, (inner) => {
    for (const [name, options] of Object.entries(args)) inner.positional(name, options);
    return inner;
  });
}
