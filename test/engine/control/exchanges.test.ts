import { request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '#tools/client/index.js';
import { createEmulator, type Emulator, type FaultOptions, type RequestExpectation } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { waitFor } from '../../support/wait.js';

const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };
const ADA = { authorization: 'Bearer ada-token' };

/** Waits for the end of the first exchange, which follows that of its response. */
async function waitForEnd(emulator: Emulator) {
  await waitFor(() => expect(emulator.requests()[0]?.outcome).not.toBeNull());
  return emulator.requests()[0];
}

describe.each([
  ['over HTTP', (emulator: Emulator) => (path: string) => fetch(emulator.url + path, { headers: ADA })],
  ['in-process', (emulator: Emulator) => (path: string) => emulator.fetch(path, { headers: ADA })],
])('an exchange %s', (_, getFetch) => {
  test('has the headers of its response and its outcome', async () => {
    const emulator = await createEmulator({ fixtures });
    const response = await getFetch(emulator)('/v1/me');
    await response.text();

    const entry = await waitForEnd(emulator);
    expect(entry).toMatchObject({ outcome: 'sent', delay: 0, duration: expect.any(Number) });
    expect(entry?.response.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': response.headers.get('content-length'),
      'access-control-allow-origin': '*',
      date: response.headers.get('date'),
    });
    await emulator.close();
  });

  test.each([
    ['reset', { reset: true }, 0],
    ['truncated', { truncate: 3 }, 200],
  ] as const)('is %s by a fault', async (outcome, fault, status) => {
    const emulator = await createEmulator({ fixtures });
    emulator.fail('GET /v1/me', fault);
    const failed = getFetch(emulator)('/v1/me').then((response) => response.text());
    await expect(failed).rejects.toThrow();

    expect(await waitForEnd(emulator)).toMatchObject({ outcome, status });
    await emulator.close();
  });

  test('is delayed by a fault, which counts in its duration', async () => {
    const emulator = await createEmulator({ fixtures });
    emulator.fail('GET /v1/me', { delay: 50 });
    await getFetch(emulator)('/v1/me');

    const entry = await waitForEnd(emulator);
    expect(entry).toMatchObject({ outcome: 'sent', delay: 50 });
    expect(entry?.duration).toBeGreaterThanOrEqual(49);
    await emulator.close();
  });
});

// The nodes of a cluster know the outcome of their own requests.
test.skipIf(isShared)('an exchange is aborted by a client that disconnects before its response', async () => {
  const emulator = await emulate(fixtures);
  emulator.fail('GET /v1/me', { delay: 5_000 });
  const client = request(`${emulator.url}/v1/me`, { headers: ADA }).on('error', () => {});
  client.end();
  await waitFor(() => expect(emulator.requests()).toHaveLength(1));
  expect(emulator.requests()[0]).toMatchObject({ outcome: null, duration: null });
  client.destroy();

  expect(await waitForEnd(emulator)).toMatchObject({ outcome: 'aborted', status: 200 });
});

test.skipIf(isShared)('an in-process exchange is aborted by its signal', async () => {
  const emulator = await emulate(fixtures);
  emulator.fail('GET /v1/me', { delay: 5_000 });
  await expect(emulator.fetch('/v1/me', { headers: ADA, signal: AbortSignal.timeout(10) })).rejects.toThrow('timeout');

  expect(await waitForEnd(emulator)).toMatchObject({ outcome: 'aborted' });
});

test('a request that is refused before it creates a sandbox is not recorded', async () => {
  const onRequest = vi.fn();
  const emulator = await emulate(fixtures, { onRequest });
  for (let i = 0; i < 3; i++) await as(emulator).get(`/_sandbox/box${i}/v1/me`).expect(401);

  expect(emulator.sandboxes()).toEqual([]);
  expect(onRequest.mock.calls.map(([{ id, status, sandbox }]) => [id, status, sandbox])).toEqual([
    [null, 401, 'box0'],
    [null, 401, 'box1'],
    [null, 401, 'box2'],
  ]);
});

