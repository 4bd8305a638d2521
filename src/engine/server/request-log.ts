import { type Exchange, exchangeId, type Listener } from '../journal/exchange.js';
import { type ApiRouter, suggestRoute } from '../journal/expectations.js';
import { findHeader, findTraceId } from '../journal/request-content.js';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { isRead } from '../lib/target.js';
import type { OnRequest } from '../options/callbacks.js';
import { listChangedNames } from '../sandbox/record-history.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import { SEND_JSON } from './http.js';
import { isControlPath, isProbe } from './paths.js';

/**
 * Calls back with each request, except probes (`/_emulator/health`, `/ready`) and preflights that succeed. An error of the
 * callback is an unhandled rejection, not an error of the request.
 */
export const toListener = (onRequest: OnRequest, router: ApiRouter, sandboxes: Sandboxes): Listener => ({
  ended(exchange) {
    const { method, target, status, sandbox, number, user, fault, duration, outcome, reason } = exchange;
    if (duration === null || outcome === null) return;
    if ((method === 'OPTIONS' || isProbe(target)) && status < 400 && outcome === 'sent') return;
    const id = number > 0 ? exchangeId(exchange) : null;
    const message = status < 400 ? null : readMessage(toBodyText(exchange.responseBody));
    const suggestion = status < 400 || fault !== null ? null : suggest(exchange, router);
    const trace = findTraceId(exchange.headers);
    const host = findHeader(exchange.headers, 'host');
    const hasToken = Boolean(findHeader(exchange.headers, 'authorization'));
    try {
      onRequest({
        ...{
          method,
          target,
          host,
          status,
          duration,
          outcome,
          sandbox,
          id,
          user,
          hasToken,
          fault,
          message,
          suggestion,
          reason,
          trace,
        },
        get changes() {
          return nameChanges(exchange, sandboxes);
        },
      });
    } catch (error) {
      void Promise.reject(error);
    }
  },
});

function nameChanges(exchange: Exchange, sandboxes: Sandboxes): string[] {
  const { method, sandbox: name, number } = exchange;
  if (isRead(method) || number === 0) return [];
  const sandbox = name === '' ? sandboxes.default : sandboxes.find(name);
  const commit = sandbox?.store.history.findLast(({ id }) => id === exchangeId(exchange));
  return commit ? listChangedNames(commit.before, commit.after) : [];
}

function readMessage(body = ''): string | null {
  const error = parseJsonIfValid(body);
  return isObject(error) && typeof error.message === 'string' ? error.message : null;
}

/** Suggests the route of a request without one, the type of a body, or the key of one that has a similar key. */
function suggest({ method, target, route, status, requestBody }: Exchange, router: ApiRouter): string | null {
  if (route === null && status === 404) return suggestRoute(`${method} ${target}`, router) || null;
  if (status === 415) return isControlPath(target) ? null : SEND_JSON;
  const body = status === 400 ? parseJsonIfValid(toBodyText(requestBody) ?? '') : undefined;
  const schema: unknown = router.routes.find(({ name }) => name === route)?.body;
  const known = Object.keys(Object(schema).properties ?? {});
  for (const key of isObject(body) ? Object.keys(body) : []) {
    const hint = known.includes(key) ? '' : didYouMean(key, known);
    if (hint !== '') return `Found ${formatValue(key)} in the body.${hint}`;
  }
  return null;
}
