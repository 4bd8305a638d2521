import { type Static, Type } from 'typebox';
import { Nullable } from '../api/schemas/common.js';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { Exchange } from './exchange.js';
import { type ApiRouter, suggestRoute } from './expectations.js';
import { RequestContent } from './request-content.js';

/** What to send in place of a body of another type. */
export const SEND_JSON = "Send JSON in UTF-8: curl -H 'content-type: application/json'";

export const explanationFields = {
  message: Nullable(Type.String({ description: 'The message of the response to a wrong request; null for none' })),
  suggestion: Nullable(Type.String({ description: 'What may have been meant; null for none' })),
  reason: Nullable(
    Type.String({
      description:
        'What else explains the response, such as the scope that the token lacks, the value that was refused, or a fault; null for none',
    }),
  ),
};
const Fields = Type.Object(explanationFields);

/** Why a request got its response. */
export type Explanation = Readonly<Static<typeof Fields>>;

/** Explains a response by its body, by the request, and by what the route has recorded. A fault needs no suggestion. */
export function explain(exchange: Exchange, router: ApiRouter): Explanation {
  const { status, fault } = exchange;
  const message = status < 400 ? null : readMessage(toBodyText(exchange.responseBody));
  const suggestion = status < 400 || fault !== null ? null : (exchange.suggestion ?? suggest(exchange, router));
  const injected = fault === null ? null : `fault ${fault} was injected`;
  const reason = [exchange.reason ?? findRefused(exchange, message), injected].filter(Boolean).join('; ');
  return { message, suggestion, reason: reason || null };
}

function readMessage(body = ''): string | null {
  const error = parseJsonIfValid(body);
  return isObject(error) && typeof error.message === 'string' ? error.message : null;
}

/** A problem of a value that was sent: `body/code must be string`. */
const PROBLEM = /\b(body|querystring|params)(\/\S+) must /g;

/** Names the values that a request was refused for. */
function findRefused(exchange: Exchange, message: string | null): string | null {
  if (exchange.status !== 400 || message === null) return null;
  const { body, query: querystring, params } = new RequestContent(exchange);
  const sent: Readonly<Record<string, unknown>> = { body, querystring, params };
  const found = [...message.matchAll(PROBLEM)].flatMap(([, part = '', path = '']) => {
    const value = path
      .split('/')
      .slice(1)
      .reduce<unknown>((parent, key) => Object(parent)[key], sent[part]);
    return value === undefined ? [] : [`${part}${path} was ${formatValue(value)}`];
  });
  return found.length > 0 ? found.join(', ') : null;
}

/** Suggests the route of a request without one, a token, the type of a body, or the key of one that has a similar key. */
function suggest({ method, target, route, status, requestBody }: Exchange, router: ApiRouter): string | null {
  if (route === null && status === 404) return suggestRoute(`${method} ${target}`, router) || null;
  if (status === 401) return 'GET /_emulator/users lists the tokens';
  if (status === 415) return SEND_JSON;
  const body = status === 400 ? parseJsonIfValid(toBodyText(requestBody) ?? '') : undefined;
  const schema: unknown = router.routes.find(({ name }) => name === route)?.body;
  const known = Object.keys(Object(schema).properties ?? {});
  for (const key of isObject(body) ? Object.keys(body) : []) {
    const hint = known.includes(key) ? '' : didYouMean(key, known);
    if (hint !== '') return `Found ${formatValue(key)} in the body.${hint}`;
  }
  return null;
}
