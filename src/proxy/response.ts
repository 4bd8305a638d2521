import type { Reply } from '../remote/service.js';
import { decodeBody, type Exchange, type HeaderList } from './exchange.js';

/** A response to compare. Its body is complete. */
export type ComparedResponse = Pick<Reply, 'method' | 'target' | 'status' | 'headers' | 'text' | 'json' | 'duration'>;

export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the response of the upstream. Undefined if its body was not kept. */
export function readResponse({ method, target, response, wait, receive }: Exchange): ComparedResponse | undefined {
  const body = decodeBody(response);
  if (body === undefined) return undefined;
  const text = body.toString('utf8');
  const { status } = response;
  const headers = toHeaders(response.headers);
  return { method, target, status, headers, text, json: parseText(text), duration: wait + receive };
}

function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (const [name, value] of list) headers.append(name, value);
  return headers;
}
