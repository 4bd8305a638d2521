import { exchangeId, type Listener, type Outcome } from '../journal/exchange.js';

/** A request and its response, after the response has ended. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
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
  /** Id of the injected fault, null for none. */
  readonly fault: string | null;
}

export type OnRequest = (request: RequestLog) => void;

/** Calls back with each request. An error of the callback is an unhandled rejection, not an error of the request. */
export const toListener = (onRequest: OnRequest): Listener => ({
  ended(exchange) {
    const { method, target, status, sandbox, number, user, fault, duration, outcome } = exchange;
    if (duration === null || outcome === null) return;
    const id = number > 0 ? exchangeId(exchange) : null;
    try {
      onRequest({ method, target, status, duration, outcome, sandbox, id, user, fault });
    } catch (error) {
      void Promise.reject(error);
    }
  },
});
