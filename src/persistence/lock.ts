import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataError, hasCode } from '../lib/errors.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import { LOCK_FILE } from './file-names.js';

/** Milliseconds between two signs of life of a holder, which are the time of its file. */
const BEAT_MS = 2_000;
/** Milliseconds without a sign of life after which the lock of another machine is stale. */
const STALE_MS = 15_000;
const MAX_ATTEMPTS = 10;

/** Taken before a test runner replaces them: other processes have real time. */
const { setInterval, clearInterval } = timers;

/** How long the holder of a lock may be silent. Only tests have others. */
interface LockTimes {
  /** Milliseconds between two signs of life. */
  readonly beat: number;
  /** Milliseconds without one after which a lock is stale. */
  readonly stale: number;
}

/** Who holds a lock, as its file says. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Where its pid is valid: the pids of a container are others. */
  readonly namespace: string;
  /** When the process started. Another process may have its pid later. */
  readonly started: string;
}

/**
 * Locks a folder for this process. A lock whose process has ended is replaced at once; that of another machine or
 * container, whose processes cannot be seen, after 15 seconds without a sign of life.
 * @returns what releases the lock
 * @throws DataError when another process uses the folder
 */
export async function lockFolder(
  folder: string,
  times: LockTimes = { beat: BEAT_MS, stale: STALE_MS },
): Promise<() => void> {
  const path = join(folder, LOCK_FILE);
  const own = describeSelf();
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own));
  try {
    for (let attempt = 1; !tryLink(draft, path); attempt++) {
      const found = readText(path);
      const holder = parseHolder(found);
      if (holder && (attempt > MAX_ATTEMPTS || (await isHeld(path, holder, own, times)))) {
        const where = holder.host === own.host ? '' : ` on ${holder.host}`;
        throw new DataError(`${folder} is in use by process ${holder.pid}${where}. Stop it, or use another folder.`);
      }
      removeStale(path, `${draft}.stale`, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const timer = setInterval(() => touch(path), times.beat).unref();
  return () => {
    clearInterval(timer);
    if (readText(path) === JSON.stringify(own)) rmSync(path, { force: true });
  };
}

const describeSelf = (): Holder => ({
  pid: process.pid,
  host: hostname(),
  namespace: readNamespace(),
  started: readStart(process.pid),
});

/** Makes a second name of a file, unless there is one of this name. Its content is there from the first moment. */
function tryLink(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // Some file systems have no links.
    return tryCreate(name, readFileSync(file, 'utf8'));
  }
}

function tryCreate(name: string, text: string): boolean {
  try {
    writeFileSync(name, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isHeld(path: string, holder: Holder, own: Holder, { beat, stale }: LockTimes): Promise<boolean> {
  if (holder.host === own.host && holder.namespace === own.namespace) {
    return isRunning(holder.pid) && readStart(holder.pid) === holder.started;
  }
  const time = readTime(path);
  for (let waited = 0; waited < stale; waited += beat) {
    await sleep(beat);
    if (readTime(path) !== time) return true;
  }
  return false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Removes a lock unless it has changed since it was read: then another process has replaced it. */
function removeStale(path: string, aside: string, expected: string | undefined): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside) !== expected) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function touch(path: string): void {
  const now = new Date(performance.timeOrigin + performance.now());
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder was removed: writes say so.
  }
}

const readTime = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Undefined for a lock that is gone, or was not written by this program. */
function parseHolder(text = ''): Holder | undefined {
  const value = parseJsonIfValid(text);
  if (!isObject(value)) return undefined;
  const { pid, host, namespace, started } = value;
  if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
  return { pid, host, namespace: String(namespace), started: String(started) };
}

/** Empty where it is not known. */
function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Returns when a process started, in ticks since the machine did. Empty where it is not known, and for one that has ended. */
function readStart(pid: number): string {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readText(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ') ?? [];
  // A zombie: its parent has not asked for its exit code yet.
  const hasEnded = /^[ZX]/.test(fields[0] ?? '');
  return hasEnded ? '' : (fields[19] ?? '');
}
