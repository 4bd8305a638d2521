import { expect, test } from 'vitest';
import * as z from 'zod';
import type { RequestLog } from '#engine/options/callbacks.js';
import { emulate } from '../../support/emulate.js';
import { run } from '../../tools/cli/cli.js';

const Explained = z.object({
  id: z.string(),
  message: z.nullable(z.string()),
  suggestion: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});

/** Requests with their reason, as the log has it. */
const REFUSED: readonly [method: string, path: string, body: string | undefined, why: string][] = [
  [
    'POST',
    '/v1/vals',
    '{"cod":"1"}',
    `body must have required property 'code' - Found "cod" in the body. Did you mean "code"?`,
  ],
  ['GET', '/v1/val/hello', undefined, 'Route GET:/v1/val/hello not found - Did you mean "GET /v1/vals/{val_id}"?'],
  ['GET', '/v1/me/runs?limit=101', undefined, 'querystring/limit must be <= 100'],
  ['DELETE', '/v1/blob/none', undefined, 'The blob was not found'],
];

test('a refused request has the same reason in the log, the list, the summary, the event and the command', async () => {
  const seen: RequestLog[] = [];
  const emulator = await emulate({ users: [{ username: 'ada' }] }, { onRequest: (log) => seen.push(log) });
  const events = followRequests(`${emulator.url}/_emulator/events`);
  // It begins with what happens after the first event.
  await events.next();
  for (const [method, path, body] of REFUSED) {
    const headers = { authorization: 'Bearer ada-token', ...(body && { 'content-type': 'application/json' }) };
    await fetch(emulator.url + path, { method, headers, ...(body && { body }) });
  }
  const get = async (path: string): Promise<unknown> => (await fetch(`${emulator.url}/_emulator/${path}`)).json();
  const logged = z.array(Explained).parse(seen);
  const ids = REFUSED.map((_, i) => `r${i + 1}`);
  const table = await run(['requests', '--url', emulator.url]);

  expect(logged.map(({ id }) => id)).toEqual(ids);
  expect(
    logged.map(({ message, suggestion, reason }) => [message, suggestion, reason].filter(Boolean).join(' - ')),
  ).toEqual(REFUSED.map(([, , , why]) => why));
  expect(z.array(Explained).parse(await get('requests'))).toEqual(logged);
  expect(z.object({ requests: z.array(Explained) }).parse(await get('requests/summary')).requests).toEqual(logged);
  expect(await Promise.all(ids.map(async (id) => Explained.parse(await get(`requests/${id}`))))).toEqual(logged);
  for (const entry of logged) expect((await events.next()).value).toEqual(entry);
  await events.return();
  for (const [, , , why] of REFUSED) expect(table.stdout).toContain(why);
});

/** Yields once when the events begin, and then each request. */
async function* followRequests(url: string) {
  const ended = new AbortController();
  const response = await fetch(url, { signal: ended.signal });
  let text = '';
  let isFirst = true;
  try {
    for await (const chunk of response.body ?? []) {
      if (isFirst) yield undefined;
      isFirst = false;
      text += new TextDecoder().decode(chunk);
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, data] = /^event: request\n(?:id: .*\n)?data: (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (data !== undefined) yield Explained.parse(JSON.parse(data));
      }
    }
  } finally {
    ended.abort();
  }
}
