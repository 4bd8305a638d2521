/** What shows whether a response is an error: a call of a tool is refused by a message in a response 200. */
interface Responded {
  readonly status: number;
  readonly message: string | null;
}

interface Recorded extends Responded {
  readonly route: string | null;
  readonly fault: string | null;
}

/** Where a client without a token, or with an unknown token, finds one. */
export const LIST_TOKENS = 'GET /_emulator/users lists the tokens';

/** Whether a request was not done: by its status, by a reset connection, or by the message of a tool call. */
export const isError = ({ status, message }: Responded): boolean => status === 0 || status >= 400 || message !== null;

/** What each client of tools tries: to receive events, and to end a session. */
const TRIED = /^(?:GET|DELETE) /;

/**
 * Whether a request was refused that meant to do something. A client of tools that tries to receive events gets a 405 and continues.
 * Source: Model Context Protocol, Streamable HTTP.
 */
export const isRefused = (request: Recorded): boolean =>
  isError(request) && !(request.status === 405 && request.fault === null && TRIED.test(request.route ?? ''));

/** Writes a status for people: `404`, or `200 error` for a tool call that was refused. */
export const formatStatus = ({ status, message }: Responded): string =>
  status > 0 && status < 400 && message !== null ? `${status} error` : String(status);

/** What explains a response. Null for nothing. */
interface Reasons {
  readonly message: string | null;
  readonly reason: string | null;
  readonly suggestion: string | null;
}

/** Writes in one line why a request got its response. Empty for a success without a reason. */
export const formatReasons = ({ message, reason, suggestion }: Reasons): string =>
  [message, reason, suggestion].filter(Boolean).join(' - ');
