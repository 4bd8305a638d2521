import { type IncomingMessage, request as openHttp } from 'node:http';
import type { Transport, TransportRequest, TransportResponse } from '#engine/control/send.js';

/** Redirects of one request that are followed. Source: the Fetch Standard. */
const MAX_REDIRECTS = 20;

/** Sends a request by `node:http`: the first `fetch` of a process takes three times as long as the start of Node. */
export const sendByHttp: Transport = (url, request) => send(url, request, 0);

async function send(url: string, request: TransportRequest, redirects: number): Promise<TransportResponse> {
  const { method, headers, body, signal } = request;
  const open = url.startsWith('https:') ? (await import('node:https')).request : openHttp;
  const sent = open(url, { method, headers, ...(signal && { signal }) });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent
      .on('response', resolve)
      .on('error', reject)
      .end(body ?? undefined);
  });
  const { statusCode: status = 0, headers: received } = response;
  if (received.location !== undefined && [301, 302, 303, 307, 308].includes(status)) {
    if (redirects === MAX_REDIRECTS) throw new Error('too many redirects');
    response.resume();
    const isRepeated = status >= 307 || (method !== 'POST' && status !== 303);
    const next = new URL(received.location, url).href;
    return send(next, isRepeated ? request : { ...request, method: 'GET', body: null }, redirects + 1);
  }
  return {
    status,
    headers: { get: (name) => String(received[name] ?? '') },
    async text() {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return text;
    },
  };
}
