import yargs, { type Argv } from 'yargs';
import { isModuleFile } from '#engine/fixtures/file-names.js';
import { didYouMean, didYouMeanAny, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { packageVersion } from '#engine/platform/package.js';
import { type CliIo, type Command, type Flags, fail, toCamelCase } from './command.js';
import { type CommandEntry, nameOf } from './commands.js';
import { helpWidth } from './io.js';

interface ParserSettings {
  readonly io: CliIo;
  /** The words to parse, for messages. */
  readonly argv: readonly string[];
  /** The flags of the command, with their defaults. */
  readonly flags: Flags;
}

export function createParser(command: CommandEntry, spec: Command, { io, argv, flags }: ParserSettings): Argv {
  const { args = {}, runsProgram = false } = spec;
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
      restoreDashes(input, Object.keys(args), { ...args, ...flags }, argv);
      restoreValues(input, flags, argv);
    }, true)
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    // Before the group of the advanced ones.
    .group(['help', 'version', ...Object.keys(flags).filter((name) => !flags[name]?.group)], 'Options:')
    .options(flags)
    .wrap(helpWidth(io))
    .fail((text, error) => {
      const message = text || error.message;
      // The errors of our parsers say how to fix them.
      if (error instanceof Error && !message.startsWith('Not enough')) throw error;
      fail(`${explain(message, command, spec, argv, flags)}\nSee ${scriptName} --help.`);
    });
  if (runsProgram) return parser.usage(`$0 [options] ${positionals}\n\n${command.describe}`);
  return parser.command(`$0 ${positionals}`.trim(), command.describe, (inner) => {
    for (const [name, options] of Object.entries(args)) inner.positional(name, options);
    return inner;
  });
}

/** Returns the words before the program to run. */
const findOwnWords = (input: Record<string, unknown>, argv: readonly string[]): readonly string[] =>
  argv.slice(0, argv.length - [input['--'] ?? []].flat().length);

/** Refuses a flag that is given more than once, unless it is a list. yargs makes lists of others, but for booleans. */
function refuseRepeated(input: Record<string, unknown>, flags: Flags, argv: readonly string[]): void {
  const own = findOwnWords(input, argv);
  for (const [name, { type, array, alias }] of Object.entries(flags)) {
    const value = input[name];
    const words = [`--${name}`, `--no-${name}`, `--${toCamelCase(name)}`, `-${alias}`];
    const given = type === 'boolean' ? own.filter((word) => words.includes(word.replace(/=.*/s, ''))) : value;
    if (array || !Array.isArray(given) || given.length < 2) continue;
    fail(`--${name}: given ${given.length === 2 ? 'twice' : `${given.length} times`}; give it once.`);
  }
}

/** Restores the argument `-`, for stdin, which yargs makes an empty text, and leaves out of a list. */
function restoreDashes(
  input: Record<string, unknown>,
  names: readonly string[],
  flags: Flags,
  argv: readonly string[],
): void {
  const own = findOwnWords(input, argv);
  const needsValue = (word = '') => {
    const found = Object.keys(flags).find((name) => word === `--${name}` || word === `-${flags[name]?.alias}`);
    return found !== undefined && flags[found]?.type !== 'boolean';
  };
  const dashes = own.filter((word, i) => word === '-' && !needsValue(own[i - 1]));
  if (dashes.length === 0 || argv.includes('')) return;
  for (const name of names) {
    const value = input[name];
    if (value === '') input[name] = '-';
    // At the end: yargs does not say where it was.
    if (Array.isArray(value)) input[name] = [...value, ...dashes];
  }
}

/** Restores the values of switches that take one, of which yargs makes `false`. */
function restoreValues(input: Record<string, unknown>, flags: Flags, argv: readonly string[]): void {
  for (const name of Object.keys(flags).filter((each) => flags[each]?.takesValue)) {
    const word = findOwnWords(input, argv).findLast((each) => each.startsWith(`--${name}=`));
    if (word !== undefined) input[name] = word.slice(name.length + 3);
  }
}

/**
 * Describes an error of yargs as our own parsers describe theirs.
 * @param words the words of the command line
 */
