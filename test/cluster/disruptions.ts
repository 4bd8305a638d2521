import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from './balancer.js';
import type { Random } from './draw.js';
import { EmulatorNode } from './nodes.js';

/** The server that the nodes share. */
export interface Shared {
  /** As in `redis://127.0.0.1:6379/0`. */
  readonly url: string;
  /** Kills it, and starts it again with its data after some milliseconds. */
  restart(pause: number): Promise<void>;
}

/** The nodes of a round, and what happens to them. */
export class Fleet {
  readonly counts = { kills: 0, stops: 0, restarts: 0, cuts: 0 };
  readonly nodes = new Set<EmulatorNode>();
  readonly #balancer: Balancer;
  readonly #flags: readonly string[];
  readonly #random: Random;
  readonly #shared: Shared | undefined;

  constructor(balancer: Balancer, flags: readonly string[], random: Random, shared: Shared | undefined) {
    this.#balancer = balancer;
    this.#flags = flags;
    this.#random = random;
    this.#shared = shared;
  }

  /** Starts a node. */
  async add(): Promise<EmulatorNode> {
    const node = await EmulatorNode.start(this.#flags);
    this.nodes.add(node);
    this.#balancer.targets.add(node);
    return node;
  }

  /** Ends all nodes, those that are stopped as well. */
  async end(): Promise<void> {
    await Promise.all([...this.nodes].map((node) => node.end()));
    for (const node of this.nodes) this.#balancer.targets.delete(node);
    this.nodes.clear();
  }

  /** Does one of the things that a cluster must survive; a node with data of its own is not killed. */
  async disrupt(): Promise<void> {
    const kind = this.#shared ? this.#random() : 0.45 + 0.55 * this.#random();
    if (kind < 0.35) await this.#kill('SIGKILL');
    else if (kind < 0.45) await this.#kill('SIGTERM');
    else if (kind < 0.7) await this.#stop();
    else if (kind < 0.85 && this.#shared) {
      this.counts.restarts++;
      await this.#shared.restart(this.#random() * 400);
    } else {
      this.counts.cuts++;
      this.#balancer.cut(this.#random(), this.#random);
    }
  }

  #pick(): EmulatorNode {
    const node = [...this.nodes][Math.floor(this.#random() * this.nodes.size)];
    if (!node) throw new Error('there is no node');
    return node;
  }

  /** Ends a node, and starts a new one in its place. */
  async #kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const node = this.#pick();
    this.counts.kills++;
    this.nodes.delete(node);
    await node.end(signal);
    this.#balancer.targets.delete(node);
    await this.add();
  }

  /** Stops a node for some time. The balancer notices after a while. */
  async #stop(): Promise<void> {
    const node = this.#pick();
    this.counts.stops++;
    node.signal('SIGSTOP');
    await sleep(100);
    node.isOut = true;
    await sleep(this.#random() * 1_200);
    node.signal('SIGCONT');
    node.isOut = false;
  }
}
