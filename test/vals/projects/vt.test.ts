import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EVES, SITE, serve } from './project-fixtures.js';

// The calls of the command line tool of the service, in its order. Source: its sources of March 2026.

type Served = Awaited<ReturnType<typeof serve>>;

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly type: string;
}

/** Whether the tool takes a project for one that the caller may write to. */
function readProbe(status: number, message: string): boolean {
  if (status === 401 || status === 403) return false;
  return status === 404 && !message.includes('Not authorized');
}

test('the write probe tells projects that the caller may change from those that it may only read', async () => {
  const { put } = await serve();
  const probe = async (project: string, user: string) => {
    const path = createHash('sha1').update(project).digest('hex').slice(0, 36);
    const { status, body } = await put(`/v2/vals/${project}/files?path=${path}`, {}, user);
    return readProbe(status, body.message);
  };

  expect([await probe(SITE, 'ada'), await probe(SITE, 'eve'), await probe(EVES, 'ada')]).toStrictEqual([
    true,
    false,
    false,
  ]);
});

/** Follows a list to its last page. */
async function follow({ emulator, get }: Served, path: string): Promise<Listed[]> {
  const data: Listed[] = [];
  for (let next = path; next; ) {
    const { status, body } = await get(next);
    expect(status).toBe(200);
    data.push(...body.data);
    next = body.links.next?.replace(emulator.url, '');
  }
  return data;
}

/** The files of a checkout: the latest version of a branch, with the text of each file. */
async function checkOut(served: Served, project: string, branch: string): Promise<Record<string, string>> {
  const root = `/v2/vals/${project}`;
  const { version } = (await served.get(`${root}/branches/${branch}`)).body;
  const at = `branch_id=${branch}&version=${version}`;
  const files = await follow(served, `${root}/files?path=&recursive=true&${at}&limit=100`);
  const texts = await Promise.all(
    files
      .filter(({ type }) => type !== 'directory')
      .map(async ({ path }) => {
        const { body } = await served.get(`${root}/files/content?path=${encodeURIComponent(path)}&${at}`);
        return [path, body.toString()] as const;
      }),
  );
  return Object.fromEntries(texts);
}

test('a project of another user is remixed: its files are copied to a new one', async () => {
  const served = await serve({ environment: [{ project: 'ada/site', key: 'KEY', value: 's3cret' }] });
  const { get, post } = served;

  expect((await get('/v1/me', undefined, 'eve')).body.username).toBe('eve');
  // The name of the source, unless the user has a project of this name.
  expect((await get('/v2/alias/vals/eve/site')).status).toBe(200);
  const { body: source } = await get('/v2/alias/vals/ada/site');
  const [main] = await follow(served, `/v2/vals/${source.id}/branches?limit=100&offset=0`);
  const files = await checkOut(served, source.id, main?.id ?? '');
  const { status, body: copy } = await post('/v2/vals', { name: 'site_remix_1', privacy: 'public' }, 'eve');
  expect(status).toBe(201);
  const root = `/v2/vals/${copy.id}/files`;
  expect((await post(`${root}?path=src`, { type: 'directory' }, 'eve')).status).toBe(201);
  for (const [path, content] of Object.entries(files)) {
    const made = await post(`${root}?path=${path}`, { type: 'file', content }, 'eve');
    expect(made.status).toBe(201);
    const { type } = (await get(`/v2/vals/${source.id}/files?path=${path}`)).body.data[0];
    expect((await served.put(`${root}?path=${path}`, { type }, 'eve')).body.type).toBe(type);
  }

  const [copied] = await follow(served, `/v2/vals/${copy.id}/branches`);
  expect(await checkOut(served, copy.id, copied?.id ?? '')).toStrictEqual({ 'main.http.ts': 'one', 'src/a.ts': 'two' });
  expect((await get(`/v2/vals/${copy.id}/environment_variables`, undefined, 'eve')).body.data).toStrictEqual([]);
});

