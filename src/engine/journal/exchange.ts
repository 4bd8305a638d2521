import type { HttpRequest, RawHeaders } from '../api/http-request.js';
import { ApiError } from '../lib/errors.js';
import { isError } from '../lib/reasons.js';
import { isRead } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import type { Outcome } from './outcomes.js';

/**
 * One request and its response. The pipeline begins it and completes it step by step, and the end of the response sets duration
 * and outcome.
 */
export interface Exchange {
  /** Position in the journal of its sandbox, from 1 on; 0 for a request that no journal has, such as one to the control API. */
  number: number;
  /** Time of the sandbox when it was handled. */
  at: Instant;
  /** Name of the sandbox, empty for the default one. */
  sandbox: string;
  readonly method: string;
  /** Path and query as sent, without the prefix of the sandbox. */
  target: string;
  readonly headers: RawHeaders;
  /** Name of the route, as in `POST /v1/vals`; null for one that does not exist. */
  route: string | null;
  /** Username of the caller, or the id of one without a username; null without a known token. */
  user: string | null;
  /** Id of the injected fault. */
  fault: string | null;
  /** Id of the last commit of the history when the response was ready: its own if it wrote. */
  commit: string | null;
  /** Why a request was refused whose status does not say so, such as a call of a tool. */
  message: string | null;
  /** What explains the response, where it is easily overlooked. */
  reason: string | null;
  /** What to send instead, where the request alone does not show it. */
  suggestion: string | null;
  /** The rows that it has changed, of records that are databases: the JSON of a list of `RowChanges`, empty for none. */
  rows: string;
  /** Stack of an internal error of the emulator. */
  error: string | null;
  /** HTTP status; 0 for a connection that was reset. */
  status: number;
  responseHeaders: Readonly<Record<string, string>>;
  /** Text, or bytes where the route has them. */
  requestBody: string | Uint8Array | undefined;
  responseBody: string | Uint8Array | undefined;
  /** Milliseconds by which a fault delayed the response. */
  delay: number;
  /** Milliseconds from the first byte of the request to the last byte of the response; null until then. */
  duration: number | null;
  /** Null until the response has ended, and for a request that another node of the cluster received. */
  outcome: Outcome | null;
}

/** Begins the exchange of a request, with all properties that are completed later. */
export const beginExchange = ({
  method,
  target,
  headers,
  body,
}: Pick<Exchange, 'method' | 'target' | 'headers'> & Partial<Pick<HttpRequest, 'body'>>): Exchange => ({
  number: 0,
  at: 0,
  sandbox: '',
  method,
  target,
  headers,
  route: null,
  user: null,
  fault: null,
  commit: null,
  message: null,
  reason: null,
  suggestion: null,
  rows: '',
  error: null,
  status: 0,
  responseHeaders: {},
  requestBody: body instanceof ApiError ? undefined : body,
  responseBody: undefined,
  delay: 0,
  duration: null,
  outcome: null,
});

/** Whether it names the last commit although it made none: a write that was refused does not. */
export const namesCommit = (exchange: Pick<Exchange, 'method' | 'status' | 'message'>): boolean =>
  isRead(exchange.method) || !isError(exchange);

/** Returns the id of an exchange: `r17`. */
export const exchangeId = ({ number }: Pick<Exchange, 'number'>): string => `r${number}`;

export interface Listener {
  /** Called with each request when its response has ended. */
  ended(exchange: Exchange): void;
}
