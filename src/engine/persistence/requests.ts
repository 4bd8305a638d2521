import { beginExchange, type Exchange, exchangeId } from '../journal/exchange.js';
import { RequestContent } from '../journal/request-content.js';
import { decodeBase64, encodeBase64 } from '../lib/base64.js';
import { UNKNOWN_TOKEN } from '../lib/redactor.js';
import { defaultToken } from '../state/callers.js';
import type { RecordedRequest, StoredBytes } from './lines.js';

const storeBody = (body: string | Uint8Array | undefined): string | StoredBytes | undefined =>
  body instanceof Uint8Array ? { base64: encodeBase64(body) } : body;

const readBody = (body: string | StoredBytes | undefined): string | Uint8Array | undefined =>
  typeof body === 'object' ? decodeBase64(body.base64) : body;

/** Makes what a data folder stores of an exchange: with all headers, the token among them. */
export function toStoredRequest(exchange: Exchange): RecordedRequest {
  const { number: _, sandbox: __, target: path, requestBody, responseBody, rows, ...others } = exchange;
  const { headers } = new RequestContent(exchange);
  const bodies = { requestBody: storeBody(requestBody), responseBody: storeBody(responseBody) };
  return {
    id: exchangeId(exchange),
    ...others,
    ...bodies,
    ...(rows !== '' && { rows }),
    path,
    headers,
    hasToken: false,
  };
}

/** Makes the header that a session removes: with the token of the user in the file. */
export const authorizationOf = ({ hasToken, token, user }: RecordedRequest): { readonly authorization?: string } =>
  hasToken ? { authorization: `Bearer ${token ?? (user === null ? UNKNOWN_TOKEN : defaultToken(user))}` } : {};

/** Makes the exchanges of a journal again. */
export const toExchanges = (requests: readonly RecordedRequest[], sandbox: string): Exchange[] =>
  requests
    .map((request) => {
      const { hasToken: _, token: __, id, path: target, headers: sent, requestBody, responseBody, ...others } = request;
      const headers = Object.entries({ ...sent, ...authorizationOf(request) }).flat();
      const begun = beginExchange({ method: others.method, target, headers });
      const bodies = { requestBody: readBody(requestBody), responseBody: readBody(responseBody) };
      return { ...begun, ...others, ...bodies, number: Number(id.slice(1)), sandbox };
    })
    .sort((a, b) => a.number - b.number);
