import yargs, { type Argv } from 'yargs';
import { didYouMeanAny } from '../lib/messages.js';
import { packageHomepage, packageVersion } from '../lib/package.js';
import { type CliIo, type Command, type Flags, toCamelCase } from './command.js';
import { fail } from './errors.js';

export const nameIn = ({ usage }: Command): string => usage.replace(/ .*/, '');

interface ParserSettings {
  readonly io: CliIo;
  /** The words to parse, for messages. */
  readonly argv: readonly string[];
  /** The flags of the command, with their defaults. */
  readonly flags: Flags;
  /** The commands to describe in place of this one, none to describe this one. */
  readonly listed: readonly Command[];
}

/** Creates the parser of a command line without the name of the command. */
export function createParser(command: Command, { io, argv, flags, listed }: ParserSettings): Argv {
  const { usage, describe, args = {}, examples, epilogue = '', trailing } = command;
  const positionals = usage.replace(/^\w+ ?/, '');
  const isOverview = listed.length > 0;
  const scriptName = isOverview ? 'val-emulator' : `val-emulator ${nameIn(command)}`;
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
      'halt-at-non-option': trailing !== undefined,
      'parse-positional-numbers': false,
    })
    .middleware((input) => {
      refuseRepeated(input, { ...args, ...flags }, argv);
      restoreDash(input, Object.keys(args), argv);
    }, true)
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    .options(flags)
    .example(Object.entries(examples))
    .epilogue(isOverview ? `${epilogue}\n${describeDocs()}` : epilogue)
    .wrap(Math.min(100, io.stdout.columns ?? 100))
    .fail((text, error) => {
      const message = text || error.message;
      // Only the errors of our parsers say how to fix them.
      if (error instanceof Error && !message.startsWith('Not enough')) throw error;
      fail(`${explain(message, positionals, argv, Object.keys(flags))}\nSee ${scriptName} --help.`);
    });
  if (isOverview) {
    parser.usage('$0 <command>\n\nA local emulator of the vals API. Without a command, it runs start.');
    for (const other of listed) parser.command(other.usage, other.describe);
    return parser;
  }
  if (trailing !== undefined) return parser.usage(`$0 [options] ${trailing}\n\n${describe}`);
  return parser.command(`$0 ${positionals}`.trim(), describe, (inner) => {
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

const describeDocs = () => `Docs: node_modules/val-emulator/docs, ${packageHomepage()}`;

/** Adds to a message of yargs what it lacks. */
function explain(message: string, positionals: string, argv: readonly string[], flags: readonly string[]): string {
  if (message.startsWith('Not enough non-option arguments')) return `Missing argument: ${positionals}.`;
  const [, list] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (list === undefined) return message;
  const words = list.split(', ').flatMap((name) => findWord(name, argv) ?? []);
  const known = flags.flatMap((name) => [`--${name}`, `--no-${name}`]);
  const hints = words.filter((word) => word.startsWith('--')).map((word) => didYouMeanAny(word, known));
  if (flags.includes('url') && words.some((word) => word === '--port' || word === '-p')) hints.push(' Use --url.');
  return `Unknown argument${words.length === 1 ? '' : 's'}: ${words.join(', ')}.${hints.join('')}`;
}

/** Finds an argument as it was written. Undefined for the second name, in camel case, that yargs lists for a flag. */
function findWord(name: string, argv: readonly string[]): string | undefined {
  const written = argv.map((word) => (word.startsWith('-') ? word.replace(/=.*/s, '') : word));
  const candidates = [`--${name}`, `--no-${name}`, name];
  // Several letters may share one dash.
  return candidates.find((word) => written.includes(word)) ?? (name.length === 1 ? `-${name}` : undefined);
}
