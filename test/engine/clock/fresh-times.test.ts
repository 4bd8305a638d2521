import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Seed } from '#engine/sandbox/seed.js';
import { emptyState } from '#engine/state/state.js';
import { definitions } from '#vals/service/service.collection.js';
import { type Emulator, type EmulatorOptions, FixtureError, type Fixtures } from '../../../src/index.js';
import { createEmulator } from '../../support/emulate.js';
import { folderOf } from '../fixtures/loading.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1, 12);

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

async function make(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await createEmulator({ listen: false, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds);

const ada = { username: 'ada' };
const hello = { author: 'ada', name: 'hello', code: '1', createdAt: '2020-01-01T00:00:00Z' };
const relative: Fixtures = {
  users: [ada],
  vals: [hello],
  runs: [{ val: 'ada/hello', runStartAt: '-5m' }, { val: 'ada/hello' }],
};

/** The state that a sandbox has now. */
const stateOf = (emulator: Emulator, name?: string) =>
  (name === undefined ? emulator : emulator.sandbox(name)).store.state;
const listStarts = (sandbox: Pick<Emulator, 'state'>) =>
  sandbox.state().runs.map(({ runStartAt }) => Date.parse(runStartAt) - Date.now());

/** The specification's own call: the runs of the last 30 minutes. */
async function listRecent(sandbox: Pick<Emulator, 'fetch' | 'users'>): Promise<unknown> {
  const since = new Date(Date.now() - 30 * MINUTE).toISOString();
  const headers = { authorization: `Bearer ${sandbox.users[0]?.token}` };
  const response = await sandbox.fetch(`/v1/me/runs?since=${since}`, { headers });
  const body: unknown = await response.json();
  return Object(body).data;
}

describe('after half an hour', () => {
  test.each<[string, EmulatorOptions]>([
    ['the default fixtures', {}],
    ['generated data', { generate: { users: 3, vals: 12, runs: 2_000, days: 2 } }],
    ['a fixture object', { fixtures: relative }],
  ])('%s have runs of the last 30 minutes in a new sandbox, and after a reset', async (_, options) => {
    const emulator = await make(options);
    const named = emulator.sandbox('named');
    const recent = await listRecent(emulator);
    expect(recent).not.toEqual([]);

    pass(35 * MINUTE);
    expect(await listRecent(emulator)).toEqual([]);

    const other = emulator.sandbox('other');
    emulator.reset();
    named.reset();
    for (const sandbox of [other, emulator, named]) {
      expect(await listRecent(sandbox)).toHaveLength(Object(recent).length);
    }
  });

  test('a sandbox that a request creates has them too', async () => {
    const emulator = await make({ fixtures: relative });
    pass(35 * MINUTE);

    const since = new Date(Date.now() - 30 * MINUTE).toISOString();
    const response = await emulator.fetch(`/v1/me/runs?since=${since}`, {
      headers: { authorization: 'Bearer ada-token', 'x-emulator-sandbox': 'by-request' },
    });

    expect(await response.json()).toMatchObject({ data: [{}, {}] });
  });

  test('times of a reseed count from the last reset, in the sandbox and in no other', async () => {
    const emulator = await make({ fixtures: { users: [{ username: 'lin' }] } });
    pass(MINUTE);
    emulator.reseed(relative);
    expect(listStarts(emulator)).toEqual([-5 * MINUTE, 0]);

    pass(MINUTE);
    expect(listStarts(emulator)).toEqual([-6 * MINUTE, -MINUTE]);
    emulator.reset();
    expect(listStarts(emulator)).toEqual([-5 * MINUTE, 0]);
    expect(emulator.sandbox('other').state().runs).toHaveLength(2);
  });

  test('a watched file that is loaded again counts from the next reset of each follower', async () => {
    const file = (runs: Fixtures['runs']) => folderOf({ 'users.json': [ada], 'vals.json': [hello], 'runs.json': runs });
    const emulator = await make({ fixtures: file([{ val: 'ada/hello', runStartAt: '-5m' }]) });
    pass(MINUTE);
    // A sandbox with a later state of the same seed is a follower as well.
    const follower = emulator.sandbox('follower');
    const other = emulator.sandbox('other');
    other.reseed({ users: [{ username: 'lin' }] });

    await emulator.reload(file([{ val: 'ada/hello', runStartAt: '-7m' }]));
    pass(MINUTE);
    for (const sandbox of [follower, other]) sandbox.reset();

    expect(listStarts(follower)).toEqual([-7 * MINUTE]);
    expect(other.users.map(({ username }) => username)).toEqual(['lin']);
  });
});

describe('the same state', () => {
  test('a reset of data younger than a second gives the identical state', async () => {
    const emulator = await make({ fixtures: relative });
    const state = stateOf(emulator);
    emulator.add.user({ username: 'lin' });

    pass(999);
    emulator.reset();
    expect(stateOf(emulator)).toBe(state);
    expect(stateOf(emulator, 'named')).toBe(state);

    pass(1);
    emulator.reset();
    expect(stateOf(emulator)).not.toBe(state);
    expect(stateOf(emulator, 'other')).toBe(stateOf(emulator));
  });

  test.each<[string, EmulatorOptions]>([
    [
      'no relative times',
      { fixtures: { ...relative, runs: [{ val: 'ada/hello', runStartAt: '2026-02-28T00:00:00Z' }] } },
    ],
    ['no records with times', { fixtures: { users: [ada] } }],
    ['a frozen clock', { fixtures: relative, now: START }],
    ['a frozen clock and generated data', { generate: { users: 1, vals: 1, runs: 1 }, now: START }],
  ])('data with %s is never loaded again', async (_, options) => {
    const emulator = await make(options);
    const state = stateOf(emulator);

    pass(365 * 24 * 60 * MINUTE);
    emulator.reset();

    expect(stateOf(emulator)).toBe(state);
    expect(stateOf(emulator, 'named')).toBe(state);
  });

  test.each<[string, Fixtures]>([
    ['a time without text', { users: [ada], vals: [hello], runs: [{ val: 'ada/hello' }] }],
    ['a val without a time', { users: [ada], vals: [{ author: 'ada', name: 'hello', code: '1' }] }],
    [
      'a version',
      { users: [ada], vals: [{ author: 'ada', name: 'a' }], versions: [{ val: 'ada/a', code: '1', createdAt: '-1d' }] },
    ],
    [
      'a run that ended',
      {
        users: [ada],
        vals: [hello],
        runs: [{ val: 'ada/hello', runStartAt: '2020-01-01T00:00:00Z', runEndAt: '-1s' }],
      },
    ],
    ['a time in the future', { users: [ada], vals: [hello], runs: [{ val: 'ada/hello', runStartAt: '+1h' }] }],
    ['a like', { users: [ada], vals: [hello], likes: [{ user: 'ada', val: 'ada/hello' }] }],
    ['a comment', { users: [ada], vals: [hello], comments: [{ author: 'ada', val: 'ada/hello', comment: 'a' }] }],
  ])('%s is a relative time', async (_, fixtures) => {
    const emulator = await make({ fixtures });
    const before = JSON.stringify(emulator.state());

    pass(MINUTE);
    expect(JSON.stringify(emulator.state())).toBe(before);
    emulator.reset();

    expect(JSON.stringify(emulator.state())).not.toBe(before);
  });
});

/** Replaces each timestamp by its distance from now. */
const withAges = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(item) ? `${Date.parse(item) - Date.now()}` : item,
  );

test.each<EmulatorOptions>([
  { fixtures: 'popular' },
  { fixtures: 'edge-cases' },
  { generate: { users: 4, vals: 30, runs: 300 } },
])('apart from times, the data of %o are the same after each reset', async (options) => {
  const emulator = await make(options);
  const [before, ages] = [emulator.state(), withAges(emulator.state())];
  const next = () => emulator.add.user({ username: 'another' }).id;
  const id = next();

  pass(3 * 60 * MINUTE);
  emulator.reset();

  if (options.fixtures !== 'edge-cases') expect(withAges(emulator.state())).toBe(ages);
  const hideTimes = (text: string) => text.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"');
  expect(hideTimes(JSON.stringify(emulator.state()))).toBe(hideTimes(JSON.stringify(before)));
  expect(next()).toBe(id);
});

test('times are read from the fixtures once, whatever happens to the object later', async () => {
  const fixtures = structuredClone(relative);
  const options = { users: 1, vals: 2, runs: 3 };
  const [emulator, generated] = [await make({ fixtures }), await make({ generate: options })];
  Object.assign(fixtures.runs?.[0] ?? {}, { runStartAt: '-9m', error: 'changed' });
  options.runs = 30;

  pass(MINUTE);
  emulator.reset();
  generated.reset();

  expect(listStarts(emulator)).toEqual([-5 * MINUTE, 0]);
  expect(emulator.state().runs[0]?.error).toBeNull();
  expect(generated.state().runs).toHaveLength(3);
});

test('snapshots and the clock of a sandbox keep their times, and a reset restores the system time', async () => {
  const emulator = await make({ fixtures: relative });
  emulator.snapshot('early');
  emulator.clock.freeze('2030-01-01T00:00:00Z');

  pass(MINUTE);
  emulator.reset();
  expect(emulator.clock.read()).toEqual({ now: new Date(START + MINUTE).toISOString(), frozen: false });
  expect(listStarts(emulator)).toEqual([-5 * MINUTE, 0]);

  emulator.restore('early');
  expect(listStarts(emulator)).toEqual([-6 * MINUTE, -MINUTE]);
});

test('data follows a clock that is set back', async () => {
  const emulator = await make({ fixtures: relative });
  vi.setSystemTime('1999-12-31T23:59:59Z');
  emulator.reset();

  expect(emulator.state().runs[1]?.runStartAt).toBe('1999-12-31T23:59:59.000Z');
});

test('data keeps its times when fixed and relative times no longer fit together', async () => {
  const runEndAt = new Date(START + MINUTE).toISOString();
  const emulator = await make({
    fixtures: { users: [ada], vals: [hello], runs: [{ val: 'ada/hello', runStartAt: '-5m', runEndAt }] },
  });
  pass(10 * MINUTE);
  emulator.add.user({ username: 'lin' });
  emulator.reset();

  expect(emulator.users).toHaveLength(1);
  expect(listStarts(emulator)).toEqual([-15 * MINUTE]);
});

test('progress is reported during a load, and not when the data is made again', async () => {
  const onProgress = vi.fn();
  for (const options of [{ fixtures: relative }, { generate: { users: 1, vals: 1, runs: 1 } }]) {
    const emulator = await make({ ...options, onProgress });
    expect(onProgress).toHaveBeenCalled();
    onProgress.mockClear();

    pass(MINUTE);
    emulator.reset();
    expect(onProgress).not.toHaveBeenCalled();
  }
});

describe('a state is fresh', () => {
  /** A seed whose states take a while to make. */
  function makeSeed(cost: number) {
    let now = 0;
    const makeState = vi.fn(() => {
      now += cost;
      return emptyState({ auth: 'strict', defaultPrivacy: 'private', idSeed: 'a' }, definitions);
    });
    const seed = new Seed(makeState(), { makeState, systemTime: () => now, madeAt: 0 });
    makeState.mockClear();
    const setTime = (time: number) => {
      now = time;
    };
    return { seed, makeState, setTime };
  }

  test.each([
    [0, 1_000],
    [9, 1_000],
    [20, 2_000],
    [15_000, 1_500_000],
  ])('for a time that depends on its cost: %d ms to make, %d ms fresh', (cost, freshFor) => {
    const { seed, makeState, setTime } = makeSeed(cost);
    const first = seed.getState();

    setTime(freshFor - 1);
    expect(seed.getState()).toBe(first);
    expect(makeState).not.toHaveBeenCalled();

    setTime(freshFor);
    const second = seed.getState();
    expect(second).not.toBe(first);
    expect(makeState).toHaveBeenCalledExactlyOnceWith(freshFor);

    setTime(2 * freshFor - 1);
    expect(seed.getState()).toBe(second);
    setTime(2 * freshFor);
    expect(seed.getState()).not.toBe(second);
  });

  test('or is made again at most once per period when that fails', () => {
    const { seed, makeState, setTime } = makeSeed(0);
    const first = seed.getState();
    makeState.mockImplementation(() => {
      throw new FixtureError([{ path: 'runs[0]', message: 'lies before' }]);
    });
    setTime(5_000);
    for (let i = 0; i < 3; i++) expect(seed.getState()).toBe(first);
    expect(makeState).toHaveBeenCalledOnce();

    makeState.mockImplementation(() => {
      throw new RangeError('another error');
    });
    setTime(6_000);
    expect(() => seed.getState()).toThrow('another error');
  });
});
