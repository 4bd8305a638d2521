import { expect, test } from 'vitest';
import { createBranch, deleteBranch, getBranch, getTree, listBranches } from '#vals/projects/branches.rules.js';
import { createProject } from '#vals/projects/projects.rules.js';
import { ADA, errorOf, makeFiles, TIME } from './project-draft.js';

test('a fork shares the files of its parent, and then differs', () => {
  const { draft, project, current, edit, show } = makeFiles({ a: '1', b: '2' });
  const fork = createBranch(draft, project, { name: 'draft' }, TIME + 7);

  expect(fork).toMatchObject({ name: 'draft', version: 0, createdAt: TIME + 7, updatedAt: TIME + 7 });
  expect(fork.forkedBranchId).toBe(current().id);
  expect(fork.files.tree).toBe(current().files.tree);

  edit('a', '3', fork);
  edit('b', '4');

  expect(show(fork)).toStrictEqual({ a: '3', b: '2' });
  expect(show()).toStrictEqual({ a: '1', b: '4' });
  expect([current(fork).version, current().version]).toStrictEqual([1, 3]);
  expect([...getTree(draft, current(fork), 0)].map(({ path, version }) => [path, version])).toStrictEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('a fork of a fork has its files', () => {
  const { draft, project, add, show } = makeFiles({ a: '1' });
  const first = createBranch(draft, project, { name: 'first' }, TIME);
  add('b', '2', first);

  const second = createBranch(draft, project, { name: 'second', branchId: first.id.toUpperCase() }, TIME);

  expect(second.forkedBranchId).toBe(first.id);
  expect(show(second)).toStrictEqual({ a: '1', b: '2' });
  expect(Array.from(listBranches(draft, project), ({ name }) => name)).toStrictEqual(['main', 'first', 'second']);
});

test('names are unique in a project, and differ by case', () => {
  const { draft, project } = makeFiles();
  const create = (name: string) => createBranch(draft, project, { name }, TIME);
  create('draft');

  expect(errorOf(() => create('draft'))).toStrictEqual([409, 'Conflict: Branch name already exists in this project']);
  expect(errorOf(() => create('main'))).toStrictEqual([409, 'Conflict: Branch name already exists in this project']);
  expect(create('Draft').name).toBe('Draft');
});

test('a branch is found in its project only', () => {
  const { draft, project, current } = makeFiles();
  const other = createProject(draft, ADA, { name: 'other', privacy: 'public' }, TIME);

  expect(getBranch(draft, project).name).toBe('main');
  expect(getBranch(draft, project, current().id.toUpperCase()).name).toBe('main');
  expect(errorOf(() => getBranch(draft, other, current().id))).toStrictEqual([404, 'Branch not found']);
  expect(errorOf(() => createBranch(draft, other, { name: 'x', branchId: current().id }, TIME))).toStrictEqual([
    404,
    'Branch not found',
  ]);
});

test('a deleted branch leaves its forks with their files, and main stays', () => {
  const { draft, project, current, add, edit, show } = makeFiles({ a: '1' });
  const first = createBranch(draft, project, { name: 'first' }, TIME);
  add('b', '2', first);
  const second = createBranch(draft, project, { name: 'second', branchId: first.id }, TIME);
  edit('a', '3', second);

  deleteBranch(draft, current(first));

  expect(errorOf(() => current(first))).toStrictEqual([404, 'Branch not found']);
  expect(show(second)).toStrictEqual({ a: '3', b: '2' });
  expect(Array.from(getTree(draft, current(second), 0), ({ path }) => path)).toStrictEqual(['a', 'b']);
  expect(errorOf(() => deleteBranch(draft, current()))).toStrictEqual([400, 'Cannot delete the branch main']);
});

test('a project has at most 100 branches', () => {
  const { draft, project } = makeFiles();
  for (let i = 1; i < 100; i++) createBranch(draft, project, { name: `b${i}` }, TIME);

  expect(errorOf(() => createBranch(draft, project, { name: 'one-more' }, TIME))).toStrictEqual([
    400,
    'A project has at most 100 branches',
  ]);
});
