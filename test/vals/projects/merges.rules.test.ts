import { describe, expect, test } from 'vitest';
import { createBranch, deleteBranch, getTree } from '#vals/projects/branches.rules.js';
import { mergeBranch, revertTo } from '#vals/projects/merges.rules.js';
import type { Branch } from '#vals/projects/project-records.collection.js';
import { errorOf, makeFiles, TIME } from './project-draft.js';

const LATER = TIME + 60_000;

/** A project with a fork, and what merges it. */
function makeFork(files: Readonly<Record<string, string>> = { a: '1', b: '2', 'src/': '', 'src/c': '3' }) {
  const made = makeFiles(files);
  const { draft, project, current } = made;
  const fork = createBranch(draft, project, { name: 'draft' }, TIME);
  const merge = (branch: Branch = fork) => mergeBranch(draft, current(branch), LATER);
  const lastCommit = () => draft.commits.get(current().id, current().version);
  return { ...made, fork, merge, lastCommit };
}

describe('a merge', () => {
  test('brings what the branch has changed, by one commit', () => {
    const { fork, add, edit, move, remove, merge, show, current, lastCommit } = makeFork();
    const ids = new Map(Array.from(current().files.tree, ({ path, id }) => [path, id]));
    edit('a', 'one', fork);
    remove('b', fork);
    move('src', null, 'lib', fork);
    const { id } = add('lib/d', '4', fork);
    const { version } = current();

    const parent = merge();

    expect(show()).toStrictEqual({ a: 'one', 'lib/': '', 'lib/c': '3', 'lib/d': '4' });
    expect(parent).toMatchObject({ name: 'main', version: version + 1, updatedAt: LATER });
    expect(lastCommit()).toMatchObject({
      ...{ kind: 'merge', createdAt: LATER, base: null },
      merged: { branchId: fork.id, version: current(fork).version },
    });
    const { tree } = current().files;
    expect(tree.get('lib/c')).toMatchObject({ id: ids.get('src/c'), version: version + 1, updatedAt: LATER });
    expect(tree.get('lib/d')?.id).toBe(id);
  });

  test('keeps what the parent has changed elsewhere', () => {
    const { fork, add, edit, remove, merge, show } = makeFork();
    edit('a', 'one', fork);
    edit('b', 'two');
    remove('src');
    add('e', '5');

    merge();

    expect(show()).toStrictEqual({ a: 'one', b: 'two', e: '5' });
  });

  test('of equal changes makes a version without changes, from which the next merge starts', () => {
    const { fork, add, addFolder, edit, remove, merge, current, show, lastCommit } = makeFork();
    for (const branch of [fork, undefined]) {
      edit('a', 'one', branch);
      remove('b', branch);
      addFolder('lib', branch);
      add('lib/x', '1', branch);
    }
    const before = show();
    const { version } = current();

    merge();

    expect(show()).toStrictEqual(before);
    expect(lastCommit()).toMatchObject({ version: version + 1, kind: 'merge', changes: [] });
    edit('a', '1');
    remove('lib');
    const now = current();
    merge();
    expect(current()).toBe(now);
    add('new', '1', fork);
    merge();
    expect(show()).toStrictEqual({ a: '1', 'src/': '', 'src/c': '3', new: '1' });
  });

  test('and the next one bring each change once', () => {
    const { fork, add, edit, remove, merge, show } = makeFork();
    edit('a', 'one', fork);
    add('new', '1', fork);
    add('gone', '1', fork);
    merge();
    edit('a', 'two', fork);
    edit('new', '2');
    remove('gone');

    merge();

    expect(show()).toStrictEqual({ a: 'two', b: '2', new: '2', 'src/': '', 'src/c': '3' });
  });

  test.each<[string, (made: ReturnType<typeof makeFork>) => void]>([
    [
      'that the branch had created',
      ({ fork, add, merge, remove }) => {
        add('x', '1', fork);
        merge();
        remove('x');
      },
    ],
    [
      'that the branch had changed, also after another merge',
      ({ fork, add, edit, merge, remove }) => {
        edit('a', 'one', fork);
        merge();
        remove('a');
        add('y', '1', fork);
        merge();
        remove('y');
        add('a', '1');
        remove('a');
      },
    ],
    [
      'that both had changed alike',
      ({ fork, edit, merge, remove }) => {
        edit('a', 'one', fork);
        edit('a', 'one');
        edit('b', 'two', fork);
        merge();
        remove('a');
      },
    ],
    [
      'that both had created alike',
      ({ fork, add, edit, merge, remove }) => {
        add('x', '1', fork);
        add('x', '1');
        edit('b', 'two', fork);
        merge();
        remove('x');
      },
    ],
    [
      'that was in a directory',
      ({ fork, add, merge, remove }) => {
        add('src/x', '1', fork);
        merge();
        remove('src');
      },
    ],
  ])('leaves a merged file deleted in the parent %s', (_, act) => {
    const made = makeFork();
    const { fork, add, merge, show, remove } = made;
    act(made);
    const before = show();

    merge();
    expect(show()).toStrictEqual(before);
    add('new', '1', fork);
    merge();
    expect(show()).toStrictEqual({ ...before, new: '1' });
    remove('new');
    remove('new', fork);
    merge();
    expect(show()).toStrictEqual(before);
  });

  test.each<[string, (made: ReturnType<typeof makeFork>) => void, string]>([
    [
      'deleted since it was merged, and changed',
      ({ fork, add, edit, merge, remove }) => {
        add('x', '1', fork);
        merge();
        remove('x');
        edit('x', '2', fork);
      },
      'x',
    ],
    [
      'deleted since a merge that found it changed alike, and changed',
      ({ fork, edit, merge, remove }) => {
        edit('a', 'one', fork);
        edit('a', 'one');
        edit('b', 'two', fork);
        merge();
        remove('a');
        edit('a', 'two', fork);
      },
      'a',
    ],
    [
      'changed since it was merged, and deleted',
      ({ fork, add, edit, merge, remove }) => {
        add('x', '1', fork);
        merge();
        edit('x', '2');
        remove('x', fork);
      },
      'x',
    ],
    [
      'changed in both',
      ({ fork, edit }) => {
        edit('a', 'one', fork);
        edit('a', 'uno');
        edit('b', 'two', fork);
        edit('b', 'dos');
      },
      'a, b',
    ],
    [
      'changed and deleted',
      ({ fork, edit, remove }) => {
        edit('a', 'one', fork);
        remove('a');
      },
      'a',
    ],
    [
      'deleted and changed',
      ({ fork, edit, remove }) => {
        remove('a', fork);
        edit('a', 'uno');
      },
      'a',
    ],
    [
      'created at one path',
      ({ fork, add }) => {
        add('x', '1', fork);
        add('x', '2');
      },
      'x',
    ],
    [
      'created where the other has made a directory',
      ({ fork, add, addFolder }) => {
        add('x', '1', fork);
        addFolder('x');
        add('x/y', '1');
      },
      'x',
    ],
    [
      'created in a directory that is a file',
      ({ fork, add, remove }) => {
        add('src/x', '1', fork);
        remove('src');
        add('src', '1');
      },
      'src',
    ],
    [
      'deleted, and made again',
      ({ fork, add, remove }) => {
        remove('a', fork);
        remove('a');
        add('a', '1');
      },
      'a',
    ],
    [
      'made again, and deleted',
      ({ fork, add, remove }) => {
        remove('a', fork);
        add('a', '1', fork);
        remove('a');
      },
      'a',
    ],
    [
      'changed in both since the last merge',
      ({ fork, edit, merge }) => {
        edit('a', 'one', fork);
        merge();
        edit('a', 'two', fork);
        edit('a', 'dos');
      },
      'a',
    ],
  ])('with a file %s is a 409, and changes nothing', (_, act, paths) => {
    const made = makeFork();
    act(made);
    const before = made.current();

    expect(errorOf(() => made.merge())).toStrictEqual([409, `Conflict: both branches have changed ${paths}`]);
    expect(made.current()).toBe(before);
  });

  test('names ten paths at most', () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${10 + i}`, '']));
    const { fork, edit, merge } = makeFork(files);
    for (const path of Object.keys(files)) {
      edit(path, 'one', fork);
      edit(path, 'uno');
    }

    expect(errorOf(() => merge())).toStrictEqual([
      409,
      'Conflict: both branches have changed f10, f11, f12, f13, f14, f15, f16, f17, f18, f19 and 2 more',
    ]);
  });

  test.each<[string, (made: ReturnType<typeof makeFork>) => void]>([
    ['deletes the directory', ({ fork, add, remove }) => [remove('src', fork), add('src/x', '1')]],
    ['creates the file', ({ fork, add, remove }) => [add('src/x', '1', fork), remove('src')]],
  ])('keeps the directory of a new file when the branch %s', (_, act) => {
    const made = makeFork();
    act(made);

    made.merge();

    expect(made.show()).toStrictEqual({ a: '1', b: '2', 'src/': '', 'src/x': '1' });
  });

  test('of a file that both have moved keeps it at both paths, with one id each', () => {
    const { fork, move, merge, show, current } = makeFork({ a: '1' });
    move('a', null, 'x', fork);
    move('a', null, 'y');
    const id = current().files.tree.get('y')?.id;

    merge();

    expect(show()).toStrictEqual({ x: '1', y: '1' });
    expect(current().files.tree.get('y')?.id).toBe(id);
    expect(current().files.tree.get('x')?.id).not.toBe(id);
  });

  test.each(['1', '2'])('brings a file of an earlier merge that was deleted and created again, now %s', (text) => {
    const { fork, add, remove, merge, show } = makeFork({});
    const upload = (content: string) => {
      add('src/a', content, fork);
      add('main', content, fork);
    };
    upload('1');
    merge();
    for (let i = 0; i < 3; i++) {
      remove('', fork);
      upload(text);

      merge();

      expect(show()).toStrictEqual({ 'src/': '', 'src/a': text, main: text });
      expect(show()).toStrictEqual(show(fork));
    }
  });

  test('of the parent into a fork brings what the parent has changed, and the other way then what the fork has', () => {
    const { draft, fork, current, edit, add, merge, show } = makeFork({ a: '1', b: '2' });
    const update = () => mergeBranch(draft, current(), LATER, current(fork));
    edit('a', 'one');
    edit('b', 'two', fork);
    add('new', '1', fork);

    expect(update()).toMatchObject({ name: 'draft', version: 3 });
    expect(show(fork)).toStrictEqual({ a: 'one', b: 'two', new: '1' });
    expect(show()).toStrictEqual({ a: 'one', b: '2' });
    merge();
    expect(show()).toStrictEqual({ a: 'one', b: 'two', new: '1' });
    const { version } = current(fork);
    expect(update().version).toBe(version);
  });

  test('of branches that are no relatives is a 400', () => {
    const { draft, project, fork, current } = makeFork();
    const second = createBranch(draft, project, { name: 'second' }, TIME);
    const message = 'Neither of the branches second and draft was forked from the other';
    expect(errorOf(() => mergeBranch(draft, second, LATER, current(fork)))).toStrictEqual([400, message]);
  });

  test('keeps a file that the branch has deleted and created again', () => {
    const { fork, add, remove, merge, show } = makeFork({ a: '1' });
    remove('a', fork);
    add('a', '1', fork);

    merge();

    expect(show()).toStrictEqual({ a: '1' });
  });

  test('has its changes by path, a deletion before what takes its place', () => {
    const { fork, add, remove, merge, lastCommit } = makeFork({ a: '1', b: '2' });
    remove('', fork);
    add('b', '3', fork);
    add('a', '3', fork);

    merge();

    const changes = lastCommit()?.changes.map(({ before, after }) => [before?.path, after?.path]);
    expect(changes).toStrictEqual([
      ['a', undefined],
      [undefined, 'a'],
      ['b', undefined],
      [undefined, 'b'],
    ]);
  });

  test('needs a parent', () => {
    const { draft, project, fork, current, merge } = makeFork();
    const second = createBranch(draft, project, { name: 'second', branchId: fork.id }, TIME);
    deleteBranch(draft, current(fork));

    expect(errorOf(() => merge(second))).toStrictEqual([400, 'The branch second has no branch to merge into']);
    expect(errorOf(() => merge(current()))).toStrictEqual([400, 'The branch main has no branch to merge into']);
  });

  test('goes into a fork that is the parent', () => {
    const { draft, project, fork, add, merge, show } = makeFork({ a: '1' });
    const second = createBranch(draft, project, { name: 'second', branchId: fork.id }, TIME);
    add('b', '2', second);

    expect(merge(second).name).toBe('draft');
    expect(show(fork)).toStrictEqual({ a: '1', b: '2' });
    expect(show()).toStrictEqual({ a: '1' });
  });
});

describe('a revert', () => {
  test('brings back the files of a version with their ids, by one commit', () => {
    const { draft, current, edit, move, remove, add, show } = makeFiles({ a: '1', b: '2', 'src/': '', 'src/c': '3' });
    const before = current();
    edit('a', 'one');
    remove('b');
    move('src', null, 'lib');
    add('new', '4');

    const reverted = revertTo(draft, current(), 4, LATER);

    expect(show()).toStrictEqual({ a: '1', b: '2', 'src/': '', 'src/c': '3' });
    expect(reverted).toMatchObject({ version: 9, updatedAt: LATER });
    expect(draft.commits.get(current().id, 9)).toMatchObject({ kind: 'revert', createdAt: LATER });
    for (const { path, id } of before.files.tree)
      expect(current().files.tree.get(path)).toMatchObject({ id, version: 9 });
    expect(Array.from(getTree(draft, current(), 8), ({ path }) => path)).toStrictEqual(['a', 'lib', 'lib/c', 'new']);
  });

  test('to the latest version changes nothing, and to one that is not there is a 404', () => {
    const { draft, current } = makeFiles({ a: '1' });

    expect(revertTo(draft, current(), 1, LATER)).toBe(current());
    expect(errorOf(() => revertTo(draft, current(), 2, LATER))).toStrictEqual([404, 'Version not found']);
  });

  test('of a fork to version 0 has the files of the parent at the fork', () => {
    const { draft, fork, current, edit, show } = makeFork({ a: '1' });
    edit('a', 'one', fork);
    edit('a', 'uno');

    revertTo(draft, current(fork), 0, LATER);

    expect(show(fork)).toStrictEqual({ a: '1' });
  });
});
