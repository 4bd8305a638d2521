import { describe, expect, test } from 'vitest';
import type { RunningProxy } from '../../../src/fidelity/proxy/index.js';
import { createEmulator, type Fixtures } from '../../../src/index.js';
import { ADA, CALLS, type Call, DIFFERENCES, HELLO, PLANTED_FIXTURES, servePlanted, toHeaders } from './planted.js';
import { serve, start } from './support.js';

const send = (url: string, call: Call): Promise<Response> =>
  fetch(url + call.path, {
    ...{ method: call.method ?? 'GET', headers: toHeaders(call) },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });

/** Starts a proxy that compares. @param data null for none */
async function startCompare(upstream: { readonly url: string }, data: Fixtures | null): Promise<RunningProxy> {
  return start(upstream.url, { fixtures: data ?? undefined, compare: true });
}

/** Sends requests through a proxy to an emulator, and returns what was compared. */
async function compare(
  upstream: { readonly url: string },
  calls: readonly Call[],
  data: Fixtures | null = PLANTED_FIXTURES,
) {
  const proxy = await startCompare(upstream, data);
  for (const call of calls) await (await send(proxy.url, call)).arrayBuffer();
  await proxy.close();
  return proxy;
}

describe('a comparison', () => {
  test('finds nothing between two emulators with the same data', async () => {
    await using upstream = await createEmulator({ fixtures: PLANTED_FIXTURES });
    const proxy = await compare(upstream, CALLS);
    expect(proxy.findings).toEqual([]);
    expect(proxy.comparison).toEqual({ compared: 15, skipped: [] });
  });

  test('reports each planted difference once, and nothing else', async () => {
    const { findings } = await compare({ url: await servePlanted() }, CALLS);
    expect(findings.map(({ id, outcome }) => [id, outcome]).sort()).toEqual(
      DIFFERENCES.map(([, , found]) => [found, 'different']).sort(),
    );
    expect(findings).toHaveLength(15);
  });

  test('reports statuses and shapes without data', async () => {
    const { findings } = await compare({ url: await servePlanted() }, CALLS, null);
    expect(findings.map(({ id }) => id).sort()).toEqual(
      [
        ...['getMe/key/$.tier', 'getUser/key/$.email', 'listMyReferences/type/$.data[].referencedAt'],
        ...['listMyComments/type/$.data[].val.version', 'listMyComments/links/$.links'],
        ...['listValVersions/order/$.data', 'listUserVals/status/200-not-400', 'listValRuns/status/403-not-404'],
        'getMe/status/401-not-200',
      ].sort(),
    );
  });

  test('counts requests that it cannot compare, with the reasons', async () => {
    await using upstream = await createEmulator({ fixtures: PLANTED_FIXTURES });
    upstream.fail('GET /v1/me/likes', { status: 503 });
    upstream.fail('GET /v1/me', { status: 404 });
    const proxy = await compare(upstream, [{ path: '/v1/me/likes' }, { path: '/v1/me/runs' }, { path: '/v1/email' }]);
    expect(proxy.findings).toEqual([]);
    expect(proxy.comparison).toEqual({
      compared: 0,
      skipped: [
        '1 not compared: the service was busy or failed',
        '1 not compared: its user could not be found by GET /v1/me',
        '1 not compared: the emulator does not have its route',
      ],
    });
  });

  test.each(['Ada Lovelace', 'ådå', '1st', '', 'HELLO-'.repeat(50)])(
    'compares requests of a user whose name the emulator does not allow: %j',
    async (username) => {
      await using emulator = await createEmulator({ fixtures: PLANTED_FIXTURES });
      const url = await serve(async (request, response) => {
        const { status, headers, body } = await emulator.fetch(request.url ?? '', {
          headers: { authorization: request.headers.authorization ?? '' },
        });
        const text = await new Response(body).text();
        headers.delete('content-length');
        response.writeHead(status, Object.fromEntries(headers)).end(text.replaceAll('"ada"', JSON.stringify(username)));
      });
      const proxy = await startCompare({ url }, null);
      for (const path of ['/v1/me', '/v1/me/runs', '/v1/me']) await (await send(proxy.url, { path })).arrayBuffer();
      await proxy.close();
      expect(proxy.comparison).toEqual({ compared: 3, skipped: [] });
      expect(proxy.findings).toEqual([]);
    },
  );

  test('explains its failure', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"user-1","username":"ada"}');
    });
    const proxy = await startCompare({ url }, null);
    for (const path of ['/v1/me', '/v1/me/runs']) await (await send(proxy.url, { path })).arrayBuffer();
    await proxy.close();
    const [reason, ...others] = proxy.comparison.skipped;
    expect(reason).toMatch(/^2 not compared: the comparison failed: 1 problem in .*"user-1"; expected a UUID /);
    expect(others).toEqual([]);
  });

  test('reports a header that only the service has, but no headers of servers and caches', async () => {
    await using upstream = await createEmulator({ fixtures: PLANTED_FIXTURES });
    const url = await serve(async (request, response) => {
      const { status, headers, body } = await upstream.fetch(request.url ?? '/', {
        headers: { authorization: 'Bearer ada-token' },
      });
      const others = { server: 'nginx', etag: '"1"', 'cf-ray': '1', 'x-quota': '7' };
      response.writeHead(status, { ...Object.fromEntries(headers), ...others });
      for await (const chunk of body ?? []) response.write(chunk);
      response.end();
    });
    const proxy = await startCompare({ url }, PLANTED_FIXTURES);
    await (await send(proxy.url, { path: '/v1/me' })).text();
    await (await send(proxy.url, { path: '/v1/me/likes' })).text();
    await proxy.close();
    expect(proxy.findings).toMatchObject([{ id: 'general/header/x-quota', outcome: 'different', count: 2 }]);
  });

  test('ignores records after a write', async () => {
    await using upstream = await createEmulator({ fixtures: PLANTED_FIXTURES });
    const proxy = await start(upstream.url, { fixtures: upstream.exportState(), compare: true });
    const calls: Call[] = [
      { method: 'PUT', path: `/v1/vals/${HELLO}`, body: { name: 'renamed', readme: 'new' } },
      { path: '/v1/alias/ada/renamed' },
      { path: `/v1/vals/${HELLO}` },
      { path: '/v1/me/runs' },
      { path: `/v1/users/${ADA}/vals` },
    ];
    for (const call of calls) await (await send(proxy.url, call)).arrayBuffer();
    await proxy.close();
    expect(proxy.comparison.compared).toBe(4);
    expect(proxy.findings).toEqual([]);
  });

  test('does not delay responses, and skips requests beyond its queue', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await serve(async (request, response) => {
      // Comparing waits for the user of the token.
      if (request.url === '/v1/me') await released;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const proxy = await startCompare({ url }, null);
    const search = async () => (await send(proxy.url, { path: '/v1/search/vals?query=a' })).text();
    for (let sent = 0; sent < 1_005; sent += 67) await Promise.all(Array.from({ length: 67 }, search));
    expect(proxy.comparison).toEqual({ compared: 0, skipped: ['5 not compared: too many requests were waiting'] });
    release();
    await proxy.close();
    expect(proxy.comparison.skipped).toContain('1000 not compared: its user could not be found by GET /v1/me');
  });
});
