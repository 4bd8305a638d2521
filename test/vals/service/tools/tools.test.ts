import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TOOL_NAMES } from '#vals/lib/names.tools.js';
import { tools } from '#vals/service/service.tools.js';
import { createEmulator, emulate, NOW } from '../../../support/emulate.js';
import { connect, FIXTURES, fill, send, toCall } from './agent.js';

const SITE = { val: 'ada/site' };

test('the names are those of the tools', () => {
  expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(TOOL_NAMES));
});

test('an agent builds a val in an afternoon, and its user rewinds a mistake', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'val-emulator-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const emulator = await createEmulator({ fixtures: FIXTURES, data: folder, now: '2026-01-31T12:00:00Z' });
  onTestFinished(() => emulator.close());
  const { call, fail } = connect(emulator);
  const val = 'ada/shop';
  await call('create_val', { name: 'shop', privacy: 'private', initialFile: { path: 'main.http.ts', content: '1' } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await call('create_file', { val, path: `src/${name}.ts`, content: `export const ${name} = 1;\n` });
  }
  await call('replace_in_file', { val, path: 'src/a.ts', old_string: '= 1', new_string: '= 2' });
  await call('create_branch', { val, name: 'colors' });
  await call('insert_at_line', {
    val,
    branch: 'colors',
    path: 'src/b.ts',
    line: 2,
    content: "export const red = '#f00';",
  });
  await call('merge_branch', { val, branch: 'colors' });
  expect(await call('read_file', { val, path: 'src/b.ts' })).toEqual({
    ...{ content: "1: export const b = 1;\n2: export const red = '#f00';\n3: ", fileType: 'script' },
  });
  const { branchId, branchVersion } = await call('get_val_history', { val });
  await call('update_file', { val, path: 'src/a.ts', content: 'broken(' });
  await call('revert_to_version', { val, branchId, version: branchVersion });
  const plain = { val, path: 'src/a.ts', show_line_numbers: false };
  expect(await call('read_file', plain)).toMatchObject({ content: 'export const a = 2;\n' });
  const database = { type: 'val', val };
  await call('sqlite_execute', { sql: 'CREATE TABLE orders (id INTEGER, name TEXT)', database });
  await call('sqlite_batch', {
    statements: [{ sql: 'INSERT INTO orders VALUES (?, ?)', args: [1, 'tea'] }, { sql: 'SELECT name FROM orders' }],
    database,
  });
  expect(await call('sqlite_execute', { sql: 'SELECT name FROM orders', database })).toMatchObject({ rows: [['tea']] });
  await call('storeBlob', { key: 'logo', content: '<svg/>', storage: database });
  expect(await call('readBlob', { key: 'logo', storage: database })).toMatchObject({ content: '<svg/>', size: 6 });
  // Those of the account are others.
  expect(await call('listBlobs', { storage: { type: 'deprecated_global' } })).toEqual({ count: 0, blobs: [] });
  await call('set_env_var', { val, key: 'API_KEY', value: 's3cret' });
  expect(JSON.stringify(await call('list_env_vars', { val }))).not.toContain('s3cret');
  const { history, pagination } = await call('get_val_history', { val, limit: 2 });
  expect(history).toMatchObject([
    { version: 10, revert: true },
    { version: 9, file: { name: 'a.ts' } },
  ]);
  expect(pagination).toEqual({ offset: 0, limit: 2, hasNext: true, returned: 2 });

  // The same state by /v2.
  const headers = { authorization: 'Bearer ada-token' };
  const { id } = Object(await (await emulator.fetch('/v2/alias/vals/ada/shop', { headers })).json());
  const read = async () => {
    const query = 'path=src/a.ts';
    return await (await emulator.fetch(`/v2/vals/${id}/files/content?${query}`, { headers })).text();
  };
  expect(await read()).toBe('export const a = 2;\n');
  await call('delete_file', { val, path: 'src' });
  expect(await fail('read_file', plain)).toBe('File not found');
  const deletion = emulator.history().at(-1);
  expect(deletion).toMatchObject({ request: 'tool delete_file' });
  emulator.rewind(String(emulator.history().at(-2)?.id));
  expect(await read()).toBe('export const a = 2;\n');

  // Over a restart.
  await emulator.close();
  const again = await createEmulator({ data: folder });
  onTestFinished(() => again.close());
  expect(await connect(again).call('read_file', plain)).toMatchObject({ content: 'export const a = 2;\n' });
});

