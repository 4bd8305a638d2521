import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { as, createEmulator, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }], vals: [] };
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE);

describe('with sandboxIdle', () => {
  test('a sandbox without requests and method calls expires, others stay', async () => {
    const emulator = await emulate(fixtures, { sandboxIdle: '1h' });
    const visit = async (name: string) => (await as(emulator, 'ada').get(`/_sandbox/${name}/v1/me`)).status;
    const called = emulator.sandbox('called');
    emulator.sandbox('left');
    await visit('visited');
    pass(59);
    called.requests();
    await visit('visited');
    pass(1);

    expect(emulator.sandboxes().map(({ name }) => name)).toStrictEqual(['called', 'visited']);
    expect(await visit('visited')).toBe(200);
    pass(60);
    expect(emulator.sandboxes()).toStrictEqual([]);
  });

  test('a request to an expired sandbox returns 404 with the reason, until it is opened again', async () => {
    const emulator = await emulate(fixtures, { sandboxIdle: '1h' });
    emulator.sandbox('left').add.user({ username: 'eve' });
    pass(60);

    const late = await as(emulator, 'ada').get('/_sandbox/left/v1/me');
    const control = await as(emulator).get('/_sandbox/left/_emulator/users');
    const opened = emulator.sandbox('left');

    expect([late.status, control.status]).toStrictEqual([404, 404]);
    expect(late.body.message).toBe(
      'Sandbox "left" is closed: it expired, since it was idle for too long. Create it again, or use another name.',
    );
    expect(opened.users).toHaveLength(1);
    expect((await as(emulator, 'ada').get('/_sandbox/left/v1/me')).status).toBe(200);
  });

  test('the longest idle sandbox makes room at the limit', async () => {
    const emulator = await emulate(fixtures, { sandboxIdle: '1h', maxSandboxes: 2 });
    emulator.sandbox('one');
    emulator.sandbox('two');
    pass(1);
    emulator.sandbox('one').reset();
    pass(1);

    const third = await as(emulator, 'ada').get('/_sandbox/three/v1/me');
    const closed = await as(emulator, 'ada').get('/_sandbox/two/v1/me');

    expect(third.status).toBe(200);
    expect(emulator.sandboxes().map(({ name }) => name)).toStrictEqual(['one', 'three']);
    expect(closed.body.message).toContain('it was idle the longest when the limit of sandboxes was reached');
  });

  test.each([['soon'], [-1], ['']])('%j is refused', async (sandboxIdle) => {
    await expect(createEmulator({ sandboxIdle })).rejects.toThrow(
      `option sandboxIdle: found ${JSON.stringify(sandboxIdle)}; expected milliseconds, 0 for never, or a duration such as`,
    );
  });
});

test('the list has last use, requests and journal size, and is not a use', async () => {
  const emulator = await emulate(fixtures);
  vi.setSystemTime('2026-01-01T00:00:00Z');
  const sandbox = emulator.sandbox('one');
  await sandbox.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  pass(5);

  const { body } = await as(emulator).get('/_emulator/sandboxes');

  expect(body).toStrictEqual([
    {
      name: 'one',
      url: sandbox.url,
      owner: null,
      forkedFrom: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUse: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
      requests: 1,
      journalSize: expect.any(Number),
      kept: false,
    },
  ]);
  expect(body[0].journalSize).toBeGreaterThan(200);
  expect(emulator.sandboxes()).toStrictEqual(body);
});

test.each([
  ['?prefix=job7-', { closed: 2 }, ['job8-a']],
  ['', { closed: 3 }, []],
  ['?prefix=none', { closed: 0 }, ['job7-a', 'job7-b', 'job8-a']],
])('DELETE /_emulator/sandboxes%s closes sandboxes', async (query, answer, left) => {
  const emulator = await emulate(fixtures);
  for (const name of ['job7-a', 'job7-b', 'job8-a']) emulator.sandbox(name);

  const response = await as(emulator).delete(`/_emulator/sandboxes${query}`);

  expect([response.status, response.body]).toStrictEqual([200, answer]);
  expect(emulator.sandboxes().map(({ name }) => name)).toStrictEqual(left);
});

test('a title becomes a new name', async () => {
  const emulator = await emulate(fixtures);
  const open = (body: object) => as(emulator).post('/_emulator/sandboxes').send(body);

  const names = [
    await open({ title: 'test_fail[500]' }),
    await open({ title: 'test_fail[500]' }),
    await open({ title: '' }),
  ];
  const both = await open({ title: 'a', name: 'b' });

  expect(names.map(({ body }) => body.name)).toStrictEqual(['test_fail-500-1', 'test_fail-500-2', '3']);
  expect([both.status, both.body.message]).toStrictEqual([
    400,
    expect.stringContaining('expected either name or title, and one of keep, fixtures and session'),
  ]);
});

test('a full journal drops bodies before requests', async () => {
  const sandbox = (await emulate(fixtures, { listen: false })).sandbox('one');
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify({ name: `val${i}`, code: 'x'.repeat(20_000) });
    await sandbox.fetch('/v1/vals', { method: 'POST', headers, body });
  }

  const requests = sandbox.requests();
  sandbox.expectRequest('POST /v1/vals', { times: 100, headers: { 'content-type': 'application/json' } });
  expect(requests[0]?.request.body).toBe('(dropped: the journal is full)');
  expect(requests.at(-1)?.request.body).toMatchObject({ name: 'val99' });
  expect(sandbox.journal.size).toBeLessThanOrEqual(1_048_576);
});
