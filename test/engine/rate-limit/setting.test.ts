import { expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, OptionsError } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };
const status = async (emulator: Emulator, user: string) => (await as(emulator, user).get('/v1/me')).status;
const put = (emulator: Emulator, body: object) => as(emulator).put('/_emulator/rate-limit').send(body);

test('a rate limit is set, read and switched off', async () => {
  const emulator = await emulate(fixtures);
  expect(emulator.rateLimit.read()).toStrictEqual({ limit: null, window: null, windows: [] });

  expect(await emulator.rateLimit.set({ limit: 2, window: '10s' })).toStrictEqual({
    limit: 2,
    window: 10_000,
    windows: [],
  });
  expect([await status(emulator, 'ada'), await status(emulator, 'ada')]).toStrictEqual([200, 200]);
  await emulator.clock.advance('3s');
  expect([await status(emulator, 'ada'), await status(emulator, 'bob')]).toStrictEqual([429, 200]);
  expect(await status(emulator, 'nobody')).toBe(401);

  const { body, text } = await as(emulator).get('/_emulator/rate-limit');
  expect({ ...body, windows: body.windows.length }).toStrictEqual({ limit: 2, window: 10_000, windows: 3 });
  expect(body.windows).toContainEqual({ user: null, requests: 1, remaining: 1, reset: 10 });
  expect(body.windows).toContainEqual({ user: 'bob', requests: 1, remaining: 1, reset: 10 });
  expect(body.windows.at(-1)).toStrictEqual({ user: 'ada', requests: 3, remaining: 0, reset: 7 });
  expect(text).not.toContain('-token');
  await emulator.clock.advance('7s');
  expect(emulator.rateLimit.read().windows.map(({ user }) => user)).not.toContain('ada');

  expect((await put(emulator, { limit: null })).body).toStrictEqual({ limit: null, window: null, windows: [] });
  for (let i = 0; i < 3; i++) expect(await status(emulator, 'ada')).toBe(200);
});

test('a new limit counts from zero', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
  expect([await status(emulator, 'ada'), await status(emulator, 'ada')]).toStrictEqual([200, 429]);

  await emulator.rateLimit.set({ limit: 1, window: 60_000 });

  expect([await status(emulator, 'ada'), await status(emulator, 'ada')]).toStrictEqual([200, 429]);
});

test('a limit is a commit that can be rewound, and a reset returns to the option', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 9, window: '1m' } });
  await emulator.rateLimit.set({ limit: 1, window: '1s' });
  const { body } = await as(emulator).get('/_emulator/history/w1');

  expect(emulator.history()).toMatchObject([
    { id: 'w1', request: 'PUT /_emulator/rate-limit', total: 0, counts: {}, changes: [] },
  ]);
  expect(body.others).toStrictEqual([
    { name: 'rateLimit', before: { limit: 9, window: 60_000 }, after: { limit: 1, window: 1_000 } },
  ]);
  await emulator.rewind(1);
  expect(emulator.rateLimit.read()).toMatchObject({ limit: 9, window: 60_000 });
  await emulator.rateLimit.set({ limit: null });
  await emulator.reset();
  expect(emulator.rateLimit.read()).toMatchObject({ limit: 9, window: 60_000 });
});

test('a limit applies to one sandbox, also by a client', async () => {
  const emulator = await emulate(fixtures);
  const remote = connect(`${emulator.url}/_sandbox/one`);

  expect(await remote.rateLimit.set({ limit: 5, window: '1m' })).toStrictEqual({
    limit: 5,
    window: 60_000,
    windows: [],
  });
  expect(await remote.rateLimit.read()).toStrictEqual((await emulator.sandbox('one')).rateLimit.read());
  expect(emulator.rateLimit.read().limit).toBeNull();
});

test.each([
  [{}, 400, 'body.limit', 'missing; expected a whole number from 1, or null for no limit.'],
  [{ limit: 0, window: 1 }, 400, 'body.limit', 'found 0; expected a whole number from 1, or null for no limit.'],
  [{ limit: 5, windw: 1 }, 400, 'body.windw', 'unknown key. Did you mean "window"?'],
  [
    { limit: 5 },
    422,
    'window',
    'missing; expected milliseconds, or a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w), above 0.',
  ],
  [
    { limit: 5, window: 'soon' },
    422,
    'window',
    'found "soon"; expected milliseconds, or a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w), above 0.',
  ],
  [{ limit: null, window: '1m' }, 422, 'window', 'expected only with a limit.'],
])('the limit %j returns %i and changes nothing', async (body, expected, path, message) => {
  const emulator = await emulate(fixtures);

  const response = await put(emulator, body);

  expect([response.status, response.body.problems]).toStrictEqual([expected, [{ path, message }]]);
  expect(emulator.history()).toStrictEqual([]);
});

test('the method throws for an invalid limit', async () => {
  const emulator = await emulate(fixtures);

  expect(() => emulator.rateLimit.set({ limit: 0.5, window: 1 })).toThrow(OptionsError);
  expect(() => emulator.rateLimit.set({ limit: 1, window: 0 })).toThrow(OptionsError);
});
