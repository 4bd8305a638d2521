import { workerData } from 'node:worker_threads';
import { reasonFor } from '#engine/lib/errors.js';
import { Engine } from '../engine.js';
import { Tasks } from '../tasks.js';
import { ENDED, IDLE, REPLIES, STATE, type ThreadData } from './protocol.js';
import { Timer } from './timer.js';

/** Performs tasks. It replies to each, whatever happens: the other side waits, and no event reaches it. */
function serve({ files, port, signals, idle: idleTime }: ThreadData): void {
  const reply = (value: object, isLast: boolean, transferred: readonly ArrayBuffer[] = []) => {
    Atomics.store(signals, STATE, isLast ? ENDED : IDLE);
    port.postMessage(value, transferred);
    Atomics.add(signals, REPLIES, 1);
    Atomics.notify(signals, REPLIES);
    if (isLast) process.exit();
  };
  try {
    const engine = new Engine(files);
    const tasks = new Tasks(engine, (milliseconds) => new Timer(milliseconds));
    const idle = setTimeout(() => {
      if (Atomics.compareExchange(signals, STATE, IDLE, ENDED) === IDLE) process.exit();
    }, idleTime);
    port.on('message', (task) => {
      const done = tasks.perform(task);
      const bytes = 'bytes' in done ? done.bytes : undefined;
      reply(done, tasks.isSpent, bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
      idle.refresh();
    });
    reply({ compiled: engine.compiled }, false);
  } catch (error) {
    reply({ error: reasonFor(error) }, true);
  }
}

serve(workerData);
