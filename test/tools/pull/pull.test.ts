import { describe, expect, test } from 'vitest';
import { isObject } from '#engine/lib/objects.js';
import { sized } from '../../support/soak.js';
import { RICH, writeHistory } from './rich.js';
import { findUnlike, ME, pullFrom, serveJson, start } from './support.js';

/** Keeps an account on an emulator whose responses are changed. @param change of the parsed body */
const planted = (route: RegExp, change: (body: Record<string, unknown>) => unknown) => ({
  async fetch(...[input, init]: Parameters<typeof fetch>) {
    const response = await fetch(input, init);
    if (!route.test(new URL(String(input)).pathname) || response.status !== 200) return response;
    const body: unknown = await response.json();
    return Response.json(isObject(body) ? change(body) : body);
  },
});
const mapItems = (change: (item: object, i: number) => unknown) => (body: Record<string, unknown>) => ({
  ...body,
  data: Array.isArray(body.data) ? body.data.map((item, i) => change(item, i)) : [],
});

/** One val that has run often. */
const OFTEN = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export {};' }],
  runs: Array.from({ length: 250 }, (_, i) => ({ val: 'ada/hello', runStartAt: `-${i + 1}m` })),
};

describe('a pull', () => {
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
    expect(result.fixtures.runs?.length).toBeGreaterThan(100);
    expect(await findUnlike(emulator, result, busiest.token)).toEqual([]);
  });

  test('ends with the reason of an interruption', async () => {
    const interruption = new AbortController();
    const onProgress = (done: number) => void (done === 20 && interruption.abort(new Error('Ctrl-C')));
    const pulling = pullFrom(await start(), { signal: interruption.signal, onProgress });
    await expect(pulling).rejects.toThrow('Ctrl-C');
  });

  test('contains nothing private, no addresses and pictures', async () => {
    const emulator = await start({ fixtures: RICH });
    const result = await pullFrom(emulator, { scope: { private: false }, keepAddresses: false });
    expect(result.pulled.records).toEqual({
      ...{ users: 4, organizations: 1, memberships: 2, projects: 3, branches: 3, commits: 2 },
      ...{ vals: 2, versions: 1, runs: 1, likes: 2, comments: 1 },
    });
    expect(JSON.stringify(result)).not.toMatch(/planted|secret|s3cret|vault|hidden|a\.png|API_KEY|How do you know/);
    expect(result.fixtures.users?.[0]).toMatchObject({ email: 'ada@example.com', profileImageUrl: null });
    const [, files] = (result.fixtures.commits ?? []).map((commit) => commit.files);
    expect(files).toMatchObject({ 'notes_[1]_(draft)$.md': { text: '# ada@example.com\r\n\tä 🜁' } });
  });

  test('contains no token and no value of a variable, whatever it reads', async () => {
    const emulator = await start({ fixtures: RICH });
    const leak = mapItems((item) => ({ ...item, value: 's3cret-value', token: 'leaked-token' }));
    const result = await pullFrom(emulator, planted(/environment_variables$/, leak));
    expect(result.fixtures.environment).toMatchObject([{ key: 'SHOP' }, { key: 'API_KEY' }, { key: 'OTHER' }]);
    expect(JSON.stringify(result)).not.toMatch(/ada-token|s3cret|an0ther|leaked-token/);
    expect(result.fixtures.blobs).toMatchObject([{ base64: 'AP8=' }, { text: 'with (removed)' }]);
    expect(result.pulled.unseen).toContainEqual(
      'The key "value" of GET /v2/vals/{val_id}/environment_variables: fixtures have none.',
    );
  });

  test('makes placeholders with the same counts', async () => {
    const emulator = await start({ fixtures: RICH });
    const result = await pullFrom(emulator);
    expect(result.fixtures.users?.map(({ username }) => username)).toEqual(['ada', 'linus', 'grace', 'placeholder_1']);
    expect(result.pulled.unseen).toContainEqual(expect.stringMatching(/^Who else likes and imports the vals: /));
    const again = await start({ fixtures: result.fixtures });
    expect(await findUnlike(again, await pullFrom(again))).toEqual([]);
  });

  test('sends GET requests alone, and so reads neither emails nor databases', async () => {
    const emulator = await start({ fixtures: RICH });
    const { fixtures, pulled } = await pullFrom(emulator);
    expect(emulator.requests({ limit: 1_000 }).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(Object.keys(fixtures)).not.toEqual(expect.arrayContaining(['emails']));
    expect(Object.keys(fixtures)).not.toEqual(expect.arrayContaining(['sqlite']));
    expect(pulled.unseen).toContainEqual(expect.stringMatching(/^The emails, the databases, .*: no GET has them\.$/));
  });

  test('limits runs and comments by a time, and lists by a number', async () => {
    const emulator = await start({ fixtures: OFTEN });
    const { fixtures: all } = await pullFrom(emulator);
    const since = String(all.runs?.at(-10)?.runStartAt);
    expect((await pullFrom(emulator, { since })).fixtures.runs).toEqual(all.runs?.slice(-9));
    emulator.clearRequests();
    const { fixtures, pulled } = await pullFrom(emulator, { limit: 110 });
    expect(fixtures.runs).toEqual(all.runs?.slice(-110));
    expect(emulator.requests().filter(({ path }) => path.startsWith('/v1/me/runs'))).toHaveLength(2);
    expect(pulled.unseen).toContainEqual('GET /v1/me/runs: only the first 110 items of a list (--limit).');
    expect((await pullFrom(emulator, { limit: 250 })).pulled.unseen.join()).not.toContain('--limit');
  });

  test('reads neither details of runs nor history on request', async () => {
    const emulator = await start({ fixtures: RICH });
    await writeHistory(emulator);
    const { fixtures, pulled } = await pullFrom(emulator, { scope: { runDetails: false, history: false } });
    expect(pulled.read).not.toHaveProperty('/v1/runs/{run_id}');
    expect(fixtures.runs?.[0]).not.toHaveProperty('logs');
    expect(fixtures).not.toHaveProperty('versions');
    expect(pulled.unseen).toEqual(
      expect.arrayContaining([
        'The logs, arguments and return values of runs: --no-run-details.',
        'What files and vals were in earlier versions: --no-history.',
      ]),
    );
  });

  test('reads the project of another user by its name, and its owner', async () => {
    const emulator = await start({ fixtures: RICH });
    const { fixtures, pulled } = await pullFrom(emulator, {
      projects: ['grace/theirs', 'others/public', 'ada/site', 'grace/none'],
    });
    const names = fixtures.projects?.map(({ name }) => name) ?? [];
    expect(names.sort()).toEqual(['bare', 'hidden', 'public', 'shop', 'site', 'theirs', 'vault']);
    expect(fixtures.organizations?.map(({ username }) => username)).toEqual(['acme', 'others']);
    expect(pulled.unseen).toContainEqual(
      'GET /v2/alias/vals/{username}/{val_name} is not readable: 404, 1 of 4 requests, the first one to /v2/alias/vals/grace/none.',
    );
  });
});

