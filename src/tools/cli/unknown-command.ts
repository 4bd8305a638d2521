import { didYouMean, didYouMeanAny, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { fail } from './command.js';
import { COMMANDS, listGroup, nameOf } from './commands.js';

/** What to use instead of a command that was removed. */
const REMOVED: Readonly<Record<string, string>> = {
  'data import': 'Use start --data FOLDER --fixtures FILE, and --reseed for a folder that has data.',
  'print confidence': 'docs/confidence.md has its table.',
};

/** What does the work of commands that other programs have. */
const MEANT: readonly (readonly [names: RegExp, hint: string])[] = [
  [/^(?:ui|open|dashboard)$/, 'Use start --open. The dashboard of a running emulator is at /_emulator/ui/.'],
  [/^(?:logs?|tail)$/, 'Use requests --follow. The log of an emulator in the background is a file that status names.'],
  [/^(?:ls|ps|list)$/, 'Use status for emulators, and requests, users, state or sandboxes for what is in one.'],
  [/^(?:init|setup)$/, 'Nothing has to be set up for start. To write data of your own, use generate --out demo.json.'],
  [/^(?:undo|revert|rollback)$/, 'Use rewind 1 to take back the last commit, and snapshot restore for a reset.'],
  [/^version$/, 'Use --version.'],
  [/^(?:run|serve|up|dev)$/, 'Use start, or exec to run a program with an emulator.'],
  [/^(?:down|kill|quit)$/, 'Use stop.'],
  [
    /^(?:tests?|codegen)$/,
    'Use make-test to write a test of recorded requests, or exec to run tests with an emulator.',
  ],
];

/** @throws CliError that says which command may be meant */
export function refuseCommand(argv: readonly string[]): never {
  const [first = '', second = ''] = argv[0] === 'help' ? argv.slice(1) : argv;
  const listed = listGroup(first);
  const removed = [`${first} ${second}`, first].find((name) => Object.hasOwn(REMOVED, name));
  if (removed !== undefined) fail(`The command ${removed} was removed. ${REMOVED[removed]}`);
  if (listed.length > 0 && second === '') {
    fail(
      `The command ${first} needs a second word: ${listed.map(nameOf).join(', ')}.\nSee val-emulator ${first} --help.`,
    );
  }
  if (listed.length > 0) {
    const typed = `${first} ${second}`;
    fail(`Unknown command "${typed}".${didYouMean(typed, listed.map(nameOf))}\nSee val-emulator ${first} --help.`);
  }
  const [, meant] = MEANT.find(([names]) => names.test(first)) ?? [];
  const advice = meant === undefined ? suggest(first) : ` ${meant}`;
  return fail(`Unknown command "${first}".${advice}\nSee val-emulator --help.`);
}

/** Suggests the commands whose second word was given alone, or else those with a similar name. */
function suggest(word: string): string {
  const names = COMMANDS.map(nameOf);
  const inGroups = names.filter((name) => name.endsWith(` ${word}`));
  if (inGroups.length === 0) return didYouMeanAny(word, names);
  return ` Did you mean ${joinAlternatives(inGroups.map(formatValue))}?`;
}
