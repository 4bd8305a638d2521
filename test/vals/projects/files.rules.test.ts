import { describe, expect, test } from 'vitest';
import { createBranch, getTree } from '#vals/projects/branches.rules.js';
import type { ProjectFile } from '#vals/projects/file-records.collection.js';
import { deleteFile, findFile, getFile, listFiles, updateFile } from '#vals/projects/files.rules.js';
import { readTree } from '#vals/projects/project-records.collection.js';
import { BOB, EVE, errorOf, makeFiles, TIME } from './project-draft.js';

const paths = (files: Iterable<ProjectFile>) => Array.from(files, ({ path }) => path);

describe('a file is created', () => {
  test('by one commit, with a new id and the version of the branch', () => {
    const { add, current, draft, show } = makeFiles();

    const file = add('main.ts', 'one');

    expect(file).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      path: 'main.ts',
      type: 'file',
      hash: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
      version: 1,
      updatedAt: TIME,
    });
    expect(show()).toStrictEqual({ 'main.ts': 'one' });
    expect([...draft.commits]).toStrictEqual([
      {
        branchId: current().id,
        version: 1,
        kind: 'single',
        createdAt: TIME,
        changes: [{ before: null, after: file }],
        base: null,
        serial: expect.any(Number),
      },
    ]);
  });

  test('in a directory that exists', () => {
    const { add, current, show } = makeFiles({ 'src/': '' });

    add('src/a.ts', '1');

    expect(show()).toStrictEqual({ 'src/': '', 'src/a.ts': '1' });
    expect(current().version).toBe(2);
  });

  test('and in one that does not, which is made by the same commit', () => {
    const { draft, add, show, current } = makeFiles({ 'lib/': '' });

    add('src/lib/a.ts', '1');

    expect(show()).toStrictEqual({ 'lib/': '', 'src/': '', 'src/lib/': '', 'src/lib/a.ts': '1' });
    expect(current().version).toBe(2);
    expect(Array.from(current().files.tree, ({ version }) => version)).toStrictEqual([1, 2, 2, 2]);
    expect(draft.commits.get(current().id, 2)).toMatchObject({ kind: 'single' });
  });

  test('and not in place of another one, nor below a file', () => {
    const { add, addFolder } = makeFiles({ a: '1', 'src/': '' });

    expect(errorOf(() => add('a', '2'))).toStrictEqual([409, 'File or directory already exists at this path']);
    expect(errorOf(() => add('src', '2'))).toStrictEqual([409, 'File or directory already exists at this path']);
    expect(errorOf(() => add('', '2'))).toStrictEqual([409, 'File or directory already exists at this path']);
    expect(errorOf(() => add('a/b', '2'))).toStrictEqual([409, 'Conflict: a is a file, not a directory']);
    expect(errorOf(() => addFolder('a/b/c'))).toStrictEqual([409, 'Conflict: a is a file, not a directory']);
    expect(errorOf(() => add('a/../b', '2'))).toStrictEqual([
      400,
      'querystring/path: found the part ".."; expected the name of a directory.',
    ]);
  });

  test('with the text that its bytes have', () => {
    const { add, show } = makeFiles();

    add('a', 'x\ud800y');

    expect(show()).toStrictEqual({ a: 'x\ufffdy' });
  });
});

test('a directory is created with those above it, by one commit', () => {
  const { addFolder, current, show } = makeFiles({ 'a/': '' });

  const folder = addFolder('a/b/c');

  expect([folder.path, folder.type, folder.hash]).toStrictEqual(['a/b/c', 'directory', null]);
  expect(show()).toStrictEqual({ 'a/': '', 'a/b/': '', 'a/b/c/': '' });
  expect(current().version).toBe(2);
});

test('lists have directories, and end at the next level unless they are recursive', () => {
  const { current } = makeFiles({ 'a/b/': '', 'a/b/c.ts': '1', 'a/d.ts': '2', 'a.ts': '3', ab: '4' });
  const { tree } = current().files;

  expect(paths(listFiles(tree, '', true))).toStrictEqual(['a', 'a.ts', 'a/b', 'a/b/c.ts', 'a/d.ts', 'ab']);
  expect(paths(listFiles(tree, '', false))).toStrictEqual(['a', 'a.ts', 'ab']);
  expect(paths(listFiles(tree, 'a', false))).toStrictEqual(['a/b', 'a/d.ts']);
  expect(paths(listFiles(tree, 'a', true))).toStrictEqual(['a/b', 'a/b/c.ts', 'a/d.ts']);
  expect(paths(listFiles(tree, 'a.ts', false))).toStrictEqual(['a.ts']);
  expect(errorOf(() => listFiles(tree, 'none', true))).toStrictEqual([404, 'File not found']);
  expect(errorOf(() => listFiles(tree, 'a/', true))).toStrictEqual([
    400,
    'querystring/path: found "a/", which has an empty part; expected a path such as "src/main.ts".',
  ]);
});

