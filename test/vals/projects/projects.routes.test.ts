import { describe, expect, test } from 'vitest';
import { NOW, UUID } from '../../support/emulate.js';
import { conflict, invalid, notFound, unauthorized } from '../../support/errors.js';
import { EVES, HIDDEN, id, NO_ID, QUIET, SHARED, SITE, serve } from './project-fixtures.js';

const names = ({ body }: { readonly body: { readonly data: readonly { readonly name: string }[] } }) =>
  body.data.map(({ name }) => name);

describe('POST /v2/vals', () => {
  test('creates a project with the branch main at version 0', async () => {
    const { emulator, get, post } = await serve();

    const { status, body } = await post('/v2/vals', { name: 'new-one_1', privacy: 'unlisted', description: 'Text' });

    expect(status).toBe(201);
    expect(body).toStrictEqual({
      name: 'new-one_1',
      id: expect.stringMatching(UUID),
      createdAt: NOW,
      privacy: 'unlisted',
      author: { type: 'user', id: id(1), username: 'ada' },
      imageUrl: null,
      description: 'Text',
      links: { self: `${emulator.url}/v2/vals/${body.id}`, html: 'https://www.val.town/x/ada/new-one_1' },
    });
    const branches = await get(`/v2/vals/${body.id}/branches`);
    expect(branches.body.data).toStrictEqual([
      {
        name: 'main',
        id: expect.stringMatching(UUID),
        version: 0,
        createdAt: NOW,
        updatedAt: NOW,
        forkedBranchId: null,
        links: {
          self: `${emulator.url}/v2/vals/${body.id}/branches/${branches.body.data[0].id}`,
          html: 'https://www.val.town/x/ada/new-one_1/branch/main',
        },
      },
    ]);
    expect((await get(body.links.self.replace(emulator.url, ''))).body).toStrictEqual(body);
  });

  test('creates one of an organization for each member', async () => {
    const { post } = await serve();

    const { body } = await post('/v2/vals', { name: 'a', privacy: 'public', orgId: id(10) }, 'bob');
    const foreign = await post('/v2/vals', { name: 'a', privacy: 'public', orgId: id(10) }, 'eve');

    expect(body.author).toStrictEqual({ type: 'org', id: id(10), username: 'team' });
    expect([foreign.status, foreign.body]).toStrictEqual([404, notFound('Organization not found')]);
  });

  test('refuses a name that the owner has, ignoring case', async () => {
    const { post } = await serve();

    const { status, body } = await post('/v2/vals', { name: 'SITE', privacy: 'public' });

    expect([status, body]).toStrictEqual([409, conflict('Conflict: Project name already exists')]);
    expect((await post('/v2/vals', { name: 'site', privacy: 'public', orgId: id(10) })).status).toBe(201);
  });

  test.each([
    [{ privacy: 'public' }, "body must have required property 'name'"],
    [{ name: 'a' }, "body must have required property 'privacy'"],
    [{ name: '', privacy: 'public' }, 'body/name must NOT have fewer than 1 characters'],
    [{ name: 'a'.repeat(49), privacy: 'public' }, 'body/name must NOT have more than 48 characters'],
    [{ name: '1a', privacy: 'public' }, 'body/name must match pattern "^[a-zA-Z][a-zA-Z0-9\\-_]*$"'],
    [{ name: 'a', privacy: 'open' }, 'body/privacy must be equal to one of the allowed values'],
    [
      { name: 'a', privacy: 'public', description: 'x'.repeat(65) },
      'body/description must NOT have more than 64 characters',
    ],
    [{ name: 'a', privacy: 'public', orgId: 'team' }, 'body/orgId must match format "uuid"'],
  ])('refuses %j', async (body, message) => {
    const { post } = await serve();

    expect(await post('/v2/vals', body)).toMatchObject({ status: 400, body: invalid(message) });
  });
});

test.each([
  ['ada', { site: 200, hidden: 200, quiet: 200, shared: 200 }],
  ['bob', { site: 200, hidden: 404, quiet: 200, shared: 200 }],
  ['eve', { site: 200, hidden: 404, quiet: 200, shared: 404 }],
  ['nobody', { site: 200, hidden: 404, quiet: 200, shared: 404 }],
])('%s reads by id and by name what is visible: %j', async (user, expected) => {
  const { get } = await serve();
  const byId = { site: SITE, hidden: HIDDEN, quiet: QUIET, shared: SHARED };

  for (const [name, status] of Object.entries(expected)) {
    const found = await get(`/v2/vals/${Object.entries(byId).find(([key]) => key === name)?.[1]}`, undefined, user);
    const owner = name === 'shared' ? '@TEAM' : 'Ada';
    const named = await get(`/v2/alias/vals/${owner}/${name.toUpperCase()}`, undefined, user);

    expect([found.status, named.status, found.body]).toStrictEqual([status, status, named.body]);
    if (status === 404) expect(found.body).toStrictEqual(notFound('Project not found'));
    else expect(found.body.name).toBe(name);
  }
});

