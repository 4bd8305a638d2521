import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate, isShared } from '../../support/emulate.js';
import { RandomRequests } from '../../support/random-requests.js';
import { sampleFixtures } from '../../support/sample-fixtures.js';
import { sized } from '../../support/soak.js';
import { apiView, controlView, sendAndFormat } from '../../support/views.js';

const OPERATIONS = sized(150, 2_000);
const options = { listen: false, rateLimit: { limit: 12, window: '2m' }, validateResponses: false };

/** Snapshots outlive a reset, and other seed data is what one resets to from then on. */
const LASTING = ['snapshots', 'seed'] as const;

const WAYS = [
  ['reset()', async (emulator: Emulator) => emulator.reset()],
  [
    'POST /_emulator/reset',
    async (emulator: Emulator) => {
      const response = await emulator.fetch('/_emulator/reset', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"confirm":true}',
      });
      expect([response.status, await response.text()]).toStrictEqual([204, '']);
    },
  ],
] as const;

test.each(WAYS)('%s restores faults, clock, rate limits, journal, history and ids', async (_, reset) => {
  const fresh = await emulate(sampleFixtures, options);
  const used = await emulate(sampleFixtures, options);
  const lines = await new RandomRequests(used.fetch, 3, LASTING).run(OPERATIONS);
  expect(lines.some((line) => line.includes('-> 429'))).toBe(true);
  // Whatever the random requests left, there is something of each kind now.
  await used.fail('GET /v1/me', { status: 503, rate: 0.5, delay: [0, 1] });
  await used.clock.set('2031-01-01T00:00:00Z');
  await used.clock.resume();
  await used.add.user({ username: 'zoe', token: 'zoe token' });
  for (let i = 0; i < 20; i++) await sendAndFormat(used.fetch, 'zoe token', 'GET', '/v1/me');
  const before = await controlView(fresh.fetch);
  const undated = (lines: readonly string[]) => lines.map((line) => line.replace(/\w+, [\w :]+ GMT/, ''));
  const [left, found] = [undated(before), undated(await controlView(used.fetch))];
  expect(found.filter((line, i) => line === left[i])).toStrictEqual([left.at(-1)]);
  expect(left.at(-1)).toBe('undefined GET /_emulator/snapshots undefined -> 200 ,,, []');

  await reset(used);

  expect(await controlView(used.fetch)).toStrictEqual(before);
  expect(await sendAndFormat(used.fetch, 'zoe token', 'GET', '/v1/me')).toContain('-> 401');
  await reset(used);
  // What comes after is answered as if nothing had been: same ids, same names, same counts.
  const after = await new RandomRequests(used.fetch, 4).run(OPERATIONS / 2);
  expect(after).toStrictEqual(await new RandomRequests(fresh.fetch, 4).run(OPERATIONS / 2));
  expect(await controlView(used.fetch)).toStrictEqual(await controlView(fresh.fetch));
  if (!isShared) expect(await apiView(used.fetch)).toStrictEqual(await apiView(fresh.fetch));
});

test('a reset changes one sandbox only', async () => {
  const emulator = await emulate(sampleFixtures, options);
  const [one, two] = [await emulator.sandbox('one'), await emulator.sandbox('two')];
  const untouched = await controlView(emulator.fetch);
  await new RandomRequests(one.fetch, 5, LASTING).run(OPERATIONS);
  await new RandomRequests(two.fetch, 6, LASTING).run(OPERATIONS);
  const other = await controlView(two.fetch);

  await one.reset();

  expect(await controlView(one.fetch)).toStrictEqual(untouched);
  expect(await controlView(two.fetch)).toStrictEqual(other);
});
