import { describe, expect, test } from 'vitest';
import { NOW, UUID } from '../../support/emulate.js';
import { badRequest, conflict, invalid, notFound } from '../../support/errors.js';
import { HIDDEN, NO_ID, SITE, serve } from './project-fixtures.js';

const FILES = `/v2/vals/${SITE}/files`;
const CONTENT = `${FILES}/content`;
/** SHA-256 of "one". */
const TAG = '"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"';

describe('POST …/files', () => {
  test('creates a file of each type, with its links', async () => {
    const { emulator, post } = await serve();

    const types = ['file', 'interval', 'http', 'email', 'script'];
    const made = await Promise.all(
      types.map(async (type) => (await post(`${FILES}?path=src/${type}.ts`, { type, content: '1' })).body),
    );

    expect(made.map(({ type, path, name }) => [type, path, name])).toStrictEqual(
      types.map((type) => [type, `src/${type}.ts`, `${type}.ts`]),
    );
    const [file, , http, email] = made;
    expect(file).toStrictEqual({
      name: 'file.ts',
      id: expect.stringMatching(UUID),
      path: 'src/file.ts',
      version: expect.any(Number),
      updatedAt: NOW,
      type: 'file',
      links: {
        self: `${emulator.url}/v2/files/${file.id}`,
        html: 'https://www.val.town/x/ada/site/branch/main/code/src/file.ts',
        module: `https://esm.town/v/ada/site@${file.version}-main/src/file.ts`,
      },
    });
    expect(http.links.endpoint).toBe(`https://ada--${http.id.replaceAll('-', '')}.web.val.run/`);
    expect(email.links.email).toBe(`ada.${email.id.replaceAll('-', '')}@valtown.email`);
  });

  test('creates a directory with those above it, by one change', async () => {
    const { post, branch, paths } = await serve();

    const { status, body } = await post(`${FILES}?path=nested/folder`, { type: 'directory', content: null });

    expect([status, body.type, body.version]).toStrictEqual([201, 'directory', 2]);
    expect(body.links).toStrictEqual(expect.not.objectContaining({ endpoint: expect.anything() }));
    expect(await paths()).toStrictEqual(['main.http.ts', 'nested', 'nested/folder', 'src', 'src/a.ts']);
    expect((await branch()).version).toBe(2);
    expect((await post(`${FILES}?path=other`, { type: 'directory' })).status).toBe(201);
  });

  test('creates a file with the directories above it, by one change', async () => {
    const { post, branch, paths } = await serve();

    const { status, body } = await post(`${FILES}?path=lib/deep/a.ts`, { type: 'script', content: '1' });

    expect([status, body.path, body.version]).toStrictEqual([201, 'lib/deep/a.ts', 2]);
    expect(await paths()).toStrictEqual(['lib', 'lib/deep', 'lib/deep/a.ts', 'main.http.ts', 'src', 'src/a.ts']);
    expect((await branch()).version).toBe(2);
  });

  test('refuses a path in use, and one below a file', async () => {
    const { post } = await serve();
    const file = { type: 'file', content: '' };

    expect(await post(`${FILES}?path=src`, file)).toMatchObject({
      status: 409,
      body: conflict('File or directory already exists at this path'),
    });
    expect(await post(`${FILES}?path=src/a.ts/b.ts`, file)).toMatchObject({
      status: 409,
      body: conflict('Conflict: src/a.ts is a file, not a directory'),
    });
    expect(await post(`${FILES}?path=a&branch_id=${NO_ID}`, file)).toMatchObject({
      status: 404,
      body: notFound('Branch not found'),
    });
  });

  test('takes 80,000 characters, and no more', async () => {
    const { get, post } = await serve();
    const send = (content: string) =>
      post(`${FILES}?path=${content[0] === 'x' ? 'x' : 'wide'}`, { type: 'file', content });

    expect((await send('😀'.repeat(80_000))).status).toBe(201);
    expect((await send('x'.repeat(80_000))).status).toBe(201);
    const refused = await send('x'.repeat(80_001));
    expect([refused.status, refused.body.message]).toStrictEqual([
      400,
      expect.stringContaining('body/content must NOT have more than 80000 characters'),
    ]);
    expect((await get(`${CONTENT}?path=wide`)).body.length).toBe(320_000);
  });

  test.each([
    [{ type: 'file' }, 'body must have required property'],
    [{ type: 'page', content: '' }, 'body/type must be equal to one of the allowed values'],
    [{ type: 'directory', content: 'x' }, 'body/content must be null'],
    [{ type: 'file', content: 'a\0b' }, 'body/content must be text, without NUL'],
  ])('refuses %j', async (body, message) => {
    const { post } = await serve();

    const response = await post(`${FILES}?path=new`, body);

    expect([response.status, response.body.message]).toStrictEqual([400, expect.stringContaining(message)]);
  });

  test('refuses file 1,001', async () => {
    const { emulator, post } = await serve();
    emulator.add.project({
      owner: 'ada',
      name: 'full',
      id: NO_ID,
      files: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}.ts`, ''])),
    });

    expect(await post(`/v2/vals/${NO_ID}/files?path=more`, { type: 'file', content: '' })).toMatchObject({
      status: 400,
      body: badRequest('A project has at most 1000 files'),
    });
  });
});

test.each([
  ['..%2Fa', '".."'],
  ['a/../b', '".."'],
  ['a//b', 'empty part'],
  ['/a', 'empty part'],
  ['a/', 'empty part'],
  ['a/b%00c', '"b\\u0000c"'],
  ['a%0A', '"a\\n"'],
  ['a%20b', '"a b"'],
  [`${'x/'.repeat(512)}y`, '1024'],
])('the path %s is a 400 that names the part, on every route', async (path, part) => {
  const { get, post, put, del } = await serve();
  const responses = [
    await get(`${FILES}?path=${path}`),
    await get(`${CONTENT}?path=${path}`),
    await post(`${FILES}?path=${path}`, { type: 'file', content: '' }),
    await put(`${FILES}?path=${path}`, {}),
    await del(`${FILES}?path=${path}`),
    ...(path.length > 1_000 ? [] : [await put(`${FILES}?path=src`, { parent_path: decodeURIComponent(path) })]),
  ];

  for (const { status, body } of responses)
    expect([status, body.message]).toStrictEqual([400, expect.stringContaining(part)]);
});

describe('GET …/files', () => {
  test('lists a level, all below it, or one file', async () => {
    const { get } = await serve();
    const list = async (query: string) => {
      const { body } = await get(`${FILES}?${query}`);
      return body.data.map(({ path, type }: { readonly path: string; readonly type: string }) => `${path} ${type}`);
    };

    expect(await list('path=')).toStrictEqual(['main.http.ts http', 'src directory']);
    expect(await list('path=&recursive=true')).toStrictEqual(['main.http.ts http', 'src directory', 'src/a.ts script']);
    expect(await list('path=src')).toStrictEqual(['src/a.ts script']);
    expect(await list('path=src/a.ts')).toStrictEqual(['src/a.ts script']);
    expect(await get(`${FILES}?path=none`)).toMatchObject({ status: 404, body: notFound('File not found') });
    expect(await get(FILES)).toMatchObject({
      status: 400,
      body: invalid("querystring must have required property 'path'"),
    });
  });

  test('takes a slash for the root, as DELETE and parent_path do', async () => {
    const { get, put, del, paths } = await serve();

    const root = (await get(`${FILES}?path=&recursive=true`)).body.data;
    expect((await get(`${FILES}?path=/&recursive=true`)).body.data).toStrictEqual(root);
    expect((await put(`${FILES}?path=src/a.ts`, { parent_path: '/' })).body.path).toBe('a.ts');
    expect((await del(`${FILES}?path=/&recursive=true`)).status).toBe(204);
    expect(await paths()).toStrictEqual([]);
  });

  test('has pages', async () => {
    const { emulator, get } = await serve();
    const { body } = await get(`${FILES}?path=&recursive=true&limit=2`);

    expect(body.data).toHaveLength(2);
    expect(body.links).toStrictEqual({
      self: `${emulator.url}${FILES}?path=&recursive=true&limit=2&offset=0`,
      next: `${emulator.url}${FILES}?path=&recursive=true&limit=2&offset=2`,
    });
  });

  test('reads a version of a branch', async () => {
    const { get, post, del, paths, branch } = await serve();
    await post(`${FILES}?path=b.ts`, { type: 'script', content: '' });
    await del(`${FILES}?path=main.http.ts`);
    const { id } = await branch();

    expect(await paths('&version=0')).toStrictEqual([]);
    expect(await paths('&version=1')).toStrictEqual(['main.http.ts', 'src', 'src/a.ts']);
    expect(await paths(`&version=2&branch_id=${id}`)).toStrictEqual(['b.ts', 'main.http.ts', 'src', 'src/a.ts']);
    expect(await paths()).toStrictEqual(['b.ts', 'src', 'src/a.ts']);
    const { body } = await get(`${FILES}?path=src/a.ts&version=2`);
    expect([body.data[0].version, body.data[0].links.module]).toStrictEqual([
      1,
      'https://esm.town/v/ada/site@2-main/src/a.ts',
    ]);
    expect(await get(`${FILES}?path=&version=4`)).toMatchObject({ status: 404, body: notFound('Version not found') });
    expect((await get(`${FILES}?path=&version=-1`)).status).toBe(400);
  });

  test('is for who can read the project', async () => {
    const { get } = await serve();

    expect((await get(`${FILES}?path=`, undefined, 'nobody')).status).toBe(200);
    expect((await get(`/v2/vals/${HIDDEN}/files?path=`, undefined, 'eve')).body).toStrictEqual(
      notFound('Project not found'),
    );
  });
});

describe('PUT …/files', () => {
  test('changes content and type, and keeps the id', async () => {
    const { get, put, branch } = await serve();
    const { body: before } = await get(`${FILES}?path=src/a.ts`);

    const { status, body } = await put(`${FILES}?path=src/a.ts`, { content: 'new', type: 'interval' });

    expect([status, body.id, body.type, body.version]).toStrictEqual([200, before.data[0].id, 'interval', 2]);
    expect((await get(`${CONTENT}?path=src/a.ts`)).body.toString()).toBe('new');
    expect((await get(`${CONTENT}?path=src/a.ts&version=1`)).body.toString()).toBe('two');
    expect((await branch()).version).toBe(2);
  });

  test('renames and moves, and the id leads to the new path', async () => {
    const { get, put, paths } = await serve();
    const { body: before } = await get(`${FILES}?path=main.http.ts`);
    const [{ id }] = before.data;

    await put(`${FILES}?path=main.http.ts`, { name: 'b.ts', parent_path: 'src' });
    expect(await paths()).toStrictEqual(['src', 'src/a.ts', 'src/b.ts']);
    expect((await get(`/v2/files/${id}`)).body).toMatchObject({ id, path: 'src/b.ts', version: 2 });

    expect((await put(`${FILES}?path=src/b.ts`, { parent_path: null })).body).toMatchObject({ id, path: 'b.ts' });
  });

  test('moves a directory with what is in it', async () => {
    const { post, put, paths, branch } = await serve();
    await post(`${FILES}?path=lib`, { type: 'directory' });

    const { body } = await put(`${FILES}?path=src`, { parent_path: 'lib', name: 'x' });

    expect([body.path, body.type]).toStrictEqual(['lib/x', 'directory']);
    expect(await paths()).toStrictEqual(['lib', 'lib/x', 'lib/x/a.ts', 'main.http.ts']);
    expect((await branch()).version).toBe(3);
  });

  test('makes no version without a difference', async () => {
    const { put, branch } = await serve();

    expect((await put(`${FILES}?path=src/a.ts`, {})).body).toMatchObject({ path: 'src/a.ts', version: 1 });
    await put(`${FILES}?path=src/a.ts`, { content: 'two', name: 'a.ts', parent_path: 'src', type: 'script' });
    expect((await branch()).version).toBe(1);
  });

  test.each([
    ['none', {}, 404, 'File not found'],
    ['src/a.ts', { parent_path: 'none' }, 404, 'File not found: the directory none does not exist'],
    ['src/a.ts', { parent_path: null, name: 'main.http.ts' }, 409, 'File or directory already exists at this path'],
    ['src', { parent_path: 'src' }, 400, 'body/parent_path must NOT be in the directory that moves'],
    ['src', { content: 'x' }, 400, 'body/content must be absent: src is a directory'],
    ['src', { type: 'file' }, 400, 'body/type must be "directory": src is a directory'],
    ['src/a.ts', { type: 'directory' }, 400, 'body/type must be a type of files: src/a.ts is a file'],
    ['src/a.ts', { name: '' }, 400, 'body/name must NOT have fewer than 1 characters'],
    ['src/a.ts', { name: 'a/b' }, 400, 'body/name must match pattern "^[a-zA-Z0-9\\$\\[\\]\\(\\)\\-_.]+$"'],
    ['src/a.ts', { content: 'x'.repeat(80_001) }, 400, 'body/content must NOT have more than 80000 characters'],
  ])('of %s with %j is a %i', async (path, body, status, message) => {
    const { put, branch } = await serve();

    const response = await put(`${FILES}?path=${path}`, body);

    expect([response.status, response.body.message]).toStrictEqual([status, message]);
    expect((await branch()).version).toBe(1);
  });
});

test.each(['PUT', 'DELETE'] as const)(
  '%s …/files changes a file only if its text is that of If-Match',
  async (method) => {
    const { emulator, get } = await serve();
    const path = `${FILES}?path=src/a.ts`;
    const text = async () => (await get(`${CONTENT}?path=src/a.ts`)).headers.etag;
    const before = await text();
    const send = async (headers: Record<string, string>) => {
      const body = method === 'PUT' ? { body: '{"content":"three"}' } : {};
      const common = {
        authorization: 'Bearer ada-token',
        ...(method === 'PUT' && { 'content-type': 'application/json' }),
      };
      return (await emulator.fetch(path, { method, headers: { ...common, ...headers }, ...body })).status;
    };

    expect(await send({ 'if-match': '"x"' })).toBe(412);
    expect(await send({ 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' })).toBe(412);
    expect(await text()).toBe(before);
    expect(await send({ 'if-match': String(before) })).toBe(method === 'PUT' ? 200 : 204);
    expect(await text()).not.toBe(before);
  },
);

describe('DELETE …/files', () => {
  test('deletes a file once', async () => {
    const { del, paths } = await serve();

    expect(await del(`${FILES}?path=src/a.ts`)).toMatchObject({ status: 204, text: '' });
    expect(await del(`${FILES}?path=src/a.ts`)).toMatchObject({ status: 404, body: notFound('File not found') });
    expect(await paths()).toStrictEqual(['main.http.ts', 'src']);
  });

  test('deletes a directory with what is in it, or all, if it is recursive', async () => {
    const { del, paths, branch } = await serve();

    expect(await del(`${FILES}?path=src`)).toMatchObject({
      status: 409,
      body: conflict('Conflict: src is not empty, and recursive is false'),
    });
    expect(await del(`${FILES}?path=`)).toMatchObject({
      status: 409,
      body: conflict('Conflict: the root is not empty, and recursive is false'),
    });
    expect((await del(`${FILES}?path=src&recursive=true`)).status).toBe(204);
    expect(await paths()).toStrictEqual(['main.http.ts']);
    expect((await del(`${FILES}?path=&recursive=true`)).status).toBe(204);
    expect((await del(`${FILES}?path=&recursive=true`)).status).toBe(204);
    expect([await paths(), (await branch()).version]).toStrictEqual([[], 3]);
  });
});

describe('GET …/files/content', () => {
  test('returns the bytes, with tag and time', async () => {
    const { get, put } = await serve();
    const { status, body, headers } = await get(`${CONTENT}?path=main.http.ts`, undefined, 'nobody');

    expect([status, body.toString(), headers['content-type'], headers.etag]).toStrictEqual([
      200,
      'one',
      'application/octet-stream',
      TAG,
    ]);
    await put(`${FILES}?path=main.http.ts`, { content: 'é\ud800\r\n' });
    const changed = await get(`${CONTENT}?path=main.http.ts`);
    expect(changed.body.toString()).toBe('é\ufffd\r\n');
    expect(changed.headers['last-modified']).toBe('Tue, 11 Jun 2024 22:05:12 GMT');
    expect(changed.headers.etag).not.toBe(TAG);
  });

  test('is a 404 for a directory, an unknown path, branch or version', async () => {
    const { get } = await serve();
    const messages = await Promise.all(
      ['src', 'none', '', `src/a.ts&branch_id=${NO_ID}`, 'src/a.ts&version=9'].map(async (query) => {
        const { status, body } = await get(`${CONTENT}?path=${query}`);
        return [status, body.message];
      }),
    );
    expect(messages).toStrictEqual([
      [404, 'File not found'],
      [404, 'File not found'],
      [404, 'File not found'],
      [404, 'Branch not found'],
      [404, 'Version not found'],
    ]);
  });

  test.each([
    [304, { 'if-none-match': TAG }],
    [304, { 'if-modified-since': 'Tue, 11 Jun 2024 22:05:12 GMT' }],
    [200, { 'if-none-match': '"other"' }],
    [412, { 'if-match': '"other"' }],
    [412, { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
    [200, { 'if-match': TAG }],
  ])('is a %i with %j', async (status, headers) => {
    const { emulator } = await serve();
    const response = await fetch(`${emulator.url}${CONTENT}?path=main.http.ts`, { headers });

    expect(response.status).toBe(status);
    expect(await response.text()).toStrictEqual(status === 200 ? 'one' : status === 304 ? '' : expect.any(String));
    expect(response.headers.get('etag')).toBe(status === 412 ? null : TAG);
  });
});

test('GET /v2/files/{file_id} returns the file as lists do', async () => {
  const { get } = await serve();
  const { body } = await get(`${FILES}?path=src/a.ts`);

  expect((await get(`/v2/files/${body.data[0].id}`, undefined, 'nobody')).body).toStrictEqual(body.data[0]);
  expect(await get(`/v2/files/${NO_ID}`)).toMatchObject({ status: 404, body: notFound('File not found') });
});
