import { timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { Server } from 'proxy-chain';
import type { Listener } from './listener.js';

interface ProxyOptions {
  readonly names: readonly string[];
  /** Where connections to the names go. */
  readonly listener: Listener;
  /** The password that clients have to send. Undefined for Java, which can send none: the user is checked instead. */
  readonly password?: string;
  /** Finds the proxy for another host. Undefined to connect directly. */
  findUpstream(scheme: 'http' | 'https', host: string): string | undefined;
  /** Called with each other host, before it is connected. Throws to refuse it. */
  check(address: string): void;
}

/** Opens a proxy on 127.0.0.1 for programs other than Node. It passes other hosts and ports on unchanged. */
export async function openProxy({ names, listener, password, findUpstream, check }: ProxyOptions): Promise<Server> {
  const customConnectServer = createAcceptor(listener);
  const proxy = new Server({
    host: '127.0.0.1',
    port: 0,
    authRealm: 'val-emulator',
    prepareRequestFunction({ request, password: sent, hostname, port, isHttp }) {
      const isAllowed = password === undefined ? isOfThisUser(request) : isEqual(sent, password);
      if (!isAllowed) return { requestAuthentication: true, failMsg: 'This proxy is for one run of val-emulator.' };
      if (!isHttp && names.includes(toName(hostname)) && (port === 443 || port === 80)) return { customConnectServer };
      check(`${hostname}:${port}`);
      return { upstreamProxyUrl: findUpstream(isHttp ? 'http' : 'https', toName(hostname)) ?? null };
    },
  });
  // A request without a tunnel is served on its own connection, so that a fault can reset that.
  const { server } = proxy;
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isFor(names, request)) return void proxy.onRequest(request, response);
    hidePassword(request);
    listener.respond(request, response);
  });
  await proxy.listen();
  return proxy;
}

/** Makes a server of the type that the library asks for. Its connections are inside tunnels, so they may begin with TLS. */
function createAcceptor({ accept }: Listener): HttpServer {
  const server = createServer();
  server.removeAllListeners('connection');
  return server.on('connection', accept);
}

const toName = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/** Whether a request that names its whole URL is for an intercepted name. */
function isFor(names: readonly string[], { url = '' }: IncomingMessage): boolean {
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: '', port: '' };
  return port === '' && names.includes(toName(hostname));
}

/** Removes the password of the proxy from the headers that the journal keeps. */
function hidePassword(request: IncomingMessage): void {
  const isSecret = (index: number) => /^proxy-authorization$/i.test(request.rawHeaders[index - (index % 2)] ?? '');
  request.rawHeaders = request.rawHeaders.filter((_, index) => !isSecret(index));
}

function isEqual(sent: string, password: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(password)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a connection comes from a process of this user. On systems that do not say so, it does. */
function isOfThisUser({ socket }: IncomingMessage): boolean {
  const toEnd = (port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  // Linux lists connections with the user of each.
  const files = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path));
  const lists = files.map((path) => readFileSync(path, 'utf8'));
  const rows = lists.flatMap((list) => list.split('\n').map((line) => line.trim().split(/\s+/)));
  const row = rows.find(
    ([, from = '', to = '']) => from.endsWith(toEnd(socket.remotePort)) && to.endsWith(toEnd(socket.localPort)),
  );
  return lists.length === 0 || Number(row?.[7]) === process.getuid?.();
}
