import { runInThisContext } from 'node:vm';
import workerThreads from 'node:worker_threads';
import { ApiError, hasCode, reasonFor } from '#engine/lib/errors.js';
import type { Steps } from '#engine/lib/steps.js';
import { type Timer as SystemTimer, systemTimers } from '#engine/platform/system-timers.js';
import { readEngine } from '../engine-files.js';
import { type Done, type Reply, type Task, TURN, toDone } from '../tasks.js';
import { readCode } from './code.js';
import { BUSY, ENDED, IDLE, REPLIES, STATE, type ThreadData } from './protocol.js';
import { type Pending, share } from './shared.js';
import { Timer } from './timer.js';

/** Milliseconds that a thread has beyond the time of its statements: then it is ended. */
const GRACE = 500;
/** Milliseconds after the last emulator was closed in which another one finds the thread, such as in the next test. */
const LINGER = 1_000;
/** Milliseconds without a task, after which the thread ends. */
const IDLE_TIME = 30_000;
/** Milliseconds in which a thread starts, on a busy machine too. */
const START_TIME = 30_000;

/**
 * Code that replies when the code of the thread has failed before its first reply, such as for a file that is absent. The other side
 * waits, and no event reaches it.
 */
const guard = (code: string): string => `(async () => {
${code}
})().catch((error) => {
  const { port, signals } = require('node:worker_threads').workerData;
  port.postMessage({ error: String(error?.message ?? error) });
  Atomics.store(signals, ${STATE}, ${ENDED});
  Atomics.add(signals, ${REPLIES}, 1);
  Atomics.notify(signals, ${REPLIES});
  process.exit();
});`;

/** SQLite in the thread of this process, which a statement starts. It can be ended, whatever it runs. */
export class SqliteThread {
  readonly #shared = share();
  readonly #readEngine: typeof readEngine;
  readonly #idle: number;
  readonly #readCode: () => string;

  /** Only tests have others than the engine of the package, 30 s, and the code of the package. */
  constructor(read = readEngine, idle = IDLE_TIME, readThread = readCode) {
    this.#readEngine = read;
    this.#idle = idle;
    this.#readCode = readThread;
  }

  /** Returns an id that no database and no script in this process has. */
  nextId(): number {
    return ++this.#shared.lastId;
  }

  /** Starts the thread if it does not run, so that its start takes no time of a task. @throws ApiError 503 */
  start(): void {
    const { worker, signals } = this.#shared;
    if (!worker || Atomics.load(signals, STATE) === ENDED) this.#start();
  }

