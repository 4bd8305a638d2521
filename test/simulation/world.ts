import { toBody } from '#engine/http/input.js';
import { createEmulator, type Emulator, type EmulatorOptions, type Fixtures } from '../../src/index.js';
import type { Network, Reply, Send } from '../cluster/client.js';
import type { Random } from '../cluster/draw.js';
import { seed } from '../cluster/model.js';
import { Process, Scheduler } from './scheduler.js';

/** What happens in a world. A smaller one is easier to read. */
export interface Plan {
  readonly seed: number;
  readonly nodes: number;
  readonly clients: number;
  readonly requests: number;
  readonly faults: number;
}

/** The records of each world, as a file has them. */
export const FIXTURES: Fixtures = JSON.parse(JSON.stringify(seed));

/** The second sandbox. */
export const OTHER = 's1';
/** Few, so that nodes often change the same one. */
export const SANDBOXES = ['', OTHER];

export const BALANCER = 'http://localhost:1';
/** Milliseconds that a message between a client and a node takes at most. */
const LATENCY = 3;
/** Milliseconds after which a node must have started: a lock of another machine is stale after 15 seconds. */
const PATIENCE = 40_000;

/** What a process needs of its world. */
export type Options = (process: Process) => EmulatorOptions;

export class Node {
  readonly process: Process;
  readonly url: string;
  readonly problems: string[] = [];
  emulator: Emulator | undefined;
  /** Resolves once it responds, or is killed. */
  readonly started: Promise<void>;
  end = (): void => {};

  constructor(process: Process, number: number) {
    this.process = process;
    // URLs leave out the port 80.
    this.url = `http://localhost:${1_000 + number}`;
    this.started = new Promise((resolve) => {
      this.end = resolve;
    });
  }
}

/** Nodes, and the network between them and clients. */
export class World implements Network {
  readonly scheduler: Scheduler;
  readonly nodes: Node[] = [];
  /** How often each fault has happened. */
  readonly counts: Record<string, number> = {};
  /** How often the network loses a request or a response. */
  loss = 0;
  readonly #random: Random;
  readonly #options: Options;
  readonly #onStart: (emulator: Emulator) => unknown;
  #started = 0;

  /** @param onStart called with each emulator before it has a request */
  constructor(draw: Random, isTraced: boolean, options: Options, onStart = (_: Emulator): unknown => undefined) {
    this.#random = draw;
    this.#options = options;
    this.#onStart = onStart;
    this.scheduler = new Scheduler(draw, isTraced);
  }

  now = () => this.scheduler.now;
  sleep = (milliseconds: number) => this.scheduler.sleep(milliseconds);

  below = (limit: number) => Math.floor(this.#random() * limit);

  /** Starts nodes until one responds: a store may be down. @throws Error after a while */
  async add(): Promise<Node> {
    const end = this.now() + PATIENCE;
    for (;;) {
      const node = await this.#start();
      if (node.emulator || node.process.isKilled) return node;
      this.nodes.splice(this.nodes.indexOf(node), 1);
      if (this.now() > end) throw new Error(`${node.process.name} does not start: ${node.problems}`);
      await this.sleep(100);
    }
  }

  async #start(): Promise<Node> {
    const number = this.#started++;
    const process = new Process(`node${number}`, this.scheduler);
    const node = new Node(process, number);
    this.nodes.push(node);
    process.timers.setImmediate(() => {
      this.scheduler.starting.add(process);
      createEmulator({
        ...this.#options(process),
        ...{ listen: false, timers: process.timers },
        onWarning: (message) => this.scheduler.note(process.name, `warns: ${message.slice(0, 60)}`),
        onDataError: ({ message }) => node.problems.push(message),
      })
        .then((emulator) => {
          this.#onStart(emulator);
          node.emulator = emulator;
          const { control } = emulator.pipeline;
          const respond = control.respond.bind(control);
          control.respond = (...args) => this.scheduler.hold(respond(...args));
        })
        .catch((error: unknown) => node.problems.push(String(error)))
        .finally(() => {
          this.scheduler.starting.delete(process);
          node.end();
        });
    });
    await node.started;
    return node;
  }

