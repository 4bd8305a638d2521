import { parseJsonIfValid } from '../lib/json.js';
import type { Reply } from '../remote/service.js';
import { decodeBody, type Exchange, type HeaderList } from './exchange.js';

/** Reads the response of the upstream. Undefined if its body was not kept. */
export function readResponse({ method, target, response }: Exchange): Reply | undefined {
  const body = decodeBody(response);
  if (body === undefined) return undefined;
  const text = body.toString('utf8');
  const { status } = response;
  return { method, target, status, headers: toHeaders(response.headers), text, json: parseJsonIfValid(text) };
}

function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (const [name, value] of list) headers.append(name, value);
  return headers;
}