describe('a file is updated', () => {
  test('and keeps its id', () => {
    const { draft, current, add, show } = makeFiles({ 'src/': '' });
    const { id } = add('a.ts', '1');
    const change = { content: '2', type: 'http', name: 'b.ts', parent_path: 'src' } as const;

    const file = updateFile(draft, current(), 'a.ts', change, TIME + 5);

    expect(file).toMatchObject({ id, path: 'src/b.ts', type: 'http', version: 3, updatedAt: TIME + 5 });
    expect(show()).toStrictEqual({ 'src/': '', 'src/b.ts': '2' });
    expect(current()).toMatchObject({ version: 3, updatedAt: TIME + 5 });
  });

  test('without a commit if nothing differs', () => {
    const { draft, current, add, edit, move } = makeFiles();
    const file = add('a.ts', '1');

    expect(updateFile(draft, current(), 'a.ts', {}, TIME)).toBe(file);
    expect(edit('a.ts', '1')).toBe(file);
    expect(move('a.ts', null, 'a.ts')).toBe(file);
    expect(move('a.ts', '', undefined)).toBe(file);
    expect(current().version).toBe(1);
  });

  test('by a move to the root', () => {
    const { move, show } = makeFiles({ 'src/': '', 'src/a.ts': '1' });

    move('src/a.ts', null, undefined);

    expect(show()).toStrictEqual({ 'src/': '', 'a.ts': '1' });
  });

  test('and not where another one is, nor at a wrong place', () => {
    const { draft, current, move, edit } = makeFiles({ 'a.ts': '1', 'b.ts': '2', 'src/': '' });
    const change = (path: string, update: Parameters<typeof updateFile>[3]) =>
      errorOf(() => updateFile(draft, current(), path, update, TIME));

    expect(errorOf(() => edit('none', '1'))).toStrictEqual([404, 'File not found']);
    expect(change('none', {})).toStrictEqual([404, 'File not found']);
    expect(change('', {})).toStrictEqual([404, 'File not found']);
    expect(errorOf(() => move('a.ts', null, 'b.ts'))).toStrictEqual([
      409,
      'File or directory already exists at this path',
    ]);
    expect(errorOf(() => move('a.ts', 'lib', undefined))).toStrictEqual([
      404,
      'File not found: the directory lib does not exist',
    ]);
    expect(errorOf(() => move('a.ts', 'b.ts', undefined))).toStrictEqual([
      409,
      'Conflict: b.ts is a file, not a directory',
    ]);
    expect(change('a.ts', { name: '..' })).toStrictEqual([
      400,
      'body/name: found the part ".."; expected the name of a directory.',
    ]);
    expect(change('a.ts', { parent_path: 'src/..' })).toStrictEqual([
      400,
      'body/parent_path: found the part ".."; expected the name of a directory.',
    ]);
    expect(change('a.ts', { type: 'directory' })).toStrictEqual([
      400,
      'body/type must be a type of files: a.ts is a file',
    ]);
    expect(change('src', { type: 'file' })).toStrictEqual([400, 'body/type must be "directory": src is a directory']);
    expect(change('src', { content: '1' })).toStrictEqual([400, 'body/content must be absent: src is a directory']);
    expect(current().version).toBe(3);
  });
});

describe('a directory moves', () => {
  test('with all that is in it, by one commit', () => {
    const { current, draft, move, show } = makeFiles({
      'a/b/': '',
      'a/b/c.ts': '1',
      'a/d.ts': '2',
      'ab.ts': '3',
      'z/': '',
    });
    const before = new Map(Array.from(current().files.tree, ({ id, path }) => [path, id]));

    move('a', 'z', 'y');

    expect(show()).toStrictEqual({
      'ab.ts': '3',
      'z/': '',
      'z/y/': '',
      'z/y/b/': '',
      'z/y/b/c.ts': '1',
      'z/y/d.ts': '2',
    });
    expect(getFile(current().files.tree, 'z/y/b/c.ts')).toMatchObject({ id: before.get('a/b/c.ts'), version: 6 });
    expect(current().version).toBe(6);
    expect(paths(readTree(draft, current(), 5))).toStrictEqual(['a', 'a/b', 'a/b/c.ts', 'a/d.ts', 'ab.ts', 'z']);
  });

  test('and not into itself, or to a path that is too long', () => {
    const long = Array.from({ length: 12 }, () => 'x'.repeat(48)).join('/');
    const { move, addFolder } = makeFiles({ 'a/b/': '' });
    addFolder(long);
    addFolder(`c/${long}`);

    expect(errorOf(() => move('a', 'a/b', undefined))).toStrictEqual([
      400,
      'body/parent_path must NOT be in the directory that moves',
    ]);
    expect(errorOf(() => move('a', 'a', undefined))).toStrictEqual([
      400,
      'body/parent_path must NOT be in the directory that moves',
    ]);
    expect(errorOf(() => move('c', long, undefined))).toStrictEqual([
      400,
      expect.stringMatching(/^the new path: a path of \d+ characters; expected at most 1024\.$/),
    ]);
  });
});

