import { describe, onTestFinished, vi } from 'vitest';
import { emulatorTest, expect, snapshotSerializer, test } from '#tools/testing/vitest.js';

const send = (emulator: { fetch: typeof fetch }, path: string, init: RequestInit = {}) =>
  emulator.fetch(path, {
    ...init,
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
  });

describe.concurrent('each test has a sandbox of its own', () => {
  for (const number of [1, 2, 3]) {
    test(`test ${number} creates a val of the same name`, async ({ emulator }) => {
      const body = JSON.stringify({ name: 'mine', code: String(number) });

      expect((await send(emulator, '/v1/vals', { method: 'POST', body })).status).toBe(200);
      expect(emulator).toHaveReceived('POST /v1/vals', { times: 1, body: { name: 'mine', code: String(number) } });
      expect(emulator).toHaveNoUnhandledRequests();
    });
  }
});

test('the sandbox is named after the test & reached over HTTP as well', async ({ emulator }) => {
  expect(emulator.name).toMatch(/^the-sandbox-is-named-after-the-test-reached-over-HTTP-as-well-\d+$/);

  const response = await fetch(`${emulator.url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });

  expect(response.status).toBe(200);
  expect(emulator).toHaveReceived('GET /v1/me');
});

test('matchers fail with the near misses', async ({ emulator }) => {
  await send(emulator, '/v1/nowhere');

  expect(() => expect(emulator).toHaveReceived('GET /v1/me')).toThrow(
    'expected at least one request GET /v1/me, but there were 0 of 1 in all.',
  );
  expect(() => expect(emulator).toHaveNoUnhandledRequests()).toThrow(
    'expected no requests to routes that do not exist, but there was 1:\n  r1 GET /v1/nowhere 404',
  );
  expect(() => expect(emulator).not.toHaveNoUnhandledRequests()).not.toThrow();
});

test('a call of an unknown tool is an unhandled request', async ({ emulator }) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'creat_file' } };
  await emulator.fetch('/v3/mcp', {
    method: 'POST',
    headers: {
      ...{ authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call),
  });
  expect(() => expect(emulator).toHaveNoUnhandledRequests()).toThrow(
    'but there was 1:\n  r1 POST /v3/mcp 200 error by ada (Tool creat_file not found - there is no tool "creat_file" -',
  );
});

test('with not, a matcher lists what it found', async ({ emulator }) => {
  await send(emulator, '/v1/vals', { method: 'POST', body: JSON.stringify({ name: 'mine', code: '1' }) });
  await send(emulator, '/v1/me');

  expect(() => expect(emulator).not.toHaveReceived('POST /v1/vals', { times: 1 })).toThrow(
    'expected no request POST /v1/vals like that, but there was 1:\n  r1 POST /v1/vals 200 by ada\n      body: {"name":"mine","code":"1"}',
  );
  expect(() => expect(emulator).not.toHaveReceived('GET /v1/me')).toThrow(
    /there was 1:\n {2}r2 GET \/v1\/me 200 by ada$/,
  );
  await expect(expect(emulator).not.toHaveReceived('GET /v1/me', { outcome: 'sent' })).rejects.toThrow('r2 GET /v1/me');
  expect(emulator).not.toHaveReceived('GET /v1/me', { times: 2 });
});

test('the serializer replaces addresses, times and durations', async ({ emulator }) => {
  expect.addSnapshotSerializer(snapshotSerializer);
  const response = await fetch(`${emulator.url}/v1/vals`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'mine', code: '1' }),
  });
  const { createdAt, links, name } = JSON.parse(await response.text());
  await emulator.expectRequest('POST /v1/vals', { outcome: 'sent' });
  const [{ request, ...entry } = expect.unreachable()] = emulator.requests();

  expect([
    createdAt,
    links.self,
    name,
    request.headers.host,
    `at ${entry.response.headers.date}`,
  ]).toMatchInlineSnapshot(`
    [
      "<time>",
      "<emulator>/v1/vals/9a293e20-5a30-5ca8-88d4-f92c1a3fa788",
      "mine",
      "<emulator>",
      "at <time>",
    ]
  `);
  expect({ ...entry, response: 0 }).toMatchInlineSnapshot(`
    {
      "commit": "r1",
      "delay": 0,
      "duration": "<duration>",
      "error": null,
      "fault": null,
      "id": "r1",
      "message": null,
      "method": "POST",
      "outcome": "sent",
      "params": {},
      "path": "/v1/vals",
      "program": "node",
      "query": {},
      "reason": null,
      "response": 0,
      "route": "POST /v1/vals",
      "rows": [],
      "status": 200,
      "suggestion": null,
      "time": "<time>",
      "trace": null,
      "user": "ada",
    }
  `);
});

test('a misspelt route is refused with not, too', async ({ emulator }) => {
  // @ts-expect-error: a misspelt route
  expect(() => expect(emulator).not.toHaveReceived('GET /v1/mee')).toThrow('there is no route "GET /v1/mee"');
});

const frozen = emulatorTest({ fixtures: { users: [{ username: 'lin' }] }, now: '2030-01-01T00:00:00Z' });

frozen('accepts the options of createEmulator', ({ emulator }) => {
  expect(emulator.users.map(({ username }) => username)).toEqual(['lin']);
  expect(emulator.clock.read()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
});

const early = emulatorTest({ fixtures: 'default' });

describe('fake timers', () => {
  early('of the test that starts the server end with it', async ({ emulator }) => {
    vi.useFakeTimers({ now: Date.UTC(2031, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    emulator.fail('GET /v1/me', { status: 503, times: 2 });
    const tryOften = async () => {
      while ((await send(emulator, '/v1/me')).status === 503)
        await new Promise((resolve) => setTimeout(resolve, 1_000));
    };

    const done = tryOften();
    await vi.advanceTimersByTimeAsync(2_000);
    await done;

    expect(emulator.clock.now).toEqual(new Date('2031-01-01T00:00:02Z'));
    expect(emulator).toHaveReceived('GET /v1/me', { times: 3 });
  });

  early('do not remain in the next test', ({ emulator }) => {
    expect(Math.abs(emulator.clock.now.getTime() - Date.now())).toBeLessThan(10_000);
  });
});
