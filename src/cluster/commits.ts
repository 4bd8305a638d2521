import type { Line } from '#engine/persistence/lines.js';
import { sleep, type Timers } from '#engine/platform/system-timers.js';
import type { SharedClock } from './clock.js';
import type { RedisLog } from './redis-log.js';
import type { Replica } from './replica.js';
import { type Group, refuse, settle } from './runner.js';
import {
  LogLostError,
  LogUnavailableError,
  type RoundTrip,
  type RoundTripResult,
  type Unit,
  unavailable,
  unknownOutcome,
} from './shared-log.js';

/** Milliseconds that requests wait for a lost connection, to know whether the store has what they sent. */
const PATIENCE_MS = 2_000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 50;

export interface CommitsOptions {
  readonly log: RedisLog;
  readonly node: string;
  readonly timers: Timers;
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
  /** When this node last read the log, by its own uptime. */
  readAt = Number.NEGATIVE_INFINITY;

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
    const { clock, replica } = this.#options;
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
      const result = await this.#send({ number, last: replica.last, time, units, status });
      return result ? this.#finish(groups, units, result, number) : groups;
    } catch (error) {
      if (error instanceof LogUnavailableError) return this.#reconnect(groups, number, error);
      throw error;
    }
  }

  /** @returns undefined if the log has done nothing, and this node has loaded what the store has */
  async #send(roundTrip: RoundTrip): Promise<RoundTripResult | undefined> {
    const { log, replica, begin, onWarning } = this.#options;
    const { last, count } = replica;
    let lost: LogLostError | undefined;
    try {
      const result = await log.exchange(roundTrip);
      if (result) return result;
    } catch (error) {
      if (!(error instanceof LogLostError)) throw error;
      lost = error;
    }
    const checkpoint = await log.load();
    if (checkpoint) replica.load(checkpoint);
    else await begin();
    this.isBehind = true;
    const dropped = `This node had ${count} entries, up to ${last}; it has dropped those that the store does not have.`;
    if (lost) onWarning(`${lost.message}. ${dropped}`);
    return undefined;
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
    const { clock, timers } = this.#options;
    clock.update(logTime, time);
    this.readAt = timers.uptime();
    this.lag = entries.length;
    this.isBehind = hasMore;
    this.sinceCheckpoint = sinceCheckpoint;
  }

  /**
   * Waits for a connection. What was sent may have been committed: the log says so once it responds again. It does not commit it
   * later, since it refuses exchanges that are older than one that it has seen.
   */
  async #reconnect(groups: readonly Group[], number: number, cause: LogUnavailableError): Promise<readonly Group[]> {
    this.disconnection = cause;
    this.#options.onDisconnect(cause);
    this.#options.onWarning(`${unavailable(cause).message} Requests get a 503 until it is back.`);
    const { timers } = this.#options;
    const waiting = new Set(groups);
    const giveUp = () => {
      const error = cause.isRefusal ? unavailable(cause) : unknownOutcome(cause);
      for (const { tasks } of waiting) refuse(tasks, error);
      waiting.clear();
    };
    const timer = timers.setTimeout(giveUp, PATIENCE_MS);
    while (!this.#isClosed) {
      await sleep(timers, RETRY_MS);
      try {
        if (!(await this.#readMissed(groups, waiting, number))) giveUp();
        if (this.isBehind) continue;
        timer.cancel();
        this.disconnection = undefined;
        this.#options.onWarning('The shared store is back.');
        return [...waiting];
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
        this.disconnection = error;
      }
    }
    timer.cancel();
    giveUp();
    return [];
  }

  /** Reads the log, and finds what it has of an exchange without a response. @returns false if that cannot be known */
  async #readMissed(groups: readonly Group[], waiting: Set<Group>, exchange: number): Promise<boolean> {
    const { node, replica } = this.#options;
    const result = await this.#send({ number: ++this.#exchanges, last: replica.last, time: 0, units: [] });
    if (!result) return false;
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

/** Returns lines as other nodes read them: JSON drops what is undefined. */
const asStored = (lines: readonly Line[]): readonly Line[] => JSON.parse(JSON.stringify(lines));
