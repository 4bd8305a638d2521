import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, NotFoundError, OptionsError, type Sandbox } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { makeFolder } from '../persistence/folder.js';

const fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: 'one\ntwo\nthree' }],
  blobs: [{ user: 'ada', key: 'k', text: 'abc' }],
  projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': 'a\nb\nc', 'old.ts': 'o' } }],
  environment: [{ project: 'ada/site', key: 'KEY', value: 'x' }],
  sqlite: [
    {
      user: 'ada',
      sql: 'CREATE TABLE todos (id INTEGER PRIMARY KEY, title)',
      rows: { todos: [{ id: 1, title: 'Rest' }] },
    },
  ],
};

async function send(sandbox: Pick<Sandbox, 'fetch'>, method: string, path: string, body?: unknown): Promise<void> {
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await sandbox.fetch(path, init);
  expect([200, 201, 204]).toContain(response.status);
}

const createVal = (sandbox: Pick<Sandbox, 'fetch'>, name: string) =>
  send(sandbox, 'POST', '/v1/vals', { name, code: '1' });

const describeChanges = (diff: ReturnType<Emulator['diff']>) =>
  diff.changes.map(({ collection, name, type, file, table, row }) =>
    [type, collection, name, file, table, row].filter((part) => part !== undefined).join(' '),
  );

