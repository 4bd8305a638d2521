import type { StoreClient } from '#engine/persistence/storage.js';
import type { MemoryRedis } from './memory-redis.js';
import type { Process, Scheduler } from './scheduler.js';

/** Milliseconds that most messages take one way. */
const LATENCY = 2;
/** Milliseconds after which a command may arrive whose connection is broken. */
const LATENESS = 300;

/** The server that the nodes share, and its connections. */
export class StoreServer {
  readonly redis: MemoryRedis;
  readonly scheduler: Scheduler;
  readonly links = new Set<Link>();
  isDown = false;
  /** How often it was started again. */
  starts = 0;
  /** The error with which it refuses scripts. */
  refusal = '';

  constructor(redis: MemoryRedis, scheduler: Scheduler) {
    this.redis = redis;
    this.scheduler = scheduler;
  }

  /** Ends it, and starts it again after some milliseconds. @param keys what it has then. Default: all */
  async restart(pause: number, keys?: ReturnType<MemoryRedis['save']>): Promise<void> {
    this.isDown = true;
    this.starts++;
    for (const link of this.links) link.cut(0);
    this.redis.restart(keys);
    await this.scheduler.sleep(pause);
    this.isDown = false;
  }

  connect = (process: Process): StoreClient => new Link(this, process);

  run(command: readonly string[]): unknown {
    if (this.refusal !== '' && /^(?:EVAL|RPUSH|SET$)/.test(command[0] ?? '')) throw new Error(this.refusal);
    return this.redis.run(command);
  }
}

/** One connection: what is sent arrives in order, or not at all. */
export class Link implements StoreClient {
  isOpen = false;
  /** Milliseconds that each message takes longer. */
  delay = 0;
  /** How often the network sends a command again whose reply it has lost. */
  doubles = 0;
  /** How much of what is under way still arrives after it was cut. */
  #arriving = 1;
  #isCut = false;
  #arrival = 0;
  #reply = 0;
  readonly #server: StoreServer;
  readonly #process: Process;
  readonly #pending = new Set<(error: Error) => void>();
  #onError = (_: Error): void => {};

  constructor(server: StoreServer, process: Process) {
    this.#server = server;
    this.#process = process;
  }

  on(_: 'error', listener: (error: Error) => void): void {
    this.#onError = listener;
  }

  connect(): Promise<void> {
    const { scheduler, links } = this.#server;
    return new Promise((resolve, reject) => {
      const connect = () => {
        if (this.#server.isDown) return reject(new Error('connect ECONNREFUSED'));
        links.add(this);
        this.isOpen = true;
        resolve();
      };
      scheduler.after(this.#latency(), 'connects', connect, this.#process);
    });
  }

  #latency(): number {
    const { random } = this.#server.scheduler;
    return this.delay + LATENCY * random() * (random() < 0.1 ? 10 : 1);
  }

  sendCommand(command: string[]): Promise<unknown> {
    const { scheduler } = this.#server;
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('The client is closed'));
      this.#pending.add(reject);
      const settle = (run: () => void) => {
        if (this.#pending.delete(reject)) run();
      };
      const { starts } = this.#server;
      const arrive = (isLate: boolean): void => {
        const { random } = scheduler;
        if (this.#server.starts !== starts || random() >= this.#arriving) return;
        // Other commands of its node may come before it.
        if (this.#isCut && !isLate) {
          scheduler.after(LATENESS * random(), 'arrives late', () => arrive(true));
          return;
        }
        const reply = attempt(() => this.#server.run(command));
        scheduler.note('redis', `${describeCommand(command)} → ${describeReply(reply)}`);
        this.#reply = Math.max(this.#reply, scheduler.now + this.#latency()) + 1e-6;
        const receive = () => settle(() => ('error' in reply ? reject(reply.error) : resolve(reply.value)));
        scheduler.after(this.#reply - scheduler.now, 'reply', receive, this.#process);
      };
      // Only scripts, which are numbered.
      const isDoubled = scheduler.random() < this.doubles && command[0]?.startsWith('EVAL');
      const count = isDoubled ? 2 : 1;
      for (let i = 0; i < count; i++) {
        this.#arrival = Math.max(this.#arrival, scheduler.now + this.#latency()) + 1e-6;
        scheduler.after(this.#arrival - scheduler.now, 'arrives', () => arrive(false));
      }
    });
  }

  /** Breaks it. @param arriving how much of what is under way still arrives: none 0, all 1 */
  cut(arriving: number): void {
    this.#arriving = arriving;
    this.#isCut = true;
    this.#server.links.delete(this);
    const error = new Error('Socket closed unexpectedly');
    const notice = () => {
      this.isOpen = false;
      this.#reject(error);
      this.#onError(error);
    };
    this.#server.scheduler.after(0, 'is cut off', notice, this.#process);
  }

  destroy(): void {
    this.isOpen = false;
    this.#isCut = true;
    this.#server.links.delete(this);
    this.#reject(new Error('Disconnects client'));
  }

  #reject(error: Error): void {
    for (const reject of this.#pending) reject(error);
    this.#pending.clear();
  }
}

type Outcome = { readonly value: unknown } | { readonly error: Error };

function attempt(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Names of nodes, epochs and keys are random: a line has none of them. */
function describeCommand([name = '', ...args]: readonly string[]): string {
  if (!name.startsWith('EVAL')) return name;
  // After the hash and six keys come epoch, format and node.
  const [number, last, time, , , units] = args.slice(11);
  return units === undefined ? 'script' : `exchange ${number} after ${last} at ${time} with ${units} units`;
}

function describeReply(reply: Outcome): string {
  if ('error' in reply) return reply.error.message.slice(0, 40);
  const { value } = reply;
  if (!Array.isArray(value)) return typeof value === 'number' ? String(value) : 'done';
  const [outcome, entries, ids] = value;
  return Array.isArray(entries) && Array.isArray(ids)
    ? `${outcome}, ${entries.length / 2} entries, ids ${ids}`
    : 'list';
}
