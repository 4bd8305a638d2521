import { type Static, Type } from 'typebox';
import type { Route } from '../api/route.js';
import type { ApiRouter } from '../api/router.js';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue, joinAlternatives } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { isError, LIST_TOKENS } from '../lib/reasons.js';
import { Nullable } from '../schema/common.js';
import type { Exchange } from './exchange.js';
import { findHeader, RequestContent } from './request-content.js';
import { listRoutesBelow, suggestRoute } from './suggest-route.js';

/** What to send in place of a body of another type. */
export const SEND_JSON = 'Send JSON in UTF-8, with the header "content-type: application/json"';

export const explanationFields = {
  message: Nullable(
    Type.String({ description: 'The message of the response to a request that was refused; null for any other' }),
  ),
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
  const message = exchange.message ?? (status < 400 ? null : readMessage(toBodyText(exchange.responseBody)));
  const isWrong = status > 0 && isError(exchange) && fault === null;
  const suggestion = isWrong ? (exchange.suggestion ?? suggest(exchange, message, router)) : null;
  const injected = fault === null ? null : `fault ${fault} was injected`;
  const reason = [exchange.reason ?? findRefused(exchange, message, router), injected].filter(Boolean).join('; ');
  return { message, suggestion, reason: reason || null };
}

function readMessage(body = ''): string | null {
  const error = parseJsonIfValid(body);
  // The second is the name of RFC 6749.
  const message = isObject(error) ? (error.message ?? error.error_description) : error;
  return typeof message === 'string' ? message : null;
}

/** A problem of a value that was sent: `body/code must be string`. */
const PROBLEM = /\b(body|querystring|params)(\/\S+) must /g;

/** Names the values that a request was refused for, and of a choice the allowed ones. */
function findRefused(exchange: Exchange, message: string | null, router: ApiRouter): string | null {
  if (exchange.status !== 400 || message === null) return null;
  const route = findRoute(exchange, router);
  const { body, query: querystring, params } = new RequestContent(exchange);
  const sent: Readonly<Record<string, unknown>> = { body, querystring, params };
  const schemas: Readonly<Record<string, unknown>> = { ...route, querystring: route?.query };
  const found = [...message.matchAll(PROBLEM)].flatMap(([, part = '', path = '']) => {
    const keys = path.split('/').slice(1);
    const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], sent[part]);
    if (value === undefined) return [];
    const schema = keys.reduce<unknown>((parent, key) => findPart(parent, key), schemas[part]);
    const allowed = listAllowed(schema);
    const use = allowed.length > 0 ? `: use ${joinAlternatives(allowed.map(formatValue))}` : '';
    return [`${part}${path} was ${formatValue(value)}${use}`];
  });
  return found.length > 0 ? found.join(', ') : null;
}

const findRoute = ({ route }: Exchange, { routes }: ApiRouter): Route | undefined =>
  routes.find(({ name }) => name === route);

const findPart = (schema: unknown, key: string): unknown => Object(schema).properties?.[key] ?? Object(schema).items;

/** Lists the values of a choice, also of one that may be null. */
const listAllowed = (schema: unknown): unknown[] => {
  const { enum: allowed = [], anyOf = [] } = Object(schema);
  return [...allowed, ...anyOf.flatMap(listAllowed)];
};

/** A parameter of a path that has another kind of value. */
const WRONG_PARAM = /\bparams\/(\w+) must match format/;

/** A required key that the body lacks. */
const MISSING_KEY = /^body must have required property '(\w+)'$/;

/** Suggests the route that finds by a name what a path names by an id: it responds with the same. */
function suggestNamed(exchange: Exchange, param: string, router: ApiRouter): string | null {
  const { path = '' } = findRoute(exchange, router) ?? {};
  const reads = router.routes.filter((each) => each.method === 'GET' && each.path.includes('{'));
  const end = `/{${param}}`;
  // As the path of the request begins: two versions of the API may have a parameter of this name.
  const byId = reads.find((each) => each.path.endsWith(end) && `${path}/`.startsWith(`${each.path}/`));
  const byName = reads.find((each) => byId && each.response === byId.response && !each.path.includes(`{${param}}`));
  if (!byName) return null;
  const values = new RequestContent(exchange).params[param]?.split('/') ?? [];
  const isWhole = values.length > 1 && values.length === byName.path.split('{').length - 1;
  const name = isWhole ? byName.name.replaceAll(/\{\w+\}/g, () => values.shift() ?? '') : byName.name;
  return `${name} finds the id by name`;
}

/** Suggests the endpoint of tools for a message of the Model Context Protocol, and for its earlier streams of events. */
function suggestEndpoint({ headers, target, requestBody }: Exchange, { handshake }: ApiRouter): string | undefined {
  const message = parseJsonIfValid(toBodyText(requestBody) ?? '');
  const isMessage = isObject(message) && message.jsonrpc !== undefined;
  const isStream = /^\/sse\b/.test(target) || findHeader(headers, 'accept')?.includes('text/event-stream');
  return handshake[0] && (isMessage || isStream) ? `Did you mean ${formatValue(handshake[0])}?` : undefined;
}

/** Suggests a route, a token, the type of a body, or the key of one that has a similar key. */
function suggest(exchange: Exchange, message: string | null, router: ApiRouter): string | null {
  const { method, target, route, status, requestBody } = exchange;
  const [, param] = WRONG_PARAM.exec((status === 400 && message) || '') ?? [];
  if (param !== undefined) return suggestNamed(exchange, param, router);
  if (route === null && status === 404) {
    const request = `${method} ${target}`;
    return (
      suggestRoute(request, router) || suggestEndpoint(exchange, router) || listRoutesBelow(request, router) || null
    );
  }
  if (status === 401) return LIST_TOKENS;
  if (status === 415) return SEND_JSON;
  const body = status === 400 ? parseJsonIfValid(toBodyText(requestBody) ?? '') : undefined;
  const schema: unknown = findRoute(exchange, router)?.body;
  const known = Object.keys(Object(schema).properties ?? {});
  for (const key of isObject(body) ? Object.keys(body) : []) {
    const hint = known.includes(key) ? '' : didYouMean(key, known);
    if (hint !== '') return `Found ${formatValue(key)} in the body.${hint}`;
  }
  const [, missing] = MISSING_KEY.exec(message ?? '') ?? [];
  const [unknown, ...others] = isObject(body) ? Object.keys(body).filter((key) => !known.includes(key)) : [];
  if (missing === undefined || unknown === undefined || others.length > 0) return null;
  return `Found ${formatValue(unknown)} in the body; expected ${formatValue(missing)}`;
}