function explain(
  text: string,
  { usage }: CommandEntry,
  { args = {} }: Command,
  words: readonly string[],
  flags: Flags,
) {
  const label = (name: string) => (name in args ? `<${name}>` : `--${name}`);
  const [, one = '', other = ''] = /^Arguments (\S+) and (\S+) are mutually exclusive$/.exec(text) ?? [];
  if (one !== '') fail(`Use either ${label(one)} or ${label(other)}, not both.`);
  const [, flag = '', needed] = /^Missing dependent arguments:\s+(\S+) -> (\S+)$/.exec(text) ?? [];
  if (flag !== '') fail(`--${flag}: use it with --${needed}.`);
  const [, missing = ''] =
    /^(?:Missing required arguments?|Not enough arguments following): (\w[\w-]*)/.exec(text) ?? [];
  if (missing !== '') return `--${missing}: missing; expected a value: ${flags[missing]?.describe ?? ''}.`;
  const [, name = '', given = ''] = /^Invalid values:\s+Argument: (\S+), Given: "(.*?)", Choices: /.exec(text) ?? [];
  if (name !== '') {
    const choices = ({ ...args, ...flags }[name]?.choices ?? []).map(String);
    return `${label(name)}: found ${formatValue(given)}; expected ${joinAlternatives(choices)}.${didYouMean(given, choices)}`;
  }
  const [, got, needs] = /^Not enough non-option arguments: got (\d+), need at least (\d+)/.exec(text) ?? [];
  if (got !== undefined)
    return `Missing argument: ${got === '0' ? '' : `found ${got} of ${needs}: `}${usage.replace(/^[^<[]*/, '')}.`;
  const [, list] = /^Unknown arguments?: (.*)$/s.exec(text) ?? [];
  return list === undefined
    ? text
    : explainUnknown(
        list.split(', ').flatMap((each) => findWord(each, words) ?? []),
        flags,
      );
}

/** What is meant by flags and words that other programs have, where the command has the flag. */
const MEANT: readonly (readonly [words: RegExp, flag: string, hint?: string])[] = [
  [/^--(?:seed|seed-data|dataset)$/, 'fixtures'],
  [/^(?:-d|--background|--daemon)$/, 'detach'],
  [/^(?:-n|--last|--tail|--count)$/, 'limit'],
  [/^-f$/, 'follow'],
  [/^--(?:failed|errors)$/, 'status', '--status 4xx,5xx'],
  [/^(?:--)?(?:reset|unfreeze|run)$/, 'resume', '--resume, or the command reset, which restores all'],
];

/** Finds the flag that a word without dashes, or of another program, stands for. */
function findMeant(word: string, flags: Flags): string | undefined {
  if (Object.hasOwn(flags, word)) return `--${word}`;
  const [, flag, hint = `--${flag}`] = MEANT.find(([words, name]) => name in flags && words.test(word)) ?? [];
  return flag && hint;
}

function explainUnknown(words: readonly string[], flags: Flags): string {
  const known = Object.keys(flags).flatMap((name) => [`--${name}`, `--no-${name}`]);
  const hints = words.map((word) => {
    const meant = findMeant(word, flags);
    if (meant !== undefined) return ` Did you mean ${meant}?`;
    if (word.startsWith('--')) return didYouMeanAny(word, known);
    if ('port' in flags && /^\d+$/.test(word)) return ` Did you mean --port ${word}?`;
    if ('fixtures-module' in flags && isModuleFile(word)) return ` Did you mean --fixtures-module ${word}?`;
    return 'fixtures' in flags && /\.jsonc?$|[\\/]/.test(word) ? ` Did you mean --fixtures ${word}?` : '';
  });
  const namesServer = words.some((word) => /^(?:--port|-p|--from|--to|https?:.*|[\w.-]*:?\d+)$/.test(word));
  if ('url' in flags && namesServer && hints.join('') === '') hints.push(' Use --url.');
  return `Unknown argument${words.length === 1 ? '' : 's'}: ${words.join(', ')}.${hints.join('')}`;
}

/** Finds an argument as it was written. Undefined for the second name, in camel case, that yargs lists for a flag. */
function findWord(name: string, argv: readonly string[]): string | undefined {
  const written = argv.map((word) => (word.startsWith('-') ? word.replace(/=.*/s, '') : word));
  const candidates = [`--${name}`, `--no-${name}`, name];
  // Several letters may share one dash.
  return candidates.find((word) => written.includes(word)) ?? (name.length === 1 ? `-${name}` : undefined);
}
