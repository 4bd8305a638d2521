import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Router } from '#engine/api/router.js';
import { Rng } from '#engine/lib/rng.js';
import { parseTarget } from '#engine/lib/target.js';
import { routes } from '#vals/service/all.routes.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { watch } from '../../support/conformance.js';
import { emulate } from '../../support/emulate.js';
import { SEED } from '../../support/soak.js';
import { sendToEmulator } from '../../support/wire.js';
import { wireFixtures } from '../../support/wire-fixtures.js';
import { type WireRequest, WireRequests } from '../../support/wire-requests.js';

/** Random requests to each operation at most. The rarest status, of a large body where none is needed, comes with one in 400. */
const REQUESTS = 6_000;
const SOME = 10;

const documented = (): string[] => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
  return Object.entries<Record<string, { readonly responses: object }>>(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      // Blobs of 256 MB fill the memory: test/engine/control/blobs.test.ts.
      Object.keys(responses).flatMap((status) => (status === '507' ? [] : `${method.toUpperCase()} ${path} ${status}`)),
    ),
  );
};

test('random requests return every documented status of every operation, and no other', async () => {
  const router = new Router(routes);
  const reached = new Set<string>();
  const start = (options: EmulatorOptions = {}) =>
    emulate(wireFixtures, {
      ...options,
      onExchange: (request, response) => {
        watch(request, response);
        const route = router.match(request.method, parseTarget(request.target).path)?.route;
        if (route) reached.add(`${route.name} ${response.status}`);
      },
    });
  const emulator = await start();
  const limited = await start({ rateLimit: { limit: 1, window: '1h' } });
  const full = await start({ maxSandboxes: 1 });
  await full.sandbox('closed').close();
  full.sandbox('one');
  const requests = new WireRequests(new Rng(`statuses-${SEED}`), emulator);
  const send = (to: Emulator, request: WireRequest, sandbox?: string) =>
    sendToEmulator(to, {
      ...request,
      isRaw: false,
      headers: { ...request.headers, ...(sandbox !== undefined && { 'x-emulator-sandbox': sandbox }) },
    });

  for (const route of routes) {
    emulator.reset();
    emulator.add.blob({ user: 'ada', key: 'hello', text: 'x' });
    const odd = { method: route.method, target: route.path.replace('{key}', 'hello'), isRaw: false };
    const headers = { authorization: 'Bearer ada token' };
    if (route.bodyType !== undefined) {
      await send(emulator, { ...odd, headers: { ...headers, 'content-encoding': 'unknown' }, body: Buffer.from('x') });
      await send(emulator, { ...odd, headers, body: Buffer.alloc((route.bodyLimit ?? 0) + 1) });
    }
    const expected = documented().filter((each) => each.startsWith(`${route.name} `));
    expect(expected.length).toBeGreaterThan(0);
    for (let sent = 0; sent < REQUESTS && expected.some((each) => !reached.has(each)); sent++) {
      await send(emulator, requests.to(route));
      // These respond in the same way to nearly all requests.
      if (sent >= SOME) continue;
      await send(limited, requests.to(route));
      for (const sandbox of ['a b', 'closed', 'another']) await send(full, requests.to(route), sandbox);
    }
  }

  expect([...reached].sort()).toEqual(documented().sort());
});
