import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import spawn from 'cross-spawn';
import { hasCode, reasonFor } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import { fail } from './errors.js';

/** Starts the program of a user. One word with spaces is run by the shell, unless it is a file. */
export function startProgram([program = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  const isLine = args.length === 0 && /\s/.test(program) && !existsSync(program);
  return spawn(program, args, { ...options, shell: isLine });
}

/**
 * Waits for the end of a program, and returns its exit code as shells do.
 * @throws CliError for one that cannot be run
 */
export async function waitForEnd(child: ChildProcess, [program]: readonly string[]): Promise<number> {
  try {
    await once(child, 'exit');
  } catch (error) {
    const code = hasCode(error, 'ENOENT') ? 'not-found' : 'not-executable';
    fail(`Cannot run ${formatValue(program)} (${reasonFor(error)}). Check its name and the PATH.`, code);
  }
  return child.exitCode ?? 128 + (child.signalCode ? constants.signals[child.signalCode] : 0);
}
