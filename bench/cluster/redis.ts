/** What a bench asks Redis itself, without a node. */
import { createClient } from '@redis/client';

/** Appends an entry to a stream, unless a version differs from the one that the client knows. */
const APPEND = `
if (redis.call('HGET', KEYS[2], ARGV[1]) or '') ~= ARGV[2] then return '' end
local id = redis.call('XADD', KEYS[1], '*', 'e', ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], id)
return id`;

const connect = (url: string) => createClient({ url }).connect();

type Client = Awaited<ReturnType<typeof connect>>;

/** Clients that append entries of one size, each the next one once the last one is there. */
export class Appender {
  readonly #clients: readonly Client[];
  readonly #hash: string;
  readonly #versions: string[];
  readonly #text: string;

  private constructor(clients: readonly Client[], hash: string, size: number) {
    this.#clients = clients;
    this.#hash = hash;
    this.#versions = clients.map(() => '');
    this.#text = 'x'.repeat(size);
  }

  static async connect(url: string, connections: number, size: number): Promise<Appender> {
    const clients = await Promise.all(Array.from({ length: connections }, () => connect(url)));
    const [first] = clients;
    await first?.del(['bare', 'bare:versions']);
    return new Appender(clients, (await first?.scriptLoad(APPEND)) ?? '', size);
  }

  /** Appends for a second, and returns the rate. */
  async measureRate(): Promise<number> {
    const begin = performance.now();
    const counts = await Promise.all(this.#clients.map((client, index) => this.#append(client, index, begin + 1_000)));
    const count = counts.reduce((sum, each) => sum + each, 0);
    return (count * 1_000) / (performance.now() - begin);
  }

  async #append(client: Client, index: number, end: number): Promise<number> {
    const keys = ['bare', 'bare:versions'];
    let count = 0;
    for (; performance.now() < end; count++) {
      const values = [String(index), this.#versions[index] ?? '', this.#text];
      const id = String(await client.evalSha(this.#hash, { keys, arguments: values }));
      if (id === '') throw new Error('an append was refused');
      this.#versions[index] = id;
    }
    return count;
  }

  close(): void {
    for (const client of this.#clients) client.destroy();
  }
}

/** Looks at what nodes keep in Redis. */
export class StoreProbe {
  readonly #client: Client;
  readonly #prefix: string;

  private constructor(client: Client, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  static async connect(url: string, prefix: string): Promise<StoreProbe> {
    return new StoreProbe(await connect(url), prefix);
  }

  /** Returns the bytes of the last entry of the stream. */
  async lastSize(): Promise<number> {
    const entries = await this.#client.xRevRange(`{${this.#prefix}}:log`, '+', '-', { COUNT: 1 });
    return Buffer.byteLength(String(entries?.[0]?.message.e ?? ''));
  }

  /** Returns the bytes that Redis uses. */
  async memory(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(String(await this.#client.info('memory')))?.[1]);
  }

  /** Returns the number of the entry that the last checkpoint ends with. */
  async checkpoint(): Promise<number> {
    return Number(await this.#client.hGet(`{${this.#prefix}}:meta`, 'checkpointCount'));
  }

  close(): void {
    this.#client.destroy();
  }
}