describe('a service that does not show all', () => {
  const ROUTES = [
    ...['/v2/orgs', '/v2/orgs/{org_id}/memberships', '/v2/me/vals', '/v2/vals'],
    ...['/v2/vals/{val_id}/branches', '/v2/vals/{val_id}/files', '/v2/vals/{val_id}/files/content'],
    ...['/v2/vals/{val_id}/environment_variables', '/v1/users/{user_id}/vals', '/v1/users/{user_id}'],
    ...['/v1/me/likes', '/v1/me/comments', '/v1/me/references', '/v1/me/runs', '/v1/runs/{run_id}'],
    ...['/v1/vals/{val_id}', '/v1/vals/{val_id}/versions', '/v1/vals/{val_id}/versions/{version}'],
    ...['/v1/blob', '/v1/blob/{key}'],
  ] as const;

  test.each(ROUTES.map((route, i) => ({ route, status: [403, 404, 501][i % 3] ?? 404 })))(
    'is pulled without $route, which is reported, by $status',
    async ({ route, status }) => {
      const emulator = await start({ fixtures: RICH });
      emulator.fail(`GET ${route}`, { status });
      const { pulled, fixtures } = await pullFrom(emulator);
      expect(pulled.unseen).toContainEqual(expect.stringContaining(`GET ${route} is not readable: ${status}`));
      expect(fixtures.users?.[0]).toMatchObject({ username: 'ada' });
      expect(pulled.read).not.toHaveProperty([route]);
    },
  );

  test('is pulled with what a version of a branch lacks', async () => {
    const emulator = await start({ fixtures: RICH });
    await writeHistory(emulator);
    emulator.fail('GET /v2/vals/{val_id}/files', { status: 404, after: 12, times: 6 });
    const { pulled, fixtures } = await pullFrom(emulator);
    expect(pulled.unseen).toContainEqual(
      expect.stringMatching(/^GET \/v2\/vals\/\{val_id\}\/files is not readable: 404, 6 of \d+ requests/),
    );
    const second = await start({ fixtures });
    const versions = (from: typeof emulator) => from.state().branches.map(({ name, id }) => [name, id]);
    expect(versions(second)).toEqual(versions(await start({ fixtures: (await pullFrom(emulator)).fixtures })));
  });

  test('has no /v2', async () => {
    const emulator = await start({ fixtures: RICH, specOnly: true });
    const { fixtures, pulled } = await pullFrom(emulator, { keepAddresses: false });
    expect(Object.keys(fixtures)).toEqual(['users', 'vals', 'versions', 'runs', 'likes', 'comments']);
    for (const route of ['/v2/me/vals', '/v2/orgs', '/v1/users/{user_id}/vals', '/v1/runs/{run_id}', '/v1/blob'])
      expect(pulled.unseen).toContainEqual(expect.stringContaining(`GET ${route} is not readable: `));
  });

  test('has no vals of /v1', async () => {
    const emulator = await start({ fixtures: RICH });
    const { fetch: send } = { fetch: globalThis.fetch };
    const { fixtures, pulled } = await pullFrom(emulator, {
      fetch: async (input, init) =>
        /\/v1\/(?:vals|runs|me\/|users\/[^/]+\/vals)/.test(String(input))
          ? Response.json({ message: 'gone' }, { status: 404 })
          : await send(input, init),
    });
    expect(pulled.records).toMatchObject({ users: 2, organizations: 1, projects: 5, environment: 3, blobs: 2 });
    expect(Object.keys(fixtures)).not.toEqual(expect.arrayContaining(['vals']));
    expect(pulled.unseen).toContainEqual('GET /v1/me/runs is not readable: 404.');
  });

  test('is asked no more for what it never shows', async () => {
    const emulator = await start({ fixtures: OFTEN });
    emulator.fail('GET /v1/runs/{run_id}', { status: 403 });
    const { fixtures, pulled } = await pullFrom(emulator);
    expect(fixtures.runs).toHaveLength(250);
    const sent = emulator.requests({ limit: 1_000 }).filter(({ path }) => path.startsWith('/v1/runs/'));
    expect(sent.length).toBeLessThan(30);
    expect(pulled.unseen).toContainEqual(
      expect.stringMatching(/\{run_id\} is not readable: 403, 2\d of 250 requests, .*; 2\d\d more were not sent\.$/),
    );
  });

  test('is asked no more after an error', async () => {
    const emulator = await start({ fixtures: OFTEN });
    emulator.fail('GET /v1/runs/{run_id}', { status: 500, after: 20, times: 1 });
    await expect(pullFrom(emulator)).rejects.toThrow(/GET \/v1\/runs\/\S+ responded 500\.$/);
    const sent = emulator.requests({ limit: 1_000 }).filter(({ path }) => path.startsWith('/v1/runs/'));
    expect(sent.length).toBeLessThan(30);
  });
});

