import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../src/index.js';
import { FAKE_TIMERS, settle } from './support/fake-timers.js';

const YEAR_2031 = Date.UTC(2031, 0, 1);
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

async function make(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await createEmulator({ listen: false, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Saves a val as a program does: it tries again after 1 s, then 2 s, while the service is unavailable. */
async function save(send: typeof fetch): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    const body = JSON.stringify({ name: 'counter', code: '1' });
    const response = await send('/v1/vals', { method: 'PUT', headers, body });
    if (response.status !== 503) return response.json();
    await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** attempt));
  }
}

const readTime = (emulator: Pick<Emulator, 'clock'>) => emulator.clock.now.getTime();
const expectRealTime = (emulator: Pick<Emulator, 'clock'>) =>
  expect(Math.abs(readTime(emulator) - Date.now())).toBeLessThan(1_000);

describe.each(FAKE_TIMERS)('fake timers of %s', (_, timers) => {
  afterEach(() => timers.restore());

  describe.each(['before', 'after'])('installed %s the emulator is created', (order) => {
    async function begin(options?: EmulatorOptions): Promise<Emulator> {
      if (order === 'before') timers.use(YEAR_2031);
      const emulator = await make(options);
      if (order === 'after') timers.use(YEAR_2031);
      return emulator;
    }

    test('the clock follows the process, and so do sandboxes, and real time comes back', async () => {
      const emulator = await begin();
      expect(readTime(emulator)).toBe(YEAR_2031);

      timers.setTime(YEAR_2031 + 5);
      const sandbox = emulator.sandbox();
      expect([readTime(emulator), readTime(sandbox)]).toEqual([YEAR_2031 + 5, YEAR_2031 + 5]);

      timers.restore();
      expectRealTime(emulator);
      expectRealTime(sandbox);
    });

    test('a program succeeds after two injected 503s and two pauses', async () => {
      const sandbox = (await begin()).sandbox();
      sandbox.fail('PUT /v1/vals', { status: 503, times: 2 });
      const saved = vi.fn();
      void save(sandbox.fetch).then(saved);

      await timers.advance(2_900);
      expect(saved).not.toHaveBeenCalled();
      await timers.advance(500);

      expect(saved).toHaveBeenCalledWith(expect.objectContaining({ name: 'counter' }));
      expect(sandbox.requests().map(({ status }) => status)).toEqual([503, 503, 200]);
    });

    test('an injected delay passes as the fake time does', async () => {
      const emulator = await begin();
      emulator.fail('GET /v1/me', { delay: 60_000 });
      const responded = vi.fn();
      void emulator.fetch('/v1/me', { headers }).then(responded);

      await timers.advance(59_990);
      expect(responded).not.toHaveBeenCalled();
      await timers.advance(20);

      expect(responded).toHaveBeenCalledOnce();
    });

    test('a window of the rate limit ends as the fake time passes', async () => {
      const emulator = await begin({ rateLimit: { limit: 1, window: '1m' } });
      const send = async () => (await emulator.fetch('/v1/me', { headers })).status;
      expect([await send(), await send()]).toEqual([200, 429]);

      await timers.advance(60_000);
      expect([await send(), await send()]).toEqual([200, 429]);

      // The window of the fake time lies in the future of the real time.
      timers.restore();
      expect(await send()).toBe(200);
    });

    test('a frozen clock does not follow', async () => {
      const emulator = await begin({ now: '2024-06-11T22:05:12.585Z' });
      timers.setTime(YEAR_2031 + 60_000);
      expect(emulator.clock.read()).toEqual({ now: '2024-06-11T22:05:12.585Z', frozen: true });

      timers.restore();
      expect(emulator.clock.read().now).toBe('2024-06-11T22:05:12.585Z');
    });
  });

  test('an emulator that is created, seeded and used needs no timer', async () => {
    timers.use(YEAR_2031);
    const onRequest = vi.fn();
    const emulator = await make({ onRequest });
    emulator.reseed({
      users: [{ username: 'ada' }],
      vals: [{ author: 'ada', name: 'hello', code: '1' }],
      runs: [{ val: 'ada/hello' }],
    });
    emulator.reset();

    const response = await emulator.fetch('/v1/me/runs', { headers });

    expect(await response.json()).toMatchObject({ data: [{ runStartAt: '2031-01-01T00:00:00.000Z' }] });
    await settle();
    expect(onRequest).toHaveBeenCalledOnce();
  });

  test('generated data needs no timer', async () => {
    timers.use(YEAR_2031);
    const emulator = await make({ generate: { users: 2, vals: 3, runs: 5 } });
    await emulator.reseed({ generate: { users: 1, vals: 1, runs: 1 } });

    const response = await emulator.fetch('/_emulator/records/runs', { headers });

    expect(await response.json()).toMatchObject({ total: 1 });
  });

  test('a server that listens responds, also late, and warns once of its socket', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const emulator = await make({ listen: true });
    await fetch(`${emulator.url}/v1/me`);
    emulator.clearRequests();
    expect(warn).not.toHaveBeenCalled();
    timers.use(YEAR_2031);
    emulator.fail('GET /v1/me', { delay: 60_000, times: 1 });
    const [responded, sent] = [vi.fn(), performance.now()];
    const late = fetch(`${emulator.url}/v1/me`, { headers }).then(responded);
    while (emulator.requests().length === 0) await settle();
    await settle();
    expect(responded).not.toHaveBeenCalled();

    await timers.advance(60_000);
    await late;

    expect(performance.now() - sent).toBeLessThan(61_000);
    expect(responded).toHaveBeenCalledWith(expect.objectContaining({ status: 200 }));
    await fetch(`${emulator.url}/v1/me`);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('docs/recipes/fake-timers.md')]]);
  });
});

test('an aborted request stops waiting, with the timers of its start', async () => {
  vi.useFakeTimers();
  const emulator = await make();
  emulator.fail('GET /v1/me', { delay: 60_000 });
  const controller = new AbortController();
  const request = emulator.fetch('/v1/me', { headers, signal: controller.signal });
  await vi.advanceTimersByTimeAsync(10);
  expect(vi.getTimerCount()).toBe(1);

  controller.abort(new Error('no longer needed'));

  await expect(request).rejects.toThrow('no longer needed');
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
