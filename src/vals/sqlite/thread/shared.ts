import { runInThisContext } from 'node:vm';
import workerThreads, { type MessagePort, type Worker } from 'node:worker_threads';
import { packageVersion } from '#engine/platform/package.js';
import type { Reply } from '../tasks.js';
import type { ThreadData } from './protocol.js';
import type { Timer } from './timer.js';

export interface Pending {
  /** The number of replies, its own included. */
  readonly number: number;
  /** At whose end the thread is ended. */
  readonly timer: Timer;
  /** Undefined when its thread was ended. */
  readonly reply: Promise<Reply | undefined>;
  settle(reply: Reply | undefined): void;
}

/** What all copies of this module in a process share: a thread, which performs one task at a time. */
interface Shared {
  worker?: Worker | undefined;
  port?: MessagePort;
  signals: ThreadData['signals'];
  /** The replies that the thread owes, or has sent: one for its start, and one for each task. */
  expected: number;
  pending?: Pending | undefined;
  /** The engine as the first thread has compiled it. */
  compiled?: object;
  emulators: number;
  lastId: number;
}

/**
 * Finds what is shared on the exports of a core module: the one object that ES modules, CommonJS modules and all test files of Jest
 * have in common.
 */
export function share(): Shared {
  const key = Symbol.for(`val-emulator ${packageVersion()}: SQLite`);
  const found: Shared | undefined = Reflect.get(workerThreads, key);
  if (found) return found;
  // Of the main context, since the context of a test file ends before the thread.
  const made: Shared = runInThisContext('({ signals: new Int32Array(2), expected: 0, emulators: 0, lastId: 0 })');
  Reflect.set(workerThreads, key, made);
  return made;
}