describe('a difference', () => {
  test('has records, fields, files by line, rows of SQL, and bytes by size', async () => {
    const emulator = await emulate(fixtures);
    const before = await emulator.snapshot('before');
    await emulator.add.commit({
      branch: 'ada/site@main',
      files: { 'main.ts': 'a\nB\nc', 'old.ts': null, 'new.ts': 'n' },
    });
    await send(emulator, 'POST', '/v1/blob/k', 'abcde');
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: "UPDATE todos SET title = 'Run'" });
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: "INSERT INTO todos VALUES (2, 'Eat')" });
    await createVal(emulator, 'two');

    const { total, changes } = emulator.diff(`snapshot:${before}`);

    expect(total).toBe(9);
    expect(describeChanges({ total, changes })).toEqual([
      'changed branches ada/site@main main.ts',
      'added branches ada/site@main new.ts',
      'removed branches ada/site@main old.ts',
      'added commits ada/site@main version 2',
      'added vals ada/two',
      'added versions ada/two version 0',
      'changed blobs blob k of ada',
      'changed sqlite database of ada todos 1',
      'added sqlite database of ada todos 2',
    ]);
    expect(changes[0]).toMatchObject({
      before: { text: 'a\nb\nc' },
      after: { text: 'a\nB\nc' },
      lines: { text: expect.stringContaining('\n-b\n+B\n') },
    });
    expect(changes.find(({ collection }) => collection === 'blobs')).toMatchObject({
      before: { size: 3 },
      after: { size: 7, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
    });
    expect(changes.slice(-2)).toMatchObject([
      { row: '1', before: { title: 'Rest' }, after: { title: 'Run' } },
      { row: '2', before: null, after: { id: 2, title: 'Eat' } },
    ]);
    expect(changes.find(({ collection }) => collection === 'versions')).toHaveProperty('part', true);
  });

  test('has the type of a file, values of SQL that look alike, and rows whose keys have commas', async () => {
    const emulator = await emulate(fixtures);
    const sql = (statement: string) => send(emulator, 'POST', '/v1/sqlite/execute', { statement });
    await sql('CREATE TABLE t (a, b, PRIMARY KEY (a, b))');
    await sql('CREATE TABLE u (c)');
    await sql("INSERT INTO t VALUES ('a,b', 'c'), ('a', 'b,c')");
    await sql('INSERT INTO u VALUES (9007199254740993), (NULL)');
    const before = await emulator.snapshot();
    const [{ id } = { id: '' }] = emulator.state().projects;
    await send(emulator, 'PUT', `/v2/vals/${id}/files?path=old.ts`, { type: 'http' });
    await sql("DELETE FROM t WHERE a = 'a,b'");
    await sql('UPDATE u SET c = CASE WHEN c IS NULL THEN 9e999 ELSE CAST(c AS TEXT) END');

    const { changes } = emulator.diff(`snapshot:${before}`, undefined, { ignore: ['commits', 'sqlite.ada.updatedAt'] });

    expect(
      changes.filter(({ file, row }) => file ?? row).map((each) => [each.file ?? each.row, each.before, each.after]),
    ).toEqual([
      ['old.ts', { type: 'script' }, { type: 'http' }],
      ['"a,b",c', { a: 'a,b', b: 'c' }, null],
      ['1', { c: { integer: '9007199254740993' } }, { c: '9007199254740993' }],
      ['2', { c: null }, { c: { real: 'Infinity' } }],
    ]);
  });

  test('has files of a new or deleted branch as parts, but for those that differ', async () => {
    const emulator = await emulate(fixtures);
    const [{ id } = { id: '' }] = emulator.state().projects;
    await send(emulator, 'POST', `/v2/vals/${id}/branches`, { name: 'draft' });
    const isWhole = { expect: [{ collection: 'branches', type: 'added' }] };
    expect(emulator.score(isWhole)).toMatchObject({ pass: true });
    await emulator.snapshot('created');
    await emulator.add.commit({ branch: 'ada/site@draft', files: { 'main.ts': 'x' } });
    expect(emulator.score({ ...isWhole, allow: ['commits'] })).toMatchObject({ unexpected: [{ file: 'main.ts' }] });
    const branch = emulator.state().branches.find(({ name }) => name === 'draft');
    await send(emulator, 'DELETE', `/v2/vals/${id}/branches/${branch?.id}`);
    expect(
      emulator.score({ before: 'snapshot:created', expect: [{ collection: 'branches', type: 'removed' }] }),
    ).toMatchObject({ pass: true });
  });

  test('shows a changed secret without its value', async () => {
    const emulator = await emulate(fixtures);
    const { projects } = emulator.state();
    await send(emulator, 'PATCH', `/_emulator/records/environment/${projects[0]?.id}:KEY`, { value: 'hunter2' });
    const [change] = emulator.diff().changes;
    expect(change).toMatchObject({ before: { value: '(secret)' }, after: { value: '(another secret)' } });
    expect(JSON.stringify(change)).not.toContain('hunter2');
  });

  test('is empty for equal states, also of fixtures that were loaded twice', async () => {
    const emulator = await emulate(fixtures);
    expect(emulator.diff(fixtures)).toEqual({ total: 0, changes: [] });
    expect(emulator.diff('fixture:empty', 'fixture:empty').total).toBe(0);
  });

  test('leaves out what is ignored', async () => {
    const emulator = await emulate(fixtures);
    const { vals } = emulator.state();
    await send(emulator, 'PUT', `/v1/vals/${vals[0]?.id}`, { privacy: 'unlisted', readme: 'x' });
    await createVal(emulator, 'two');
    const list = (...ignore: string[]) => emulator.diff(undefined, undefined, { ignore }).changes;
    expect(list().map(({ name }) => name)).toEqual(['ada/hello', 'ada/two', 'ada/two version 0']);
    expect(list('versions', 'vals.ada/two')).toMatchObject([{ name: 'ada/hello' }]);
    expect(list('versions', 'vals.*.name', 'vals.*.readme').map(({ after }) => Object.keys(after ?? {}))).toEqual([
      ['privacy'],
      expect.not.arrayContaining(['name', 'readme']),
    ]);
    expect(list('*.privacy', '*.readme', '*two*')).toEqual([]);
    // Of fields only, and not of what merely begins the same.
    await createVal(emulator, 'lookAt');
    await send(emulator, 'POST', '/v1/blob/notes.txt', 'x');
    expect(list('*At', 'vals.ada/two', 'vals.ada/hello', 'versions', 'blobs.*notes')).toMatchObject([
      { name: 'ada/lookAt', after: expect.not.objectContaining({ createdAt: expect.anything() }) },
      { id: expect.stringContaining('notes.txt') },
    ]);
    expect(list('*')).toEqual([]);
    expect(list('vals.ada/hell').map(({ name }) => name)).toContain('ada/hello');
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: 'CREATE TABLE createdAt (n)' });
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: 'INSERT INTO createdAt VALUES (1)' });
    expect(list('*At').map(({ table }) => table)).toContain('createdAt');
    expect(() => list('val', 'vals', 'VALS.x')).toThrow(
      'option ignore[0]: found "val"; expected a collection, or "*", before the first dot. Did you mean "vals"?',
    );
    expect(() => emulator.score({ allow: ['commit'] })).toThrow(
      'option allow[0]: found "commit"; expected a collection',
    );
  });

  test('of a new column is one of the schema, and a file that is deleted and created again is changed', async () => {
    const emulator = await emulate(fixtures);
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: 'ALTER TABLE todos ADD COLUMN done' });
    const id = emulator.state().projects[0]?.id;
    await send(emulator, 'DELETE', `/v2/vals/${id}/files?path=main.ts`);
    await send(emulator, 'POST', `/v2/vals/${id}/files?path=main.ts`, { type: 'script', content: 'new' });
    await send(emulator, 'DELETE', `/v2/vals/${id}/files?path=old.ts`);
    await send(emulator, 'POST', `/v2/vals/${id}/files?path=old.ts`, { type: 'script', content: 'o' });

    const diff = emulator.diff(undefined, undefined, { ignore: ['commits'] });

    expect(describeChanges(diff)).toEqual([
      'changed branches ada/site@main main.ts',
      'changed sqlite database of ada sqlite_schema table todos',
    ]);
    const [text] = [{ collection: 'branches', file: 'main.ts', type: 'changed', after: { text: 'new' } }];
    expect(emulator.score({ expect: [text], allow: ['sqlite', 'commits'] })).toMatchObject({ score: 1 });
  });

  test('is the same over HTTP and by the client', async () => {
    const emulator = await emulate(fixtures);
    await createVal(emulator, 'two');
    const local = emulator.diff('start', 'commit:r1');
    expect(await connect(emulator.url).diff('start', 'commit:r1')).toEqual(local);
    const { body } = await as(emulator).post('/_emulator/diff').send({ before: 'commit:start', limit: 1 });
    expect(body).toEqual({ total: 2, changes: local.changes.slice(0, 1) });
  });
});

