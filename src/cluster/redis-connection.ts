import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { DataError, reasonFor } from '#engine/lib/errors.js';
import type { StoreClient } from '#engine/persistence/storage.js';
import type { Timer, Timers } from '#engine/platform/system-timers.js';
import { LogUnavailableError } from './shared-log.js';

/** Milliseconds in which Redis must respond. */
const TIMEOUT_MS = 5_000;

/**
 * Redis refuses commands with these for a time: a replica, a node of a Redis Cluster without the keys, while it loads its data, and
 * without memory, disk or replicas.
 */
const PASSING = /^(LOADING|READONLY|MASTERDOWN|BUSY|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|OOM|MISCONF|NOREPLICAS) /;

export interface RedisConnectionOptions {
  /** `redis://user:password@host:6379/0`, or `rediss:` for TLS. */
  readonly url: string;
  readonly timers: Timers;
  /** Default: of the package @redis/client */
  readonly createClient?: ((url: string) => StoreClient) | undefined;
}

/** A connection to Redis that is made again by the next command after it was lost. */
export class RedisConnection {
  /** Address without a password. */
  readonly address: string;
  readonly #options: RedisConnectionOptions;
  readonly #keys: readonly string[];
  /** Names of scripts that Redis may know. */
  readonly #hashes = new Map<string, string>();
  #client: StoreClient | undefined;
  #isClosed = false;

  /** @param keys that scripts use */
  constructor(options: RedisConnectionOptions, keys: readonly string[]) {
    const { host, pathname, protocol } = new URL(options.url);
    this.address = `${protocol}//${host}${pathname}`;
    this.#options = options;
    this.#keys = keys;
  }

  /** Runs a script, which Redis knows by its hash from the second time on. */
  async run(script: string, values: readonly string[]): Promise<unknown> {
    const rest = [String(this.#keys.length), ...this.#keys, ...values];
    const hash = this.#hashes.get(script) ?? createHash('sha1').update(script).digest('hex');
    this.#hashes.set(script, hash);
    try {
      return await this.send(['EVALSHA', hash, ...rest]);
    } catch (error) {
      if (!reasonFor(error).startsWith('NOSCRIPT')) throw error;
      return await this.send(['EVAL', script, ...rest]);
    }
  }

  /** @throws LogUnavailableError without a connection; it is tried again by the next command */
  async send(command: readonly string[]): Promise<unknown> {
    const client = await this.#connect();
    try {
      return await this.#inTime(client.sendCommand([...command]));
    } catch (error) {
      const reason = reasonFor(error).replace(/ script: [0-9a-f]+, on .*$/, '');
      if (/^[A-Z]+ /.test(reason) && !PASSING.test(reason)) throw error;
      this.#drop();
      const [, owner] = /^(?:MOVED|ASK) \d+ (\S+)/.exec(reason) ?? [];
      const moved = `is not the node of its Redis Cluster that has the keys of this prefix. That is ${owner}.`;
      throw new LogUnavailableError(`${this.address} ${owner ? moved : reason}`, PASSING.test(reason));
    }
  }

  /** @throws LogUnavailableError when Redis does not respond */
  async #inTime<T>(response: Promise<T>): Promise<T> {
    let timer: Timer | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = new LogUnavailableError(`it does not respond in ${TIMEOUT_MS / 1_000} s.`);
      timer = this.#options.timers.setTimeout(() => reject(error), TIMEOUT_MS);
    });
    try {
      return await Promise.race([response, timeout]);
    } finally {
      timer?.cancel();
    }
  }

  async #connect(): Promise<StoreClient> {
    if (this.#client) return this.#client;
    if (this.#isClosed) throw new LogUnavailableError(`${this.address} is closed.`);
    const { url, createClient = makeClient } = this.#options;
    const client = createClient(url);
    client.on('error', () => this.#drop(client));
    try {
      // A stopped process still accepts connections.
      await this.#inTime(client.connect());
    } catch (error) {
      client.destroy();
      throw new LogUnavailableError(`${this.address} cannot be reached: ${reasonFor(error).replace(/\.$/, '')}.`);
    }
    this.#client = client;
    return client;
  }

  #drop(client = this.#client): void {
    if (client === this.#client) this.#client = undefined;
    if (client?.isOpen) client.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }
}

/**
 * It neither connects again nor keeps commands for later: only the sender knows whether to repeat one.
 * @throws DataError without the package that connects
 */
function makeClient(url: string): StoreClient {
  const socket = { connectTimeout: TIMEOUT_MS, reconnectStrategy: false } as const;
  return loadPackage().createClient({ url, disableOfflineQueue: true, socket });
}

function loadPackage(): typeof import('@redis/client') {
  // A bundler accepts a package that is missing, if `require` is within `try`.
  try {
    return createRequire(import.meta.url)('@redis/client');
  } catch (cause) {
    const message = `A store of Redis needs the package @redis/client, which cannot be loaded: npm install @redis/client`;
    throw new DataError(message, { cause });
  }
}
