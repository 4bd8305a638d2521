import { type Exchange, exchangeId, type Listener } from '../journal/exchange.js';
import { type ApiRouter, suggestRoute } from '../journal/expectations.js';
import type { Outcome } from '../journal/outcomes.js';
import { findHeader, findTraceId } from '../journal/request-content.js';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { isRead } from '../lib/target.js';
import { listChangedNames } from '../sandbox/record-history.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import { SEND_JSON } from './http.js';
import { isControlPath, isProbe } from './paths.js';

/** A request and its response, after the response has ended. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The header `Host`: the name that the client used. Null for none. */
  readonly host: string | null;
  /** HTTP status of the response; 0 for a connection that was reset. */
  readonly status: number;
  /** Milliseconds from the first byte of the request to the last byte of the response. */
  readonly duration: number;
  /** How the response ended: `sent`, `aborted` by the client, `reset` or `truncated` by a fault. */
  readonly outcome: Outcome;
  /** Name of the sandbox, empty for the default one. */
  readonly sandbox: string;
  /** Id in the journal; null for a request that is not in it, such as a control request. */
  readonly id: string | null;
  /** Username of the caller, or the id of one without a username; null without a known token. */
  readonly user: string | null;
  /** Whether it had a bearer token or another credential, known or not. */
  readonly hasToken: boolean;
  /** Id of the injected fault, null for none. */
  readonly fault: string | null;
  /** Message of a response with a status of 400 and above; null for any other, and for a body without a message. */
  readonly message: string | null;
  /** How to mend a request with an error: `Did you mean "GET /v1/me"?`; null if that is unknown. */
  readonly suggestion: string | null;
  /** What explains the response, where it is easily overlooked: SQL with a text in double quotes. Null for none. */
  readonly reason: string | null;
  /** Trace id of the header `traceparent` (W3C Trace Context), null for none. */
  readonly trace: string | null;
  /** What the request changed: `+ ada/hello`, `ada/hello: code, readme`, ten records at most. Read it in the callback. */
  readonly changes: readonly string[];
}

export type OnRequest = (request: RequestLog) => void;

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
