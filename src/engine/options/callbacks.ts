import type { Outcome } from '../journal/outcomes.js';

/** The request during which an internal error occurred. */
export interface FailedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly target: string;
  /** The handler with the error, if its service is not the built-in one: `GET /todos of the service todo`. */
  readonly handler?: string | undefined;
}

export type OnError = (error: unknown, request: FailedRequest) => void;

/** A request and its response, after the response has ended. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Name of the route, `GET /v1/vals/{val_id}`, or of the called tool, `tool create_file`; null for none. */
  readonly route: string | null;
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
  /** Message of a response to a request that was refused, also of a tool call with a status 200; null for any other, and for a body without a message. */
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
