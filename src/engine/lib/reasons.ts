/** What shows whether a request was refused: a call of a tool is refused by a message in a response 200. */
interface Refusable {
  readonly status: number;
  readonly message: string | null;
}

/** What finds a token in place of none, and of an unknown one. */
export const LIST_TOKENS = 'GET /_emulator/users lists the tokens';

/** Whether a request was not done: by its status, by a reset connection, or by the message of a tool call. */
export const isRefused = ({ status, message }: Refusable): boolean => status === 0 || status >= 400 || message !== null;

/** Writes a status for people: `404`, or `200 error` for a tool call that was refused. */
export const formatStatus = ({ status, message }: Refusable): string =>
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
