import { randomUUID } from 'node:crypto';
import { DataError, reasonFor } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { isLine, type Line } from '#engine/persistence/lines.js';
import { packageVersion } from '#engine/platform/package.js';
import { RedisConnection, type RedisConnectionOptions } from './redis-connection.js';
import { BEGIN, EXCHANGE, KEYS, LIST_NODES, REMOVE_NODE, REPLACE } from './redis-scripts.js';
import {
  type Checkpoint,
  formatEntry,
  LogLostError,
  pack,
  parseEntry,
  type RoundTrip,
  type RoundTripResult,
  unpack,
} from './shared-log.js';

/** Version of the format of the store, raised by a change that an older emulator cannot read. */
const CLUSTER_FORMAT = 1;
/** Milliseconds after which a node that makes a checkpoint is taken for dead. */
const LOCK_MS = 60_000;
/** Entries that one exchange returns at most. */
const MAX_ENTRIES = 1_000;
/** Lines in one part of a checkpoint. */
const PART_LINES = 1_000;

export interface RedisLogOptions extends RedisConnectionOptions {
  /** Distinguishes the keys of several deployments. */
  readonly prefix: string;
  /** Unique name of this node. */
  readonly node: string;
}

/**
 * A log in Redis or Valkey that several nodes append to: a stream, and a checkpoint that replaces its oldest entries. Each method
 * but {@link close} rejects with a LogUnavailableError without a connection.
 */
export class RedisLog {
  /** What could lose data: settings of the server. */
  warnings: readonly string[] = [];
  /** The time of the log's machine when the log was opened. */
  time = 0;
  /** What the log had when it was opened. */
  found: Checkpoint | undefined;
  readonly #options: RedisLogOptions;
  readonly #connection: RedisConnection;
  /** Identity of the log; empty until it is known. */
  #epoch = '';

  private constructor(options: RedisLogOptions) {
    this.#options = options;
    this.#connection = new RedisConnection(
      options,
      KEYS.map((name) => this.#key(name)),
    );
  }

  /** @throws DataError when Redis cannot be reached, or is set up so that it would lose data, and as {@link load} does */
  static async open(options: RedisLogOptions): Promise<RedisLog> {
    const log = new RedisLog(options);
    try {
      await log.#checkServer();
      log.found = await log.load();
    } catch (error) {
      await log.close();
      if (error instanceof DataError) throw error;
      const reason = reasonFor(error).replace(`${log.address} `, '').replace(/\.$/, '');
      throw new DataError(`${log.address}: ${reason}. ${adviseOn(reason)}`);
    }
    return log;
  }

