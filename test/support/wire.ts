import { Agent, request as connect } from 'node:http';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Emulator } from '../../src/index.js';
import type { WireRequest } from './wire-requests.js';

/** A response. The body is undefined for an empty one, and text for one that is not JSON. */
export interface Seen {
  readonly status: number;
  readonly body: unknown;
}

function toSeen(status: number, text: string): Seen {
  try {
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { status, body: text };
  }
}

const agent = new Agent({ keepAlive: true });

/** Sends a request over a socket, with the target as it is. */
const sendRaw = (url: string, { method, target, headers, body }: WireRequest): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const isEmptyBody = body === undefined && headers['content-type'] !== undefined;
    const hasLength = isEmptyBody || (body !== undefined && headers['transfer-encoding'] === undefined);
    const length = hasLength ? { 'content-length': String(body?.length ?? 0) } : {};
    const { hostname, port } = new URL(url);
    const options = { hostname, port, method, path: target, headers: { ...headers, ...length }, agent };
    const sent = connect(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve(toSeen(response.statusCode ?? 0, text)));
    });
    sent.on('error', reject).end(body);
  });

/** Sends a request to an emulator. */
export async function sendToEmulator({ url, fetch }: Emulator, request: WireRequest): Promise<Seen> {
  if (request.isRaw) return sendRaw(url, request);
  const { method, target, headers, body } = request;
  const response = await fetch(target, { method, headers, ...(body && { body: Uint8Array.from(body) }) });
  return toSeen(response.status, await response.text());
}

/** Sends a request to a Fastify that listens. */
export async function sendToFastify(oracle: FastifyInstance, request: WireRequest): Promise<Seen> {
  if (request.isRaw) return sendRaw(oracle.listeningOrigin, request);
  const { method, target, headers, body } = request;
  const options = { method, url: target, headers, ...(body && { payload: body }) };
  const { statusCode, payload } = await oracle.inject(options as InjectOptions);
  return toSeen(statusCode, method === 'HEAD' ? '' : payload);
}
