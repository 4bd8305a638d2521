import { describe, expect, test } from 'vitest';
import { differencesIn, ME, pullFrom, serveJson, start } from './support.js';

const VAL_ID = '1ff86f92-e9f7-11ee-9325-8aad37b30b4b';
const OTHER_ID = '2ff86f92-e9f7-11ee-9325-8aad37b30b4b';
const AUTHOR = { id: ME.id, username: '404wolf' };

/** A service with one user and these vals. */
const serveVals = (vals: readonly object[]) =>
  serveJson((target) => {
    const path = target.replace(/\?.*/, '');
    if (path === '/v1/me') return { ...ME, username: '404wolf', email: 'wolf@planted.example', tier: 'pro' };
    if (path === `/v1/users/${ME.id}/vals`) return { data: vals, links: {} };
    const found = vals.find((val) => 'id' in val && path === `/v1/vals/${val.id}`);
    return found ?? (/^\/v1\/me\/|versions$/.test(path) ? { data: [], links: {} } : undefined);
  });

const VAL = {
  ...{ id: VAL_ID, name: 'hello', version: 0, code: 'export {};', privacy: 'public', type: 'script', readme: null },
  ...{ createdAt: '2024-06-11T22:05:12.585Z', versionCreatedAt: '2024-06-11T22:05:12.585Z', author: AUTHOR },
  ...{ likeCount: 0, referenceCount: 0 },
};

/** One val that has run often. */
const OFTEN = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export {};' }],
  runs: Array.from({ length: 250 }, (_, i) => ({ val: 'ada/hello', runStartAt: `-${i + 1}m` })),
};

describe('a pull', () => {
  test('drops records that fixtures do not allow, and lists them', async () => {
    const url = await serveVals([VAL, { ...VAL, id: OTHER_ID, name: 'half-done' }]);
    const { fixtures, pulled } = await pullFrom({ url });
    expect(fixtures.users).toMatchObject([{ id: ME.id, username: null }]);
    expect(fixtures.vals.map(({ name }) => name)).toEqual(['hello']);
    expect(pulled.unseen).toContainEqual(expect.stringMatching(/skipped: users 404wolf username: found "404wolf"/));
    expect(pulled.unseen).toContainEqual(expect.stringMatching(/skipped: vals half-done name: found "half-done"/));
  });

  test('names the value of another type', async () => {
    const url = await serveVals([{ ...VAL, version: 'one' }]);
    await expect(pullFrom({ url })).rejects.toThrow(
      `GET /v1/vals/${VAL_ID} responded with another shape: /version must be integer.`,
    );
  });

  test('reports missing keys with a default as drift', async () => {
    const { readme: _, likeCount: __, type: ___, ...bare } = VAL;
    const result = await pullFrom({ url: await serveVals([bare]) });
    expect(result.fixtures.vals).toMatchObject([{ name: 'hello', readme: null, type: 'script' }]);
    const lacking = ['likeCount', 'readme', 'type'].map(
      (key) => `/v1/vals/{id}/value/$.${key}: The service has nothing`,
    );
    const found = differencesIn(result).map((line) => line.replace(/; the emulator .*/, ''));
    expect(found).toEqual(expect.arrayContaining(lacking));
  });

  test('reports another order once', async () => {
    const emulator = await start({ fixtures: OFTEN });
    const url = await serveJson(async (target, base) => {
      const response = await emulator.fetch(target, { headers: { authorization: 'Bearer ada-token' } });
      if (!response.ok) return undefined;
      const body = JSON.parse((await response.text()).replaceAll(emulator.url, base));
      return target.startsWith('/v1/me/runs') ? { ...body, data: body.data.reverse() } : body;
    });
    const result = await pullFrom({ url });
    expect(result.fixtures.runs).toHaveLength(250);
    expect(differencesIn(result)).toEqual([
      expect.stringMatching(
        /^\/v1\/me\/runs\/order\/\$\.data: The service has [0-9a-f-]{36}; the emulator has [0-9a-f-]{36}\.$/,
      ),
    ]);
    const [, equal, compared] = / for (\d+) of (\d+) documents and lists\.$/.exec(result.drift.remarks[0] ?? '') ?? [];
    expect(Number(compared) - Number(equal)).toBe(1);
  });

  test('refuses a list that repeats a page forever', async () => {
    const url = await serveJson((target, base) => {
      const path = target.replace(/\?.*/, '');
      if (path === '/v1/me') return ME;
      const offset = Number(new URL(target, base).searchParams.get('offset'));
      return { data: [VAL], links: { next: `${base}${path}?offset=${offset + 1}` } };
    });
    await expect(pullFrom({ url })).rejects.toThrow(/ adds no items, but links to a next one\.$/);
  });

  test('sends no more requests after an error', async () => {
    const emulator = await start({ fixtures: OFTEN });
    emulator.fail('GET /v1/runs/{run_id}', { status: 500, after: 20, times: 1 });
    await expect(pullFrom(emulator)).rejects.toThrow(/GET \/v1\/runs\/\S+ responded 500\.$/);
    const sent = emulator.requests({ limit: 1_000 }).filter(({ path }) => path.startsWith('/v1/runs/'));
    expect(sent.length).toBeLessThan(30);
  });

  test('compares the links of pages', async () => {
    const { url } = await start({ fixtures: OFTEN });
    const proxied = await serveJson(async (target, base) => {
      const response = await fetch(url + target, { headers: { authorization: 'Bearer ada-token' } });
      const text = (await response.text()).replaceAll(url, base);
      return response.ok ? JSON.parse(text.replaceAll(/,"prev":"[^"]*"/g, '')) : undefined;
    });
    const found = differencesIn(await pullFrom({ url: proxied }, { runDetails: false }));
    expect(found).toContainEqual(
      expect.stringMatching(/^\/v1\/me\/runs\/value\/\$\.pages\[\]\.prev: The service has nothing; the emulator has /),
    );
  });

  test('keeps the counts of pulled fixtures', async () => {
    const emulator = await start();
    const { fixtures } = await pullFrom(emulator);
    const second = await start({ fixtures });
    expect(differencesIn(await pullFrom(second))).toEqual([]);
  });

  test('replaces the address of the account in texts', async () => {
    const emulator = await start({
      fixtures: {
        users: [{ username: 'ada', email: 'ada@planted.example', bio: 'Write to Ada@planted.example.' }],
        vals: [{ author: 'ada', name: 'mail', code: 'send("ada@planted.example", "bob@other.example");' }],
      },
    });
    const result = await pullFrom(emulator, { keepAddresses: false });
    expect(differencesIn(result)).toEqual([]);
    expect(JSON.stringify(result.fixtures)).not.toMatch(/planted/i);
    expect(result.fixtures.vals[0]?.code).toBe('send("ada@example.com", "bob@other.example");');
  });
});
