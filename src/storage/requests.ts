import { defaultToken } from '../fixtures/defaults.js';
import { beginExchange, type Exchange, exchangeId } from '../journal/exchange.js';
import { RequestContent } from '../journal/request-content.js';
import { UNKNOWN_TOKEN } from '../lib/redactor.js';
import type { RecordedRequest } from './lines.js';

/** Makes what a data folder stores of an exchange: with all headers, the token among them. */
export function toStoredRequest(exchange: Exchange): RecordedRequest {
  const { number: _, sandbox: __, target: path, ...others } = exchange;
  const { headers } = new RequestContent(exchange);
  return { id: exchangeId(exchange), ...others, path, headers, hasToken: false };
}

/** Makes the exchanges of a journal again. An absent token is the token of the user in the file. */
export const toExchanges = (requests: readonly RecordedRequest[], sandbox: string): Exchange[] =>
  requests
    .map(({ hasToken, id, path: target, headers: sent, ...others }) => {
      const token = others.user === null ? UNKNOWN_TOKEN : defaultToken(others.user);
      const headers = [...Object.entries(sent), ...(hasToken ? [['authorization', `Bearer ${token}`]] : [])].flat();
      const begun = beginExchange({ method: others.method, target, headers });
      return { ...begun, ...others, number: Number(id.slice(1)), sandbox };
    })
    .sort((a, b) => a.number - b.number);
