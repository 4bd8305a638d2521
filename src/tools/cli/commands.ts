import { type Command, fail, toCamelCase } from './command.js';

export interface CommandEntry {
  /** The heading in the help. */
  readonly group: string;
  /** The name and the positional arguments as yargs writes them: `check <fixture..>`. */
  readonly usage: string;
  readonly describe: string;
  load(): Promise<Command>;
}

/** The text of the help, and the module: its export is named after the last word of the command. */
type Row = readonly [describe: string, load: () => Promise<Readonly<Record<string, Command>>>];

// Modules of several commands.
const statusCommands = () => import('./commands/status.js');
const addCommands = () => import('./commands/add.js');
const seedCommands = () => import('./commands/seed.js');
const snapshotCommands = () => import('./commands/snapshot.js');
const historyCommands = () => import('./commands/history.js');
const sandboxesCommands = () => import('./commands/sandboxes.js');
const recordsCommands = () => import('./commands/records.js');
const dataCommands = () => import('./commands/data.js');
const printCommands = () => import('./commands/print.js');

/** Every command by its usage, in the order of the help. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  Run: {
    start: ['Start an emulator (default command)', () => import('./commands/start.js')],
    'exec <command> [arguments]': ['Run a command with an emulator', () => import('./commands/exec.js')],
    mcp: ['Offer the emulator to an agent as tools, on stdio', () => import('./commands/mcp.js')],
    status: ['List the emulators that --detach has started', statusCommands],
    stop: ['Stop an emulator that --detach has started', statusCommands],
    env: ['Print the variables of a shell for an emulator', () => import('./commands/env.js')],
    wait: ['Wait until an emulator responds', () => import('./commands/wait.js')],
  },
  Prepare: {
    'generate [settings..]': ['Write a fixture of generated data', () => import('./commands/generate.js')],
    'check <fixture..>': ['Check fixtures or sessions, count their records', () => import('./commands/check.js')],
    'seed [fixtures]': ['Replace the seed data of an emulator', seedCommands],
    reset: ['Reset an emulator to its seed data', seedCommands],
    'add <kind> <records>': ['Add records to an emulator', addCommands],
    'edit <kind> <id> <fields>': ['Change fields of a record of an emulator', addCommands],
    'delete <kind> <id>': ['Delete a record of an emulator', addCommands],
    'fail [route]': ['Inject faults into an emulator', () => import('./commands/fail.js')],
    clock: ['Print or change the clock of an emulator', () => import('./commands/clock.js')],
    'snapshot save [name]': ['Take a snapshot of an emulator', snapshotCommands],
    'snapshot restore <name>': ['Go back to a snapshot', snapshotCommands],
    'snapshot list': ['List the snapshots', snapshotCommands],
    'snapshot drop <name>': ['Drop a snapshot', snapshotCommands],
    'rewind <to>': ['Take back commits of an emulator', historyCommands],
    'fork [name]': ['Create a sandbox with the state of another one', sandboxesCommands],
    sandboxes: ['List, open or close the sandboxes of an emulator', sandboxesCommands],
  },
  Look: {
    'requests [ids..]': ['Print requests to an emulator: the last, or some', () => import('./commands/requests.js')],
    'explain <id>': ['Explain a response, and what to change', () => import('./commands/explain.js')],
    'expect [route..]': ['Assert that an emulator received requests', () => import('./commands/expect.js')],
    'emails [id]': ['Print the emails that programs have sent, or one', () => import('./commands/emails.js')],
    'history [id]': ['Print the last commits of an emulator, or one', historyCommands],
    'diff [before] [after]': ['Compare two states of an emulator', () => import('./commands/diff.js')],
    users: ['Print the users of an emulator with their tokens', recordsCommands],
    state: ['Print the records of an emulator as fixtures', recordsCommands],
    cluster: ['List the emulators that share a store', () => import('./commands/cluster.js')],
  },
  Share: {
    record: ['Write a session of an emulator to a file', () => import('./commands/record.js')],
    'make-test [ids..]': ['Write a test of recorded requests', () => import('./commands/make-test.js')],
    'shrink <session> [words..]': ['Find the smallest session that still fails', () => import('./commands/shrink.js')],
    'data export': ['Print the records of a data folder as fixtures', dataCommands],
    'data compact': ['Make a data folder smaller', dataCommands],
    'print schema': ['Print the JSON Schema of fixtures, for editors', printCommands],
    'print openapi': ['Print the OpenAPI document of the API', printCommands],
    'print completion': ['Print the completion script of your shell ($SHELL)', printCommands],
  },
  Compare: {
    conformance: ['Test a service against the rules of the vals API', () => import('./commands/conformance.js')],
    pull: ['Download an account as fixtures, or compare it', () => import('./commands/pull.js')],
  },
};

export const nameOf = ({ usage }: Pick<CommandEntry, 'usage'>): string => usage.replace(/ [<[].*/, '');

export const COMMANDS: readonly CommandEntry[] = Object.entries(TABLE).flatMap(([group, rows]) =>
  Object.entries(rows).map(([usage, [describe, load]]) => ({
    ...{ group, usage, describe },
    load: async () =>
      (await load())[toCamelCase(nameOf({ usage }).replace(/.* /, ''))] ?? fail(`No module exports "${usage}".`),
  })),
);

/** Lists the commands whose first word is the same. */
export const listGroup = (first: string): readonly CommandEntry[] =>
  COMMANDS.filter((command) => nameOf(command).startsWith(`${first} `));

const isHelp = (word: string): boolean => word === '-h' || word === '--help';

/** A command with the words after its name, or the commands to list. */
export type CommandLine =
  | { readonly command: CommandEntry; readonly words: readonly string[] }
  | { readonly listed: readonly CommandEntry[]; readonly group?: string };

/** Finds the command of a command line. */
export function findCommand(argv: readonly string[]): CommandLine | undefined {
  const [first = ''] = argv;
  if (first === 'help') return findCommand([...argv.slice(1), '--help']);
  for (const length of [2, 1]) {
    const command = COMMANDS.find((each) => nameOf(each) === argv.slice(0, length).join(' '));
    if (command) return { command, words: argv.slice(length) };
  }
  if (/^(?!\w)|^\d+$|\.(?:jsonc?|[cm]?[jt]s)$/.test(first))
    return argv.some(isHelp) ? { listed: COMMANDS } : findCommand(['start', ...argv]);
  const listed = listGroup(first);
  if (listed.length > 0 && argv.some(isHelp)) return { listed, group: first };
  return undefined;
}
