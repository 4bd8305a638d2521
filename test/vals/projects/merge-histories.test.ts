import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toValsState } from '#vals/lib/state.collection.js';
import { getBranch } from '#vals/projects/branches.rules.js';
import { getText } from '#vals/projects/file-records.collection.js';
import { createFile, deleteFile, updateFile } from '#vals/projects/files.rules.js';
import { mergeBranch, revertTo } from '#vals/projects/merges.rules.js';
import type { Emulator } from '../../../src/index.js';
import {
  type Branch,
  create,
  type File,
  fork,
  merge,
  type Project,
  Refused,
  remove,
  revert,
  type Tree,
  treeOf,
  type Update,
  update,
  versionOf,
} from '../../model/projects-model.js';
import { createEmulator } from '../../support/emulate.js';
import { SEED, sized } from '../../support/soak.js';

/*
 * Random histories of four branches, which merge in both directions. Three things predict a merge: the naive model; git, from the
 * best common ancestor of both branches; and exports, which have to load as the same. `SEED=7` draws other histories.
 */

const [HISTORIES, STEPS] = sized([12, 60], [200, 80]);
/** Git predicts one merge of so many, since each takes nine processes. */
const GIT_SHARE = sized(4, 2);

const PATHS = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'e', 'e/a'];
const TEXTS = ['1', '2'];
const KINDS = [
  ...Array<'create'>(7).fill('create'),
  ...Array<'move'>(3).fill('move'),
  ...(['edit', 'edit', 'edit', 'folder', 'remove', 'remove', 'upload', 'upload', 'revert'] as const),
  ...Array<'merge'>(9).fill('merge'),
] as const;
const BRANCHES = [
  ['draft', 'main'],
  ['topic', 'draft'],
  ['second', 'main'],
] as const;

const step = fc.record({
  kind: fc.nat(KINDS.length - 1).map((n) => KINDS[n] ?? 'create'),
  numbers: fc.array(fc.nat(5_039), { minLength: 4, maxLength: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A version of a branch, as git knows it. */
interface Node {
  readonly parents: readonly Node[];
  readonly tree: Tree;
}

function listAncestors(node: Node, found = new Set<Node>()): Set<Node> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...next.parents);
  }
  return found;
}

/** Returns the common ancestor that no other one descends from. */
function findBase(a: Node, b: Node): Node {
  const ofB = listAncestors(b);
  const common = [...listAncestors(a)].filter((each) => ofB.has(each));
  const best = common.filter((each) => !common.some((other) => other !== each && listAncestors(other).has(each)));
  expect(best).toHaveLength(1);
  return best[0] ?? a;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'merges-'));
  spawnSync('git', ['init', '-q', '--bare', folder]);
  for (const input of ['directory null', 'file 1', 'file 2'])
    spawnSync('git', ['hash-object', '-w', '--stdin'], { env: { ...process.env, GIT_DIR: folder }, input });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const hasGit = spawnSync('git', ['--version']).status === 0;

const hashBlob = (text: string): string => createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');

/** Git knows no directories: each has a file. */
const toGit = (tree: Tree): Map<string, string> =>
  new Map(
    Array.from(tree, ([path, { type, text }]) => [
      type === 'directory' ? `${path}/.keep` : path,
      hashBlob(`${type} ${text}`),
    ]),
  );

const SCRIPT = `
for name in base ours theirs; do
  export GIT_INDEX_FILE=$name.index; rm -f $GIT_INDEX_FILE
  git update-index --index-info < $name.txt && git write-tree --missing-ok > $name.tree || exit 3
done
export GIT_INDEX_FILE=merged.index; rm -f $GIT_INDEX_FILE
git read-tree -i -m --aggressive $(cat base.tree) $(cat ours.tree) $(cat theirs.tree) || exit 4
git ls-files --stage
`;

