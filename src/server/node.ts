import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { ApiError } from '../lib/errors.js';
import { badRequest } from '../model/errors.js';
import { type HttpRequest, type HttpResponse, publicBaseUrl } from './http.js';
import { getBodyLimit, type Pipeline } from './pipeline.js';

/** A request, with what a host application added to it. */
interface MountedRequest extends IncomingMessage {
  /** The path under which the emulator is mounted. */
  readonly baseUrl?: string;
  /** The body, if it was read already. */
  readonly body?: unknown;
}

/** Creates a listener for a node:http server, or for a host application that mounts it. */
export function createListener(pipeline: Pipeline): RequestListener {
  const respond = (request: MountedRequest, response: ServerResponse, body: HttpRequest['body']) => {
    const result = pipeline.respond(toHttpRequest(request, body));
    if (result instanceof Promise) result.then((late) => send(response, late));
    else send(response, result);
  };
  return (request: MountedRequest, response) => {
    if (request.body !== undefined || !hasBody(request)) respond(request, response, toText(request.body));
    else readBody(request, response).then((body) => respond(request, response, body));
  };
}

function toHttpRequest(request: MountedRequest, body: HttpRequest['body']): HttpRequest {
  const { headers, socket, method = 'GET', url = '/', baseUrl = '' } = request;
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  const base = publicBaseUrl(
    {
      scheme: 'encrypted' in socket ? 'https' : 'http',
      host: headers.host,
      fallbackHost: `${formatAddress(localAddress)}:${localPort}`,
      mount: baseUrl,
    },
    header,
  );
  return { method, target: parseRequestTarget(url), base, header, body };
}

/** Returns path and query of a request target, which may be an absolute URL. Source: RFC 9112, section 3.2.2. */
const parseRequestTarget = (url: string): string => url.replace(/^https?:\/\/[^/?]*(?=\/|\?|$)/i, '') || '/';

/** Source: RFC 9112, section 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function readBody(request: MountedRequest, response: ServerResponse): Promise<HttpRequest['body']> {
  // Imported late: most programs that embed the emulator never send a body over a socket.
  const { default: bodyParser } = await import('body-parser');
  const read = bodyParser.raw({ type: () => true, limit: getBodyLimit(parseRequestTarget(request.url ?? '/')) });
  return new Promise((resolve) => {
    read(request, response, (error?: unknown) => {
      resolve(error === undefined ? toText(request.body) : toBodyError(error));
    });
  });
}

/** Returns a body as text. A host application may have parsed it. */
function toText(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : typeof body === 'string' ? body : JSON.stringify(body);
  return text === '' ? undefined : text;
}

function toBodyError(error: unknown): ApiError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return bodyTooLarge();
  if (status === 415) return new ApiError(415, `Unsupported Media Type: ${String(error)}`);
  return badRequest(`The body could not be read: ${String(error)}`);
}

export const bodyTooLarge = () => new ApiError(413, 'Request body is too large');

function send(response: ServerResponse, { status, headers, body, fault }: HttpResponse): void {
  if (!fault) return void response.writeHead(status, headers).end(body);
  const sendFault = () => {
    if (fault.reset) return void response.socket?.resetAndDestroy();
    response.writeHead(status, headers);
    if (fault.truncate === null || body === undefined) return void response.end(body);
    response.write(Buffer.from(body).subarray(0, fault.truncate), () => response.socket?.destroy());
  };
  // Unreferenced, so that a delayed response does not keep the process alive.
  if (fault.delay > 0) setTimeout(sendFault, fault.delay).unref();
  else sendFault();
}

export interface ListeningServer {
  /** The base URL: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Closes the server and all connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * Resolves once connections are accepted.
 * @throws Error with `code: 'EADDRINUSE'` when the port is in use
 */
export async function listen(listener: RequestListener, host: string, port: number): Promise<ListeningServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no port in address ${address}`);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${toReachableHost(address.address)}:${address.port}`,
    close: () => {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

const formatAddress = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** Returns a host to connect to: the loopback address for a server on all addresses. */
function toReachableHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '[::1]' : formatAddress(address);
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is already in use. Choose another port, or 0 for any free one.`,
    EACCES: `Port ${port} on ${host} needs more privileges. Choose a port above 1023, or 0 for any free one.`,
    EADDRNOTAVAIL: `Host ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    ENOTFOUND: `Host ${host} is unknown. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    EAI_AGAIN: `Host ${host} could not be resolved. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(reason), { code: error.code, host, port });
}
