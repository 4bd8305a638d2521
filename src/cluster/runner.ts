import { Capture } from './capture.js';

/** What a request has returned, or thrown. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A request that waits for its turn. */
export interface Task {
  /** Runs the request. It may be called several times. */
  readonly run: () => unknown;
  /** The name of the sandbox that it is about. */
  readonly sandbox: string | undefined;
  /** Whether it must see all sandboxes as they are, not only those that it uses: such as a list of them. */
  readonly isControl: boolean;
  /** Whether this node has read the log since the request arrived. */
  isFresh: boolean;
  readonly settle: (outcome: Outcome) => void;
  outcome?: Outcome;
}

/** Requests that are committed together. */
export interface Group {
  readonly capture: Capture;
  readonly tasks: Task[];
  /** False if it may be committed whatever other nodes have done. Default: true */
  readonly isChecked?: boolean;
}

/** Runs requests one after another, and captures what they do. */
export class Runner {
  #current: Capture | undefined;

  /** What the request that runs does. @throws Error when none runs */
  get capture(): Capture {
    if (this.#current) return this.#current;
    throw new Error(
      'the sandboxes of a shared store are changed by requests only. Use connect(emulator.url) from val-emulator/client.',
    );
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  /** Runs a request that may take its time. */
  async runAlone(task: Task): Promise<Group> {
    const capture = this.#begin(task);
    try {
      task.outcome = { value: await task.run() };
    } catch (error) {
      task.outcome = { error };
    } finally {
      this.#current = undefined;
    }
    return { capture, tasks: [task] };
  }

  #begin({ sandbox }: Task): Capture {
    const capture = new Capture();
    if (sandbox !== undefined) capture.used.add(sandbox);
    this.#current = capture;
    return capture;
  }

  /** Runs requests, and groups those that use the same sandboxes. */
  runAll(tasks: readonly Task[]): readonly Group[] {
    return tasks.reduce((groups: readonly Group[], task) => join(groups, this.#run(task)), []);
  }

  #run(task: Task): Group {
    const capture = this.#begin(task);
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
export function join(groups: readonly Group[], added: Group): readonly Group[] {
  const [first, ...others] = groups.filter(({ capture }) => capture.overlaps(added.capture));
  if (!first) return [...groups, added];
  for (const { capture, tasks } of [...others, added]) {
    first.capture.add(capture);
    first.tasks.push(...tasks);
  }
  return groups.filter((group) => !others.includes(group));
}

export function settle({ tasks }: Group): void {
  for (const { settle, outcome } of tasks) if (outcome) settle(outcome);
}

export function refuse(tasks: readonly Task[], error: Error): void {
  for (const { settle } of tasks) settle({ error });
}
