/** Gives each server one core and the sender another. Otherwise the threads of a server slow the sender down. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const SERVER_CORE = '0';
const SENDER_CORE = '1';

/** Linux has it in the package util-linux. */
const hasTaskset = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

/** Moves a running server to its core. */
export function pinServer(pid: number): void {
  if (hasTaskset) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', SERVER_CORE, String(pid)]);
}

/** Returns the command that runs a program on the core of the sender. */
export const onSenderCore = (program: string, args: readonly string[]): [string, string[]] =>
  hasTaskset ? ['taskset', ['--cpu-list', SENDER_CORE, program, ...args]] : [program, [...args]];
