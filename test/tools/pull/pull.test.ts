import { describe, expect, test } from 'vitest';
import { sized } from '../../support/soak.js';
import { differencesIn, ME, pullFrom, serveJson, start } from './support.js';

/** Thousands of requests, on a machine with other work. */

describe('a pulled account', () => {
  test.each(['default', 'empty', 'busy', 'popular', 'failures', 'edge-cases'])(
    'has the same pages for the dataset %s',
    async (fixtures) => {
      const emulator = await start({ fixtures });
      for (const { token } of emulator.users.slice(0, 3)) {
        const result = await pullFrom(emulator, { token });
        expect(differencesIn(result)).toEqual([]);
        expect(emulator.requests().every(({ method }) => method === 'GET')).toBe(true);
      }
    },
  );
});

describe('a pull', () => {
  const FIXTURES = {
    users: [{ username: 'ada', email: 'ada@planted.example', bio: 'Ada of Planted' }, { username: 'grace' }],
    vals: [
      { author: 'ada', name: 'hello', code: 'const key = "ada-token";', privacy: 'public' as const },
      { author: 'ada', name: 'secret', code: 'export const secret = 1;', privacy: 'private' as const },
      { author: 'grace', name: 'user', code: 'import { hello } from "https://esm.town/v/ada/hello";' },
    ],
    runs: [{ val: 'ada/hello' }, { val: 'ada/secret' }],
    likes: [{ user: 'grace', val: 'ada/hello' }],
    comments: [
      { author: 'grace', val: 'ada/hello', comment: 'Nice, @ada' },
      { author: 'grace', val: 'ada/secret', comment: 'How do you know?' },
    ],
  };

  test('equals a large account in spite of faults', async () => {
    const emulator = await start({
      generate: { users: sized(5, 20), vals: sized(50, 200), runs: sized(1_500, 5_000), seed: 3 },
    });
    const busiest = emulator.users
      .map((user) => ({
        ...user,
        vals: emulator.state().vals.filter(({ author }) => author === user.username).length,
      }))
      .sort((a, b) => b.vals - a.vals)[0];
    if (!busiest) throw new Error('there is one');
    emulator.fail('*', { status: 429, headers: { 'retry-after': '0' }, after: 3, times: 4 });
    emulator.fail('*', { status: 503, after: 20, times: 2 });
    emulator.fail('*', { reset: true, after: 30, times: 2 });
    emulator.fail('*', { truncate: 10, after: 35, times: 2 });
    emulator.fail('*', { delay: 200, after: 40, times: 5 });

    const result = await pullFrom(emulator, { token: busiest.token });
    expect(differencesIn(result)).toEqual([]);
    expect(result.fixtures.runs.length).toBeGreaterThan(100);
  });

  test('ends with the reason of an interruption', async () => {
    const interruption = new AbortController();
    const onProgress = (done: number) => void (done === 20 && interruption.abort(new Error('Ctrl-C')));
    const pulling = pullFrom(await start(), { signal: interruption.signal, onProgress });
    await expect(pulling).rejects.toThrow('Ctrl-C');
  });

  test('contains no private vals, addresses, pictures and tokens', async () => {
    const emulator = await start({ fixtures: FIXTURES });
    const result = await pullFrom(emulator, { privateVals: false, keepAddresses: false });
    expect(differencesIn(result)).toEqual([]);
    expect(result.pulled.records).toMatchObject({ vals: 2, runs: 1, comments: 1, likes: 1 });
    expect(JSON.stringify(result)).not.toMatch(/ada-token|planted\.example|secret|How do you know/);
    expect(result.fixtures.users[0]).toMatchObject({
      username: 'ada',
      email: 'ada@example.com',
      profileImageUrl: null,
    });
  });

  test('lists hidden facts, and makes placeholders with the same counts', async () => {
    const emulator = await start({ fixtures: FIXTURES });
    const { fixtures, pulled } = await pullFrom(emulator);
    expect(pulled.unseen.join('\n')).toMatch(/Who else likes the vals: placeholder users/);
    expect(fixtures.users.map(({ username }) => username)).toEqual(['ada', 'grace', 'placeholder_1']);
    expect(pulled.read).toMatchObject({ '/v1/me': 1, '/v1/vals/{id}': 3, '/v1/runs/{id}': 2 });
  });

  test('reads blobs byte by byte, with private vals only', async () => {
    const blobs = [
      { user: 'ada', key: 'a/b', base64: 'AP8=', createdAt: '2024-01-01T00:00:00.000Z' },
      { user: 'ada', key: 'ä', text: 'ä', createdAt: '2024-01-02T00:00:00.000Z' },
    ];
    const emulator = await start({ fixtures: { ...FIXTURES, blobs } });

    expect((await pullFrom(emulator, { token: 'ada-token', privateVals: true })).fixtures.blobs).toStrictEqual(blobs);
    expect((await pullFrom(emulator, { token: 'ada-token', privateVals: false })).fixtures.blobs).toBeUndefined();
  });

  test('reads neither emails nor the database', async () => {
    const sqlite = [{ user: 'ada', sql: 'CREATE TABLE notes (text)' }];
    const emulator = await start({ fixtures: { ...FIXTURES, emails: [{ user: 'ada' }], sqlite } });
    const { fixtures, pulled } = await pullFrom(emulator, { token: 'ada-token', privateVals: true });
    expect(emulator.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(Object.keys(fixtures).sort()).toEqual(['comments', 'likes', 'runs', 'users', 'vals', 'versions']);
    expect(pulled.unseen).toContain('The emails and the database of the account: no GET has them.');
  });

  test('limits runs and comments by a time', async () => {
    const emulator = await start();
    const all = await pullFrom(emulator);
    const since = all.fixtures.runs.at(-10)?.runStartAt;
    const { fixtures, drift } = await pullFrom(emulator, { since });
    expect(fixtures.runs).toEqual(all.fixtures.runs.slice(-9));
    expect(drift.totals.different).toBe(0);
  });

  test('reads a service that has only the routes of the specification', async () => {
    const emulator = await start({ specOnly: true });
    const { fixtures, pulled, drift } = await pullFrom(emulator, { keepAddresses: false });
    expect(drift.totals.different).toBe(0);
    expect(fixtures.vals.length).toBeGreaterThan(3);
    expect(pulled.unseen).toContainEqual(expect.stringContaining('does not have GET /v1/users/{user_id}/vals'));
    expect(pulled.unseen).toContainEqual(expect.stringContaining('does not have GET /v1/runs/{run_id}'));
  });

  test.each([
    ['HTML', () => '<h1>Hi</h1>', 'is not a vals API: GET /v1/me responded with text/html in place of JSON.'],
    ['a 404 everywhere', () => undefined, ': GET /v1/me responded 404.'],
    [
      'another shape',
      () => ({ name: 'ada' }),
      ": GET /v1/me responded with another shape: it must have required property 'id'.",
    ],
    [
      'a page that links to itself',
      (path: string, base: string) => (path === '/v1/me' ? ME : { data: [], links: { next: base + path } }),
      /: the page \S+ links to an earlier one\.$/,
    ],
    [
      'a link to another service',
      (path: string) => (path === '/v1/me' ? ME : { data: [], links: { next: 'https://example.com/v1/x' } }),
      'has a link to "https://example.com/v1/x", which is not of this service.',
    ],
  ])('refuses a service with %s in one line', async (_, respond, message) => {
    const url = await serveJson(respond);
    await expect(pullFrom({ url })).rejects.toThrow(message);
  });
});