/** Merges trees by git. Undefined for a conflict. */
function mergeByGit(trees: Readonly<Record<'base' | 'ours' | 'theirs', Tree>>): Map<string, string> | undefined {
  for (const [name, tree] of Object.entries(trees)) {
    const lines = Array.from(toGit(tree), ([path, hash]) => `100644 ${hash} 0\t${path}\n`);
    writeFileSync(join(folder, `${name}.txt`), lines.join(''));
  }
  const env = { ...process.env, GIT_DIR: folder };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', SCRIPT], { cwd: folder, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const entries = stdout.split('\n').flatMap((line) => {
    const [, hash, stage, path] = /^\d+ (\w+) (\d)\t(.*)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, hash: hash ?? '', stage }];
  });
  return entries.some(({ stage }) => stage !== '0')
    ? undefined
    : new Map(entries.map((each) => [each.path, each.hash]));
}

const isAlike = (a: File | undefined, b: File | undefined) => a?.type === b?.type && a?.text === b?.text;
const isTreeAlike = (a: Tree, b: Tree) =>
  a.size === b.size && [...a].every(([path, file]) => isAlike(file, b.get(path)) && file.id === b.get(path)?.id);

/** Whether one side has deleted a file that the other has made again, which is a conflict here only. */
const isMadeAgain = (base: Tree, one: Tree, other: Tree) =>
  [...base].some(([path, file]) => {
    const found = other.get(path);
    const isDeleted = !one.has(path) || one.get(path)?.type === 'directory';
    return file.type !== 'directory' && isDeleted && isAlike(found, file) && found?.id !== file.id;
  });

/** Whether a path is a file in one tree and a directory in another one. */
const isReplaced = (...trees: readonly Tree[]) =>
  trees.some((tree) =>
    [...tree].some(
      ([path, { type }]) => type === 'directory' && trees.some((other) => other.get(path)?.type === 'file'),
    ),
  );

/** The emulator, the model and git side by side. */
class History {
  readonly #emulator: Emulator;
  readonly #projectId: string;
  readonly #project: Project;
  readonly #tips = new Map<Branch, Node>();
  readonly counts: Record<string, number> = {};
  #merges = 0;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    const [project] = this.#state.projects;
    this.#projectId = project?.id ?? '';
    const main = { id: this.#find('main')?.id ?? '', name: 'main', from: null, trees: [new Map()] };
    this.#project = { id: '', name: 'site', isPrivate: false, branches: [] };
    this.#addBranch({ ...main, met: { base: new Map(), versions: {} } });
  }

  get #state() {
    return toValsState(this.#emulator.store.state);
  }

