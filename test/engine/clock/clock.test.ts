import { describe, expect, test } from 'vitest';
import { as, emulate, NOW } from '../../support/emulate.js';
import { malformed } from '../../support/errors.js';
import { hand } from '../../support/hands.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};

/** An emulator whose clock goes with the machine's. */
const running = { now: undefined };

/** Whether a timestamp is the machine's time moved by some milliseconds, give or take a minute. */
function expectNear(timestamp: string, offset: number): void {
  expect(Math.abs(Date.parse(timestamp) - (Date.now() + offset))).toBeLessThan(60_000);
}

describe('the clock by the client', () => {
  test('starts frozen at the option now', async () => {
    const control = hand(await emulate(fixtures));

    expect(await control.clock()).toStrictEqual({ now: NOW, frozen: true });
  });

  test('runs with the system clock without the option now', async () => {
    const control = hand(await emulate(fixtures, running));

    const reading = await control.clock();

    expect(reading.frozen).toBe(false);
    expectNear(reading.now, 0);
  });

  test.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T00:00:00.5+02:00', '2029-12-31T22:00:00.500Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('freezes at %s', async (moment, now) => {
    const control = hand(await emulate(fixtures, running));

    expect(await control.freeze(moment)).toStrictEqual({ now, frozen: true });
    expect(await control.clock()).toStrictEqual({ now, frozen: true });
  });

  test('freezes at its current time', async () => {
    const control = hand(await emulate(fixtures, running));

    const { now, frozen } = await control.freeze();

    expect(frozen).toBe(true);
    expectNear(now, 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await control.clock()).toStrictEqual({ now, frozen: true });
  });

  test('stays frozen when it is set', async () => {
    const control = hand(await emulate(fixtures));

    const reading = await control.set('2030-01-01T00:00:00Z');

    expect(reading).toStrictEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    expect(await control.clock()).toStrictEqual(reading);
  });

  test('keeps running when it is set', async () => {
    const control = hand(await emulate(fixtures, running));

    const reading = await control.set('2030-01-01T00:00:00Z');

    expect(reading.frozen).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const later = Date.parse((await control.clock()).now) - Date.parse('2030-01-01T00:00:00Z');
    expect(later).toBeGreaterThanOrEqual(19);
    expect(later).toBeLessThan(600_000);
  });

  test.each([
    ['10m', '2024-06-11T22:15:12.585Z'],
    ['90s', '2024-06-11T22:06:42.585Z'],
    ['1d12h', '2024-06-13T10:05:12.585Z'],
    ['2w', '2024-06-25T22:05:12.585Z'],
    ['1.5s', '2024-06-11T22:05:14.085Z'],
    ['0s', NOW],
    [1, '2024-06-11T22:05:12.586Z'],
    [60_000, '2024-06-11T22:06:12.585Z'],
    [0.4, NOW],
  ])('advances by %j', async (by, now) => {
    const control = hand(await emulate(fixtures));

    expect(await control.advance(by)).toStrictEqual({ now, frozen: true });
    expect(await control.clock()).toStrictEqual({ now, frozen: true });
  });

  test('resumes from the time at which it is frozen', async () => {
    const control = hand(await emulate(fixtures));
    await control.freeze('2030-01-01T00:00:00Z');

    const reading = await control.resume();

    expect(reading.frozen).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const later = Date.parse((await control.clock()).now) - Date.parse('2030-01-01T00:00:00Z');
    expect(later).toBeGreaterThanOrEqual(19);
    expect(later).toBeLessThan(600_000);
  });

  test('resume does not change a running clock', async () => {
    const control = hand(await emulate(fixtures, running));
    await control.advance('1h');

    const reading = await control.resume();

    expect(reading.frozen).toBe(false);
    expectNear(reading.now, 3_600_000);
  });

  test('new records have its time', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.freeze('2030-01-01T00:00:00Z');

    const made = await as(emulator, 'ada').post('/v1/vals').send({ name: 'fresh', code: '1' });
    await control.advance('10m');
    const version = await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send({ code: '2' });
    const snapshot = await control.snapshot();

    expect(made.body).toMatchObject({
      createdAt: '2030-01-01T00:00:00.000Z',
      versionCreatedAt: '2030-01-01T00:00:00.000Z',
    });
    expect(made.headers.date).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
    expect(version.body).toMatchObject({ createdAt: NOW, versionCreatedAt: '2030-01-01T00:10:00.000Z' });
    const times = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:10:00.000Z'];
    expect((await control.requests()).map(({ time }) => time)).toStrictEqual(times);
    expect((await control.history()).map(({ time }) => time)).toStrictEqual(times);
    expect(await control.snapshots()).toStrictEqual([{ name: snapshot, time: '2030-01-01T00:10:00.000Z' }]);
  });

  test('relative times of added records count from it', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.freeze('2030-01-01T00:00:00Z');

    const run = await control.add('runs', { val: 'ada/hello', runStartAt: '-10m', duration: '2s' });

    expect(run).toMatchObject({ runStartAt: '2029-12-31T23:50:00.000Z', runEndAt: '2029-12-31T23:50:02.000Z' });
  });

  test('reset resumes it without the option now', async () => {
    const control = hand(await emulate(fixtures, running));
    await control.freeze('2030-01-01T00:00:00Z');

    await control.reset();

    const reading = await control.clock();
    expect(reading.frozen).toBe(false);
    expectNear(reading.now, 0);
  });

  const MOMENT = 'expected an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", a Date, or milliseconds since 1970';
  const DURATION =
    'expected a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w), or milliseconds';
  const YEARS = 'the clock shows the years 0000 to 9999 only';

  test.each([
    ['freeze', 'yesterday', `freeze: found "yesterday"; ${MOMENT}`],
    ['freeze', '2024-06-31', `freeze: found "2024-06-31"; ${MOMENT}`],
    ['freeze', '', `freeze: found ""; ${MOMENT}`],
    ['set', '-10m', `set: found "-10m"; ${MOMENT}`],
    ['set', '2024-02-30T00:00:00Z', `set: found "2024-02-30T00:00:00Z"; ${MOMENT}`],
    ['advance', '10', `advance: found "10"; ${DURATION}`],
    ['advance', '-10m', `advance: found "-10m"; ${DURATION}`],
    ['advance', 'ten minutes', `advance: found "ten minutes"; ${DURATION}`],
    ['advance', -3_600_000, `advance: found -3600000; ${DURATION}`],
    ['advance', '10000000w', YEARS],
    ['advance', 1e18, YEARS],
  ] as const)('%s refuses %j and does not move', async (verb, value, message) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);

    const attempt = verb === 'advance' ? control.advance(value) : control[verb](value);

    await expect(attempt).rejects.toHaveProperty('message', message);
    expect(await control.clock()).toStrictEqual({ now: NOW, frozen: true });
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
  });
});

