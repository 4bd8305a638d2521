import { LOOPBACK, type Network, prefixOf, untilHealthy } from './client.js';
import { Draw, type Drawn, type Random } from './draw.js';
import type { Operation } from './linearizability.js';
import { CLEARING, type Input, type Output } from './model.js';

export interface Recorded extends Operation<Input, Output> {
  readonly sandbox: string;
  /** Sent in a header, which the journal records. */
  readonly marker: string;
  /** The text of the response. */
  readonly text: string | undefined;
}

/** The default one, and four by name. */
export const SANDBOXES = ['', 's1', 's2', 's3', 's4'] as const;
/** Milliseconds after which a client gives up. */
const PATIENCE = 1_000;

export interface TrafficOptions {
  /** Address of the balancer. */
  readonly base: string;
  readonly random: Random;
  /** The ids in the order in which the emulator draws them. */
  readonly ids: readonly string[];
  /** Default: {@link SANDBOXES} */
  readonly sandboxes?: readonly string[];
  /** The share of requests that change a sandbox as a whole. Default: 0.07 */
  readonly upheavals?: number;
  /** Default: 16 */
  readonly clients?: number;
  /** Default: of this machine */
  readonly network?: Network;
}

/** Sends random requests on several connections at once, and records what came of them. */
export class Traffic {
  readonly operations: Recorded[] = [];
  readonly counts = { requests: 0, unknown: 0 };
  hasEnded = false;
  #markers = 0;
  readonly #options: TrafficOptions;
  readonly #draw: Draw;
  readonly #network: Network;
  readonly #sandboxes: readonly string[];
  /** Number of the last id that each sandbox is known to have drawn. */
  readonly #drawn = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  /** Requests under way by sandbox, and the sandboxes of which a snapshot is taken. */
  readonly #active = new Map<string, number>();
  // What is in a snapshot shows so late that a search among other requests at its time would take too long.
  readonly #busy = new Set<string>();

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#network = options.network ?? LOOPBACK;
    this.#sandboxes = options.sandboxes ?? SANDBOXES;
    this.#draw = new Draw(options.random, options.ids, options.upheavals ?? 0.07);
  }

  /** Sends requests until they are enough. */
  async run(requests: number): Promise<void> {
    let isDone = false;
    const clients = Promise.all(
      Array.from({ length: this.#options.clients ?? 16 }, () => this.#client(requests)),
    ).finally(() => {
      isDone = true;
    });
    clients.catch(() => {});
    while (!isDone) {
      for (const sandbox of this.#sandboxes) await this.readJournal(sandbox);
      await this.#network.sleep(100);
    }
    await clients;
  }

  /**
   * Learns the numbers of requests in the journal of a sandbox. The search for an order is fast with them.
   * @throws Error for a request that has another number than before
   */
  async readJournal(sandbox: string): Promise<void> {
    const url = `${this.#options.base}${prefixOf(sandbox)}/_emulator/requests`;
    const reply = await this.#network.send({ method: 'GET', url, patience: PATIENCE });
    if (reply?.status !== 200) return;
    for (const { id, request } of JSON.parse(reply.text)) {
      const marker: string = request.headers['x-marker'];
      const number = Number(id.slice(1));
      const known = this.#numbers.get(marker) ?? number;
      if (known !== number) throw new Error(`request ${marker} of sandbox "${sandbox}" was r${known} and is now ${id}`);
      this.#numbers.set(marker, number);
    }
  }

  /** Returns what was recorded, with the numbers in the journals. */
  get history(): Recorded[] {
    return this.operations.map((operation) => {
      const number = this.#numbers.get(operation.marker);
      const isApi = operation.input.user !== undefined;
      return number === undefined || !isApi ? operation : { ...operation, input: { ...operation.input, number } };
    });
  }

  async #client(requests: number): Promise<void> {
    const { random, base } = this.#options;
    const { sleep } = this.#network;
    while (this.counts.requests < requests && !this.hasEnded) {
      const sandbox = this.#sandboxes[Math.floor(random() * this.#sandboxes.length)] ?? '';
      const marker = `m${this.#markers++}`;
      const drawn = this.#draw.next(sandbox, this.#drawn.get(sandbox) ?? 0, marker);
      const { route } = drawn;
      if (CLEARING.has(route)) await this.readJournal(sandbox);
      const isAlone = route === 'POST snapshots';
      while (this.#busy.has(sandbox)) await sleep(1);
      if (isAlone) this.#busy.add(sandbox);
      while (isAlone && (this.#active.get(sandbox) ?? 0) > 0) await sleep(1);
      this.#active.set(sandbox, (this.#active.get(sandbox) ?? 0) + 1);
      const isKnown = await this.perform(sandbox, drawn, marker);
      this.#active.set(sandbox, (this.#active.get(sandbox) ?? 0) - 1);
      if (isAlone) this.#busy.delete(sandbox);
      if (!isKnown) await untilHealthy(base, this.#network);
      if (route === 'close') await this.open(sandbox);
      if (random() < 0.3) await sleep(random() * 30);
    }
  }

  /** Opens all sandboxes that have a name. */
  async openAll(): Promise<void> {
    for (const sandbox of this.#sandboxes) if (sandbox !== '') await this.open(sandbox);
  }

  /** Opens a sandbox that may be closed. */
  async open(sandbox: string): Promise<void> {
    while (!(await this.perform(sandbox, this.#draw.open(sandbox), '')))
      await untilHealthy(this.#options.base, this.#network);
  }

  /** Sends a request. Returns false if its outcome is unknown. @param base of a node, in place of the balancer */
  async perform(sandbox: string, drawn: Drawn, marker: string, base = this.#options.base): Promise<boolean> {
    const { isGlobal = false, isRead = false, ...request } = drawn;
    const { method, path, body } = request;
    const prefix = isGlobal ? '' : prefixOf(sandbox);
    const input: Input = { ...request, base: base + prefixOf(sandbox) };
    const headers = {
      ...(marker !== '' && { 'x-marker': marker }),
      ...(input.user !== undefined && { authorization: `Bearer ${input.user}-token` }),
      ...(input.wanted !== undefined && { 'x-emulator-fault': String(input.wanted) }),
    };
    this.counts.requests++;
    const call = this.#network.now();
    const reply = await this.#network.send({ method, url: base + prefix + path, headers, body, patience: PATIENCE });
    const end = this.#network.now();
    const isKnown = reply !== undefined && reply.status !== 503;
    if (!isKnown) this.counts.unknown++;
    if (!isKnown && isRead) return false;
    const recorded = { sandbox, marker, input, call, text: reply?.text };
    if (!isKnown) {
      this.operations.push({ ...recorded, return: Number.POSITIVE_INFINITY, output: undefined });
      return false;
    }
    const isJson = /json/.test(reply.headers['content-type'] ?? '');
    // A blob is text.
    const received = isJson ? JSON.parse(reply.text) : reply.text || undefined;
    const remaining = reply.headers['x-ratelimit-remaining'];
    const output: Output = {
      status: reply.status,
      remaining: remaining === undefined ? undefined : Number(remaining),
      date: input.user === undefined ? undefined : Date.parse(reply.headers.date ?? '') / 1_000,
      body: received,
    };
    this.operations.push({ ...recorded, return: end, output });
    const number = this.#options.ids.indexOf(Object(received).id);
    if (number > (this.#drawn.get(sandbox) ?? 0)) this.#drawn.set(sandbox, number);
    return true;
  }

  /** Reads the state of a sandbox. @param base of a node */
  async look(sandbox: string, base: string): Promise<void> {
    for (const noun of ['state', 'clock', 'faults', 'snapshots', 'history', 'rate-limit', 'requests']) {
      await this.perform(sandbox, this.#draw.look(noun), '', base);
    }
  }
}
