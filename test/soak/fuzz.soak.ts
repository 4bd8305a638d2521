import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import type { Fixtures } from '../../src/index.js';
import { parse, toFetch } from '../model/client.js';
import { RequestGenerator, toText } from '../model/generator.js';
import { OPERATIONS } from '../model/operations.js';
import { NASTY } from '../model/values.js';
import { findViolation } from '../support/conformance.js';
import { createEmulator } from '../support/emulate.js';
import { SEED, scaled } from '../support/soak.js';
import { wireFixtures } from '../support/wire-fixtures.js';

/** The seed is printed, `SEED=` repeats a run. */
const REQUESTS = scaled(1_000_000);
/** Milliseconds after which a request counts as hanging. */
const WATCHDOG = 10_000;
/** Requests until the data is reset: long enough for many records. */
const ROUND = 500;

const FIXTURES: Fixtures = {
  ...wireFixtures,
  tokens: [...(wireFixtures.tokens ?? []), { user: 'ada', token: 'token of a project', project: 'ada/val0' }],
};
/** From so many requests on, each operation of `/v2` has a success. */
const ENOUGH = 20_000;

/** All but what streams, and what makes many sandboxes or delays all requests. */
const FUZZED = OPERATIONS.filter(({ id }) => !['streamEvents', 'armChaos', 'forkSandboxes'].includes(id));
const OF_PROJECTS = FUZZED.filter(({ path }) => path.startsWith('/v2/')).map(({ id }) => id);

/** Spoils some requests in ways that no schema knows. */
function spoil(rng: Rng, { target, init }: ReturnType<typeof toFetch>) {
  const prefix = rng.bool(0.1) ? `/_sandbox/${rng.pick(['one', 'two', 'a b', '..', 'x'.repeat(65)])}` : '';
  const { method, headers, body } = init;
  const spoiled: RequestInit = {
    method: rng.bool(0.02) ? rng.pick(['HEAD', 'OPTIONS', 'PATCH', 'QUERY']) : method,
    headers: { ...headers, ...(rng.bool(0.02) && { 'content-type': rng.pick(['text/plain', '', 'application/xml']) }) },
  };
  if (body !== undefined && spoiled.method !== 'HEAD')
    spoiled.body = rng.bool(0.03) ? body.slice(0, rng.int(0, body.length)) : body;
  const more = rng.bool(0.05)
    ? `${target.includes('?') ? '&' : '?'}${encodeURIComponent(toText(rng.pick(NASTY)).toWellFormed())}=x`
    : '';
  return { path: prefix + target + more, init: spoiled };
}

test(`${REQUESTS} requests made from the table of operations`, async () => {
  console.log(`fuzz: ${REQUESTS} requests, SEED=${SEED}`);
  const violations: string[] = [];
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  let last = { target: '', status: 0 };
  const emulator = await createEmulator({
    fixtures: FIXTURES,
    now: '2024-06-11T22:05:12.585Z',
    listen: false,
    maxSandboxes: 20,
    onExchange: (request, response) => {
      last = { target: request.target, status: response.status };
      const violation = findViolation(request, response);
      if (violation !== undefined) violations.push(violation);
    },
  });
  const main = emulator;
  const { sandboxes } = emulator.pipeline.control.emulator;
  const rng = new Rng(`fuzz-${SEED}`);
  const generator = new RequestGenerator(rng, { operations: FUZZED, nasty: 0.04 });

  for (let sent = 0; sent < REQUESTS; sent++) {
    if (sent % ROUND === 0) {
      emulator.closeSandboxes();
      for (const sandbox of [emulator, emulator.sandbox('one'), emulator.sandbox('two')]) sandbox.reseed(FIXTURES);
      for (const { name } of emulator.snapshots()) emulator.dropSnapshot(name);
      generator.learnState(emulator.state());
    }
    const request = generator.next();
    const { path, init } = spoil(rng, toFetch(request));
    // A fork has the faults of its source.
    const faults = [main, ...sandboxes.all].some(({ store }) => store.state.faults.length > 0);
    const before = main.store.state;
    const start = performance.now();
    const label = `${init.method} ${path.slice(0, 500)} ${String(init.body ?? '').slice(0, 500)} (request ${sent}, SEED=${SEED})`;
    let response: Response;
    try {
      response = await emulator.fetch(path, init);
    } catch (error) {
      // Values that no fetch sends, and connections that a fault resets.
      if (error instanceof TypeError) continue;
      throw new Error(label, { cause: error });
    }
    const took = performance.now() - start;
    const { status } = response;
    // A fault may cut it.
    const text = await response.text().catch(() => '');
    if (status < 300) reached.add(request.operation.id);
    if (status < 300) generator.learn(request, status, parse(text));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (violations.length > 0) expect(violations, label).toEqual([]);
    if (took > WATCHDOG) throw new Error(`took ${Math.round(took)} ms: ${label}`);
    if (!faults && status >= 500 && status !== 501 && status !== 503) throw new Error(`${status}: ${label}: ${text}`);
    // A rate limit that a request has set counts the others.
    const isLimited = before.settings.rateLimit !== undefined;
    if (!faults && !isLimited && status >= 400 && main.store.state !== before)
      throw new Error(`a ${status} changed the state: ${label}`);
  }

  if (REQUESTS >= ENOUGH) expect(OF_PROJECTS.filter((id) => !reached.has(id))).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
  console.log(
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    last,
  );
});
