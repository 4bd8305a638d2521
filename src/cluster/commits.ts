import timers from 'node:timers';
import type { Line } from '#engine/persistence/lines.js';
import type { SharedClock } from './clock.js';
import type { RedisLog } from './redis-log.js';
import type { Replica } from './replica.js';
import { type Group, refuse, settle } from './runner.js';
import {
  LogLostError,
  LogUnavailableError,
  type RoundTripResult,
  type Unit,
  unavailable,
  unknownOutcome,
} from './shared-log.js';

/** Taken before a test runner replaces it: the network has real time. */
const { setTimeout } = timers;

/** Milliseconds that requests wait for a lost connection, to know whether the store has what they sent. */
const PATIENCE_MS = 2_000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 50;

export interface CommitsOptions {
  readonly log: RedisLog;
  readonly node: string;
  readonly clock: SharedClock;
  readonly replica: Replica;
  /** Begins a store that was emptied. */
  readonly begin: () => Promise<void>;
  /** Called when the connection is lost or comes back, and with what the store has lost. */
  readonly onWarning: (message: string) => void;
  /** Called when the connection is lost. */
  readonly onDisconnect: (cause: Error) => void;
}

/** Exchanges what requests have done for what other nodes have done. */
export class Commits {
  readonly #options: CommitsOptions;
  #exchanges = 0;
  #isClosed = false;
  /** Why there is no connection. */
  disconnection: Error | undefined;
  /** Whether the log has entries that this node has not read. */
  isBehind = false;
  /** Groups that were committed, and those that were refused since another node was first. */
  commits = 0;
  conflicts = 0;
  /** Entries of other nodes that the last exchange has found. */
  lag = 0;
  /** Entries of the log since its last checkpoint. */
  sinceCheckpoint = 0;

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  /** Gives up to connect. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Commits groups of requests, and reads what other nodes have done.
   * @param status what other nodes read about this one
   * @returns the groups that were refused
   * @throws DataError when this node cannot continue
   */
  async exchange(groups: readonly Group[], status?: string): Promise<readonly Group[]> {
    const { log, clock, replica } = this.#options;
    const units = groups.map(({ capture: { used, changed, isReset, lines }, isChecked = true }) => {
      const isAny = (name: string) => !isChecked || (isReset && name === '');
      const seen = new Map([...used].map((name) => [name, !isAny(name)] as const));
      const known = new Set([...used].filter((name) => replica.replay.sandboxes.has(name)));
      const digests = replica.check([...changed].filter((name) => !isAny(name)));
      return { seen, known, changed, lines: [...digests, ...lines] };
    });
    const number = ++this.#exchanges;
    const time = units.length === 0 ? 0 : clock.now();
    try {
      const result = await log.exchange({ number, last: replica.last, time, units, status });
      if (result) return this.#finish(groups, units, result, number);
      await this.#reload();
      return groups;
    } catch (error) {
      if (error instanceof LogUnavailableError) return this.#reconnect(groups, number, error);
      if (!(error instanceof LogLostError)) throw error;
      await this.#recover(error);
      return groups;
    }
  }

  /** Applies what the log has responded. */
  #finish(
    groups: readonly Group[],
    units: readonly Unit[],
    result: RoundTripResult,
    exchange: number,
  ): readonly Group[] {
    const { node, replica } = this.#options;
    this.#read(result);
    for (const entry of result.entries) replica.apply(entry);
    return groups.filter((group, index) => {
      const id = result.ids[index];
      const unit = units[index];
      if (id === undefined || !unit) {
        this.conflicts++;
        return true;
      }
      if (id !== '-') {
        const changed = [...unit.changed];
        replica.apply({ id, node, exchange, unit: index, changed, lines: asStored(unit.lines) }, group.capture);
        this.commits++;
      }
      settle(group);
      return false;
    });
  }

  #read({ entries, time, logTime, hasMore, sinceCheckpoint }: RoundTripResult): void {
    this.#options.clock.update(logTime, time);
    this.lag = entries.length;
    this.isBehind = hasMore;
    this.sinceCheckpoint = sinceCheckpoint;
  }

  async #reload(): Promise<void> {
    const checkpoint = await this.#options.log.load();
    if (checkpoint) this.#options.replica.load(checkpoint);
    else await this.#options.begin();
    this.isBehind = true;
  }

  /** Continues with what the store has, after it has lost something. */
  async #recover(error: LogLostError): Promise<void> {
    const { last, count } = this.#options.replica;
    await this.#reload();
    const lost = `This node had ${count} entries, up to ${last}; it has dropped those that the store does not have.`;
    this.#options.onWarning(`${error.message}. ${lost}`);
  }

  /**
   * Waits for a connection. What was sent may have been committed: the log says so once it responds again. It does not commit it
   * later, since it refuses exchanges that are older than one that it has seen.
   */
  async #reconnect(groups: readonly Group[], number: number, cause: Error): Promise<readonly Group[]> {
    this.disconnection = cause;
    this.#options.onDisconnect(cause);
    this.#options.onWarning(`${unavailable(cause).message} Requests get a 503 until it is back.`);
    const deadline = performance.now() + PATIENCE_MS;
    const waiting = new Set(groups);
    const giveUp = (error: Error) => {
      for (const { tasks } of waiting) refuse(tasks, error);
      waiting.clear();
    };
    while (!this.#isClosed) {
      await sleep(RETRY_MS);
      if (performance.now() > deadline) giveUp(unknownOutcome(cause));
      try {
        if (!(await this.#readMissed(groups, waiting, number))) giveUp(unknownOutcome(cause));
        if (this.isBehind) continue;
        this.disconnection = undefined;
        this.#options.onWarning('The shared store is back.');
        return [...waiting];
      } catch (error) {
        if (error instanceof LogLostError) await this.#recover(error).catch(ignoreUnavailable);
        else ignoreUnavailable(error);
      }
    }
    giveUp(unavailable(cause));
    return [];
  }

  /** Reads the log, and finds what it has of an exchange without a response. @returns false if that cannot be known */
  async #readMissed(groups: readonly Group[], waiting: Set<Group>, exchange: number): Promise<boolean> {
    const { log, node, replica } = this.#options;
    const result = await log.exchange({ number: ++this.#exchanges, last: replica.last, time: 0, units: [] });
    if (!result) {
      await this.#reload();
      return false;
    }
    this.#read(result);
    for (const entry of result.entries) {
      const isOwn = entry.node === node && entry.exchange === exchange;
      const group = isOwn ? groups[entry.unit] : undefined;
      replica.apply(entry, group?.capture);
      if (group && waiting.delete(group)) settle(group);
    }
    return true;
  }
}

export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Returns lines as other nodes read them: JSON drops what is undefined. */
const asStored = (lines: readonly Line[]): readonly Line[] => JSON.parse(JSON.stringify(lines));

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof LogUnavailableError)) throw error;
}
