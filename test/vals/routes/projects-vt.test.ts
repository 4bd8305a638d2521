import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EVES, SITE, serve } from './project-fixtures.js';

// The calls of the command line tool of the service, in its order. Source: its sources of March 2026.

interface Listed {
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

test('a project is created, cloned, pushed, branched, pulled, listed and deleted', async () => {
  const { emulator, get, post, put, del } = await serve();
  const follow = async (path: string) => {
    const data: Listed[] = [];
    for (let next = path; next; ) {
      const { status, body } = await get(next);
      expect(status).toBe(200);
      data.push(...body.data);
      next = body.links.next?.replace(emulator.url, '');
    }
    return data;
  };

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
  const files = await follow(`${root}/files?path=&recursive=true&branch_id=${main.id}&version=3&limit=2`);
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
  const mine = await follow('/v2/me/vals?limit=2');
  expect(mine).toHaveLength(4);

  // tail
  const { body: listed } = await get(`${root}/files?path=pages/index.tsx`);
  expect((await get(`/v2/files/${listed.data[0].id}`)).body.path).toBe('pages/index.tsx');

  // branch -D, delete
  expect((await del(`${root}/branches/${draft.id}`)).status).toBe(204);
  expect((await del(root)).status).toBe(204);
  expect((await get('/v2/alias/vals/ada/blog')).status).toBe(404);
});