describe('a reference', () => {
  test('names a sandbox, a snapshot, a commit, a dataset or a file', async () => {
    const emulator = await emulate(fixtures);
    const fork = await emulator.fork('copy');
    await createVal(fork, 'two');
    const path = join(makeFolder(), 'mine.json');
    writeFileSync(path, JSON.stringify({ users: [{ username: 'eve' }] }));
    expect(emulator.diff('sandbox:', 'sandbox:copy').total).toBe(2);
    expect(emulator.diff('copy').total).toBe(2);
    expect(emulator.diff('sandbox:copy', path, { ignore: ['[^u]*'] }).changes.map(({ name }) => name)).toContain('eve');
    expect(emulator.diff(`fixture:${path}`, { users: [{ username: 'eve' }] }).total).toBe(0);
    const { status } = await as(emulator)
      .post('/_emulator/diff')
      .send({ before: `fixture:${path}` });
    expect(status).toBe(404);
  });

  test('that fits two states, or none, is an error', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fork('both');
    await emulator.snapshot('both');
    await createVal(emulator, 'two');
    expect(() => emulator.diff('both')).toThrow(
      new OptionsError([{ path: 'before', message: '"both" fits several states; use sandbox:both or snapshot:both.' }]),
    );
    expect(() => emulator.diff('start', 'snapshot:bth')).toThrow(
      new NotFoundError('There is no state "snapshot:bth". Did you mean "both"?'),
    );
    if (!isShared) expect(() => emulator.diff('r9')).toThrow('There is no state "r9". The last one before it is r1.');
    for (const each of ['sandbox:default', 'sandbox:bth']) {
      const hint = 'Only open sandboxes have a state, and "sandbox:" is the default one.';
      expect(() => emulator.diff(each)).toThrow(new NotFoundError(`There is no state "${each}". ${hint}`));
    }
    for (const each of ['snapshot:default', 'snapshot:r9', 'commit:bth'])
      expect(() => emulator.diff(each)).toThrow(`There is no state "${each}". Use sandbox:NAME, snapshot:NAME,`);
    expect(() => emulator.diff('toString:x')).toThrow('Use sandbox:NAME, snapshot:NAME, commit:r17');
    expect(() => emulator.diff('start', undefined, { limit: -1 })).toThrow(OptionsError);
  });
});

