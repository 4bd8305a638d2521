import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createHttpServer, createListener } from '#engine/http/node.js';
import type { Pipeline } from '#engine/http/pipeline.js';
import type { Authority } from './authority.js';

/** The first byte of a TLS connection. Source: RFC 8446, section 5.1 (a record of the type handshake). */
const TLS_HANDSHAKE = 22;

/** The host of the site, of which the emulator has the login alone. */
const SITE_NAME = 'www.val.town';
const LOGIN_PATH = /^\/(?:oauth|\.well-known)(?:\/|$)/;

/** Accepts connections for the intercepted names, with TLS and without. */
export interface Listener {
  readonly port: number;
  /** Responds to a request that another server has received. */
  readonly respond: RequestListener;
  /** Takes over a connection. */
  accept(socket: Socket): void;
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly authority: Authority;
  /** Name of the sandbox that responds. Undefined for the default one. */
  readonly sandbox: string | undefined;
  /** Called with each page of the site that is refused. */
  onRefused(page: string): void;
}

/** Listens on a free port of 127.0.0.1. */
export async function openListener(
  pipeline: Pipeline,
  { authority: { server: identity }, sandbox, onRefused }: ListenerOptions,
): Promise<Listener> {
  const listener = createListener(pipeline, true);
  const respond: RequestListener = (request, response) => {
    const page = findOtherPage(request);
    if (page !== undefined) {
      onRefused(page);
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
      response.end(`val-emulator has the login of ${SITE_NAME} alone, and refuses ${page}.\n`);
      return;
    }
    // The header of clients of the emulator. The headers in the journal stay as they were sent.
    delete request.headers['x-emulator-sandbox'];
    if (sandbox !== undefined) request.headers['x-emulator-sandbox'] = sandbox;
    listener(request, response);
  };
  const http = createHttpServer(respond);
  const secureContext = createSecureContext(identity);
  const startTls = (socket: Socket) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
    // A client that does not trust the certificate ends the connection.
    secure.on('error', () => socket.destroy());
    secure.once('secure', () => http.emit('connection', secure));
    // A fault resets the connection below TLS, as it does on the real host.
    secure.resetAndDestroy = () => {
      socket.resetAndDestroy();
      return secure.destroy();
    };
  };
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
      if (bytes[0] === TLS_HANDSHAKE) return startTls(socket);
      http.emit('connection', socket);
      socket.resume();
    });
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, respond, accept, close };
}

/** Returns the address of a page of the site that does not belong to the login. */
function findOtherPage({ url = '/', headers: { host } }: IncomingMessage): string | undefined {
  const base = `http://${host}`;
  if (!URL.canParse(url, base)) return undefined;
  const { hostname, pathname } = new URL(url, base);
  const isOther = hostname.replace(/\.$/, '') === SITE_NAME && !LOGIN_PATH.test(pathname);
  return isOther ? hostname + pathname : undefined;
}
