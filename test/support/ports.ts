import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Takes a port of the loopback address, by default a free one, until the end of the test. Connections are closed at once. */
export async function takePort(port = 0): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return portOf(server);
}

/** Finds a port that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await once(server.close(), 'close');
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** The message about a port that this process has. @param by what the message names as the program */
export const busyPort = (port: number | string, by = '.+'): RegExp =>
  new RegExp(
    `${port} on 127\\.0\\.0\\.1 is in use by ${by} \\(pid ${process.pid} in /.*\\)\\. Choose another port, or 0 for any free one\\.`,
  );
