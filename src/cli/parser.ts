import yargs, { type Argv } from 'yargs';
import { didYouMeanAny } from '../lib/messages.js';
import { packageVersion } from '../lib/package.js';
import { type CliIo, type Command, type Flags, toCamelCase } from './command.js';
import { type CommandEntry, nameOf } from './commands.js';
import { fail } from './errors.js';

interface ParserSettings {
  readonly io: CliIo;
  /** The words to parse, for messages. */
  readonly argv: readonly string[];
  /** The flags of the command, with their defaults. */
  readonly flags: Flags;
}

/** Creates the parser of a command line without the name of the command. */
export function createParser(command: CommandEntry, spec: Command, { io, argv, flags }: ParserSettings): Argv {
  const { args = {}, examples, epilogue = '', runsProgram = false } = spec;
  const positionals = command.usage.slice(nameOf(command).length + 1);
  const scriptName = `val-emulator ${nameOf(command)}`;
  const parser = yargs()
    .scriptName(scriptName)
    .strict()
    // All other messages are in English.
    .locale('en')
    .parserConfiguration({
      // A repeated flag takes one value each time.
      'greedy-arrays': false,
      'populate--': true,
      // With it, the words from the first one on are those after `--`.
      'halt-at-non-option': runsProgram,
      'parse-positional-numbers': false,
    })
    .middleware((input) => {
      refuseRepeated(input, { ...args, ...flags }, argv);
      restoreDash(input, Object.keys(args), argv);
    }, true)
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    // Before the group of the advanced ones.
    .group(['help', 'version', ...Object.keys(flags).filter((name) => !flags[name]?.group)], 'Options:')
    .options(flags)
    .example(Object.entries(examples))
    .epilogue(epilogue)
    .wrap(Math.min(100, io.stdout.columns ?? 100))
    .fail((text, error) => {
      const message = text || error.message;
      // Only the errors of our parsers say how to fix them.
      if (error instanceof Error && !message.startsWith('Not enough')) throw error;
      failForPair(message, Object.keys(args));
      fail(`${explain(message, positionals, argv, Object.keys(flags))}\nSee ${scriptName} --help.`);
    });
  if (runsProgram) return parser.usage(`$0 [options] ${positionals}\n\n${command.describe}`);
  return parser.command(`$0 ${positionals}`.trim(), command.describe, (inner) => {
    for (const [name, options] of Object.entries(args)) inner.positional(name, options);
    return inner;
  });
}

/** Refuses a flag that is given more than once, unless it is a list. yargs makes lists of others, but for booleans. */
function refuseRepeated(input: Record<string, unknown>, flags: Flags, argv: readonly string[]): void {
  const own = argv.slice(0, argv.length - [input['--'] ?? []].flat().length);
  for (const [name, { type, array, alias }] of Object.entries(flags)) {
    const value = input[name];
    const words = [`--${name}`, `--no-${name}`, `--${toCamelCase(name)}`, `-${alias}`];
    const given = type === 'boolean' ? own.filter((word) => words.includes(word.replace(/=.*/s, ''))) : value;
    if (array || !Array.isArray(given) || given.length < 2) continue;
    fail(`--${name}: given ${given.length === 2 ? 'twice' : `${given.length} times`}; give it once.`);
  }
}

/** Restores the argument `-`, for stdin, which yargs makes an empty text. */
function restoreDash(input: Record<string, unknown>, names: readonly string[], argv: readonly string[]): void {
  if (!argv.includes('-') || argv.includes('')) return;
  for (const name of names) if (input[name] === '') input[name] = '-';
}

/** Throws for flags that exclude or need each other, as yargs found them. @param args names that are arguments */
function failForPair(message: string, args: readonly string[]): void {
  const label = (name: string) => (args.includes(name) ? `<${name}>` : `--${name}`);
  const [, one, other] = /^Arguments (\S+) and (\S+) are mutually exclusive$/.exec(message) ?? [];
  if (one !== undefined && other !== undefined) fail(`Use either ${label(one)} or ${label(other)}, not both.`);
  const [, flag, needed] = /^Missing dependent arguments:\s+(\S+) -> (\S+)$/.exec(message) ?? [];
  if (flag !== undefined) fail(`--${flag}: use it with --${needed}.`);
}

/** Adds to a message of yargs what it lacks. */
function explain(message: string, positionals: string, argv: readonly string[], flags: readonly string[]): string {
  if (message.startsWith('Not enough non-option arguments')) return `Missing argument: ${positionals}.`;
  const [, list] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (list === undefined) return message;
  const words = list.split(', ').flatMap((name) => findWord(name, argv) ?? []);
  const known = flags.flatMap((name) => [`--${name}`, `--no-${name}`]);
  const hints = words.filter((word) => word.startsWith('--')).map((word) => didYouMeanAny(word, known));
  const namesServer = words.some((word) => /^(?:--port|-p|--from|--to|https?:.*)$/.test(word));
  if (flags.includes('url') && namesServer) hints.push(' Use --url.');
  return `Unknown argument${words.length === 1 ? '' : 's'}: ${words.join(', ')}.${hints.join('')}`;
}

/** Finds an argument as it was written. Undefined for the second name, in camel case, that yargs lists for a flag. */
function findWord(name: string, argv: readonly string[]): string | undefined {
  const written = argv.map((word) => (word.startsWith('-') ? word.replace(/=.*/s, '') : word));
  const candidates = [`--${name}`, `--no-${name}`, name];
  // Several letters may share one dash.
  return candidates.find((word) => written.includes(word)) ?? (name.length === 1 ? `-${name}` : undefined);
}