  #find(name: string) {
    return this.#state.branches.by.name.get([this.#projectId, name]);
  }

  #addBranch(branch: Branch, parents: readonly Node[] = []): void {
    if (!this.#project.branches.includes(branch)) this.#project.branches.push(branch);
    this.#tips.set(branch, { parents, tree: treeOf(branch) });
  }

  run({ kind, numbers: [a = 0, b = 0, c = 0, d = 0] }: Step): unknown {
    const { branches } = this.#project;
    const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];
    const next = BRANCHES[branches.length - 1];
    const branch = pick(branches, a);
    if (!branch) throw new Error('no branch');
    if (next && d % 6 === 0) {
      const parent = branches.find(({ name }) => name === next[1]);
      if (parent) this.#fork(parent, next[0]);
      return;
    }
    const path =
      (kind === 'create' || kind === 'folder' ? undefined : pick([...treeOf(branch).keys()], b)) ??
      pick(PATHS, b) ??
      '';
    const content = pick(TEXTS, c) ?? '';
    switch (kind) {
      case 'create':
        return this.#create(branch, path, content);
      case 'folder':
        return this.#create(branch, path, null);
      case 'edit':
        return this.#change(branch, path, { content });
      case 'move':
        return this.#change(branch, path, {
          name: pick(['a', 'b', 'd', 'e', 'x'], c) ?? '',
          ...(d % 2 === 0 && { parent_path: pick([null, 'd', 'e', 'd/e'], d) ?? null }),
        });
      case 'remove':
        return this.#remove(branch, path);
      case 'upload': {
        // As a program that deploys: all is deleted, and sent again.
        const files = [...treeOf(branch)].filter(([, { text }]) => text !== null);
        this.#remove(branch, '');
        for (const [each, { text }] of files) this.#create(branch, each, d % 3 === 0 ? content : text);
        return;
      }
      case 'revert': {
        const version = c % (versionOf(branch) + 1);
        return this.#act(
          branch,
          'revert',
          (draft, now) => revertTo(draft, getBranch(draft, this.#getProject(draft), branch.id), version, now),
          () => revert(branch, version),
        );
      }
      case 'merge': {
        const relatives = branches.filter(({ id, from }) => id === branch.from || from === branch.id);
        const target = pick(relatives, b);
        return target && this.#merge(branch, target);
      }
    }
  }

  #getProject(draft: ReturnType<typeof toValsState>) {
    const project = draft.projects.get(this.#projectId);
    if (!project) throw new Error('no project');
    return project;
  }

  #fork(parent: Branch, name: string): void {
    const response = this.#emulator.add.branch({ project: 'ada/site', name, from: parent.name });
    fork(this.#project, parent, name, response.id);
    const branch = this.#project.branches.at(-1);
    const tip = this.#tips.get(parent);
    if (branch && tip) this.#tips.set(branch, tip);
  }

  #create(branch: Branch, path: string, text: string | null): void {
    const type = text === null ? 'directory' : 'file';
    this.#act(
      branch,
      'create',
      (draft, now) => {
        createFile(draft, getBranch(draft, this.#getProject(draft), branch.id), path, { type, content: text }, now);
      },
      (ids) => create(branch, path, type, text, ids),
    );
  }

  #change(branch: Branch, path: string, change: Pick<Update, 'name' | 'content' | 'parent_path'>): void {
    this.#act(
      branch,
      'update',
      (draft, now) => {
        updateFile(draft, getBranch(draft, this.#getProject(draft), branch.id), path, change, now);
      },
      () => update(branch, path, change),
    );
  }

  #remove(branch: Branch, path: string): void {
    this.#act(
      branch,
      'remove',
      (draft, now) => deleteFile(draft, getBranch(draft, this.#getProject(draft), branch.id), path, true, now),
      () => remove(branch, path, true),
    );
  }

  #merge(source: Branch, target: Branch): unknown {
    const [from, into] = [this.#tips.get(source), this.#tips.get(target)];
    if (!from || !into) throw new Error('no tip');
    const base = findBase(from, into).tree;
    const [ours, theirs] = [treeOf(target), treeOf(source)];
    const before = versionOf(target);
    const isMerged = this.#act(
      target,
      'merge',
      (draft, now) => {
        const project = this.#getProject(draft);
        mergeBranch(draft, getBranch(draft, project, source.id), now, getBranch(draft, project, target.id));
      },
      (ids) => merge(this.#project, source, ids, target),
      [from],
    );
    if (isMerged && versionOf(target) === before) expect(isTreeAlike(base, theirs)).toBe(true);
    const result = treeOf(target);
    if (isTreeAlike(base, ours)) {
      // The target has not moved.
      expect(isMerged).toBe(true);
      expect(isTreeAlike(result, theirs)).toBe(true);
    }
    if (!hasGit || this.#merges++ % GIT_SHARE !== 0) return;
    const expected = mergeByGit({ base, ours, theirs });
    this.#count(expected ? 'clean by git' : 'conflict by git');
    if (!expected) {
      // To git, a file that becomes a directory is a conflict, even if one side has changed it only.
      if (!isReplaced(base, ours, theirs)) expect(isMerged).toBe(false);
      return;
    }
    if (!isMerged) return expect(isMadeAgain(base, ours, theirs) || isMadeAgain(base, theirs, ours)).toBe(true);
    const found = toGit(result);
    for (const [path, hash] of expected) expect([path, found.get(path)]).toEqual([path, hash]);
    const extra = [...found.keys()].filter((path) => !expected.has(path));
    // Directories that have files.
    for (const path of extra) {
      expect(path).toMatch(/\/\.keep$/);
      const directory = path.slice(0, -'.keep'.length);
      expect([...expected.keys()].some((each) => each.startsWith(directory))).toBe(true);
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Does the same with the emulator and the model, and compares both. Returns false if both refuse. */
  #act(
    branch: Branch,
    what: string,
    act: (draft: ReturnType<typeof toValsState> & Parameters<typeof mergeBranch>[0], now: number) => unknown,
    predict: (ids: (path: string) => string) => unknown,
    merged: readonly Node[] = [],
  ): boolean {
    const before = treeOf(branch);
    let found = 200;
    try {
      this.#emulator.update('POST /test', (given) => {
        act(toValsState(given), this.#emulator.clock.now.getTime());
      });
    } catch (error) {
      found = Number(Object(error).status) || 0;
      if (found === 0) throw error;
    }
    const tree = this.#state.branches.get(branch.id)?.files.tree;
    let expected = 200;
    try {
      predict((path) => tree?.get(path)?.id ?? '');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      expected = error.status;
    }
    expect([what, branch.name, found]).toEqual([what, branch.name, expected]);
    this.#count(`${what} ${found}`);
    const isChanged = treeOf(branch) !== before;
    const tip = this.#tips.get(branch);
    if (isChanged && tip) this.#addBranch(branch, [tip, ...merged]);
    const files = Array.from(tree ?? [], ({ path, id, type, hash, version, ...file }) => {
      const text = hash === null ? null : getText(this.#state, { path, id, type, hash, version, ...file });
      return [path, { id, type, text, version }];
    });
    expect(files).toEqual([...treeOf(branch)].sort(([a], [b]) => (a < b ? -1 : 1)));
    return found === 200;
  }

  /** Exports, loads and exports again. */
  async compareExports(): Promise<void> {
    const commits = ({ store }: Emulator) =>
      Array.from(toValsState(store.state).commits, ({ serial: _, ...commit }) => commit);
    for (const options of [{}, { brief: true }]) {
      const exported = this.#emulator.state(options);
      await using again = await createEmulator({ fixtures: exported, listen: false, now: this.#emulator.clock.now });
      expect(again.state(options)).toEqual(exported);
      expect(JSON.stringify(again.state(options))).toBe(JSON.stringify(exported));
      expect(commits(again)).toEqual(commits(this.#emulator));
    }
  }
}

test('merges are as a naive model and git predict, and exports of them load as the same', async () => {
  const counts: Record<string, number> = {};
  const property = fc.asyncProperty(
    fc.noBias(fc.array(step, { minLength: STEPS / 2, maxLength: STEPS, size: 'max' })),
    async (steps) => {
      await using emulator = await createEmulator({
        fixtures: { users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'site' }] },
        ...{ listen: false, now: '2024-06-11T22:05:12.585Z' },
      });
      const history = new History(emulator);
      for (const each of steps) history.run(each);
      await history.compareExports();
      for (const [what, number] of Object.entries(history.counts)) counts[what] = (counts[what] ?? 0) + number;
    },
  );

  await fc.assert(property, { seed: Number(SEED), numRuns: HISTORIES, endOnFailure: true });

  const expected = ['merge 200', 'merge 409', 'update 200', 'revert 200'];
  // So that a generator that makes nothing does not pass.
  for (const what of [...expected, ...(hasGit ? ['clean by git', 'conflict by git'] : [])])
    expect(counts[what], what).toBeGreaterThan(HISTORIES / 4);
});