describe('deletion', () => {
  test('takes a file, or a directory with all that is in it', () => {
    const { current, remove, show } = makeFiles({ 'a/b/': '', 'a/b/c.ts': '1', 'ab.ts': '2', 'd.ts': '3' });

    remove('d.ts');
    expect(show()).toStrictEqual({ 'a/': '', 'a/b/': '', 'a/b/c.ts': '1', 'ab.ts': '2' });
    remove('a');
    expect(show()).toStrictEqual({ 'ab.ts': '2' });
    expect(current().version).toBe(6);
    expect(errorOf(() => remove('a'))).toStrictEqual([404, 'File not found']);
  });

  test('takes what is not empty only if it is recursive', () => {
    const { draft, current, addFolder, show } = makeFiles({ 'a/': '', 'a/b': '1' });
    const remove = (path: string, recursive = false) => deleteFile(draft, current(), path, recursive, TIME);

    expect(errorOf(() => remove('a'))).toStrictEqual([409, 'Conflict: a is not empty, and recursive is false']);
    expect(errorOf(() => remove(''))).toStrictEqual([409, 'Conflict: the root is not empty, and recursive is false']);
    addFolder('c');
    remove('c');
    expect(show()).toStrictEqual({ 'a/': '', 'a/b': '1' });
    remove('', true);
    expect(show()).toStrictEqual({});
    const { version } = current();
    remove('', true);
    remove('');
    expect(current().version).toBe(version);
  });
});

test('a branch has at most 1,000 files, and 1,000 directories', () => {
  const { draft, current, add, addFolder } = makeFiles();
  for (let i = 0; i < 1_000; i++) addFolder(`d${i}`);
  expect(errorOf(() => addFolder('more'))).toStrictEqual([400, 'A project has at most 1000 directories']);
  for (let i = 0; i < 1_000; i++) add(`${i}.ts`, '');

  const before = current();
  expect(errorOf(() => add('one-more', 'x'))).toStrictEqual([400, 'A project has at most 1000 files']);
  expect(current()).toBe(before);
  deleteFile(draft, before, '1.ts', false, TIME);
  expect(errorOf(() => add('one-more', 'x'))).toBe('no error');
});

test('an id finds the file on main, else on the oldest branch that has it', () => {
  const { draft, project, current, add, move, remove } = makeFiles();
  const { id } = add('a.ts', '1');
  const draftBranch = createBranch(draft, project, { name: 'draft' }, TIME);
  createBranch(draft, project, { name: 'later' }, TIME);
  move('a.ts', null, 'b.ts', draftBranch);
  const find = (caller = EVE) => {
    const { branch, file } = findFile(draft, id.toUpperCase(), caller);
    return [branch.name, file.path];
  };

  expect(find()).toStrictEqual(['main', 'a.ts']);
  remove('a.ts');
  expect(find()).toStrictEqual(['draft', 'b.ts']);
  remove('b.ts', draftBranch);
  expect(find()).toStrictEqual(['later', 'a.ts']);
  draft.projects = draft.projects.put({ ...project, privacy: 'private' });
  expect(errorOf(() => find(BOB))).toStrictEqual([404, 'File not found']);
  expect(errorOf(() => findFile(draft, current().id, EVE))).toStrictEqual([404, 'File not found']);
});

test('a version has the files of then, and there is none after the latest', () => {
  const { draft, current, edit, remove } = makeFiles({ 'a.ts': '1', 'b.ts': '2' });
  edit('a.ts', '3');
  remove('b.ts');
  const at = (version?: number) =>
    Array.from(getTree(draft, current(), version), ({ path, version: changed }) => `${path} ${changed}`);

  expect([0, 1, 2, 3, 4].map(at)).toStrictEqual([
    [],
    ['a.ts 1'],
    ['a.ts 1', 'b.ts 2'],
    ['a.ts 3', 'b.ts 2'],
    ['a.ts 3'],
  ]);
  expect(at()).toStrictEqual(['a.ts 3']);
  expect(errorOf(() => at(5))).toStrictEqual([404, 'Version not found']);
});
