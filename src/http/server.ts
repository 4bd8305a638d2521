import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export interface ListeningServer {
  /** Where it listens: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Ends the server and every connection to it. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Resolves once connections are accepted.
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken
 */
export async function listen(listener: RequestListener, host: string, port: number): Promise<ListeningServer> {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no port in address ${address}`);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${reachableHost(address.address)}:${address.port}`,
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        // Also those that keep alive and those that never sent a request, which server.close() would wait for.
        for (const socket of sockets) socket.destroy();
      });
      return closing;
    },
  };
}

/** A host to dial: a server on every address is reached on the loopback one. */
function reachableHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is already in use. Choose another port, or 0 for any free one.`,
    EACCES: `Port ${port} on ${host} may not be opened by this user. Choose a port above 1023, or 0 for any free one.`,
    EADDRNOTAVAIL: `Host ${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for every address.`,
    ENOTFOUND: `Host ${host} is not known. Use 127.0.0.1, or 0.0.0.0 for every address.`,
    EAI_AGAIN: `Host ${host} could not be looked up. Use 127.0.0.1, or 0.0.0.0 for every address.`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(reason), { code: error.code, host, port });
}
