import timers from 'node:timers';
import type { Sandbox } from '../control/sandbox.js';
import { reasonFor } from '../lib/errors.js';
import {
  type ExchangeResult,
  LogLostError,
  LogUnavailableError,
  type SharedLog,
  type Unit,
} from '../persistence/shared-log.js';
import type { Capture } from './capture.js';
import type { SharedClock } from './clock.js';
import { unavailable, unknownOutcome } from './errors.js';
import type { Replica } from './replica.js';
import { type Group, Runner, refuse, settle, type Task } from './runner.js';

/** Taken before a test runner replaces it: the network has real time. */
const { setTimeout } = timers;

/** Milliseconds that requests wait for a lost connection, to know whether the store has what they sent. */
const PATIENCE_MS = 2_000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 50;

export interface TurnsOptions<S extends Sandbox> {
  readonly log: SharedLog;
  readonly node: string;
  readonly clock: SharedClock;
  /** Called with what the store has lost. */
  readonly onLoss: (message: string) => void;
  /** Called with an error after which this node cannot go on. */
  readonly onStop: (error: Error) => void;
  /** Begins a store that was emptied. */
  readonly begin: () => Promise<void>;
  readonly replica: Replica<S>;
}

/**
 * Runs requests on sandboxes that other nodes change as well. In each turn the requests that wait run on what this node
 * knows; then one exchange with the log commits what they did, unless another node has changed a sandbox that they used.
 * In that case they run again, after what they have missed.
 */
export class Turns<S extends Sandbox> {
  readonly #options: TurnsOptions<S>;
  #queue: Task[] = [];
  readonly #runner = new Runner<S>();
  #isRunning = false;
  #isLookDue = false;
  #exchanges = 0;
  #status: string | undefined;
  #stop: Error | undefined;
  #disconnection: Error | undefined;
  /** Units that were committed, and those that were refused since another node was first. */
  commits = 0;
  conflicts = 0;
  /** Entries that the last exchange has found. */
  lag = 0;
  /** Entries of the log since its last checkpoint. */
  sinceCheckpoint = 0;

  constructor(options: TurnsOptions<S>) {
    this.#options = options;
  }

  /** What the request that runs does. @throws Error when none runs */
  get capture(): Capture<S> {
    return this.#runner.capture;
  }

  /** Whether no request runs. */
  get isIdle(): boolean {
    return this.#runner.isIdle;
  }

  /** Why requests are refused. */
  get failure(): Error | undefined {
    return this.#stop ?? this.#disconnection;
  }

  /** Notes that the request that runs uses a sandbox. */
  use(name: string): void {
    this.#runner.use(name);
  }