describe('a service with other records', () => {
  test('reads the code of vals that lists name without it', async () => {
    const emulator = await start({ fixtures: RICH });
    const change = mapItems((item) => ({ ...item, code: null }));
    const { fixtures } = await pullFrom(emulator, planted(/^\/v1\/(?:users\/[^/]+\/vals|me\/likes)$/, change));
    expect(fixtures.vals?.map(({ name, code }) => [name, code])).toEqual([
      ['user', 'import { hello } from "https://esm.town/v/ada/hello";'],
      ['hello', 'export const hello = "(removed)";'],
      ['secret', 'export const secret = 1;'],
    ]);
  });

  test('leaves out what fixtures do not allow, once in words', async () => {
    const emulator = await start({ fixtures: RICH });
    const change = mapItems((item) => ({ ...item, imageUrl: 'no url', stars: 3 }));
    const { fixtures, pulled } = await pullFrom(emulator, planted(/^\/v2\/me\/vals$/, change));
    expect(fixtures.projects).toHaveLength(5);
    expect(fixtures.branches).toHaveLength(5);
    expect(fixtures.projects?.[0]).not.toHaveProperty('stars');
    expect(pulled.unseen).toEqual(
      expect.arrayContaining([
        'The key "stars" of GET /v2/me/vals: fixtures have none.',
        'Fixtures do not allow it, so it is left out: projects site imageUrl: found "no url"; expected a URL. The same holds for 2 others.',
      ]),
    );
  });

  test('keeps users without a name that fixtures allow, and drops other records and what refers to them', async () => {
    const emulator = await start({ fixtures: RICH });
    const me = planted(/^\/v1\/me$/, (body) => ({ ...body, username: '404wolf', tier: 'business' }));
    const { fixtures, pulled } = await pullFrom(emulator, me);
    expect(fixtures.users?.[0]).toMatchObject({ username: null });
    expect(fixtures.users?.[0]).not.toHaveProperty('tier');
    expect(pulled.unseen).toContainEqual(
      expect.stringContaining('left out: users 404wolf username: found "404wolf"; expected a name'),
    );
    const names = mapItems((item, i) => (i === 0 ? { ...item, name: 'two words' } : item));
    const second = await pullFrom(emulator, planted(/^\/v2\/me\/vals$/, names));
    expect(second.fixtures.projects).toHaveLength(4);
    expect(second.fixtures.branches).toHaveLength(4);
    expect(second.pulled.unseen).toContainEqual(expect.stringContaining('left out: projects two words name: found '));
  });

  test('leaves out files with hostile paths and texts', async () => {
    const emulator = await start({ fixtures: RICH });
    const paths = ['../../etc/passwd', 'a b', '__proto__', 'x'.repeat(2_000)];
    const change = (body: Record<string, unknown>) =>
      mapItems((item, i) => (i < paths.length && 'path' in item ? { ...item, path: paths[i] } : item))(body);
    const { fixtures, pulled } = await pullFrom(emulator, planted(/\/files$/, change));
    const written = JSON.stringify(fixtures.commits);
    expect(written).not.toContain('etc/passwd');
    expect(written).toContain('many/file9.txt');
    expect(pulled.unseen.join('\n')).toMatch(/not readable|left out: commits/);
    await start({ fixtures });
  });

  test('names no file and no folder of this machine', async () => {
    const emulator = await start({ fixtures: RICH });
    const steal = mapItems((item) => ({
      ...item,
      folder: '/etc',
      files: { a: { file: '/etc/passwd' } },
      env: { A: '1' },
    }));
    const { fixtures } = await pullFrom(emulator, planted(/^\/v2\/me\/vals$/, steal));
    expect(fixtures.projects).toHaveLength(5);
    for (const project of fixtures.projects ?? []) {
      expect(Object.keys(project)).not.toEqual(expect.arrayContaining(['folder']));
      expect(Object.keys(project)).not.toEqual(expect.arrayContaining(['files']));
      expect(Object.keys(project)).not.toEqual(expect.arrayContaining(['env']));
    }
  });

  test('has at most ten thousand versions of a branch', async () => {
    const emulator = await start({
      fixtures: { users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'a' }] },
    });
    const change = mapItems((item) => ({ ...item, version: 1e9 }));
    const { fixtures, pulled } = await pullFrom(emulator, {
      scope: { history: false },
      ...planted(/\/branches$/, change),
    });
    expect(fixtures.commits).toHaveLength(10_000);
    expect(pulled.unseen).toContainEqual('The versions of the branch main: fixtures have at most 10000.');
  });

  test.each([
    ['HTML', () => '<h1>Hi</h1>', 'is not a vals API: GET /v1/me responded with text/html in place of JSON.'],
    ['a 404 everywhere', () => undefined, 'GET /v1/me is not readable: 404.'],
    ['no id', () => ({ name: 'ada' }), 'GET /v1/me responded with another shape: expected an id.'],
    ['a list in place of a user', () => [ME], 'GET /v1/me responded with another shape: expected an object.'],
    [
      'a list without items',
      (path: string) => (path === '/v1/me' ? ME : { items: [] }),
      'responded with another shape: expected a list of objects.',
    ],
    [
      'deep JSON',
      (path: string) => (path === '/v1/me' ? ME : JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`)),
      'responded with another shape: expected at most 500 levels.',
    ],
    [
      'a page that links to itself',
      (path: string, base: string) => (path === '/v1/me' ? ME : { data: [ME], links: { next: base + path } }),
      / adds no items, but links to a next one\.$/,
    ],
    [
      'a list that repeats a page forever',
      (path: string, base: string) => {
        if (path === '/v1/me') return ME;
        const url = new URL(path, base);
        const offset = Number(url.searchParams.get('offset'));
        return { data: [{ id: ME.id }], links: { next: `${base}${url.pathname}?offset=${offset + 1}` } };
      },
      / adds no items, but links to a next one\.$/,
    ],
    [
      'a link to another service',
      (path: string) => (path === '/v1/me' ? ME : { data: [ME], links: { next: 'https://example.com/v1/x' } }),
      'has a link to "https://example.com/v1/x", which is not of this service.',
    ],
  ])('is refused for %s in one line', async (_, respond, message) => {
    const url = await serveJson(respond);
    await expect(pullFrom({ url })).rejects.toThrow(message);
  });
});
