import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Emulator } from '../../src/index.js';

/** One address of several nodes. */
export interface Forwarder {
  readonly url: string;
  close(): void;
}

/**
 * Starts a server that sends each request to the next node. It changes nothing: a node finds the same Host and body, and what it
 * breaks off is broken off for the client. Before a response is passed on, all nodes have seen what the request did.
 */
export async function startForwarder(nodes: readonly Emulator[]): Promise<Forwarder> {
  const ports = nodes.map(({ url }) => new URL(url).port);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const port = ports[turn++ % ports.length];
    forward(incoming, outgoing, port, () => seen(nodes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the forwarder has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves once all nodes have seen what was done so far. */
export const seen = async (nodes: readonly Emulator[]): Promise<void> => {
  await Promise.all(nodes.map((node) => node.saved()));
};

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: string | undefined,
  settled: () => Promise<void>,
): void {
  const { method, url: path, rawHeaders: headers } = incoming;
  const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost: false, agent: false });
  const breakOff = () => outgoing.destroy();
  sent.once('response', async (response) => {
    response.on('error', breakOff);
    await settled();
    outgoing.sendDate = false;
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
    outgoing.flushHeaders();
    response.pipe(outgoing);
  });
  sent.once('error', breakOff);
  outgoing.once('close', () => sent.destroy());
  incoming.pipe(sent);
}
