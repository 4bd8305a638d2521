import { reasonFor } from '#engine/lib/errors.js';
import { sleep } from '#engine/platform/system-timers.js';
import type { Capture } from './capture.js';
import { Commits, type CommitsOptions } from './commits.js';
import { type Group, join, Runner, refuse, settle, type Task } from './runner.js';
import { unavailable } from './shared-log.js';

/** What a request needs. `control`: all sandboxes as they are now, not only its own. `read`: it changes nothing but counters. */
export type RunKind = 'read' | 'write' | 'control';

/** Milliseconds after which what this node has read is too old for a local read: it was stopped meanwhile. */
const LOCAL_MS = 2_000;

export interface TurnsOptions extends Omit<CommitsOptions, 'onDisconnect'> {
  /** Whether a read may have its response from what this node knows. */
  readonly localReads: boolean;
  /** Called with an error after which this node cannot continue. */
  readonly onStop: (error: Error) => void;
}

/**
 * Runs requests on sandboxes that other nodes change as well. In each turn the requests that wait run on what this node
 * knows, and one exchange with the log commits what they did. If another node has changed a sandbox that they used, they
 * run again.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #runner = new Runner();
  #queue: Task[] = [];
  /** What local reads have recorded, which the next exchange takes along. */
  #recorded: readonly Group[] = [];
  #isRunning = false;
  #isLookDue = false;
  #status: string | undefined;
  #stop: Error | undefined;
  readonly commits: Commits;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.commits = new Commits({ ...options, onDisconnect: (cause) => this.#refuseAll(cause) });
  }

  /** What the request that runs does. @throws Error when none runs */
  get capture(): Capture {
    return this.#runner.capture;
  }

  get isIdle(): boolean {
    return this.#runner.isIdle;
  }

  /** Why requests are refused. */
  get failure(): Error | undefined {
    return this.#stop ?? this.commits.disconnection;
  }

  /**
   * Runs a request until it is committed.
   * @param run called several times if other nodes change the same sandboxes; it changes nothing else
   * @param sandbox the name of the one that it is about. Undefined for none
   * @throws ApiError 503 when the store cannot be reached, or its responses are lost
   */
  run<T>(run: () => T | Promise<T>, kind: RunKind, sandbox?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T | Promise<T>;
      const task: Task = {
        sandbox,
        isControl: kind === 'control',
        isFresh: false,
        run: () => {
          result = run();
          return result;
        },
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(result)),
      };
      if (this.failure) refuse([task], unavailable(this.failure));
      else if (kind !== 'read' || !this.#runLocally(task)) this.#queue.push(task);
      void this.#start();
    });
  }

  /** Reads the log. @param status what other nodes read about this one */
  look(status: string): void {
    this.#status = status;
    this.#isLookDue = true;
    void this.#start();
  }

  /** Resolves once no request waits. Without a connection, those that wait are refused. */
  async close(): Promise<void> {
    while (this.#isRunning) {
      if (this.failure) this.commits.close();
      await sleep(this.#options.timers, 5);
    }
  }

  async #start(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#stop && (this.#isLookDue || this.#queue.length + this.#recorded.length > 0)) await this.#turn();
    } catch (error) {
      this.#stop = error instanceof Error ? error : new Error(reasonFor(error));
      this.#refuseAll(this.#stop);
      this.#options.onStop(this.#stop);
    } finally {
      this.#isRunning = false;
    }
  }

  async #turn(): Promise<void> {
    const fresh = this.#queue.find(({ isFresh }) => isFresh);
    if (fresh) {
      this.#queue = this.#queue.filter((task) => task !== fresh);
      const group = this.#restore(await this.#runner.runAlone(fresh));
      // What has only read, after the log was read, needs no check. The others read the time that it has seen.
      await this.#exchange([{ ...group, isChecked: group.capture.lines.length > 0 }]);
      return;
    }
    const waiting = this.#queue.filter(({ isControl }) => isControl);
    const groups = this.#runner.runAll(this.#queue.filter(({ isControl }) => !isControl));
    for (const group of groups) this.#restore(group);
    this.#queue = [...waiting];
    const recorded = this.#recorded;
    this.#recorded = [];
    await this.#exchange([...groups, ...recorded]);
    if (!this.commits.isBehind) for (const task of waiting) task.isFresh = true;
  }

  /** Commits groups. Those that are refused wait for the next turn. */
  async #exchange(groups: readonly Group[]): Promise<void> {
    const status = this.#status;
    this.#status = undefined;
    this.#isLookDue = false;
    const refused = await this.commits.exchange(groups, status).catch((error) => {
      for (const { tasks } of groups) refuse(tasks, unavailable(error));
      throw error;
    });
    const again = refused.flatMap(({ tasks }) => tasks);
    // An old checkpoint may have taken the place of what they have read.
    if (this.commits.isBehind) for (const task of again) task.isFresh = false;
    this.#queue.unshift(...again);
    this.#recorded = [...refused.filter(({ tasks }) => tasks.length === 0), ...this.#recorded];
    if (this.commits.isBehind) this.#isLookDue = true;
  }

  /** Runs a read on what this node knows. @returns false for one that has to be committed */
  #runLocally(task: Task): boolean {
    const { localReads, timers } = this.#options;
    if (!localReads || !this.isIdle) return false;
    if (this.commits.isBehind || timers.uptime() - this.commits.readAt > LOCAL_MS) return false;
    const [group] = this.#runner.runAll([task]);
    if (!group) return false;
    this.#restore(group);
    const { capture } = group;
    if (capture.changed.size > 0) return false;
    settle(group);
    this.#recorded = join(this.#recorded, { capture, tasks: [], isChecked: false });
    return true;
  }

  /** Undoes what requests did on this node alone. */
  #restore(group: Group): Group {
    this.#options.replica.undo(group.capture);
    return group;
  }

  #refuseAll(cause: Error): void {
    refuse(this.#queue, unavailable(cause));
    this.#queue = [];
  }
}
