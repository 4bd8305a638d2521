import { didYouMean, didYouMeanAny } from '../lib/messages.js';
import type { Command } from './command.js';
import { fail } from './errors.js';

export interface CommandEntry {
  /** The heading in the help. */
  readonly group: string;
  /** The name and the positional arguments as yargs writes them: `check <fixture..>`. */
  readonly usage: string;
  readonly describe: string;
  load(): Promise<Command>;
}

/** The modules of the commands, loaded when they are needed. */
const checkModule = () => import('./commands/check.js');
const clockModule = () => import('./commands/clock.js');
const clusterModule = () => import('./commands/cluster.js');
const conformanceModule = () => import('./commands/conformance.js');
const dataModule = () => import('./commands/data.js');
const execModule = () => import('./commands/exec.js');
const failModule = () => import('./commands/fail.js');
const generateModule = () => import('./commands/generate.js');
const historyModule = () => import('./commands/history.js');
const printModule = () => import('./commands/print.js');
const proxyModule = () => import('./commands/proxy.js');
const pullModule = () => import('./commands/pull.js');
const recordModule = () => import('./commands/record.js');
const recordsModule = () => import('./commands/records.js');
const requestsModule = () => import('./commands/requests.js');
const sandboxesModule = () => import('./commands/sandboxes.js');
const seedModule = () => import('./commands/seed.js');
const snapshotModule = () => import('./commands/snapshot.js');
const startModule = () => import('./commands/start.js');
const waitModule = () => import('./commands/wait.js');

type Row = readonly [describe: string, load: () => Promise<Command>];

/** Every command by its usage, in the order of the help. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  Run: {
    start: ['Start an emulator (default command)', async () => (await startModule()).start],
    'exec <command> [arguments]': ['Run a command with an emulator', async () => (await execModule()).exec],
    wait: ['Wait until an emulator responds', async () => (await waitModule()).wait],
  },
  Prepare: {
    generate: ['Write a fixture of generated data', async () => (await generateModule()).generate],
    'check <fixture..>': ['Check fixtures and count their records', async () => (await checkModule()).check],
    'seed [fixtures]': ['Replace the seed data of an emulator', async () => (await seedModule()).seed],
    reset: ['Reset an emulator to its seed data', async () => (await seedModule()).reset],
    'add <kind> <records>': ['Add records to an emulator', async () => (await recordsModule()).add],
    'fail [route]': ['Inject faults into an emulator', async () => (await failModule()).fail],
    clock: ['Print or change the clock of an emulator', async () => (await clockModule()).clock],
    'snapshot save [name]': ['Take a snapshot of an emulator', async () => (await snapshotModule()).save],
    'snapshot restore <name>': ['Go back to a snapshot', async () => (await snapshotModule()).restore],
    'snapshot list': ['List the snapshots', async () => (await snapshotModule()).list],
    'snapshot drop <name>': ['Drop a snapshot', async () => (await snapshotModule()).drop],
    'rewind <to>': ['Take back commits of an emulator', async () => (await historyModule()).rewind],
    'fork [name]': ['Create a sandbox with the state of another one', async () => (await sandboxesModule()).fork],
    sandboxes: ['List, open or close the sandboxes of an emulator', async () => (await sandboxesModule()).sandboxes],
  },
  Look: {
    'requests [id]': ['Print the last requests to an emulator, or one', async () => (await requestsModule()).requests],
    'expect <route>': ['Assert that an emulator received requests', async () => (await requestsModule()).expect],
    'history [id]': ['Print the last commits of an emulator, or one', async () => (await historyModule()).history],
    users: ['Print the users of an emulator with their tokens', async () => (await recordsModule()).users],
    state: ['Print the records of an emulator as fixtures', async () => (await recordsModule()).state],
    cluster: ['List the emulators that share a store', async () => (await clusterModule()).cluster],
  },
  Share: {
    record: ['Write a session of an emulator to a file', async () => (await recordModule()).record],
    'data export': ['Print the records of a data folder as fixtures', async () => (await dataModule()).exportData],
    'data import [fixtures]': ['Make a data folder of fixtures', async () => (await dataModule()).importData],
    'data compact': ['Make a data folder smaller', async () => (await dataModule()).compact],
    'print schema': ['Print the JSON Schema of fixtures, for editors', async () => (await printModule()).schema],
    'print openapi': ['Print the OpenAPI document of the API', async () => (await printModule()).openapi],
    'print completion': [
      'Print the completion script of your shell ($SHELL)',
      async () => (await printModule()).completion,
    ],
  },
  Compare: {
    conformance: [
      'Test a service against the rules of the vals API',
      async () => (await conformanceModule()).conformance,
    ],
    pull: ['Download an account as fixtures', async () => (await pullModule()).pull],
    proxy: ['Proxy a service; record or compare the traffic', async () => (await proxyModule()).proxy],
  },
};

export const COMMANDS: readonly CommandEntry[] = Object.entries(TABLE).flatMap(([group, rows]) =>
  Object.entries(rows).map(([usage, [describe, load]]) => ({ group, usage, describe, load })),
);

/** What replaces a command of an earlier version. */
const RENAMED: Readonly<Record<string, string>> = {
  restore: 'snapshot restore NAME',
  unhandled: 'requests --unhandled',
  schema: 'print schema',
  openapi: 'print openapi',
  completion: 'print completion',
  export: 'data export',
  import: 'data import',
  compact: 'data compact',
  'snapshot --list': 'snapshot list',
  'snapshot --drop': 'snapshot drop NAME',
  snapshot: 'snapshot save NAME',
};