test('an unknown id, name or owner is a 404, and no id a 400', async () => {
  const { get } = await serve();

  for (const path of [`/v2/vals/${NO_ID}`, '/v2/alias/vals/ada/none', '/v2/alias/vals/none/site'])
    expect(await get(path)).toMatchObject({ status: 404, body: notFound('Project not found') });
  expect(await get('/v2/vals/1')).toMatchObject({
    status: 400,
    body: invalid('params/val_id must match format "uuid"'),
  });
});

describe('DELETE /v2/vals/{val_id}', () => {
  test('deletes a project with all that it has, and its name is free', async () => {
    const { emulator, get, post, del, paths, branch } = await serve();
    const { body } = await get(`/v2/vals/${SITE}/files?path=main.http.ts`);
    await post(`/v2/vals/${SITE}/environment_variables`, { key: 'A', value: 'b' });
    await post(`/v2/vals/${SITE}/branches`, { name: 'draft' });
    expect([(await paths()).length, (await branch('draft')).version]).toStrictEqual([3, 0]);

    expect(await del(`/v2/vals/${SITE}`)).toMatchObject({ status: 204, text: '' });

    expect(await del(`/v2/vals/${SITE}`)).toMatchObject({ status: 404, body: notFound('Project not found') });
    expect((await get(`/v2/files/${body.data[0].id}`)).status).toBe(404);
    const { projects, branches, commits, environment } = emulator.state();
    expect(projects.map(({ name }) => name)).not.toContain('ada/site');
    expect(JSON.stringify([branches, commits, environment])).not.toContain('ada/site');
    expect((await post('/v2/vals', { name: 'site', privacy: 'public' })).status).toBe(201);
  });

  test('is for its owner, and for members of its organization', async () => {
    const { del } = await serve();
    const foreign = notFound('Not authorized: the project has another owner');

    expect(await del(`/v2/vals/${SITE}`, undefined, 'eve')).toMatchObject({ status: 404, body: foreign });
    expect(await del(`/v2/vals/${SHARED}`, undefined, 'eve')).toMatchObject({
      status: 404,
      body: notFound('Project not found'),
    });
    expect(await del(`/v2/vals/${SITE}`, undefined, 'nobody')).toMatchObject({ status: 401, body: unauthorized });
    expect((await del(`/v2/vals/${SHARED}`, undefined, 'bob')).status).toBe(204);
  });
});

test('GET /v2/me/vals lists the projects of the caller, newest first, by pages', async () => {
  const { emulator, get } = await serve();

  expect(names(await get('/v2/me/vals'))).toStrictEqual(['quiet', 'hidden', 'site']);
  const { body } = await get('/v2/me/vals?limit=2&offset=1');
  expect(names({ body })).toStrictEqual(['hidden', 'site']);
  expect(body.links).toStrictEqual({
    self: `${emulator.url}/v2/me/vals?limit=2&offset=1`,
    prev: `${emulator.url}/v2/me/vals?limit=2&offset=0`,
  });
  expect((await get('/v2/me/vals', undefined, 'nobody')).status).toBe(401);
});