describe('a score', () => {
  const begin = async () => {
    const emulator = await emulate(fixtures);
    await createVal(emulator, 'two');
    await send(emulator, 'PUT', `/v1/vals/${emulator.state().vals[0]?.id}`, { privacy: 'unlisted', readme: 'x' });
    return emulator;
  };
  const added = { collection: 'vals', type: 'added', after: { name: 'two' } };

  test('is matched / (expected + unexpected), and 1 if all is as expected', async () => {
    const emulator = await begin();
    const changed = { collection: 'vals', name: 'ada/hello', after: { privacy: 'unlisted' } };
    const readme = {
      collection: 'vals',
      name: 'ada/hello',
      type: 'changed',
      before: { readme: null },
      after: { readme: 'x' },
    };

    expect(emulator.score({ expect: [added, changed] })).toMatchObject({
      ...{ pass: false, score: 2 / 3, matched: 2, missing: [], total: 1 },
      unexpected: [{ name: 'ada/hello', before: { readme: null }, after: { readme: 'x' } }],
    });
    expect(emulator.score({ expect: [added, changed], allow: ['vals.*.readme'] })).toEqual({
      ...{ pass: true, score: 1, matched: 2, missing: [], unexpected: [], total: 0 },
    });
    expect(emulator.score({ expect: [added], allow: [{ collection: 'vals', name: 'ada/hello' }] }).pass).toBe(true);
    // What is allowed with fields covers these only, as in what is expected.
    expect(emulator.score({ expect: [added], allow: [readme] })).toMatchObject({
      ...{ pass: false, score: 0.5, total: 1 },
      unexpected: [{ name: 'ada/hello', before: { privacy: 'public' }, after: { privacy: 'unlisted' } }],
    });
    expect(emulator.score({ expect: [added, changed], allow: [readme] })).toMatchObject({ pass: true, score: 1 });
    expect(emulator.score({ expect: [added, { collection: 'vals', name: 'ada/hello' }] }).pass).toBe(true);
    expect(emulator.score({ expect: [added, changed, { collection: 'users', type: 'added' }] })).toMatchObject({
      ...{ pass: false, score: 0.5, matched: 2, missing: [{ differences: [] }] },
    });
    expect(emulator.score({ before: 'sandbox:' })).toMatchObject({ pass: true, score: 1 });
    expect(emulator.score({})).toMatchObject({ pass: false, score: 0, total: 2 });
  });

  test('takes a regular expression for a text, and a matcher for all fields', async () => {
    const emulator = await begin();
    const score = (after: unknown) => emulator.score({ expect: [added, { name: 'ada/hello', after }] });
    expect(score({ privacy: /^unlisted$/, readme: /x/ })).toMatchObject({ pass: true, score: 1 });
    for (const none of [/unlisted/, new Map(), { privacy: { length: 8 } }]) {
      expect(score(none)).toMatchObject({ score: 1 / 3, matched: 1 });
    }
    expect(score(expect.objectContaining({ privacy: 'unlisted' }))).toMatchObject({ pass: true, score: 1 });
    expect(score(expect.objectContaining({ privacy: 'public' }))).toMatchObject({ pass: false, matched: 1 });
  });

  test('explains the first hundred of what is missing', async () => {
    const emulator = await begin();
    const expected = Array.from({ length: 120 }, () => ({ collection: 'vals', after: { name: 'none' } }));
    const { missing, score } = emulator.score({ expect: expected });
    expect(missing.map(({ differences }) => differences.length > 0)).toEqual(expected.map((_, i) => i < 100));
    expect(score).toBe(0);
  });

  test('gives each expectation a change of its own, whatever their order', async () => {
    const emulator = await begin();
    await createVal(emulator, 'three');
    const any = { collection: 'vals', type: 'added' };
    const allow = ['vals.ada/hello'];
    expect(emulator.score({ expect: [any, added], allow })).toMatchObject({ pass: true, matched: 2 });
    expect(emulator.score({ expect: [added, added], allow })).toMatchObject({
      ...{ score: 1 / 3, matched: 1, total: 1 },
      missing: [{ expected: added, differences: ['another expectation has the change that matches'] }],
    });
    expect(emulator.score({ expect: [{ ...added, after: { name: 'tow' } }, any], allow }).missing).toEqual([
      { expected: { ...added, after: { name: 'tow' } }, differences: ['after.name: expected "tow", found "two"'] },
    ]);
  });

  test('is the same for each order of the expectations', async () => {
    const emulator = await begin();
    await createVal(emulator, 'three');
    const [any, two, hello] = [{ collection: 'vals' }, added, { collection: 'vals', after: { privacy: 'unlisted' } }];
    for (const expected of [
      [any, two, hello],
      [two, hello, any],
      [hello, any, two],
      [any, hello, two],
    ]) {
      expect(emulator.score({ expect: expected, allow: ['vals.*.readme'] })).toMatchObject({ pass: true, matched: 3 });
    }
    // One item covers each field of the val, the other one leaves its readme.
    for (const expected of [
      [any, hello],
      [hello, any],
    ]) {
      const allow = [{ type: 'added' }];
      expect(emulator.score({ expect: expected, allow })).toMatchObject({
        matched: 2,
        unexpected: [{ name: 'ada/hello' }],
      });
    }
  });

  test('counts what happens to old versions, and a new version with the same code', async () => {
    const emulator = await emulate({ ...fixtures, versions: [{ val: 'ada/hello', code: 'two' }] });
    const [{ id } = { id: '' }] = emulator.state().vals;
    const score = (before: string) => emulator.score({ before, expect: [] });
    await send(emulator, 'POST', `/v1/vals/${id}/versions`, { code: 'one\ntwo\nthree' });
    expect(score('start').unexpected).toMatchObject([{ collection: 'vals', after: { version: 2 } }]);
    expect(emulator.score({ expect: [{ collection: 'vals', after: { version: 2 } }] })).toMatchObject({ pass: true });
    await emulator.snapshot('now');
    await send(emulator, 'DELETE', `/v1/vals/${id}/versions/0`);
    expect(score('snapshot:now').unexpected).toMatchObject([{ collection: 'versions', type: 'removed' }]);
    await emulator.snapshot('then');
    await send(emulator, 'POST', `/v1/vals/${id}/versions`, { code: 'three' });
    const expected = { collection: 'vals', after: { code: 'three' } };
    expect(emulator.score({ before: 'snapshot:then', expect: [expected] })).toMatchObject({ pass: true });
  });

  test('takes matchers in the process, and JSON elsewhere', async () => {
    const emulator = await begin();
    const changed = { collection: 'vals', name: /hello$/, after: { privacy: expect.any(String), readme: 'x' } };
    expect(emulator.score({ expect: [added, changed] }).pass).toBe(true);
    const remote = connect(emulator.url);
    await expect(remote.score({ expect: [changed] })).rejects.toThrow(TypeError);
    const json = { expect: [added], allow: [{ name: 'ada/hello' }] };
    expect(await remote.score(json)).toEqual(emulator.score(json));
  });

  test('refuses what cannot match', async () => {
    const emulator = await begin();
    expect(() => emulator.score({ expect: [{ collection: 'val' }] })).toThrow(
      'option expect[0].collection: found "val"; expected users,',
    );
    expect(() => emulator.score({ expect: [{ type: 'add' }] })).toThrow(
      'option expect[0].type: found "add"; expected added, removed, changed.',
    );
    const post = as(emulator).post('/_emulator/diff');
    expect((await post.send({ expect: [{}], ignore: [''] })).body.message).toMatch(
      /found ""; expected a pattern such as.*found \{\}; expected some of the keys of a change|found \{\}; expected some of the keys of a change/,
    );
    const { body } = await as(emulator)
      .post('/_emulator/diff')
      .send({ allow: [{ colection: 'vals' }] });
    expect(body).toMatchObject({ statusCode: 422, message: expect.stringContaining('Did you mean "collection"?') });
  });

  /** Moves a file, or creates it elsewhere: two ways to one end. */
  const WAYS: readonly ((emulator: Emulator, id: string) => Promise<void>)[] = [
    (emulator, id) => send(emulator, 'PUT', `/v2/vals/${id}/files?path=old.ts`, { name: 'new.ts' }),
    async (emulator, id) => {
      await send(emulator, 'POST', `/v2/vals/${id}/files?path=new.ts`, { type: 'script', content: 'o' });
      await send(emulator, 'DELETE', `/v2/vals/${id}/files?path=old.ts`);
    },
  ];
  const end = [
    { collection: 'branches', file: 'new.ts', is: { text: 'o' } },
    { collection: 'branches', file: 'old.ts', is: null },
  ];
  const allow = ['commits', 'branches.*.version'];

  test.each(WAYS)('of the last state is 1 for each way to it (%#)', async (go) => {
    const emulator = await emulate(fixtures);
    const [{ id } = expect.unreachable()] = emulator.state().projects;
    const wrong = { collection: 'vals', name: 'ada/hello', is: { code: 'two' } };

    expect(emulator.score({ end, allow })).toMatchObject({
      ...{ pass: false, score: 0, matched: 0, total: 0 },
      missing: [
        { expected: end[0], differences: [expect.stringContaining('file: expected "new.ts", found ')] },
        { expected: end[1], differences: [expect.stringMatching(/^is: expected null, found \{.*"o"/)] },
      ],
    });
    await go(emulator, id);

    expect(emulator.score({ end, allow })).toEqual({
      ...{ pass: true, score: 1, matched: 2, missing: [], unexpected: [], total: 0 },
    });
    expect(await connect(emulator.url).score({ end, allow })).toEqual(emulator.score({ end, allow }));
    expect(emulator.score({ end: [...end, wrong], allow })).toMatchObject({
      ...{ score: 2 / 3, matched: 2, total: 0 },
      missing: [{ expected: wrong, differences: ['is.code: expected "two", found "one\\ntwo\\nthree"'] }],
    });
    // What is as expected covers the fields that it names, of its records alone.
    await send(emulator, 'PUT', `/v2/vals/${id}/files?path=main.ts`, { content: 'x' });
    expect(emulator.score({ end, allow })).toMatchObject({ score: 2 / 3, unexpected: [{ file: 'main.ts' }] });
    await send(emulator, 'PUT', `/v2/vals/${id}/files?path=new.ts`, { type: 'http' });
    const [text] = end;
    expect(emulator.score({ end: text ? [text] : [], allow: [...allow, 'branches.*.main.ts'] }).pass).toBe(false);
  });

  test('of the last state reads records, rows and what is there at all', async () => {
    const emulator = await begin();
    const row = { collection: 'sqlite', table: 'todos', is: { title: 'Rest' } };
    const ok = [
      { collection: 'vals', name: 'ada/two' },
      { collection: 'vals', name: 'ada/hello', is: { privacy: 'unlisted', readme: /x/ } },
      { collection: 'users', name: 'eve', is: null },
      row,
    ];
    expect(emulator.score({ end: ok })).toMatchObject({ pass: true, score: 1, matched: 4 });
    expect(emulator.score({ end: ok.slice(0, 1) })).toMatchObject({ pass: false, unexpected: [{ name: 'ada/hello' }] });
    await send(emulator, 'POST', '/v1/sqlite/execute', { statement: 'DELETE FROM todos' });
    expect(emulator.score({ end: [row], allow: ['*'] })).toMatchObject({ score: 0, missing: [{ expected: row }] });
    expect(emulator.score({ end: [{ ...row, is: null }], allow: ['vals', 'sqlite.*'] }).pass).toBe(true);
  });

  test('of several alternatives is the best one, in addition to what all have', async () => {
    const emulator = await begin();
    const changed = { collection: 'vals', name: 'ada/hello', after: { privacy: 'unlisted' } };
    const anyOf = [
      { expect: [{ collection: 'users', type: 'added' }] },
      { expect: [changed], allow: ['*.readme'] },
      { end: [{ name: 'ada/hello', is: { privacy: 'unlisted', readme: 'x' } }] },
    ];

    expect(emulator.score({ expect: [added], anyOf })).toMatchObject({
      pass: true,
      score: 1,
      matched: 2,
      alternative: 1,
    });
    expect(emulator.score({ expect: [added], anyOf: anyOf.slice(0, 1) })).toMatchObject({
      ...{ pass: false, score: 1 / 3, alternative: 0 },
      missing: [{ expected: { collection: 'users' } }],
    });
    expect(emulator.score({ expect: [added], anyOf: anyOf.slice(2) })).toMatchObject({ pass: true, alternative: 0 });
    const body = { expect: [added], anyOf };
    const { body: diff } = await as(emulator).post('/_emulator/diff').send(body).expect(200);
    expect(diff.score).toMatchObject({ pass: true, alternative: 1 });
    const wrong: [object, string][] = [
      [{ anyOf: [] }, 'option anyOf: found []; expected 1 to 20 ways, each with expect, allow or end.'],
      [{ anyOf: [{ expct: [] }] }, 'option anyOf[0].expct: unknown key. Did you mean "expect"?'],
      [
        { anyOf: [{}, { expect: [{ collection: 'val' }] }] },
        'option anyOf[1].expect[0].collection: found "val"; expected users,',
      ],
      [{ anyOf: [{ allow: ['val.*'] }] }, 'option anyOf[0].allow[0]: found "val.*"; expected a collection'],
      [{ end: [{ colection: 'vals' }] }, 'option end[0].colection: unknown key. Did you mean "collection"?'],
      [{ end: [{ collection: 'val', is: null }] }, 'option end[0].collection: found "val"; expected users,'],
    ];
    for (const [options, message] of wrong) expect(() => emulator.score(options)).toThrow(message);
  });

  test('is the same in 1,000 repetitions', async () => {
    const emulator = await begin();
    const options = { expect: [added, { collection: 'runs' }], allow: ['*.readme'] };
    const first = JSON.stringify(emulator.score(options));
    for (let i = 0; i < 1_000; i++) expect(JSON.stringify(emulator.score(options))).toBe(first);
  });
});
