import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readHealth } from '#engine/http/address.js';
import { hasCode } from '#engine/lib/errors.js';
import { parseJsonIfValid } from '#engine/lib/json.js';
import { isObject } from '#engine/lib/objects.js';
import { compile } from '#engine/schema/validator.js';
import type { CliIo, Environment, Output } from './command.js';
import { onSignals } from './io.js';
import { isAlive } from './processes.js';

/** An emulator in the background, as the user's state folder describes it. */
export interface Detached extends Static<typeof DetachedSchema> {}

const DetachedSchema = Type.Object({
  url: Type.String({ format: 'uri' }),
  pid: Type.Integer({ minimum: 1 }),
  /** What its health has, and no other program. */
  instance: Type.String(),
  /** The folder that it was started in. */
  cwd: Type.String(),
  /** The file that its output goes to. */
  log: Type.String(),
  startedAt: Type.String(),
});
const isDetached = compile(DetachedSchema, 'strict');

/** How long a health check may take. A statement of SQL may occupy an emulator for a second. */
const PROBE_TIMEOUT_MS = 3_000;
/** How long the log of an emulator that has ended is kept, and a file that was not renamed. */
const LOG_AGE_MS = 86_400_000;

function findStateFolder({ LOCALAPPDATA, XDG_STATE_HOME }: Environment): string {
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(base || join(homedir(), '.local', 'state'), 'val-emulator');
}

/** Runs this command line without `--detach` in the background. Resolves once the emulator is ready, or has failed. */
export async function startDetached(io: CliIo): Promise<Output | number> {
  const folder = findStateFolder(io.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOldLogs(io, folder);
  const startedAt = new Date().toISOString();
  const log = join(folder, `${startedAt.replaceAll(':', '-')}-${process.pid}.log`);
  const file = openSync(log, 'wx', 0o600);
  const words = process.argv.slice(1).filter((word) => !/^--detach(?:=|$)/.test(word));
  const stdio = ['ignore', file, file, 'ipc'] as const;
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    detached: true,
    windowsHide: true,
    // It outlives npm.
    env: { ...process.env, npm_command: undefined, npm_lifecycle_event: undefined },
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
  // What it warns of, such as another port.
  for (const line of readFileSync(log, 'utf8').split('\n'))
    if (line.startsWith('val-emulator: ')) io.stderr.write(`${line}\n`);
  child.disconnect();
  child.unref();
  const { instance, ...shown } = ready;
  const emulator = { url: ready.url, pid: ready.pid, instance, cwd: process.cwd(), log, startedAt };
  try {
    writeWhole(fileOf(folder, child.pid), `${JSON.stringify(emulator, null, 2)}\n`);
  } catch (error) {
    // Without the file, no command would find it.
    child.kill();
    throw error;
  }
  const value = { ...shown, log };
  return { value, text: JSON.stringify(value) };
}

const fileOf = (folder: string, pid: number | undefined): string => join(folder, `${pid}.json`);

/** Writes a file that never has a part of its text. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/**
 * Finds the emulators that `--detach` has started. Those that have ended meanwhile are forgotten.
 * @returns `silent` have their process id, but do not respond: another program may have it by now
 */
export async function findDetached(io: CliIo): Promise<Record<Status, Detached[]>> {
  const folder = findStateFolder(io.env);
  const found: Record<Status, Detached[]> = { running: [], silent: [], ended: [] };
  const all = readDetached(io, folder);
  const statuses = await Promise.all(all.map(findStatus));
  for (const [index, emulator] of all.entries()) {
    const status = statuses[index] ?? 'silent';
    found[status].push(emulator);
    if (status === 'ended') rmSync(fileOf(folder, emulator.pid), { force: true });
  }
  return found;
}

export function forgetDetached(env: Environment, { pid, log }: Detached): void {
  for (const file of [fileOf(findStateFolder(env), pid), log]) rmSync(file, { force: true });
}

type Status = 'running' | 'silent' | 'ended';

/** Finds out whether an emulator still has its process, whose id and address may belong to another program by now. */
async function findStatus({ pid, url, instance }: Detached): Promise<Status> {
  if (!isAlive(pid)) return 'ended';
  try {
    return (await readHealth(url, PROBE_TIMEOUT_MS))?.instance === instance ? 'running' : 'ended';
  } catch (error) {
    return hasCode(error, 'ABORT_ERR') ? 'silent' : 'ended';
  }
}

function listFiles(folder: string, ending: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => ending.test(name));
  } catch {
    // The folder is made by the first --detach.
    return [];
  }
}

/** Reads a file. Undefined for one that is gone: the command of another job may have removed it. */
function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Reads the files of the emulators. One that was cut, as on a full disk, is removed with a warning. */
const readDetached = ({ stderr }: CliIo, folder: string): Detached[] =>
  listFiles(folder, /\.json$/).flatMap((name) => {
    const file = join(folder, name);
    const text = readIfPresent(file);
    if (text === undefined) return [];
    const value = parseJsonIfValid(text);
    if (isDetached(value)) return [value];
    rmSync(file, { force: true });
    const advice = 'If one still runs, end it by the process id in that name.';
    stderr.write(`val-emulator: Removed ${file}, which does not describe an emulator. ${advice}\n`);
    return [];
  });

function removeOldLogs(io: CliIo, folder: string): void {
  const used = new Set(readDetached(io, folder).map(({ log }) => log));
  for (const file of listFiles(folder, /\.(?:log|tmp)$/).map((name) => join(folder, name))) {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined || used.has(file)) continue;
    if (Date.now() - changedAt > LOG_AGE_MS) rmSync(file, { force: true });
  }
}
