import type { ShownExchange } from './report.js';
import type { Secrets } from './secrets.js';
import type { Reply } from './service.js';

/** Characters of a body that a report shows. */
const MAX_BODY_LENGTH = 4_000;
/** Characters beyond them that are searched for secrets too, since a secret that is cut cannot be recognized. */
const MARGIN = 1_000;

/** What was sent for a reply. */
export interface SentRequest {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** Shows a request and its response without secrets. */
export function showExchange({ headers = {}, body = '' }: SentRequest, reply: Reply, secrets: Secrets): ShownExchange {
  const { method, target, status, headers: received, text } = reply;
  return {
    request: format(`${method} ${target}`, Object.entries(headers), body, secrets),
    response: format(String(status), received, text, secrets),
  };
}

function format(line: string, headers: Iterable<[string, string]>, body: string, secrets: Secrets): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${secrets.redactHeader(name, value)}`);
  const rest = body.length > MAX_BODY_LENGTH ? `… (${body.length - MAX_BODY_LENGTH} more characters)` : '';
  const head = [secrets.redact(line), ...lines].join('\n');
  if (body === '') return head;
  const shown = secrets.redactBody(body.slice(0, MAX_BODY_LENGTH + MARGIN)).slice(0, MAX_BODY_LENGTH);
  // A part of a text would retain the whole.
  return Buffer.from(`${head}\n\n${shown}${rest}`).toString();
}
