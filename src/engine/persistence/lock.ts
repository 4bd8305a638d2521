import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DataError, hasCode, LockLostError, reasonFor } from '../lib/errors.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import { sleep, systemTimers, type Timer, type Timers } from '../platform/system-timers.js';
import { type Disk, systemDisk } from './disk.js';
import { LOCK_FILE, removeUnfinished } from './file-names.js';

/** Milliseconds between two signs of life of a holder, which are the time of its file. */
const BEAT_MS = 2_000;
/** Milliseconds without a sign of life after which the lock of another machine is stale. */
const STALE_MS = 15_000;
const MAX_ATTEMPTS = 10;

/** How long the holder of a lock may be silent. Only tests have others. */
export interface LockTimes {
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

/** The lock of a folder. A process that was silent for too long has lost it, and never gets it back. */
export class Lock {
  readonly folder: string;
  readonly disk: Disk;
  readonly timers: Timers;
  /** Differs from the id of any other lock: containers have the same pids. */
  readonly id = randomUUID();
  readonly #path: string;
  readonly #text: string;
  #timer: Timer | undefined;
  /** Why another process may use the folder now. Undefined while none does, also when the folder was removed. */
  loss: LockLostError | undefined;
  /** Called once, when the lock is found to be lost. */
  onLoss: (loss: LockLostError) => void = () => {};

  private constructor(folder: string, disk: Disk, timers: Timers) {
    this.folder = folder;
    this.disk = disk;
    this.timers = timers;
    this.#path = join(folder, LOCK_FILE);
    this.#text = JSON.stringify({ ...describeSelf(disk), id: this.id });
  }

  /**
   * Locks a folder for this process. A lock whose process has ended is replaced at once; a lock of another machine or
   * container, whose processes cannot be seen, after 15 seconds without a sign of life.
   * @throws DataError when another process uses the folder
   */
  static async take(
    folder: string,
    disk = systemDisk,
    times: LockTimes = { beat: BEAT_MS, stale: STALE_MS },
    timers = systemTimers,
  ): Promise<Lock> {
    const lock = new Lock(folder, disk, timers);
    const path = lock.#path;
    const draft = `${path}.${lock.id}`;
    disk.writeFileSync(draft, lock.#text);
    try {
      for (let attempt = 1; !tryLink(draft, path, disk); attempt++) {
        const found = readText(path, disk);
        const holder = parseHolder(found);
        if (holder && (attempt > MAX_ATTEMPTS || (await isHeld(path, holder, times, lock)))) {
          throw new DataError(`${folder} is in use by ${nameHolder(holder)}. Stop it, or use another folder.`);
        }
        removeStale(path, `${draft}.stale`, found, disk);
      }
    } finally {
      disk.rmSync(draft, { force: true });
    }
    // A process that had the lock cannot rename them any more.
    removeUnfinished(folder, disk);
    lock.#timer = timers.setInterval(() => lock.#beat(), times.beat);
    lock.#timer.unref();
    return lock;
  }

  get isHeld(): boolean {
    return !this.loss && readText(this.#path, this.disk) === this.#text;
  }

  /** @throws LockLostError once another process may use the folder */
  assertHeld(): void {
    const found = readText(this.#path, this.disk);
    if (!this.loss && found !== this.#text && (found ?? readTime(this.folder, this.disk)) !== undefined) {
      const holder = parseHolder(found);
      const problem = holder
        ? `${this.folder} is in use by ${nameHolder(holder)}, since this emulator was silent for too long`
        : `The lock of ${this.folder} was removed, so another process may use the folder`;
      this.loss = new LockLostError(503, `${problem}. This emulator serves nothing any more. Stop it.`);
      this.#timer?.cancel();
      this.onLoss(this.loss);
    }
    if (this.loss) throw this.loss;
  }

  #beat(): void {
    try {
      this.assertHeld();
      const now = new Date(this.timers.now());
      this.disk.utimesSync(this.#path, now, now);
    } catch {
      // The lock was lost, or the folder was removed: writes say so.
    }
  }

  release(): void {
    this.#timer?.cancel();
    if (this.isHeld) this.disk.rmSync(this.#path, { force: true });
  }
}

const nameHolder = ({ pid, host }: Holder): string => `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;

const describeSelf = (disk: Disk): Holder => ({
  pid: process.pid,
  host: hostname(),
  namespace: readNamespace(disk),
  started: readStart(process.pid, disk),
});

/** Makes a hard link to a file, unless there is a file of this name: one that is written in place is empty at first. */
function tryLink(file: string, name: string, disk: Disk): boolean {
  try {
    disk.linkSync(file, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw new DataError(`${name} cannot be made: ${reasonFor(error)}. Use a folder on a disk that has hard links.`);
  }
}

async function isHeld(path: string, holder: Holder, { beat, stale }: LockTimes, lock: Lock): Promise<boolean> {
  const { disk, timers } = lock;
  const own = describeSelf(disk);
  if (holder.host === own.host && holder.namespace === own.namespace) {
    return isRunning(holder.pid) && readStart(holder.pid, disk) === holder.started;
  }
  const time = readTime(path, disk);
  for (let waited = 0; waited < stale; waited += beat) {
    await sleep(timers, beat);
    if (readTime(path, disk) !== time) return true;
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
function removeStale(path: string, aside: string, expected: string | undefined, disk: Disk): void {
  if (readText(path, disk) !== expected) return;
  try {
    disk.renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside, disk) !== expected) tryLink(aside, path, disk);
  disk.rmSync(aside, { force: true });
}

const readTime = (path: string, disk: Disk): number | undefined =>
  disk.statSync(path, { throwIfNoEntry: false })?.mtimeMs;

function readText(path: string, disk: Disk): string | undefined {
  try {
    return disk.readFileSync(path, 'utf8');
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
function readNamespace(disk: Disk): string {
  try {
    return disk.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Returns when a process started, in ticks since the machine did. Empty where it is not known, and for one that has ended. */
function readStart(pid: number, disk: Disk): string {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readText(`/proc/${pid}/stat`, disk)?.split(') ').at(-1)?.split(' ') ?? [];
  // A zombie: its parent has not asked for its exit code yet.
  const hasEnded = /^[ZX]/.test(fields[0] ?? '');
  return hasEnded ? '' : (fields[19] ?? '');
}