export const nameOf = ({ usage }: Pick<CommandEntry, 'usage'>): string => usage.replace(/ [<[].*/, '');

/** Finds a command by the words that its name has. */
const findByName = (words: readonly string[]): CommandEntry | undefined =>
  COMMANDS.find((command) => nameOf(command) === words.join(' '));

function getCommand(name: string): CommandEntry {
  return findByName([name]) ?? fail(`Unknown command "${name}".`);
}

const isHelp = (word: string): boolean => word === '-h' || word === '--help';

/** A command with the words after its name, or the commands to list. */
export type CommandLine =
  | { readonly command: CommandEntry; readonly words: readonly string[] }
  | { readonly listed: readonly CommandEntry[]; readonly group?: string };

/** Finds the command of a command line. @throws CliError for an unknown one */
export function findCommand(argv: readonly string[]): CommandLine {
  const [first = '', second = '', ...others] = argv;
  if (first === 'help') return findCommand([...argv.slice(1), '--help']);
  const long = findByName([first, second]);
  if (long) return { command: long, words: others };
  const short = findByName([first]);
  if (short) return { command: short, words: argv.slice(1) };
  if (!/^\w/.test(first))
    return argv.some(isHelp) ? { listed: COMMANDS } : { command: getCommand('start'), words: argv };
  const listed = COMMANDS.filter((command) => nameOf(command).startsWith(`${first} `));
  if (listed.length > 0 && argv.some(isHelp)) return { listed, group: first };
  const typed = listed.length > 0 && second !== '' ? `${first} ${second}` : first;
  const hint = didYouMean(typed, listed.map(nameOf));
  const renamed = [`${first} ${second}`, ...(hint === '' ? [first] : [])].find((name) => Object.hasOwn(RENAMED, name));
  if (renamed !== undefined) fail(`'${renamed}' is now '${RENAMED[renamed]}'.`);
  if (listed.length > 0) fail(`Unknown command "${typed}".${hint}\nSee val-emulator ${first} --help.`);
  return fail(`Unknown command "${first}".${didYouMeanAny(first, COMMANDS.map(nameOf))}\nSee val-emulator --help.`);
}
