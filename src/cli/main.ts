#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { packageVersion } from '../domain/version.js';
import { suggest } from '../fixtures/problems.js';
import { lazy, moduleOf } from './command.js';
import { exit } from './exit.js';
import { keepLast } from './flags.js';

const start = lazy('start', 'Start an emulator; the default', () => import('./start.js'));
const commands = [
  start,
  lazy('exec', 'Run a command (after --) with an emulator around it', () => import('./exec.js')),
  lazy('wait', 'Wait until an emulator answers', () => import('./wait.js')),
  lazy('reset', 'Take a running emulator back to its seed data', () => import('./reset.js')),
  lazy('seed [fixtures]', 'Give a running emulator other seed data', () => import('./seed.js')),
  lazy(
    'snapshot [name]',
    'Keep everything in a running emulator as it is now, to come back to',
    () => import('./snapshot.js'),
  ),
  lazy('restore <name>', 'Take a running emulator back to a snapshot', () => import('./restore.js')),
  lazy('state', 'Print the records of a running emulator, as fixtures', () => import('./state.js')),
  lazy('requests', 'Print the last requests to a running emulator', () => import('./requests.js')),
  lazy('fail [route]', 'Make requests to a running emulator fail on purpose', () => import('./fail.js')),
  lazy('clock', 'Print, freeze, set, advance or resume the clock of a running emulator', () => import('./clock.js')),
  lazy('generate', 'Write a fixture of generated data', () => import('./generate.js')),
  lazy('check <fixture..>', 'Tell what is wrong with fixtures, or what is in them', () => import('./check.js')),
  lazy('schema', 'Print the JSON Schema of fixtures, for editors', () => import('./schema.js')),
  lazy('openapi', 'Print the OpenAPI document of the API', () => import('./openapi.js')),
];

const words = hideBin(process.argv);
const [first = ''] = words;
const asked = commands.find(({ name }) => name === first);
if (!asked && /^\w/.test(first)) {
  const names = commands.map(({ name }) => name);
  exit(`There is no command "${first}".${suggest(first, names)}\nSee val-emulator --help.`);
}
const asksForHelp = words.some((word) => word === '-h' || word === '--help');
/** Help without a command is about all of them. A parser that has a default one would tell of that alone. */
const isOverview = !asked && asksForHelp;

// The default command is not named to the parser, which would lay out its help whether or not anybody asks for it.
const parser = yargs(asked === start && !asksForHelp ? words.slice(1) : words)
  .scriptName('val-emulator')
  .usage('$0 <command>\n\nA local emulator of the vals API. Without a command it starts, with the options below.')
  .strict()
  // All other messages are in English.
  .locale('en')
  // A flag that is repeated takes one value each time.
  .parserConfiguration({ 'greedy-arrays': false, 'populate--': true })
  .middleware(keepLast, true)
  .version(packageVersion())
  .alias({ help: 'h', version: 'v' })
  .wrap(Math.min(100, process.stdout.columns ?? 100))
  .fail((message, error) => refuse(error ?? message));
for (const command of commands) parser.command(moduleOf(command, command === start && !isOverview));
if (isOverview) (await start.load()).command.builder(parser);

/** What yargs itself complains of comes as a text, or as an error that a promise was rejected with. */
function refuse(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (typeof error !== 'string' && !message.startsWith('Not enough arguments')) return exit(error);
  // Of positional arguments that are missing yargs tells the number alone.
  const missing = message.startsWith('Not enough non-option arguments') && asked?.usage.slice(asked.name.length + 1);
  return exit(
    `${missing ? `${missing} is missing.` : message}\nSee val-emulator ${asked ? `${asked.name} ` : ''}--help.`,
  );
}

// Whoever reads the output may leave, as `head` does.
process.stdout.on('error', () => {});
await parser.parseAsync().catch(refuse);