test('lists the vals of the caller, in an order and by criteria', async () => {
  const emulator = await emulate(FIXTURES);
  const { call, fail } = connect(emulator);
  await call('create_val', { name: 'Alpha', description: 'First' });
  const list = async (args: object) => {
    const { vals } = await call('list_vals', args);
    return Array.isArray(vals) ? vals.map(({ name }) => name) : [];
  };
  expect(await list({ sortBy: 'name' })).toEqual(['Alpha', 'site']);
  expect(await list({ sortBy: 'name', sortOrder: 'desc', limit: 1 })).toEqual(['site']);
  expect(await list({ name: 'ALPH' })).toEqual(['Alpha']);
  expect(await list({ privacy: 'public' })).toEqual(['site']);
  expect(await list({ updatedAfter: '2030-01-01T00:00:00Z' })).toEqual([]);
  expect(await call('list_vals', { limit: 1, offset: 1 })).toMatchObject({ count: 1, hasMore: false });
  expect(await fail('list_vals', { updatedAfter: 'today' })).toContain('updatedAfter: found "today"');
  expect(await fail('list_vals', { org: 'acme' })).toBe('Organization not found');
});

test('changes, remixes and deletes a val', async () => {
  const emulator = await emulate(FIXTURES);
  const { call, fail } = connect(emulator);
  expect(await call('remix_val', { ...SITE, name: 'copy', privacy: 'unlisted' })).toMatchObject({
    ...{ identifier: 'ada/copy', privacy: 'unlisted', branches: { items: [{ name: 'main', version: 1 }] } },
  });
  expect(await call('update_val', { val: 'ada/copy', name: 'other', description: 'Mine' })).toMatchObject({
    ...{ name: 'other', description: 'Mine', privacy: 'unlisted' },
  });
  expect(await fail('update_val', { val: 'ada/other', name: 'SITE' })).toBe('Conflict: Project name already exists');
  await call('delete_val', { val: 'ada/other' });
  expect(await fail('get_val_detail', { val: 'ada/other' })).toBe('Project not found');
});

test('the free plan has public vals only', async () => {
  const emulator = await emulate(FIXTURES);
  const { call, fail } = connect(emulator, 'eve-token');
  expect(await call('create_val', { name: 'open' })).toMatchObject({ privacy: 'public' });
  const sentence = 'A val that is private requires a paid plan: the free plan has public vals only';
  expect(await fail('create_val', { name: 'mine', privacy: 'private' })).toBe(sentence);
  expect(await fail('update_val', { val: 'eve/open', privacy: 'private' })).toBe(sentence);
  expect(await fail('set_http_privacy', { val: 'eve/open', httpPrivacy: 'restricted' })).toBe(
    'Restricted HTTP access requires a paid business plan',
  );
});

test('a failed edit says why, and changes nothing', async () => {
  const emulator = await emulate(FIXTURES);
  const { fail } = connect(emulator);
  const file = { ...SITE, path: 'main.ts' };
  const replace = (old_string: string) => fail('replace_in_file', { ...file, old_string, new_string: 'x' });
  expect(await replace('absent')).toContain('old_string was not found in main.ts');
  expect(await replace('t')).toContain('old_string occurs 3 times in main.ts');
  expect(await fail('insert_at_line', { ...file, line: 9, content: '' })).toBe('line: found 9; main.ts has 2 lines');
  expect(await fail('create_file', { ...file, content: '' })).toBe('File or directory already exists at this path');
  expect(await fail('rename_file', { ...file, newPath: 'src/main.ts' })).toContain('the directory src does not exist');
  expect(await fail('create_file', { ...SITE, path: 'new/../x.ts', content: '' })).toContain('found the part ".."');
  expect(await fail('delete_file', { ...SITE, path: '' })).toContain('path: found no path');
  expect(emulator.history()).toEqual([]);
});