test('the Date of each response follows the clock of its sandbox', async () => {
  const emulator = await emulate(fixtures);
  const { fetch } = await emulator.sandbox('later');
  const paths = ['/_emulator/clock', '/_emulator/none', '/_emulator/requests?status=x', '/v1/me'];

  await fetch('/_emulator/clock', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"set":"2030-01-01T00:00:00Z"}',
  });

  const dates = await Promise.all(paths.map(async (path) => (await fetch(path)).headers.get('date')));
  expect(dates).toEqual(paths.map(() => 'Tue, 01 Jan 2030 00:00:00 GMT'));
});

test('the clock takes Dates and milliseconds', async () => {
  const emulator = await emulate(fixtures);
  const { clock } = emulator;

  expect((await clock.freeze(new Date('2030-01-01T00:00:00Z'))).now).toBe('2030-01-01T00:00:00.000Z');
  expect((await clock.set(0)).now).toBe('1970-01-01T00:00:00.000Z');
  expect(emulator.clock.now).toStrictEqual(new Date(0));
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), 8.64e15])(
  'the clock cannot be set to %s',
  async (moment) => {
    const { clock } = await emulate(fixtures);

    expect(() => clock.set(moment)).toThrow(RangeError);
    expect(clock.read()).toStrictEqual({ now: NOW, frozen: true });
  },
);

test('the clock refuses to advance by a value that is not a number', async () => {
  const { clock } = await emulate(fixtures);

  expect(() => clock.advance(Number.NaN)).toThrow('advance: found NaN; expected a duration');
  expect(() => Reflect.apply(clock.advance, clock, [])).toThrow('advance: found undefined; expected a duration');
  expect(clock.read()).toStrictEqual({ now: NOW, frozen: true });
});

describe('PUT /_emulator/clock', () => {
  const expected = 'expected exactly one of freeze, set, advance and resume.';

  test.each([
    [{}, malformed('body', `found {}; ${expected}`)],
    [{ freeze: NOW, advance: '1m' }, malformed('body', `found {"freeze":"${NOW}","advance":"1m"}; ${expected}`)],
    [{ freeze: false }, malformed('body.freeze', 'found false; expected a timestamp, or true.')],
    [{ resume: false }, malformed('body.resume', 'found false; expected true.')],
    [{ advance: ['1m'] }, malformed('body.advance', 'found ["1m"]; expected a duration, or milliseconds.')],
    [{ set: 0 }, malformed('body.set', 'found 0; expected a string.')],
    [{ stop: true }, malformed('body.stop', 'unknown key. Known keys: freeze, set, advance, resume.')],
  ])('%j returns 400', async (body, answer) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).put('/_emulator/clock').send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(answer);
  });

  test('an invalid time or duration returns 422', async () => {
    const response = await as(await emulate(fixtures))
      .put('/_emulator/clock')
      .send({ advance: '10' });

    expect(response.status).toBe(422);
    expect(response.body).toStrictEqual({
      message:
        'advance: found "10"; expected a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w), or milliseconds',
      error: 'Unprocessable Entity',
      statusCode: 422,
    });
  });
});
