import { describe, expect, test } from 'vitest';
import { OptionsError } from '../../../src/index.js';
import { as, createEmulator, emulate } from '../../support/emulate.js';
import { unauthorized } from '../../support/errors.js';
import { hand } from '../../support/hands.js';

const fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', id: '4e110000-0000-4000-8000-000000000001', code: '1' }],
};

const HELLO = '/v1/vals/4e110000-0000-4000-8000-000000000001';
const twoAMinute = { rateLimit: { limit: 2, window: '1m' } };

/** What an answer tells of the rate limit. */
const told = ({ status, headers }: { status: number; headers: Record<string, string> }) => [
  status,
  headers['x-ratelimit-limit'],
  headers['x-ratelimit-remaining'],
  headers['x-ratelimit-reset'],
  headers['retry-after'],
];

const exceeded = (wait: string) => ({
  message: `Rate limit exceeded, retry in ${wait}`,
  error: 'Too Many Requests',
  statusCode: 429,
});

test('by default requests have neither a limit nor its headers', async () => {
  const emulator = await emulate(fixtures);

  for (let i = 0; i < 50; i++) {
    expect(told(await as(emulator, 'ada').get('/v1/me'))).toStrictEqual([200, ...Array(4).fill(undefined)]);
  }
});

test('a request above the limit returns 429 until the window ends', async () => {
  const emulator = await emulate(fixtures, twoAMinute);
  const me = () => as(emulator, 'ada').get('/v1/me');

  expect(told(await me())).toStrictEqual([200, '2', '1', '60', undefined]);
  await emulator.clock.advance('20s');
  expect(told(await me())).toStrictEqual([200, '2', '0', '40', undefined]);
  const third = await me();
  expect(told(third)).toStrictEqual([429, '2', '0', '40', '40']);
  expect(third.body).toStrictEqual(exceeded('1 minute'));
  expect(third.headers['content-type']).toBe('application/json; charset=utf-8');

  await emulator.clock.advance(39_999);
  const fourth = await me();
  expect(told(fourth)).toStrictEqual([429, '2', '0', '1', '1']);
  expect(fourth.body).toStrictEqual(exceeded('1 minute'));

  await emulator.clock.advance(1);
  expect(told(await me())).toStrictEqual([200, '2', '1', '60', undefined]);
});

test('on a running clock the window ends', async () => {
  const emulator = await emulate(fixtures, { now: undefined, rateLimit: { limit: 1, window: '1h' } });
  const me = () => as(emulator, 'ada').get('/v1/me');
  expect((await me()).status).toBe(200);
  expect((await me()).status).toBe(429);

  await emulator.clock.advance('1h');

  expect((await me()).status).toBe(200);
});

test('setting the clock back begins a new window', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
  await as(emulator, 'ada').get('/v1/me');

  await emulator.clock.set('2020-01-01T00:00:00Z');

  expect(told(await as(emulator, 'ada').get('/v1/me'))).toStrictEqual([200, '1', '0', '60', undefined]);
});

test.each([
  ['1m', '1 minute'],
  ['90s', '2 minutes'],
  ['59s', '59 seconds'],
  ['1s', '1 second'],
  [250, '250 ms'],
  ['1h', '1 hour'],
  ['2h', '2 hours'],
  ['3d', '3 days'],
  ['730d', '2 years'],
  [60_000, '1 minute'],
])('the message names the whole window of %j: retry in %s', async (window, wait) => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window } });
  await as(emulator, 'ada').get('/v1/me');

  const response = await as(emulator, 'ada').get('/v1/me');

  expect(response.body).toStrictEqual(exceeded(wait));
});

test('each token has a window, and requests without a token share one', async () => {
  const emulator = await emulate(fixtures, twoAMinute);
  const statuses = async (user: string | undefined) => {
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push((await as(emulator, user).get(HELLO)).status);
    return answers;
  };

  expect(await statuses('ada')).toStrictEqual([200, 200, 429]);
  expect(await statuses('bob')).toStrictEqual([200, 200, 429]);
  expect(await statuses(undefined)).toStrictEqual([200, 200, 429]);
  expect(await statuses('mallory')).toStrictEqual([401, 401, 429]);
  expect(await statuses('trudy')).toStrictEqual([401, 401, 429]);
});

test('errors count, and have the headers', async () => {
  const emulator = await emulate(fixtures, twoAMinute);

  const unknown = await as(emulator, 'mallory').get('/v1/me');
  const nowhere = await as(emulator, 'ada').get('/v1/nowhere');
  const invalid = await as(emulator, 'ada').post('/v1/vals').send({});

  expect(told(unknown)).toStrictEqual([401, '2', '1', '60', undefined]);
  expect(unknown.body).toStrictEqual(unauthorized);
  expect(told(nowhere)).toStrictEqual([404, '2', '1', '60', undefined]);
  expect(told(invalid)).toStrictEqual([400, '2', '0', '60', undefined]);
  expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(429);
});

test('a fault does not count a refused request', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
  await as(emulator, 'ada').get('/v1/me');
  await emulator.fail('*', { status: 503, reset: true });

  const response = await as(emulator, 'ada').get('/v1/me');

  expect(response.body).toStrictEqual(exceeded('1 minute'));
  expect(emulator.faults()).toMatchObject([{ seen: 0, hits: 0 }]);
});

test('an injected response counts, and has the headers', async () => {
  const emulator = await emulate(fixtures, twoAMinute);
  await emulator.fail('*', { status: 503, times: 1, headers: { 'Retry-After': '9' } });

  expect(told(await as(emulator, 'ada').get('/v1/me'))).toStrictEqual([503, '2', '1', '60', '9']);
});

test('preflights and control requests are not limited', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });

  for (let i = 0; i < 3; i++) {
    expect(told(await as(emulator).options('/v1/me'))).toStrictEqual([204, ...Array(4).fill(undefined)]);
    expect(told(await as(emulator).get('/_emulator/clock'))).toStrictEqual([200, ...Array(4).fill(undefined)]);
  }

  expect((await as(emulator).get(HELLO)).status).toBe(200);
});

describe('by the client', () => {
  test('reseed keeps the limit and clears the counters', async () => {
    const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
    await as(emulator, 'ada').get('/v1/me');

    await hand(emulator).reseed({ users: [{ username: 'ada' }] });

    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(429);
  });
});

const WINDOW = 'expected milliseconds, or a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w)';

test.each([
  [{ limit: 0, window: '1m' }, 'option rateLimit.limit: found 0; expected at least 1.'],
  [{ limit: 1.5, window: '1m' }, 'option rateLimit.limit: found 1.5; expected a whole number.'],
  [{ limit: 1, window: 'soon' }, `option rateLimit.window: found "soon"; ${WINDOW}.`],
  [{ limit: 1, window: 0 }, `option rateLimit.window: found 0; ${WINDOW}.`],
])('rateLimit %j is refused', async (rateLimit, message) => {
  const start = createEmulator({ fixtures, rateLimit });

  await expect(start).rejects.toThrow(OptionsError);
  await expect(start).rejects.toHaveProperty('message', message);
});
