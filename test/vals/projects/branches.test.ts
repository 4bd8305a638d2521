import { describe, expect, test } from 'vitest';
import { NOW, UUID } from '../../support/emulate.js';
import { badRequest, conflict, invalid, notFound } from '../../support/errors.js';
import { HIDDEN, NO_ID, SHARED, SITE, serve } from './project-fixtures.js';

const BRANCHES = `/v2/vals/${SITE}/branches`;

describe('POST …/branches', () => {
  test('forks main, with the ids of its files', async () => {
    const { emulator, post, get, branch, paths } = await serve();
    const main = await branch();

    const { status, body } = await post(BRANCHES, { name: 'draft' });

    expect([status, body]).toStrictEqual([
      201,
      {
        name: 'draft',
        id: expect.stringMatching(UUID),
        version: 0,
        createdAt: NOW,
        updatedAt: NOW,
        forkedBranchId: main.id,
        links: {
          self: `${emulator.url}${BRANCHES}/${body.id}`,
          html: 'https://www.val.town/x/ada/site/branch/draft',
        },
      },
    ]);
    expect(await paths(`&branch_id=${body.id}`)).toStrictEqual(['main.http.ts', 'src', 'src/a.ts']);
    const [ours, theirs] = await Promise.all(
      ['', `&branch_id=${body.id}`].map(async (query) => (await get(`/v2/vals/${SITE}/files?path=src${query}`)).body),
    );
    expect(ours.data[0].id).toBe(theirs.data[0].id);
    expect([ours, theirs].map(({ data }) => data[0].links.module)).toStrictEqual([
      'https://esm.town/v/ada/site@1-main/src/a.ts',
      'https://esm.town/v/ada/site@0-draft/src/a.ts',
    ]);
  });

  test('encodes a name in the addresses of the branch and its files', async () => {
    const { post, get } = await serve();
    const { status, body } = await post(BRANCHES, { name: 'a$[1]' });

    expect([status, body.links.html]).toStrictEqual([201, 'https://www.val.town/x/ada/site/branch/a%24%5B1%5D']);
    const files = await get(`/v2/vals/${SITE}/files?path=src/a.ts&branch_id=${body.id}`);
    expect(files.body.data[0].links.html).toBe('https://www.val.town/x/ada/site/branch/a%24%5B1%5D/code/src/a.ts');
  });

  test('forks the branch with the id branchId', async () => {
    const { post, branch, paths } = await serve();
    const { body } = await post(BRANCHES, { name: 'draft' });
    await post(`/v2/vals/${SITE}/files?path=new.ts&branch_id=${body.id}`, { type: 'script', content: '1' });

    await post(BRANCHES, { name: 'second', branchId: body.id });

    const second = await branch('second');
    expect(second.forkedBranchId).toBe(body.id);
    expect(await paths(`&branch_id=${second.id}`)).toContain('new.ts');
    expect(await paths()).not.toContain('new.ts');
  });

  test('refuses a name in use, a wrong one, an unknown branch and a branch too many', async () => {
    const { post } = await serve();

    expect(await post(BRANCHES, { name: 'main' })).toMatchObject({
      status: 409,
      body: conflict('Conflict: Branch name already exists in this project'),
    });
    expect(await post(BRANCHES, { name: 'a b' })).toMatchObject({
      status: 400,
      body: invalid('body/name must match pattern "^[a-zA-Z0-9\\$\\[\\]\\(\\)\\-_.]+$"'),
    });
    expect((await post(BRANCHES, { name: 'a'.repeat(49) })).status).toBe(400);
    expect(await post(BRANCHES, { name: '$[]()-_.', branchId: NO_ID })).toMatchObject({
      status: 404,
      body: notFound('Branch not found'),
    });
    for (let i = 1; i < 100; i++) expect((await post(BRANCHES, { name: `b${i}` })).status).toBe(201);
    expect(await post(BRANCHES, { name: 'more' })).toMatchObject({
      status: 400,
      body: badRequest('A project has at most 100 branches'),
    });
  });
});

test('GET …/branches lists the oldest first, by pages', async () => {
  const { emulator, get, post } = await serve();
  await post(BRANCHES, { name: 'a' });
  await post(BRANCHES, { name: 'A' });

  const { body } = await get(`${BRANCHES}?limit=2`, undefined, 'nobody');

  expect(body.data.map(({ name }: { readonly name: string }) => name)).toStrictEqual(['main', 'a']);
  expect(body.links).toStrictEqual({
    self: `${emulator.url}${BRANCHES}?limit=2&offset=0`,
    next: `${emulator.url}${BRANCHES}?limit=2&offset=2`,
  });
  expect((await get(`/v2/vals/${HIDDEN}/branches`, undefined, 'eve')).body).toStrictEqual(
    notFound('Project not found'),
  );
});

test('GET …/branches/{branch_id} returns a branch of the project only', async () => {
  const { get, branch } = await serve();
  const { id } = await branch();

  expect((await get(`${BRANCHES}/${id.toUpperCase()}`)).body).toMatchObject({ name: 'main', version: 1 });
  for (const path of [`${BRANCHES}/${NO_ID}`, `/v2/vals/${SHARED}/branches/${id}`])
    expect(await get(path)).toMatchObject({ status: 404, body: notFound('Branch not found') });
});

describe('DELETE …/branches/{branch_id}', () => {
  test('deletes a branch, and its forks keep their files', async () => {
    const { get, post, del, branch, paths } = await serve();
    const { body: draft } = await post(BRANCHES, { name: 'draft' });
    await post(`/v2/vals/${SITE}/files?path=new.ts&branch_id=${draft.id}`, { type: 'script', content: '1' });
    const { body: second } = await post(BRANCHES, { name: 'second', branchId: draft.id });

    expect((await del(`${BRANCHES}/${draft.id}`)).status).toBe(204);

    expect((await del(`${BRANCHES}/${draft.id}`)).body).toStrictEqual(notFound('Branch not found'));
    expect((await get(`/v2/vals/${SITE}/files?path=&branch_id=${draft.id}`)).status).toBe(404);
    expect(await paths(`&branch_id=${second.id}&version=0`)).toContain('new.ts');
    expect(await branch('second')).toMatchObject({ version: 0, forkedBranchId: null });
  });

  test('keeps main', async () => {
    const { del, branch } = await serve();

    expect(await del(`${BRANCHES}/${(await branch()).id}`)).toMatchObject({
      status: 400,
      body: badRequest('Cannot delete the branch main'),
    });
  });
});
