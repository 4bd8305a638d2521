import type { Sandbox } from '../sandbox/sandbox.js';
import { Capture } from './capture.js';

/** What a request has returned, or thrown. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A request that waits for its turn. */
export interface Task {
  /** Runs the request. It may be called several times. */
  readonly run: () => unknown;
  /** Whether it must see all sandboxes as they are, not only those that it uses: such as a list of them. */
  readonly isControl: boolean;
  /** Whether this node has read the log since the request arrived. */
  isFresh: boolean;
  readonly settle: (outcome: Outcome) => void;
  outcome?: Outcome;
}

/** Requests that are committed together. */
export interface Group<S extends Sandbox> {
  readonly capture: Capture<S>;
  readonly tasks: Task[];
  /** False if it may be committed whatever other nodes have done. Default: true */
  readonly isChecked?: boolean;
}

/** Runs requests one after another, and captures what they do. */
export class Runner<S extends Sandbox> {
  #current: Capture<S> | undefined;

  /** What the request that runs does. @throws Error when none runs */
  get capture(): Capture<S> {
    if (this.#current) return this.#current;
    throw new Error(
      'the sandboxes of a shared store are changed by requests only. Use connect(emulator.url) from val-emulator/client.',
    );
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  use(name: string): void {
    this.#current?.used.add(name);
  }

  /** Runs a request that may take its time. */
  async runAlone(task: Task): Promise<Group<S>> {
    const capture = new Capture<S>();
    this.#current = capture;
    try {
      task.outcome = { value: await task.run() };
    } catch (error) {
      task.outcome = { error };
    } finally {
      this.#current = undefined;
    }
    return { capture, tasks: [task] };
  }

  /** Runs requests, and groups those that use the same sandboxes. */
  runAll(tasks: readonly Task[]): readonly Group<S>[] {
    return tasks.reduce((groups: readonly Group<S>[], task) => join(groups, this.#run(task)), []);
  }

  #run(task: Task): Group<S> {
    const capture = new Capture<S>();
    this.#current = capture;
    try {
      task.outcome = { value: task.run() };
    } catch (error) {
      task.outcome = { error };
    } finally {
      this.#current = undefined;
    }
    return { capture, tasks: [task] };
  }
}

/** Adds a group to others, as one with those that use the same sandboxes. */
export function join<S extends Sandbox>(groups: readonly Group<S>[], added: Group<S>): readonly Group<S>[] {
  const [first, ...others] = groups.filter(({ capture }) => capture.overlaps(added.capture));
  if (!first) return [...groups, added];
  for (const { capture, tasks } of [...others, added]) {
    first.capture.add(capture);
    first.tasks.push(...tasks);
  }
  return groups.filter((group) => !others.includes(group));
}

export function settle<S extends Sandbox>({ tasks }: Group<S>): void {
  for (const { settle, outcome } of tasks) if (outcome) settle(outcome);
}

export function refuse(tasks: readonly Task[], error: Error): void {
  for (const { settle } of tasks) settle({ error });
}
