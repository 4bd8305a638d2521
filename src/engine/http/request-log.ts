import { toApiError } from '../api/errors.js';
import type { ApiRouter } from '../api/router.js';
import * as lateChanges from '../changes/change.js';
import { type Exchange, exchangeId, type Listener } from '../journal/exchange.js';
import type { Explanation } from '../journal/explanation.js';
import * as lateExplanation from '../journal/explanation.js';
import { findHeader, findTraceId } from '../journal/request-content.js';
import { isError } from '../lib/reasons.js';
import { isRead } from '../lib/target.js';
import type { OnRequest } from '../options/callbacks.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import { isControlPath, isProbe } from './paths.js';

/**
 * Calls back with each request, except probes (`/_emulator/health`, `/ready`) and preflights that succeed. An error of the
 * callback is an unhandled rejection, not an error of the request.
 */
export const toListener = (onRequest: OnRequest, router: ApiRouter, sandboxes: Sandboxes): Listener => ({
  ended(exchange) {
    const { method, target, route, status, sandbox, number, user, fault, duration, outcome } = exchange;
    if (duration === null || outcome === null) return;
    if ((method === 'OPTIONS' || isProbe(target)) && status < 400 && outcome === 'sent') return;
    const id = number > 0 ? exchangeId(exchange) : null;
    const isPlain = status < 400 && fault === null && !isError(exchange);
    const { suggestion, ...explanation } = isPlain ? explainPlainly(exchange) : explainIfLoaded(exchange, router);
    const trace = findTraceId(exchange.headers);
    const host = findHeader(exchange.headers, 'host');
    const hasToken = Boolean(findHeader(exchange.headers, 'authorization'));
    try {
      onRequest({
        ...{
          method,
          target,
          route,
          host,
          status,
          duration,
          outcome,
          sandbox,
          id,
          user,
          hasToken,
          fault,
          trace,
        },
        ...explanation,
        // A control route says in its message what to send.
        suggestion: isControlPath(target) ? null : suggestion,
        get changes() {
          return nameChanges(exchange, sandboxes);
        },
      });
    } catch (error) {
      void Promise.reject(error);
    }
  },
});

const explainPlainly = ({ message, reason }: Exchange): Explanation => ({
  message: message ?? null,
  reason: reason || null,
  suggestion: null,
});

/** Its module cannot be loaded while the process has no file descriptor left. */
function explainIfLoaded(exchange: Exchange, router: ApiRouter): Explanation {
  try {
    return lateExplanation.explain(exchange, router);
  } catch (error) {
    if (toApiError(error).status !== 503) throw error;
    return explainPlainly(exchange);
  }
}

function nameChanges(exchange: Exchange, sandboxes: Sandboxes): string[] {
  const { method, sandbox: name, number } = exchange;
  if (isRead(method) || number === 0) return [];
  const sandbox = name === '' ? sandboxes.default : sandboxes.find(name);
  const commit = sandbox?.store.history.find(exchangeId(exchange));
  return commit ? lateChanges.listChangedNames(commit.before, commit.after) : [];
}