  /** Sends a request to a node, or to any of them. */
  send({ method, url, headers = {}, body, patience = 10_000 }: Send): Promise<Reply | undefined> {
    const { scheduler } = this;
    const { origin, pathname } = new URL(url);
    const node = this.nodes.find((each) => each.url === origin) ?? this.nodes[this.below(this.nodes.length)];
    return new Promise((resolve) => {
      const latency = () => LATENCY * this.#random();
      const isLost = () => this.#random() < this.loss;
      const timer = scheduler.after(patience, 'gives up', () => resolve(undefined));
      if (!node || isLost()) return;
      const arrive = async () => {
        const reply = await this.#respond(node.emulator, { method, url, headers, body });
        if (isLost() || node.process.isKilled) return;
        scheduler.after(latency(), `${reply?.status ?? 'no'} reply to ${method} ${pathname}`, () => {
          timer.cancel();
          resolve(reply);
        });
      };
      scheduler.after(latency(), `${method} ${pathname}`, () => void arrive(), node.process);
    });
  }

  /** Sends a request until it has a response. @throws Error if it takes too long */
  async ask(request: Send): Promise<Reply> {
    for (let i = 0; i < 100; i++) {
      const reply = await this.send(request);
      if (reply?.status === 200) return reply;
      await this.sleep(100);
    }
    throw new Error(`${request.method} ${request.url} has no response`);
  }

  /** Serves a request without a socket. */
  async #respond(emulator: Emulator | undefined, { method, url, headers, body }: Send): Promise<Reply | undefined> {
    if (!emulator) return undefined;
    const { pipeline } = emulator;
    const { host, pathname, search } = new URL(url);
    const sent = { ...headers, host, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const connection = { scheme: 'http', host, ownHost: () => host, mount: '', remoteAddress: undefined } as const;
    const request = pipeline.accept({
      ...{ ...connection, refusal: undefined, start: 0, method, url: pathname + search },
      headers: Object.entries(sent).flat(),
      header: (name) => new Map(Object.entries(sent)).get(name),
    });
    const received = body === undefined ? body : toBody(Buffer.from(JSON.stringify(body)), pipeline.planBody(request));
    const response = await pipeline.serve({ ...request, body: received });
    const { chunks } = response;
    const text = chunks ? await this.scheduler.hold(readAll(chunks)) : String(Buffer.from(response.body ?? ''));
    response.ended?.('sent');
    return { status: response.status, headers: response.headers, text };
  }

  /** Kills a node. */
  kill(node: Node): void {
    node.process.isKilled = true;
    this.nodes.splice(this.nodes.indexOf(node), 1);
    this.scheduler.starting.delete(node.process);
    node.end();
  }

  /** Lets a node do nothing for some milliseconds. */
  async stop(node: Node, pause: number): Promise<void> {
    node.process.stoppedUntil = this.now() + pause;
    await this.sleep(pause);
  }

  /** Gives a property a value for some milliseconds, and then its usual one. */
  async set<T, K extends keyof T>(target: T, name: K, value: T[K], usual: T[K], pause: number): Promise<void> {
    target[name] = value;
    await this.sleep(pause);
    target[name] = usual;
  }

  /** Lets some of the things happen that a system must survive, sometimes at once. Resolves once all are over. */
  async disturb(count: number, faults: Readonly<Record<string, (pause: number) => unknown>>): Promise<void> {
    const all: unknown[] = [];
    for (let i = 0; i < count; i++) {
      await this.sleep(200 * this.#random());
      const names = Object.keys(faults);
      const name = names[this.below(names.length)] ?? '';
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      this.scheduler.note('fault', name);
      const fault = Promise.resolve(faults[name]?.(this.#random() * (this.#random() < 0.2 ? 8_000 : 900)));
      fault.catch(() => {});
      all.push(fault);
      if (this.#random() < 0.6) await fault;
    }
    await Promise.all(all);
  }
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
