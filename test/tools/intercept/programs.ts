import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { PATIENCE } from '../../support/patience.js';
import { spawnCli } from '../cli/cli.js';

/** The token that the programs send to `https://api.val.town`, as a user would have written it. */
export const TOKEN = 'ada-token';

/** Variables that a developer may have set, and that the tests set themselves. */
const IN_FORCE =
  /^(?:(?:https?|all|no)_proxy|node_(?:options|extra_ca_certs)|ssl_cert_file|curl_ca_bundle|requests_ca_bundle|deno_cert|java_tool_options)$/i;
export const CLEAN = Object.fromEntries(
  Object.keys(process.env).flatMap((name) => (IN_FORCE.test(name) ? [[name, undefined]] : [])),
);

interface RunOptions {
  /** Flags in addition to `--intercept`, or in its place if the first one begins with it. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts a program below `exec --intercept`. Only its arguments and files are given, no address. */
export function start(command: readonly string[], { flags = [], env }: RunOptions = {}) {
  const own = flags[0]?.startsWith('--intercept') ? flags : ['--intercept', ...flags];
  return spawnCli(['exec', ...own, '--', ...command], { env: { ...CLEAN, ...env } });
}

/** Runs a program to its end. */
export const run = (command: readonly string[], options?: RunOptions) => start(command, options).end();

/** Writes a module for Node, beside the packages of the clients. Returns its path. */
export function writeModule(source: string, name = 'program.mjs'): string {
  const { folder } = inject('clients');
  const program = join(folder, 'programs', `${process.pid}-${performance.now()}`);
  mkdirSync(program, { recursive: true });
  const path = join(program, name);
  writeFileSync(path, source);
  return path;
}

/** Writes a program to a new folder. Returns its path. */
export const writeProgram = (name: string, source: string): string => join(folderOf({ [name]: source }), name);

/** Finds a program of this machine, if a first run of it succeeds. */
export function findProgram(program: string, ...args: readonly string[]): string | undefined {
  return spawnSync(program, args, { timeout: PATIENCE }).status === 0 ? program : undefined;
}

/** Returns why a test has to be skipped, for `skip`. Undefined if it has what it needs. */
export const whyWithout = (found: string | undefined, name: string): string | undefined =>
  found === undefined ? `${name} is not on this machine` : undefined;