  /** Ends the thread if no emulator is open. */
  close(): void {
    if (--this.#shared.emulators > 0) return;
    const { worker } = this.#shared;
    const end = () => {
      if (this.#shared.emulators === 0 && this.#shared.worker === worker) this.end();
    };
    systemTimers.setTimeout(end, LINGER).unref();
  }

  /** Ends the thread, whatever it runs. The next task starts another one. */
  end(): void {
    const { worker, pending } = this.#shared;
    this.#shared.worker = undefined;
    void worker?.terminate();
    pending?.settle(undefined);
  }

  /**
   * Performs a task while the caller waits. Undefined when nothing is open by its id.
   * @throws SqlError for a statement. @throws DatabaseSourceError. @throws ApiError 503 when no thread can start
   */
  perform(task: Task): Done | undefined {
    return toDone(task, this.#performNow(task));
  }

  /** Performs a task while other work runs. @param start called once its turn has come. @throws as `perform` does */
  async performLater(task: Task, start?: () => void): Promise<Done | undefined> {
    return toDone(task, await this.#performLater(task, start));
  }

  /** Performs a task while the steps pause. @throws as `perform` does */
  *performInStep(task: Task): Steps<Done | undefined> {
    let reply: Reply | undefined;
    yield {
      block: () => {
        reply = this.#performNow(task);
      },
      wait: async () => {
        reply = await this.#performLater(task);
      },
    };
    return toDone(task, reply);
  }

  /** Drops a script, if its thread has not ended. */
  drop(id: number): void {
    const ignore = () => {};
    if (this.#shared.worker) this.#performLater({ kind: 'drop', id, time: TURN }).catch(ignore);
  }

  #performNow(task: Task): Reply | undefined {
    // One of a control route: a turn of a script, or a statement.
    this.#wait();
    this.#post(task);
    return this.#wait();
  }

  async #performLater(task: Task, start = () => {}): Promise<Reply | undefined> {
    while (this.#shared.pending) await this.#shared.pending.reply;
    start();
    const { reply, settle, timer } = this.#post(task);
    const { port } = this.#shared;
    let waiting: SystemTimer | undefined;
    const watch = () => {
      waiting = systemTimers.setTimeout(() => (timer.isOver ? this.#wait() : watch()), timer.left);
    };
    watch();
    port?.on('message', settle);
    try {
      return await reply;
    } finally {
      waiting?.cancel();
      port?.off('message', settle);
    }
  }

  #post(task: Task): Pending {
    const shared = this.#shared;
    const isTaken = () => Atomics.compareExchange(shared.signals, STATE, IDLE, BUSY) === IDLE;
    // Idle for long after its start, as on a machine that slept, it has ended again.
    while (!shared.worker || !isTaken()) this.#start();
    let resolve: (reply: Reply | undefined) => void = () => {};
    const pending: Pending = {
      number: ++shared.expected,
      timer: new Timer((task.left ?? task.time) + (task.kind === 'run' ? 0 : TURN) + GRACE),
      reply: new Promise((done) => {
        resolve = done;
      }),
      settle(reply) {
        if (shared.pending === pending) shared.pending = undefined;
        resolve(reply);
      },
    };
    shared.pending = pending;
    const transferred = task.kind === 'run' && task.bytes ? [task.bytes.buffer] : [];
    shared.port?.postMessage(task, transferred);
    return pending;
  }

  /** Waits for the reply to the pending task, or ends the thread. */
  #wait(): Reply | undefined {
    const { pending, port, signals } = this.#shared;
    if (!pending || !port) return undefined;
    // A message can arrive before it is counted, so the count may still be an earlier reply's.
    for (let count = 0; count < pending.number && !pending.timer.isOver; count = Atomics.load(signals, REPLIES)) {
      Atomics.wait(signals, REPLIES, count, pending.timer.left);
    }
    const received = workerThreads.receiveMessageOnPort(port);
    if (!received) this.end();
    pending.settle(received?.message);
    return received?.message;
  }

  #start(): void {
    const { port1: port, port2 } = new workerThreads.MessageChannel();
    const signals: ThreadData['signals'] = runInThisContext('new Int32Array(new SharedArrayBuffer(8))');
    try {
      const files = { ...this.#readEngine(), compiled: this.#shared.compiled };
      const workerData: ThreadData = { files, port: port2, signals, idle: this.#idle };
      const worker = new workerThreads.Worker(guard(this.#readCode()), {
        eval: true,
        name: 'SQLite of val-emulator',
        // Flags and loaders of the program are none of its business, nor are its variables.
        execArgv: [],
        env: {},
        workerData,
        transferList: [port2],
      });
      worker.unref();
      // Such as that it has no memory: a task that waits then runs out of time.
      worker.on('error', runInThisContext('() => {}'));
      Object.assign(this.#shared, { worker, port, signals, expected: 1 });
    } catch (error) {
      const isRefused = hasCode(error, 'ERR_ACCESS_DENIED');
      throw unavailable(isRefused ? 'it needs a thread: start Node with --allow-worker' : reasonFor(error));
    }
    Atomics.wait(signals, REPLIES, 0, START_TIME);
    const started = workerThreads.receiveMessageOnPort(port)?.message;
    if (started?.compiled) {
      this.#shared.compiled = started.compiled;
      return;
    }
    this.end();
    throw unavailable(started?.error ?? `its thread has not started in ${START_TIME / 1_000} s`);
  }
}

const unavailable = (reason: string) =>
  new ApiError(503, `The SQLite engine cannot be loaded: ${reason}`, undefined, 1);