test('a checkout of another branch, and a watch that pushes each save', async () => {
  const served = await serve();
  const { get, put, post } = served;
  const root = `/v2/vals/${SITE}`;
  const { body: draft } = await post(`${root}/branches`, { name: 'draft' });
  const [main] = await follow(served, `${root}/branches`);
  const save = async (content: string) => {
    const { body } = await put(`${root}/files?path=src/a.ts&branch_id=${draft.id}`, { content });
    const { version } = (await get(`${root}/branches/${draft.id}`)).body;
    return [body.version, version];
  };

  expect(await checkOut(served, SITE, draft.id)).toStrictEqual(await checkOut(served, SITE, main?.id ?? ''));
  expect([await save('three'), await save('four'), await save('four')]).toStrictEqual([
    [1, 1],
    [2, 2],
    [2, 2],
  ]);
  // status: the files that differ from those of the checkout.
  expect(await checkOut(served, SITE, draft.id)).toStrictEqual({ 'main.http.ts': 'one', 'src/a.ts': 'four' });
  expect(await checkOut(served, SITE, main?.id ?? '')).toStrictEqual({ 'main.http.ts': 'one', 'src/a.ts': 'two' });
  // checkout of a branch that does not exist: the tool looks for the word in the message.
  const missing = await get(`${root}/branches/${SITE}`);
  expect([missing.status, missing.body.message]).toStrictEqual([404, 'Branch not found']);
});

test('a project is created, cloned, pushed, branched, pulled, listed and deleted', async () => {
  const served = await serve();
  const { get, post, put, del } = served;

  // create
  expect((await get('/v1/me')).status).toBe(200);
  expect((await get('/v2/orgs')).body.data).toHaveLength(1);
  expect((await get('/v2/alias/vals/ada/blog')).status).toBe(404);
  const { body: project } = await post('/v2/vals', { name: 'blog', privacy: 'public' });
  const root = `/v2/vals/${project.id}`;
  const findBranch = async (name: string) => {
    const { body } = await get(`${root}/branches?limit=100&offset=0`);
    return body.data.find((branch: { readonly name: string }) => branch.name === name);
  };
  const main = await findBranch('main');
  expect(main.version).toBe(0);

  // push: directories first, then files
  const at = (path: string, more = '') => `${root}/files?path=${encodeURIComponent(path)}&branch_id=${main.id}${more}`;
  expect((await post(at('pages/en'), { type: 'directory' })).status).toBe(201);
  expect((await post(at('pages/en/index.ts'), { type: 'script', content: 'one' })).status).toBe(201);
  expect((await post(at('main.http.tsx'), { type: 'http', content: 'two' })).status).toBe(201);
  expect((await get(`${root}/branches/${main.id}`)).body.version).toBe(3);

  // clone
  const { body: found } = await get('/v2/alias/vals/ada/blog');
  expect(found.id).toBe(project.id);
  const files = await follow(served, `${root}/files?path=&recursive=true&branch_id=${main.id}&version=3&limit=2`);
  expect(files.map(({ path }) => path)).toStrictEqual(['main.http.tsx', 'pages', 'pages/en', 'pages/en/index.ts']);
  const texts = await Promise.all(
    files
      .filter(({ type }) => type !== 'directory')
      .map(async ({ path }) => (await get(`${root}/files/content?path=${path}&version=3`)).body.toString()),
  );
  expect(texts).toStrictEqual(['two', 'one']);

  // status, then a push of an edit, a rename and a deletion
  expect((await get(`${root}/branches/${main.id}`)).body.version).toBe(3);
  expect((await put(at('pages/en/index.ts'), { content: 'uno', type: 'script' })).status).toBe(200);
  expect((await put(at('main.http.tsx'), { name: 'index.tsx', parent_path: 'pages' })).body.path).toBe(
    'pages/index.tsx',
  );
  expect((await del(at('pages/en', '&recursive=true'))).status).toBe(204);
  expect((await get(`${root}/branches/${main.id}`)).body.version).toBe(6);

  // checkout -b
  const { body: draft } = await post(`${root}/branches`, { name: 'draft', branchId: main.id });
  expect(draft).toMatchObject({ name: 'draft', version: 0, forkedBranchId: main.id });
  await put(`${root}/files?path=pages/index.tsx&branch_id=${draft.id}`, { content: 'three' });
  expect((await findBranch('draft')).version).toBe(1);
  expect((await get(`${root}/files/content?path=pages/index.tsx&branch_id=${main.id}`)).body.toString()).toBe('two');

  // list
  const mine = await follow(served, '/v2/me/vals?limit=2');
  expect(mine).toHaveLength(4);

  // tail
  const { body: listed } = await get(`${root}/files?path=pages/index.tsx`);
  expect((await get(`/v2/files/${listed.data[0].id}`)).body.path).toBe('pages/index.tsx');

  // branch -D, delete
  expect((await del(`${root}/branches/${draft.id}`)).status).toBe(204);
  expect((await del(root)).status).toBe(204);
  expect((await get('/v2/alias/vals/ada/blog')).status).toBe(404);
});
