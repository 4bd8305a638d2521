import type { Steps } from '#engine/lib/steps.js';
import { Engine } from '#vals/sqlite/engine.js';
import { readEngine } from '#vals/sqlite/engine-files.js';
import { type Done, type Task, Tasks, toDone } from '#vals/sqlite/tasks.js';
import type { SqliteThread as Thread } from '#vals/sqlite/thread/thread.js';

/** How often an engine asks in a millisecond whether its time is over. */
const STEPS = 100;

let tasks: Tasks | undefined;
let lastId = 0;

/** In place of a time, a number of steps: a machine may be busy. */
const countSteps = (milliseconds: number) => {
  let left = milliseconds * STEPS;
  return {
    get isOver() {
      return --left < 0;
    },
  };
};

/** SQLite by a direct call, in place of the thread of src/vals/sqlite/thread: it takes no time of a world, and no step of another one. */
export class SqliteThread implements Pick<Thread, keyof Thread> {
  nextId = (): number => ++lastId;
  start(): void {}
  open(): void {}
  close(): void {}
  end(): void {}

  perform(task: Task): Done | undefined {
    tasks ??= new Tasks(new Engine(readEngine()), countSteps);
    const reply = tasks.perform(task);
    if (tasks.isSpent) tasks = undefined;
    return toDone(task, reply);
  }

  performLater = async (task: Task): Promise<Done | undefined> => this.perform(task);

  // biome-ignore lint/correctness/useYield: its callers run steps
  *performInStep(task: Task): Steps<Done | undefined> {
    return this.perform(task);
  }

  drop(id: number): void {
    tasks?.perform({ kind: 'drop', id, time: 0 });
  }
}