  /**
   * Runs a request until it is committed.
   * @param run called several times if other nodes change the same sandboxes; it changes nothing else
   * @param isControl whether it must see all sandboxes as they are, not only those that it uses
   * @throws ApiError 503 when the store cannot be reached, or its responses are lost
   */
  run<T>(run: () => T | Promise<T>, isControl: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.failure) {
        reject(unavailable(this.failure));
        return;
      }
      let result: T | Promise<T>;
      this.#queue.push({
        isControl,
        isFresh: false,
        run: () => {
          result = run();
          return result;
        },
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(result)),
      });
      void this.#start();
    });
  }

  /** Reads the log. @param status what other nodes are told about this one */
  look(status?: string): void {
    this.#status = status ?? this.#status;
    this.#isLookDue = true;
    void this.#start();
  }

  /** Ends the node, which cannot go on. */
  stop(error: Error): void {
    this.#stop ??= error;
    this.#refuseAll(error);
  }

  /** Resolves once no request waits. */
  async finish(): Promise<void> {
    while (this.#isRunning) await sleep(RETRY_MS / 10);
  }

  async #start(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#stop && (this.#queue.length > 0 || this.#isLookDue)) await this.#turn();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(reasonFor(error));
      this.stop(reason);
      this.#options.onStop(reason);
    } finally {
      this.#isRunning = false;
    }
  }

  async #turn(): Promise<void> {
    const fresh = this.#queue.find(({ isFresh }) => isFresh);
    if (fresh) {
      this.#queue = this.#queue.filter((task) => task !== fresh);
      const group = this.#restore(await this.#runner.runAlone(fresh));
      // What has only read, after the log was read, needs no check.
      if (group.capture.lines.length === 0) settle(group);
      else this.#queue.unshift(...(await this.#commit([group])));
      return;
    }
    const waiting = this.#queue.filter(({ isControl }) => isControl);
    const groups = this.#runner.runAll(this.#queue.filter(({ isControl }) => !isControl));
    for (const group of groups) this.#restore(group);
    this.#queue = waiting;
    this.#queue.unshift(...(await this.#commit(groups)));
    // Unless there is more to read.
    if (!this.#isLookDue) for (const task of waiting) task.isFresh = true;
  }

  /** Undoes what requests did on this node alone. */
  #restore(group: Group<S>): Group<S> {
    for (const name of group.capture.used) this.#options.replica.restore(name);
    return group;
  }

  /** Commits groups, and returns the requests that must run again. */
  async #commit(groups: readonly Group<S>[]): Promise<Task[]> {
    const { log, clock, replica } = this.#options;
    const units = groups.map(({ capture: { used, changed, lines } }) => ({
      seen: new Map([...used].map((name) => [name, replica.version(name)] as const)),
      changed,
      lines: [...replica.check(changed), ...lines],
    }));
    const number = ++this.#exchanges;
    const status = this.#status;
    this.#status = undefined;
    this.#isLookDue = false;
    const time = units.length === 0 ? 0 : clock.now();
    try {
      const result = await log.exchange({ number, last: replica.last, time, units, status });
      return await this.#finish(groups, units, result, number);
    } catch (error) {
      if (error instanceof LogUnavailableError) return this.#reconnect(groups, number, error);
      if (!(error instanceof LogLostError)) throw error;
      await this.#recover(error);
      return groups.flatMap(({ tasks }) => tasks);
    }
  }

  /** Applies what the log has responded, and returns the requests that must run again. */
  async #finish(
    groups: readonly Group<S>[],
    units: readonly Unit[],
    result: ExchangeResult | undefined,
    exchange: number,
  ): Promise<Task[]> {
    const { node, replica } = this.#options;
    if (!result) {
      await this.#reload();
      return groups.flatMap(({ tasks }) => tasks);
    }
    this.#apply(result);
    const refused: Task[] = [];
    for (const [index, group] of groups.entries()) {
      const id = result.ids[index];
      const unit = units[index];
      if (id === undefined || !unit) {
        this.conflicts++;
        refused.push(...group.tasks);
        continue;
      }
      if (id !== '-') {
        const { changed, lines } = unit;
        replica.apply({ id, node, exchange, unit: index, changed: [...changed], lines }, group.capture);
        this.commits++;
      }
      settle(group);
    }
    this.#isLookDue ||= result.hasMore;
    return refused;
  }

  #apply({ entries, time, logTime, sinceCheckpoint }: ExchangeResult): void {
    this.sinceCheckpoint = sinceCheckpoint;
    this.#options.clock.update(logTime, time);
    this.lag = entries.length;
    for (const entry of entries) this.#options.replica.apply(entry);
  }

  async #reload(): Promise<void> {
    const checkpoint = await this.#options.log.load();
    if (checkpoint) this.#options.replica.load(checkpoint);
    else await this.#options.begin();
    this.#isLookDue = true;
  }

  /** Goes on with what the store has, after it has lost something. */
  async #recover(error: LogLostError): Promise<void> {
    const { last, count } = this.#options.replica;
    await this.#reload();
    this.#options.onLoss(
      `${error.message}. This node had ${count} entries, up to ${last}; it has dropped what the store does not have.`,
    );
  }

  /**
   * Waits for a connection. What was sent may have been committed: the log says so once it responds again. It does not commit it
   * later, since it refuses exchanges that are older than one that it has seen.
   */
  async #reconnect(groups: readonly Group<S>[], number: number, cause: Error): Promise<Task[]> {
    const { log, node, clock, replica } = this.#options;
    this.#disconnection = cause;
    this.#refuseAll(cause);
    const deadline = performance.now() + PATIENCE_MS;
    let waiting = groups;
    while (!this.#stop) {
      await sleep(RETRY_MS);
      if (performance.now() > deadline && waiting.length > 0) {
        for (const { tasks } of waiting) refuse(tasks, unknownOutcome(cause));
        waiting = [];
      }
      try {
        const result = await log.exchange({ number: ++this.#exchanges, last: replica.last, time: 0, units: [] });
        if (!result) {
          await this.#reload();
          for (const { tasks } of waiting) refuse(tasks, unknownOutcome(cause));
          waiting = [];
          continue;
        }
        clock.update(result.logTime, result.time);
        for (const entry of result.entries) {
          const own = entry.node === node && entry.exchange === number ? groups[entry.unit] : undefined;
          replica.apply(entry, own?.capture);
          if (own && waiting.includes(own)) settle(own);
          waiting = waiting.filter((group) => group !== own);
        }
        if (result.hasMore) continue;
        this.#disconnection = undefined;
        return waiting.flatMap(({ tasks }) => tasks);
      } catch (error) {
        if (error instanceof LogLostError) await this.#recover(error);
        else if (!(error instanceof LogUnavailableError)) throw error;
      }
    }
    for (const { tasks } of waiting) refuse(tasks, unavailable(this.#stop));
    return [];
  }

  #refuseAll(cause: Error): void {
    refuse(this.#queue, unavailable(cause));
    this.#queue = [];
  }
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