test('nothing runs, and no call says that it did', async () => {
  const emulator = await emulate(FIXTURES);
  const { post, fail } = connect(emulator);
  expect(await fail('run_file', { ...SITE, path: 'main.ts' })).toContain('The emulator runs no code.');
  expect(await fail('fetch_val_endpoint', { ...SITE, path: 'main.ts' })).toContain('script has no endpoint: main.ts');
  const edit = { ...SITE, path: 'x.http.ts', content: '1', run: { kind: 'fetch_val_endpoint' } };
  const { isError, text, data } = await post('create_file', edit);
  expect([isError, text]).toEqual([true, expect.stringContaining('is at version 2. The emulator runs no code.')]);
  expect(data).toMatchObject({ path: 'x.http.ts', version: 2, run: { type: 'error' } });
  expect(await fail('run_file', { ...SITE, path: 'x.http.ts' })).toContain('The emulator runs no code.');
  expect(await fail('write_interval_settings', { ...SITE, path: 'main.ts' })).toContain('has no interval: main.ts');
});

test('finds the skills of the caller by their words', async () => {
  const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
  const files = {
    'skills/pdf/SKILL.md': skill('pdf', 'Make documents'),
    'skills/mail/SKILL.md': skill('mail', 'Send a pdf by mail'),
    'skills/none/SKILL.md': 'Without frontmatter: pdf',
  };
  const emulator = await emulate({ users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'kit', files }] });
  const { matches } = await connect(emulator).call('find_val_town_skills', { query: 'PDF' });
  expect(matches).toEqual([
    { name: 'pdf', description: 'Make documents', content: 'Do it.\n', source: 'personal' },
    { name: 'mail', description: 'Send a pdf by mail', content: 'Do it.\n', source: 'personal' },
  ]);
});

test('a number that is a text is refused in the words of the service', async () => {
  const { fail } = connect(await emulate(FIXTURES));
  expect(await fail('list_vals', { limit: '5' })).toBe(
    'Input validation error: Invalid arguments for tool list_vals: limit: Invalid input: expected number, received string',
  );
  expect(await fail('read_file', {})).toBe(
    'Input validation error: Invalid arguments for tool read_file: val: Invalid input: expected string, received undefined, path: Invalid input: expected string, received undefined',
  );
  expect(await fail('list_vals', { limit: 101, sortBy: 'age' })).toBe(
    'Input validation error: Invalid arguments for tool list_vals: limit: Too big: expected number to be <=100, sortBy: Invalid option: expected one of "updated"|"created"|"name"',
  );
});

test.each(tools.map(({ name, route, input }) => [name, String(route.scope), route.writeScope, input] as const))(
  '%s needs the scope %s',
  async (name, scope, writeScope, input) => {
    const all = ['user_r', 'project_rw', 'blob_rw', 'sqlite_rw', 'email_rw', 'telemetry_r'] as const;
    const wanted = all.filter((each) => each.startsWith(`${scope.split(':')[0]}_`));
    const others = all.filter((each) => !wanted.includes(each));
    const emulator = await emulate({
      ...FIXTURES,
      tokens: [
        { user: 'ada', token: 'wanted', scopes: [...wanted] },
        { user: 'ada', token: 'others', scopes: [...others] },
      ],
    });
    const message = toCall(name, fill({ ...input }));
    const post = async (sent: string) => (await send(emulator, message, { authorization: `Bearer ${sent}` })).status;
    expect([await post('wanted'), await post('others')]).toEqual([200, 403]);
    if (writeScope !== undefined) expect(writeScope).toBe('sqlite:write');
  },
);

test('the history of a val names who made a version, and what was merged', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = connect(emulator);
  const val = 'ada/site';
  await call('create_branch', { val, name: 'draft' });
  for (const content of ['1', '2']) await call('update_file', { val, path: 'main.ts', branch: 'draft', content });
  await call('merge_branch', { val, branch: 'draft' });
  const read = async (source: typeof emulator) => (await connect(source).call('get_val_history', { val })).history;
  const history = await read(emulator);
  expect(history).toEqual([
    {
      id: expect.any(String),
      version: 2,
      createdAt: NOW,
      user: { handle: 'ada' },
      multiple: { count: 1, commits: [{ id: expect.any(String), file: expect.objectContaining({ name: 'main.ts' }) }] },
      merge: { name: 'draft', version: 2 },
    },
    expect.objectContaining({ version: 1, user: { handle: 'ada' }, merge: null }),
  ]);
  expect((await call('get_val_detail', { val })).branches).toEqual({
    count: 2,
    items: [
      { name: 'main', version: 2, updatedAt: NOW },
      { name: 'draft', version: 2, updatedAt: NOW },
    ],
  });
  // An export keeps it.
  expect(await read(await emulate(emulator.state()))).toEqual(history);
});