describe('without a journal', () => {
  const message = 'The emulator has no journal: start it without --no-journal.';

  test('requests are not recorded, and commits have their ids', async () => {
    const emulator = await emulate(fixtures, { journal: false });
    await as(emulator, 'ada').get('/v1/me').expect(200);
    await as(emulator, 'ada').post('/v1/vals').send({ code: '1' }).expect(200);

    expect(emulator.history().map(({ id }) => id)).toEqual(['r2']);
    expect(() => emulator.requests()).toThrow(message);
    expect(() => emulator.unhandled()).toThrow(message);
    expect(() => emulator.expectRequest('GET /v1/me')).toThrow(message);
    for (const path of ['requests', 'requests/unhandled', 'requests/r1']) {
      const { body } = await as(emulator).get(`/_emulator/${path}`).expect(409);
      expect(body).toEqual({ message, error: 'Conflict', statusCode: 409 });
    }
  });

  test('keepJournal is refused', async () => {
    await expect(createEmulator({ journal: false, keepJournal: true, data: './data' })).rejects.toThrow(
      'keepJournal: expected either keepJournal or journal: false, not both.',
    );
  });
});

describe('an expectation about the end of a response', () => {
  const emulateFault = async (fault: FaultOptions) => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', fault);
    return emulator;
  };

  test.skipIf(isShared)('waits for it, in the same process and in another', async () => {
    const emulator = await emulateFault({ delay: '9m' });
    const abort = new AbortController();
    const init = { headers: ADA, signal: abort.signal };
    const ended = Promise.allSettled([fetch(`${emulator.url}/v1/me`, init), emulator.fetch('/v1/me', init)]);
    await waitFor(() => expect(emulator.requests()).toHaveLength(2));
    expect(emulator.requests({ duration: { max: '1h' } })).toEqual([]);

    const expected = [
      connect(emulator.url).expectRequest('GET /v1/me', { outcome: 'aborted', times: 2 }),
      emulator.expectRequest('GET /v1/me', { duration: { max: '1h' }, times: 2 }),
    ];
    abort.abort();
    await Promise.all(expected);
    await ended;
  });

  test('fails with the differences, at once when no response is open', async () => {
    const emulator = await emulateFault({ reset: true });
    await emulator.fetch('/v1/me', { headers: ADA }).catch(() => {});

    await expect(emulator.expectRequest('GET /v1/me', { outcome: 'sent', duration: { min: '1m' } })).rejects.toThrow(
      isShared
        ? 'outcome: expected "sent", found'
        : /outcome: expected "sent", found "reset"\n {6}duration: expected {"min":"1m"}, found \d/,
    );
    await expect(emulator.expectSequence([{ outcome: 'truncated' }])).rejects.toThrow('outcome: expected "truncated"');
  });

  test.skipIf(isShared)('fails after a second while the response is open, fake timers or not', async () => {
    const emulator = await emulateFault({ delay: '9m' });
    const request = new AbortController();
    const response = emulator.fetch('/v1/me', { headers: ADA, signal: request.signal }).catch(() => {});
    await waitFor(() => expect(emulator.requests()).toHaveLength(1));
    const start = performance.now();
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());

    await expect(emulator.expectRequest('GET /v1/me', { outcome: 'sent' })).rejects.toThrow(
      'outcome: expected "sent", found null',
    );
    expect(performance.now() - start).toBeGreaterThan(900);
    request.abort();
    await response;
    await emulator.expectRequest('GET /v1/me', { outcome: 'aborted' });
  });

  test('may have headers of the response', async () => {
    const emulator = await emulateFault({ status: 429, headers: { 'Retry-After': 3 } });
    await as(emulator, 'ada').get('/v1/me');

    emulator.expectRequest('GET /v1/me', { responseHeaders: { 'retry-after': 3, location: null } });
    expect(() => emulator.expectRequest('GET /v1/me', { responseHeaders: { 'Retry-After': 4 } })).toThrow(
      'responseHeaders.retry-after: expected "4", found "3"',
    );
    const query = new URLSearchParams({ responseHeaders: '{"Retry-After":"3"}', duration: '{"max":"1m"}' });
    if (!isShared) expect((await as(emulator).get(`/_emulator/requests?${query}`)).body).toHaveLength(1);
  });

  test.each<[RequestExpectation, message: string]>([
    [{ duration: {} }, 'option duration: found {}; expected min, max or both.'],
    [
      { duration: { min: '5 s' } },
      'option duration.min: found "5 s"; expected milliseconds, or a duration such as "90s"',
    ],
    [
      { duration: { min: '2s', max: 100 } },
      'option duration: found {"min":"2s","max":100}; expected max to be min or more.',
    ],
  ])('%j is refused', async (expectation, message) => {
    const emulator = await emulate(fixtures);

    expect(() => emulator.expectRequest('GET /v1/me', expectation)).toThrow(message);
  });
});
