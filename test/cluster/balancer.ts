import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A node behind the balancer. */
export interface Target {
  readonly port: number;
  /** Whether it gets no new connections, as after failed health checks. */
  isOut: boolean;
}

/** Spreads TCP connections over nodes, one after the other, and skips those that refuse. */
export class Balancer {
  readonly targets = new Set<Target>();
  readonly #server = createServer((socket) => this.#forward(socket));
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the balancer has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Cuts connections: each with a chance, drawn by `random`. */
  cut(chance: number, random: () => number): void {
    for (const socket of this.#sockets) if (random() < chance) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket, attempts = 0): void {
    if (attempts === 0) {
      this.#sockets.add(client);
      client.on('close', () => this.#sockets.delete(client));
      client.on('error', () => client.destroy());
    }
    const live = [...this.targets].filter(({ isOut }) => !isOut);
    const target = live[this.#turn++ % live.length];
    if (!target || attempts > 5) {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, '127.0.0.1');
    let isConnected = false;
    upstream.once('connect', () => {
      isConnected = true;
      this.#sockets.add(upstream);
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => {
      if (isConnected) client.destroy();
      else if (!client.destroyed) this.#forward(client, attempts + 1);
    });
    upstream.on('close', () => {
      this.#sockets.delete(upstream);
      if (isConnected) client.destroy();
    });
    client.on('close', () => upstream.destroy());
  }
}
