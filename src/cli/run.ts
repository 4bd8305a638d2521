import { constants } from 'node:os';
import yargs, { type Argv } from 'yargs';
import { didYouMean } from '../lib/messages.js';
import { packageVersion } from '../lib/package.js';
import type { Command } from './command.js';
import { commands, startCommand } from './commands/index.js';
import { fail, InterruptedError } from './errors.js';
import { lastValueWins } from './flags.js';
import { type CliIo, printError, printLine } from './io.js';

/** The exit code of every error. */
const FAILURE = 2;

/**
 * Runs the program and resolves to its exit code. It never rejects: errors are printed on stderr.
 * @param argv the words after `val-emulator`
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof InterruptedError) {
      io.raise(error.signal);
      return 128 + constants.signals[error.signal];
    }
    printError(io, error);
    return FAILURE;
  }
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const [first = ''] = argv;
  const named = commands.find(({ name }) => name === first);
  if (!named && /^\w/.test(first)) {
    const names = commands.map(({ name }) => name);
    fail(`Unknown command "${first}".${didYouMean(first, names)}\nSee val-emulator --help.`);
  }
  const { name, args, describe, load } = named ?? startCommand;
  const { command } = await load();
  const isOverview = !named && argv.some((word) => word === '-h' || word === '--help');
  const parser = createParser(isOverview ? 'val-emulator' : `val-emulator ${name}`, args, io);
  if (isOverview) {
    parser.usage('$0 <command>\n\nA local emulator of the vals API. Without a command, it runs start.');
    for (const other of commands) parser.command(`${other.name} ${other.args}`.trim(), other.describe);
    describeCommand(parser, command, io);
  } else parser.command(`$0 ${args}`.trim(), describe, (inner) => describeCommand(inner, command, io));
  let help = '';
  const input = parser.parseSync(argv.slice(named ? 1 : 0), {}, (_error, _input, output) => {
    help = output;
  });
  if (help === '') return (await command.run(input, io)) ?? 0;
  printLine(io, help);
  return 0;
}

function describeCommand(parser: Argv, { args = {}, flags, examples, epilogue = '' }: Command, { env }: CliIo): Argv {
  for (const [name, options] of Object.entries(args)) parser.positional(name, options);
  return parser
    .options(flags(env))
    .example(examples.map(([usage, effect]) => [usage, effect]))
    .epilogue(epilogue);
}

const createParser = (scriptName: string, args: string, { stdout }: CliIo): Argv =>
  yargs()
    .scriptName(scriptName)
    .strict()
    // All other messages are in English.
    .locale('en')
    // A repeated flag takes one value each time.
    .parserConfiguration({ 'greedy-arrays': false, 'populate--': true })
    .middleware(lastValueWins, true)
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    .wrap(Math.min(100, stdout.columns ?? 100))
    .fail((text, error) => {
      const message = text || error.message;
      // Only the errors of our parsers say how to fix them.
      if (error instanceof Error && !message.startsWith('Not enough')) throw error;
      const isMissing = message.startsWith('Not enough non-option arguments');
      fail(`${isMissing ? `Missing argument: ${args}.` : message}\nSee ${scriptName} --help.`);
    });
