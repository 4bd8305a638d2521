import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../../src/fidelity/proxy/index.js';
import { serve as startServer } from '../conformance/target.js';

/** Starts a proxy that is closed after the test. */
export async function start(to: string, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({ to, host: '127.0.0.1', port: 0, timeout: 10_000, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Starts a server that is closed after the test, and returns its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await startServer(listener);
  onTestFinished(close);
  return url;
}

interface Received {
  readonly status: number | undefined;
  readonly statusText: string | undefined;
  readonly rawHeaders: string[];
  readonly body: string;
}

/** Sends a request and returns the response as it came, or the code of the error. */
export const send = (url: string, method = 'GET', headers: Record<string, string> = {}, body = ''): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status, statusMessage: statusText, rawHeaders } = response;
        resolve({ status, statusText, rawHeaders, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