  async #checkServer(): Promise<void> {
    const [seconds, microseconds] = toStrings(await this.#connection.send(['TIME']));
    this.time = toInstant(seconds, microseconds);
    const info = String(await this.#connection.send(['INFO']));
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
    if (policy !== 'noeviction') {
      throw new DataError(
        `${this.address}: maxmemory-policy is ${policy}, with which Redis drops data. Set maxmemory-policy noeviction.`,
      );
    }
    if (/^aof_enabled:0/m.test(info)) {
      this.warnings = [
        `${this.address} has no append-only file: it loses data when it ends. Add the line "appendonly yes" to redis.conf.`,
      ];
    }
  }

  /** Address without its password. */
  get address(): string {
    return this.#connection.address;
  }

  /** Makes the log begin with a checkpoint. @returns false if it has begun already, or a failover came between; nothing has changed then */
  async begin(checkpoint: Checkpoint): Promise<boolean> {
    const epoch = randomUUID();
    const [key, parts] = await this.#write(checkpoint);
    const begun = await this.#connection.run(BEGIN, [epoch, String(CLUSTER_FORMAT), packageVersion(), key, parts]);
    if (begun !== 1) await this.#connection.send(['DEL', key]);
    return begun === 1;
  }

  /** Reads the last checkpoint. Undefined for a log that has not begun. @throws DataError for a newer format, and for damage */
  async load(): Promise<Checkpoint | undefined> {
    for (let missing: string | undefined; ; ) {
      const [epoch, format, version, key] = toStrings(
        await this.#connection.send(['HMGET', this.#key('meta'), 'epoch', 'format', 'version', 'key']),
      );
      if (epoch === undefined || key === undefined) return undefined;
      if (Number(format) > CLUSTER_FORMAT) throw newerFormat(version);
      const [head, ...parts] = toStrings(await this.#connection.send(['LRANGE', key, '0', '-1']));
      if (head !== undefined) {
        this.#epoch = epoch;
        return parseCheckpoint(head, parts);
      }
      if (key === missing) throw damaged(`its checkpoint is missing, the key ${key}`);
      // Another node may have replaced it meanwhile.
      missing = key;
    }
  }

  /**
   * Appends the units whose sandboxes have not changed after the last entry of the node, and returns what the node lacks.
   * @returns undefined for a node that lacks entries which only the checkpoint has; nothing was appended then
   * @throws LogLostError when entries that the node has applied are not in the log
   * @throws DataError for a newer format, a damaged entry, and a log that lacks some of its parts
   */
  async exchange({ number, last, time, units, status = '' }: RoundTrip): Promise<RoundTripResult | undefined> {
    const { node } = this.#options;
    const head = [this.#epoch, CLUSTER_FORMAT, node, number, last, time, MAX_ENTRIES, status, units.length].map(String);
    const rest = units.flatMap(({ seen, known, changed, lines }, unit) => [
      lines.length === 0 ? '' : formatEntry({ node, exchange: number, unit, changed: [...changed], lines }),
      String(seen.size),
      ...[...seen].flatMap(([name, isChecked]) => [
        name,
        isChecked ? '' : '*',
        changed.has(name) ? '1' : known.has(name) ? '0' : '',
      ]),
    ]);
    const reply = await this.#connection.run(EXCHANGE, [...head, ...rest]);
    const [outcome, ...values] = Array.isArray(reply) ? reply : [];
    if (outcome === 'format') throw newerFormat(String(values[0]));
    if (outcome === 'epoch') throw new LogLostError('the shared store was emptied, or replaced by another one');
    if (outcome === 'damaged') {
      const [name = '', checkpoint, lacks] = values.map(String);
      const problem = `the key ${this.#key(name)} ${lacks === undefined ? 'is missing' : `lacks entries (${lacks})`}`;
      throw damaged(`${problem}. The last checkpoint is of entry ${checkpoint}, and this node has read up to ${last}`);
    }
    if (outcome === 'lost' && isLater(last, String(values[0]))) {
      throw new LogLostError(`the shared store has lost entries: ${last} is not there`);
    }
    if (outcome === 'lost') return undefined;
    if (outcome !== 'ok') throw new RangeError(`${this.address}: found ${String(outcome)} in a response`);
    const [entries, ids, hasMore, latest, seconds, microseconds, count, checkpointCount] = values;
    const pairs = toStrings(entries);
    return {
      entries: Array.from({ length: pairs.length / 2 }, (_, i) =>
        parseEntry(pairs[2 * i] ?? '', pairs[2 * i + 1] ?? ''),
      ),
      ids: toStrings(ids).map((id) => (id === '' ? undefined : id)),
      hasMore: hasMore === 1,
      time: Number(latest),
      logTime: toInstant(seconds, microseconds),
      count: Number(count),
      sinceCheckpoint: Number(count) - Number(checkpointCount),
    };
  }

  /** Replaces the checkpoint and drops the entries that it contains. Does nothing if there is a newer one, or one is being made. */
  async replaceCheckpoint(checkpoint: Checkpoint): Promise<void> {
    const lock = this.#key('lock');
    const { node } = this.#options;
    if ((await this.#connection.send(['SET', lock, node, 'NX', 'PX', String(LOCK_MS)])) === null) return;
    try {
      const [key, parts] = await this.#write(checkpoint);
      const values = [checkpoint.last, key, parts, String(checkpoint.count)];
      if ((await this.#connection.run(REPLACE, values)) !== 1) await this.#connection.send(['DEL', key]);
    } finally {
      await this.#connection.send(['DEL', lock]);
    }
  }

  /** Returns what nodes have told about themselves, and the number of entries since the log began. */
  async listNodes(): Promise<{ readonly nodes: readonly string[]; readonly count: number }> {
    const [count = '0', ...nodes] = toStrings(await this.#connection.run(LIST_NODES, []));
    return { nodes: nodes.map((status) => status ?? ''), count: Number(count) };
  }

  async removeNode(node: string): Promise<void> {
    await this.#connection.run(REMOVE_NODE, [node]);
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  #key(name: string): string {
    // The braces let all keys be on one node of a Redis Cluster.
    return `{${this.#options.prefix}}:${name}`;
  }

  /** Stores a checkpoint, and returns its key and the number of its parts. */
  async #write({ lines, ...head }: Checkpoint): Promise<readonly [key: string, parts: string]> {
    const key = this.#key(`checkpoint:${randomUUID()}`);
    let parts = 0;
    const add = (text: string) => {
      parts++;
      return this.#connection.send(['RPUSH', key, pack(text)]);
    };
    try {
      await add(JSON.stringify(head));
      let part: string[] = [];
      for (const line of lines) {
        part.push(JSON.stringify(line));
        if (part.length < PART_LINES) continue;
        await add(part.join('\n'));
        part = [];
      }
      if (part.length > 0) await add(part.join('\n'));
    } catch (error) {
      // No node reads the beginning of a checkpoint, and Redis may be short of memory.
      await this.#connection.send(['DEL', key]).catch(() => {});
      throw error;
    }
    return [key, String(parts)];
  }
}

/** Says what to do about a store that cannot be opened. */
function adviseOn(reason: string): string {
  if (/NOAUTH|WRONGPASS|NOPERM/.test(reason)) {
    return 'Put the user and the password into the address: redis://user:password@host:6379/0.';
  }
  if (/ERR |pathname/.test(reason))
    return 'The address is redis://host:6379/0, with the number of a database at its end.';
  if (/Redis Cluster/.test(reason)) return 'Name that node by --store.';
  if (/^[A-Z]+ /.test(reason)) return 'Start the emulator again when Redis accepts commands.';
  return 'Start Redis there, or name another store by --store; rediss:// is for TLS.';
}

const damaged = (problem: string): DataError =>
  new DataError(
    `The shared store is damaged: ${problem}. Restore Redis from a backup, or begin with another prefix (--store-prefix).`,
  );

const newerFormat = (version?: string): DataError =>
  new DataError(
    `The shared store is in a newer format, of val-emulator ${version ?? ''}. Use ${version ?? 'that'} or later.`,
  );

/** Whether an id is later than another one: `1700000000000-2`. */
function isLater(id: string, other: string): boolean {
  const [time = 0, number = 0] = id.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number);
  return time > otherTime || (time === otherTime && number > otherNumber);
}

const toInstant = (seconds: unknown, microseconds: unknown): Instant =>
  Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);

const toStrings = (value: unknown): (string | undefined)[] =>
  Array.isArray(value) ? value.map((item) => (item === null ? undefined : String(item))) : [];

function parseCheckpoint(head: string, parts: readonly (string | undefined)[]): Checkpoint {
  try {
    const { last, count }: Record<string, unknown> = JSON.parse(unpack(head));
    const lines = parts.flatMap((part) =>
      unpack(part ?? '')
        .split('\n')
        .map(parseLine),
    );
    return { last: String(last), count: Number(count), lines };
  } catch (error) {
    throw new DataError(`The checkpoint of the shared store is damaged: ${reasonFor(error)}.`);
  }
}

function parseLine(text: string): Line {
  const line: unknown = JSON.parse(text);
  if (!isLine(line)) throw new RangeError('a line is of an unknown kind');
  return line;
}
