import type { Command } from '../command.js';

/** A command whose module is loaded when it is used. */
interface LazyCommand {
  readonly name: string;
  /** Positional arguments as yargs writes them: `<fixture..>`. */
  readonly args: string;
  readonly describe: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

const lazy = (usage: string, describe: string, load: LazyCommand['load']): LazyCommand => {
  const [name = '', args = ''] = usage.split(' ');
  return { name, args, describe, load };
};

export const startCommand = lazy('start', 'Start an emulator (default command)', () => import('./start.js'));

/** All commands in the order of the help. */
export const commands: readonly LazyCommand[] = [
  startCommand,
  lazy('exec', 'Run a command (after --) with an emulator', () => import('./exec.js')),
  lazy('wait', 'Wait until an emulator responds', () => import('./wait.js')),
  lazy('reset', 'Reset a running emulator to its seed data', () => import('./reset.js')),
  lazy('seed [fixtures]', 'Replace the seed data of a running emulator', () => import('./seed.js')),
  lazy('snapshot [name]', 'Take a snapshot of a running emulator', () => import('./snapshot.js')),
  lazy('restore <name>', 'Restore a snapshot in a running emulator', () => import('./restore.js')),
  lazy('state', 'Print the records of a running emulator as fixtures', () => import('./state.js')),
  lazy('requests', 'Print the last requests to a running emulator', () => import('./requests.js')),
  lazy('fail [route]', 'Inject faults into a running emulator', () => import('./fail.js')),
  lazy('clock', 'Print or change the clock of a running emulator', () => import('./clock.js')),
  lazy('generate', 'Write a fixture of generated data', () => import('./generate.js')),
  lazy('check <fixture..>', 'Check fixtures and count their records', () => import('./check.js')),
  lazy('schema', 'Print the JSON Schema of fixtures, for editors', () => import('./schema.js')),
  lazy('openapi', 'Print the OpenAPI document of the API', () => import('./openapi.js')),
];