describe('GET /v2/vals', () => {
  test('lists public projects and those that the caller can change, newest first', async () => {
    const { get } = await serve();

    expect(names(await get('/v2/vals'))).toStrictEqual(['site', 'shared', 'quiet', 'hidden', 'site']);
    expect(names(await get('/v2/vals', undefined, 'bob'))).toStrictEqual(['site', 'shared', 'site']);
    expect(names(await get('/v2/vals', undefined, 'eve'))).toStrictEqual(['site', 'site']);
    expect((await get('/v2/vals', undefined, 'nobody')).status).toBe(401);
  });

  test('selects by privacy and owner', async () => {
    const { get } = await serve();

    expect(names(await get('/v2/vals?privacy=private'))).toStrictEqual(['shared', 'hidden']);
    expect(names(await get(`/v2/vals?user_id=${id(1).toUpperCase()}`, undefined, 'eve'))).toStrictEqual(['site']);
    expect(names(await get(`/v2/vals?user_id=${id(10)}`))).toStrictEqual(['shared']);
    expect(names(await get(`/v2/vals?user_id=${NO_ID}`))).toStrictEqual([]);
  });

  test('has pages by time, which a cursor or a whole link leads to', async () => {
    const { emulator, get } = await serve();
    const first = await get('/v2/vals?limit=2&privacy=public');
    const all = await get('/v2/vals?limit=2');

    expect(first.body.links).toStrictEqual({ self: `${emulator.url}/v2/vals?limit=2&privacy=public` });
    expect(all.body.links).toStrictEqual({
      self: `${emulator.url}/v2/vals?limit=2`,
      next: `${emulator.url}/v2/vals?limit=2&cursor=2024-06-03T00%3A00%3A00.000Z`,
    });
    const next = await get(all.body.links.next.replace(emulator.url, ''));
    expect(names(next)).toStrictEqual(['quiet', 'hidden']);
    const whole = await get(`/v2/vals?limit=2&cursor=${encodeURIComponent(all.body.links.next)}`);
    expect(whole.body.data).toStrictEqual(next.body.data);
    expect(names(await get('/v2/vals?cursor=2024-06-02T23:59:59Z'))).toStrictEqual(['hidden', 'site']);
  });

  test('has each project once, also those of one time', async () => {
    const createdAt = '2024-06-06T00:00:00Z';
    const projects = Array.from({ length: 5 }, (_, i) => ({ owner: 'ada', name: `p${i}`, createdAt }));
    const { emulator, get } = await serve({ projects });
    const seen: string[] = [];
    for (let path = '/v2/vals?limit=2'; path; ) {
      const { body } = await get(path);
      seen.push(...names({ body }));
      path = body.links.next?.replace(emulator.url, '');
    }
    expect(seen).toStrictEqual(['p4', 'p3', 'p2', 'p1', 'p0']);
  });

  test('refuses any other cursor', async () => {
    const { get } = await serve();
    const { status, body } = await get('/v2/vals?cursor=yesterday');

    expect([status, body.message]).toStrictEqual([
      400,
      'querystring/cursor must match format "date-time", or be a whole links.next',
    ]);
  });
});

describe('organizations', () => {
  test('are listed for their members', async () => {
    const { get } = await serve();

    expect((await get('/v2/orgs')).body.data).toStrictEqual([{ username: 'team', id: id(10) }]);
    expect((await get('/v2/orgs', undefined, 'eve')).body.data).toStrictEqual([]);
  });

  test('list their members to members', async () => {
    const { get } = await serve();

    expect((await get(`/v2/orgs/${id(10)}/memberships`)).body).toStrictEqual([
      { id: id(12), role: 'member', user: { id: id(2), username: 'bob' } },
      { id: id(11), role: 'owner', user: { id: id(1), username: 'ada' } },
    ]);
    const foreign = await get(`/v2/orgs/${id(10)}/memberships`, undefined, 'eve');
    expect([foreign.status, foreign.body]).toStrictEqual([404, notFound('Organization not found')]);
    expect((await get(`/v2/orgs/${NO_ID}/memberships`)).status).toBe(404);
  });
});

test('a project of another owner may be read, and not changed', async () => {
  const { get, post, put, del } = await serve();
  const foreign = { status: 404, body: notFound('Not authorized: the project has another owner') };
  const { body } = await get(`/v2/vals/${EVES}/branches`);

  expect(body.data).toHaveLength(1);
  const file = `/v2/vals/${EVES}/files?path=a`;
  expect(await post(file, { type: 'file', content: '' })).toMatchObject(foreign);
  expect(await put(file, {})).toMatchObject(foreign);
  expect(await del(file)).toMatchObject(foreign);
  expect(await post(`/v2/vals/${EVES}/branches`, { name: 'a' })).toMatchObject(foreign);
  expect(await del(`/v2/vals/${EVES}/branches/${body.data[0].id}`)).toMatchObject(foreign);
  expect(await get(`/v2/vals/${EVES}/environment_variables`)).toMatchObject(foreign);
  expect(await post(`/v2/vals/${EVES}/environment_variables`, { key: 'A', value: '' })).toMatchObject(foreign);
  expect(await put(`/v2/vals/${EVES}/environment_variables/A`, { value: '' })).toMatchObject(foreign);
  expect(await del(`/v2/vals/${EVES}/environment_variables/A`)).toMatchObject(foreign);
});
