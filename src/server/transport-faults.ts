import type { ServerResponse } from 'node:http';
import type { HttpResponse, TransportFault } from './http.js';

/** Sends a response with a transport fault over a socket: delayed, reset or truncated. */
export function sendFault(response: ServerResponse, message: HttpResponse, fault: TransportFault): void {
  const send = () => {
    if (fault.reset) return void response.socket?.resetAndDestroy();
    response.writeHead(message.status, message.headers);
    if (fault.truncate === null || message.body === undefined) return void response.end(message.body);
    response.write(Buffer.from(message.body).subarray(0, fault.truncate), () => response.socket?.destroy());
  };
  // Unreferenced, so that a delayed response does not keep the process alive.
  if (fault.delay > 0) setTimeout(send, fault.delay).unref();
  else send();
}

/** Makes the error by which the platform's fetch reports a broken connection. */
export const networkError = (message: string, code: string, reason: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });

/** Returns a body that fails after some bytes, as that of a closed connection does. */
export const truncatedBody = (body: string, length: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body).subarray(0, length));
    },
    pull(controller) {
      controller.error(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'));
    },
  });
