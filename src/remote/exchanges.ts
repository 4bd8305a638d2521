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
  const pairs = [...headers];
  const lines = pairs.map(([name, value]) => `${name}: ${secrets.redactHeader(name, value)}`);
  const head = [secrets.redact(line), ...lines].join('\n');
  if (body === '') return head;
  // Before it is cut: a part of a secret cannot be recognized.
  const clean = secrets.redactBody(body, pairs.find(([name]) => /^content-type$/i.test(name))?.[1]);
  const rest = clean.length > MAX_BODY_LENGTH ? `… (${clean.length - MAX_BODY_LENGTH} more characters)` : '';
  // A part of a text would retain the whole.
  return Buffer.from(`${head}\n\n${clean.slice(0, MAX_BODY_LENGTH)}${rest}`).toString();
}
