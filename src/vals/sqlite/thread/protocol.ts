import type { MessagePort } from 'node:worker_threads';
import type { EngineFiles } from '../engine-files.js';

export interface ThreadData {
  readonly files: EngineFiles;
  /** Where tasks arrive, one at a time, and replies leave. */
  readonly port: MessagePort;
  /** Eight shared bytes: the number of replies, and the state of the thread. */
  readonly signals: Int32Array<SharedArrayBuffer>;
  /** Milliseconds without a task, after which the thread ends. */
  readonly idle: number;
}

/** The indexes of the signals. */
export const REPLIES = 0;
export const STATE = 1;

/** The states of a thread. It ends itself, but never with a task. */
export const IDLE = 0;
export const BUSY = 1;
export const ENDED = 2;
