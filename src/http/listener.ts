import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { baseOf, type Reached } from './base.js';
import { hasBody, readBody, textOf } from './body.js';
import type { Handler } from './handler.js';
import type { WireRequest, WireResponse } from './wire.js';

/** A request, with what an application that mounts the listener may have done to it. */
interface Incoming extends IncomingMessage {
  /** The path under which it is mounted. */
  readonly baseUrl?: string;
  /** The body, if it has been read already. */
  readonly body?: unknown;
}

/** What answers the requests of a node:http server, or those of an application that it is mounted in. */
export function createListener(handle: Handler): RequestListener {
  const answer = (request: Incoming, response: ServerResponse, body: WireRequest['body']) => {
    const answered = handle(wireRequest(request, body));
    if (answered instanceof Promise) answered.then((late) => send(response, late));
    else send(response, answered);
  };
  return (request: Incoming, response) => {
    if (request.body !== undefined || !hasBody(request)) answer(request, response, textOf(request.body));
    else readBody(request, response).then((body) => answer(request, response, body));
  };
}

function wireRequest(request: Incoming, body: WireRequest['body']): WireRequest {
  const { headers, socket, method = 'GET', url = '/', baseUrl = '' } = request;
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const reached: Reached = {
    scheme: 'encrypted' in socket ? 'https' : 'http',
    host: headers.host,
    fallbackHost: () => ownHost(socket),
    mount: baseUrl,
  };
  return { method, target: url, base: baseOf(reached, header), header, body };
}

function send(response: ServerResponse, answer: WireResponse): void {
  const { status, headers, body, mishap } = answer;
  if (mishap && mishap.delay > 0) {
    // Unreferenced, so that an answer held back does not hold the process.
    setTimeout(() => send(response, { ...answer, mishap: { ...mishap, delay: 0 } }), mishap.delay).unref();
    return;
  }
  if (mishap?.reset) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, headers);
  if (mishap?.truncate === undefined || body === undefined) {
    // Where there are as many bytes as characters all of them are ASCII, which is written faster.
    response.end(body, headers['content-length'] === String(body?.length) ? 'latin1' : 'utf8');
    return;
  }
  response.write(Buffer.from(body).subarray(0, mishap.truncate), () => response.socket?.destroy());
}

function ownHost({ localAddress = '127.0.0.1', localPort = 80 }: IncomingMessage['socket']): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
