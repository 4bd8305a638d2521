import { expect, test } from 'vitest';
import { emulate, isShared } from '../../support/emulate.js';
import { RandomRequests } from '../../support/random-requests.js';
import { sampleFixtures } from '../../support/sample-fixtures.js';
import { sized } from '../../support/soak.js';
import { apiView, controlView, type Fetch } from '../../support/views.js';

const OPERATIONS = sized(150, 1_500);
const options = { listen: false, rateLimit: { limit: 12, window: '2m' }, validateResponses: false };

/** How a client reaches a sandbox with nothing but the emulator's own fetch. */
const byPrefix =
  (fetch: Fetch, name: string): Fetch =>
  (path, init) =>
    fetch(`/_sandbox/${name}${path}`, init);
const byHeader =
  (fetch: Fetch, name: string): Fetch =>
  (path, init) =>
    fetch(path, { ...init, headers: { ...Object(init?.headers), 'x-emulator-sandbox': name } });

const views = async (fetch: Fetch) => [...(await controlView(fetch)), ...(isShared ? [] : await apiView(fetch))];

test('many interleaved random operations of two clients do not affect each other', async () => {
  const shared = await emulate(sampleFixtures, options);
  const clients = [
    { seed: 1, via: (fetch: Fetch) => byPrefix(fetch, 'one') },
    { seed: 2, via: (fetch: Fetch) => byHeader(fetch, 'two') },
  ];

  const together = await Promise.all(
    clients.map(({ seed, via }) => new RandomRequests(via(shared.fetch), seed).run(OPERATIONS)),
  );

  const statuses = new Set<string>();
  for (const [i, { seed, via }] of clients.entries()) {
    const alone = await emulate(sampleFixtures, options);
    const lines = await new RandomRequests(via(alone.fetch), seed).run(OPERATIONS);
    expect(together[i]).toStrictEqual(lines);
    expect(lines.filter((line) => line.includes('Internal error'))).toStrictEqual([]);
    expect(await views(via(shared.fetch))).toStrictEqual(await views(via(alone.fetch)));
    for (const line of lines) statuses.add(/-> (\d+|TypeError: [a-z ]+)/.exec(line)?.[1] ?? line);
  }
  // Neither has touched the main one.
  expect(await views(shared.fetch)).toStrictEqual(await views((await emulate(sampleFixtures, options)).fetch));
  // The operations reached every kind of answer.
  expect([...statuses].sort()).toStrictEqual([
    '200',
    '201',
    '204',
    '400',
    '401',
    '404',
    '409',
    '422',
    '429',
    '500',
    '503',
    'TypeError: fetch failed',
    'TypeError: terminated',
  ]);
});

test('concurrent requests of two clients do not affect each other', async () => {
  const shared = await emulate(sampleFixtures, { ...options, listen: true, rateLimit: undefined });
  const create = async (name: string, i: number) => {
    const response = await fetch(`${shared.url}/_sandbox/${name}/v1/vals`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada token', 'content-type': 'application/json' },
      body: JSON.stringify({ name: `fresh${i}`, code: name }),
    });
    return response.status;
  };

  const names = ['one', 'two', 'three', 'four'];
  const statuses = await Promise.all(names.flatMap((name) => Array.from({ length: 25 }, (_, i) => create(name, i))));

  expect(new Set(statuses)).toStrictEqual(new Set([200]));
  for (const name of names) {
    const fresh = shared
      .sandbox(name)
      .exportState()
      .vals.filter((val) => val.name.startsWith('fresh'));
    expect(fresh.map(({ code }) => code)).toStrictEqual(Array(25).fill(name));
  }
});
