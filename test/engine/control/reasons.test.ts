import { expect, test } from 'vitest';
import * as z from 'zod';
import { formatReasons } from '#engine/lib/reasons.js';
import type { RequestLog } from '#engine/options/callbacks.js';
import { emulate } from '../../support/emulate.js';
import { REFUSED_WORLD, sendRefused } from '../../support/refused.js';
import { run } from '../../tools/cli/cli.js';
import { connectAgent } from '../mcp/agent.js';

const Explained = z.object({
  id: z.string(),
  message: z.nullable(z.string()),
  suggestion: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
const Har = z.object({ log: z.object({ entries: z.array(z.object({ comment: z.optional(z.string()) })) }) });

test('a request has the same reason in log, lists, record, events, command, tools, HAR and assertions', async () => {
  const seen: RequestLog[] = [];
  const emulator = await emulate(REFUSED_WORLD, { onRequest: (log) => seen.push(log) });
  const events = followRequests(`${emulator.url}/_emulator/events`);
  // It begins with what happens after the first event.
  await events.next();
  const reasons = await sendRefused(emulator);
  const get = async (path: string): Promise<unknown> => (await fetch(`${emulator.url}/_emulator/${path}`)).json();
  const logged = z.array(Explained).parse(seen.filter(({ target }) => !target.startsWith('/_emulator/')));
  const ids = reasons.map((_, i) => `r${i + 1}`);
  const { call } = await connectAgent(emulator);
  const { stdout } = await run(['requests', '--url', emulator.url]);

  expect(logged.map(({ id }) => id)).toEqual(ids);
  expect(logged.map(formatReasons)).toEqual(reasons);
  expect(z.array(Explained).parse(await get('requests'))).toEqual(logged);
  expect(z.object({ requests: z.array(Explained) }).parse(await get('requests/summary')).requests).toEqual(logged);
  expect(await Promise.all(ids.map(async (id) => Explained.parse(await get(`requests/${id}`))))).toEqual(logged);
  for (const entry of logged) expect((await events.next()).value).toEqual(entry);
  await events.return();
  const toAgent = (entry: (typeof logged)[number]) => ({
    ...entry,
    suggestion: entry.suggestion?.replace('GET /_emulator/users', 'the tool users') ?? null,
  });
  const told = await Promise.all(ids.map(async (id) => Explained.parse(await call('request', { id }))));
  expect(told).toEqual(logged.map(toAgent));
  expect(Har.parse(await get('requests.har')).log.entries.map(({ comment = '' }) => comment)).toEqual(reasons);
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows.filter((row, i) => !row.endsWith(reasons[i] ?? '?'))).toEqual([]);
  expect(rows).toHaveLength(reasons.length);
  const failure = await Promise.resolve()
    .then(() => emulator.expectNoOther())
    .catch(({ message }: Error) => message);
  // It shows 20 requests.
  const lines = String(failure).split('\n').slice(1, -1);
  expect(lines.map((line) => /\d(?: by ada)?(?: \((.*)\))?$/.exec(line)?.[1] ?? '')).toEqual(reasons.slice(0, 20));
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
