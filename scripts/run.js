// Runs the programs of this repository for scripts/{test,check,bench}.js.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Runs a module in a Node of its own. Returns whether it succeeded. */
export function runNode(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status === 0;
}

/** Splits the leading names off the arguments: `takeNames(['types', '--json'], known)` returns `[['types'], ['--json']]`. */
export function takeNames(args, known) {
  const end = args.findIndex((arg) => !known.includes(arg));
  return end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
}
