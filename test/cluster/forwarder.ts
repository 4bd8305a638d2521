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
 * breaks off is broken off for the client.
 * @param settle is awaited before a response is passed on
 */
export async function startForwarder(nodes: readonly Emulator[], settle: () => Promise<void>): Promise<Forwarder> {
  const ports = nodes.map(({ url }) => new URL(url).port);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const port = ports[turn++ % ports.length];
    forward(incoming, outgoing, port, settle);
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

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: string | undefined,
  settle: () => Promise<void>,
): void {
  const { method, url: path, rawHeaders: headers } = incoming;
  const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost: false, agent: false });
  const breakOff = (code?: 'ECONNRESET') => {
    // What was written goes out first.
    setImmediate(() => (code ? outgoing.socket?.resetAndDestroy() : outgoing.destroy()));
  };
  sent.once('response', (response) => {
    const { statusCode = 502, statusMessage, rawHeaders } = response;
    const begun = settle().then(() => {
      outgoing.sendDate = false;
      outgoing.writeHead(statusCode, statusMessage, rawHeaders);
      outgoing.flushHeaders();
    }, breakOff);
    response.on('data', (part) => begun.then(() => outgoing.write(part)));
    response.once('end', () => begun.then(() => outgoing.end()));
    response.once('error', () => begun.then(() => breakOff()));
  });
  sent.once('error', () => {
    const end = () => breakOff('ECONNRESET');
    settle().then(end, end);
  });
  outgoing.once('close', () => sent.destroy());
  incoming.pipe(sent);
}
