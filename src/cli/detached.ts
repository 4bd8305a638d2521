import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { controlClient, NoEmulatorError } from '../client/control-client.js';
import { isObject } from '../lib/objects.js';
import { compile } from '../lib/validator.js';
import type { CliIo, Environment, Output } from './command.js';
import { onSignals } from './io.js';

/** An emulator in the background, as the user's state folder describes it. */
export interface Detached extends Static<typeof DetachedSchema> {}

const DetachedSchema = Type.Object({
  url: Type.String({ format: 'uri' }),
  pid: Type.Integer({ minimum: 1 }),
  /** The folder that it was started in. */
  cwd: Type.String(),
  /** The file that its output goes to. */
  log: Type.String(),
  startedAt: Type.String(),
});
const isDetached = compile('detached emulator', DetachedSchema, 'strict');

/** How long a health check may take. */
const PROBE_TIMEOUT_MS = 1_000;
/** How long the log of an emulator that has ended is kept. */
const LOG_AGE_MS = 86_400_000;

function findStateFolder({ LOCALAPPDATA, XDG_STATE_HOME }: Environment): string {
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(base || join(homedir(), '.local', 'state'), 'val-emulator');
}

/** Runs this command line without `--detach` in the background. Resolves once the emulator is ready, or has failed. */
export async function startDetached(io: CliIo): Promise<Output | number> {
  const folder = findStateFolder(io.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldLogs(folder);
  const startedAt = new Date().toISOString();
  const log = join(folder, `${startedAt.replaceAll(':', '-')}-${process.pid}.log`);
  const file = openSync(log, 'wx', 0o600);
  const words = process.argv.slice(1).filter((word) => !/^--detach(?:=|$)/.test(word));
  const stdio = ['ignore', file, file, 'ipc'] as const;
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    detached: true,
    windowsHide: true,
    stdio: [...stdio],
  });
  closeSync(file);
  const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => void child.kill(signal));
  const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  off();
  if (!isObject(ready)) {
    io.stderr.write(readFileSync(log, 'utf8'));
    rmSync(log);
    return typeof ready === 'number' ? ready : 1;
  }
  child.disconnect();
  child.unref();
  const emulator = { url: ready.url, pid: ready.pid, cwd: process.cwd(), log, startedAt };
  writeFileSync(fileOf(folder, child.pid), `${JSON.stringify(emulator, null, 2)}\n`, { mode: 0o600 });
  const value = { ...ready, log };
  return { value, text: JSON.stringify(value) };
}

const fileOf = (folder: string, pid: number | undefined): string => join(folder, `${pid}.json`);

/** Finds the emulators that `--detach` has started. Those that have ended meanwhile are forgotten. */
export async function findDetached(env: Environment): Promise<{ running: Detached[]; ended: Detached[] }> {
  const folder = findStateFolder(env);
  const running: Detached[] = [];
  const ended: Detached[] = [];
  for (const emulator of readDetached(folder)) {
    if (await isRunning(emulator)) running.push(emulator);
    else {
      ended.push(emulator);
      rmSync(fileOf(folder, emulator.pid), { force: true });
    }
  }
  return { running, ended };
}

/** Forgets an emulator that was stopped. */
export function forgetDetached(env: Environment, { pid, log }: Detached): void {
  for (const file of [fileOf(findStateFolder(env), pid), log]) rmSync(file, { force: true });
}

/** Whether a process of the user has an id. In a container without an init process, one that has ended stays a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Whether an emulator still has its process: the id may belong to another program by now, which does not listen. */
async function isRunning({ pid, url }: Detached): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const health = controlClient(url, { timeout: PROBE_TIMEOUT_MS }).getHealth();
  return health.then(
    () => true,
    // A busy or suspended one responds too late.
    (error: unknown) => !(error instanceof NoEmulatorError && /refused/.test(error.message)),
  );
}

function listFiles(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ending));
  } catch {
    // The folder is made by the first --detach.
    return [];
  }
}

const readDetached = (folder: string): Detached[] =>
  listFiles(folder, '.json').flatMap((name) => {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return isDetached(value) ? [value] : [];
  });

function removeOldLogs(folder: string): void {
  const used = new Set(readDetached(folder).map(({ log }) => log));
  for (const log of listFiles(folder, '.log').map((name) => join(folder, name))) {
    if (!used.has(log) && Date.now() - statSync(log).mtimeMs > LOG_AGE_MS) rmSync(log, { force: true });
  }
}
