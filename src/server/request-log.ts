import type { JournalEntry } from '../control/journal.js';

/** A request and its response, after the response was made. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** HTTP status of the response; 0 for a connection that was reset. */
  readonly status: number;
  /** Milliseconds until the response was ready. */
  readonly duration: number;
  /** Name of the sandbox, empty for the default one. */
  readonly sandbox: string;
  /** Id in the journal; null for a request that is not in it, such as those of the control API. */
  readonly id: string | null;
  /** Username of the caller, or the id of one without a username; null without a known token. */
  readonly user: string | null;
  /** Id of the injected fault, null for none. */
  readonly fault: string | null;
}

export type OnRequest = (request: RequestLog) => void;

/**
 * Calls back with a request. An error of the callback is an unhandled rejection, not an error of the request.
 * @param entry undefined for a request that is not in the journal
 */
export function logRequest(
  onRequest: OnRequest,
  { method, target, status, duration, sandbox }: Omit<RequestLog, 'id' | 'user' | 'fault'>,
  entry: JournalEntry | undefined,
): void {
  const { id, user, fault } = entry ?? { id: null, user: null, fault: null };
  try {
    onRequest({ method, target, status, duration, sandbox, id, user, fault });
  } catch (error) {
    void Promise.reject(error);
  }
}
