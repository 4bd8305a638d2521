import type { ShownExchange } from './report.js';
import type { Secrets } from './secrets.js';
import type { Reply } from './service.js';

/** Characters of a body that a report shows. */
const MAX_BODY_LENGTH = 4_000;

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
  const shown = [...headers].map(([name, value]) => `${name}: ${secrets.redactHeader(name, value)}`);
  const rest = body.length > MAX_BODY_LENGTH ? `… (${body.length - MAX_BODY_LENGTH} more characters)` : '';
  const head = [secrets.redact(line), ...shown].join('\n');
  return body === '' ? head : `${head}\n\n${secrets.redactBody(body).slice(0, MAX_BODY_LENGTH)}${rest}`;
}
