import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { toValsState } from '#vals/lib/state.collection.js';
import { getBranch } from '#vals/projects/branches.rules.js';
import { mergeBranch, revertTo } from '#vals/projects/merges.rules.js';
import type { Emulator, Fixtures } from '../../src/index.js';
import { createEmulator } from '../support/emulate.js';
import { SEED, sized } from '../support/soak.js';
import {
  type Branch,
  create,
  fork,
  list,
  merge,
  type Project,
  Refused,
  refuse,
  remove,
  removeBranch,
  revert,
  treeOf,
  type Update,
  update,
  versionOf,
} from './projects-model.js';

/*
 * Random requests about projects, to the emulator and to a naive model. Merges and reverts, which no route makes, are made by the
 * rules of src. `SEED=7` draws others, and `SOAK=1500` more of them.
 */

const [RUNS, STEPS] = sized([40, 250], [300, 250]);

const SCOPES = { reader: ['val:read'], nobody: ['user_r', 'val_rw'] } as const;
const FIXTURES: Fixtures = {
  users: [
    { username: 'ada', token: 'ada' },
    { username: 'eve', token: 'eve' },
  ],
  tokens: Object.entries(SCOPES).map(([token, scopes]) => ({ user: 'ada', token, scopes: [...scopes] })),
};
const WHO = [...Array<string>(30).fill('ada'), 'eve', 'eve', 'reader', 'nobody'];
const PATHS = ['a', 'b', 'a.ts', 'src', 'src/a', 'src/b', 'lib', 'lib/src', 'lib/src/a', 'x', '', 'a//b', 'src/..'];
const NAMES = ['a', 'b', 'src', 'lib', 'x'];
const DIRECTORIES = [null, null, '', 'src', 'lib', 'lib/src', 'a', 'none', '..'];
const TEXTS = ['', '1', '2', 'ä 🎲'];
const TYPES = ['file', 'script', 'http', 'interval'];
const NO_ID = '99999999-0000-4000-8000-000000000000';

const KINDS = [
  ...Array<'create'>(12).fill('create'),
  ...Array<'update'>(14).fill('update'),
  ...Array<'remove'>(3).fill('remove'),
  ...(['project', 'project', 'removeProject', 'fork', 'fork', 'fork', 'removeBranch'] as const),
  ...(['list', 'list', 'list', 'content', 'content', 'file', 'file', 'branch'] as const),
  ...(['merge', 'merge', 'merge', 'merge', 'revert', 'revert'] as const),
  ...(['snapshot', 'restore', 'rewind', 'rewind', 'reset', 'reseed'] as const),
] as const;

/** What is done, with numbers by which it chooses from what there is. */
const step = fc.record({
  kind: fc.nat(KINDS.length - 1).map((n) => KINDS[n] ?? 'list'),
  who: fc.nat(WHO.length - 1),
  numbers: fc.array(fc.nat(5_039), { minLength: 8, maxLength: 8 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const Body = z.looseObject({ id: z.string().optional() });
const FileBody = z.object({ path: z.string(), id: z.string(), type: z.string(), version: z.number() });
const Files = z.object({ data: z.array(FileBody) });
const Branches = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The emulator and the model side by side. */
class Pair {
  readonly #emulator: Emulator;
  projects: Project[] = [];
  /** The states before the commits that can be taken back. */
  #past: Project[][] = [];
  #snapshot: Project[] | undefined;
  #seed: Project[] = [];
  readonly counts: Record<string, number> = {};

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  async send(method: string, path: string, who: string, body?: unknown) {
    const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#emulator.fetch(path, {
      method,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
      ...init,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  async run({ kind, who: n, numbers: [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] }: Step): Promise<void> {
    const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];
    const who = WHO[n] ?? 'ada';
    const project = pick(this.projects, a);
    const branch = project && pick(project.branches, b);
    // Mostly a path that there is, but for a new file.
    const paths = branch && kind !== 'create' && h % 4 > 0 ? [...treeOf(branch).keys()] : PATHS;
    const path = pick(paths, c) ?? '';
    const version = branch && d % 3 > 0 ? d % (versionOf(branch) + 2) : undefined;
    const files = `/v2/vals/${project?.id ?? NO_ID}/files`;
    const at = `path=${encodeURIComponent(path)}&branch_id=${branch?.id ?? NO_ID}`;
    const asOf = version === undefined ? '' : `&version=${version}`;
    const known = () => this.#readable(project, who);
    const there = () => (branch && known() ? branch : refuse(404));
    switch (kind) {
      case 'project': {
        const body = { name: pick(NAMES, c) ?? 'a', privacy: pick(['public', 'private'], d) };
        return await this.#write(
          'POST',
          '/v2/vals',
          who,
          body,
          201,
          async ({ id = '' }) => {
            if (who === 'eve') return;
            const branches = await this.send('GET', `/v2/vals/${id}/branches`, 'ada');
            const main = Branches.parse(branches.body).data[0]?.id ?? '';
            const made = { from: null, trees: [new Map()], met: { base: new Map(), versions: {} } };
            this.projects.push({
              id,
              name: body.name,
              isPrivate: body.privacy === 'private',
              branches: [{ id: main, name: 'main', ...made }],
            });
          },
          () => {
            // Those of Eve are not of interest.
            if (who === 'eve') refuse(0);
            if (this.projects.some(({ name }) => name === body.name)) refuse(409);
          },
        );
      }
      case 'removeProject':
        if (e % 8 > 0) return;
        return await this.#write(
          'DELETE',
          `/v2/vals/${project?.id ?? NO_ID}`,
          who,
          undefined,
          204,
          () => {
            this.projects = this.projects.filter((each) => each !== project);
          },
          () => this.#writable(project, who),
        );
      case 'fork': {
        const body = { name: pick([...NAMES, 'main'], c) ?? 'a', branchId: branch?.id ?? NO_ID };
        const root = `/v2/vals/${project?.id ?? NO_ID}/branches`;
        return await this.#write(
          'POST',
          root,
          who,
          body,
          201,
          ({ id = '' }) => {
            if (project && branch) fork(project, branch, body.name, id);
          },
          () => {
            const known = this.#writable(project, who);
            if (known.branches.some((each) => each.name === body.name)) refuse(409);
          },
        );
      }
      case 'removeBranch': {
        const root = `/v2/vals/${project?.id ?? NO_ID}/branches/${branch?.id ?? NO_ID}`;
        return await this.#write(
          'DELETE',
          root,
          who,
          undefined,
          204,
          () => {
            if (project && branch) removeBranch(project, branch);
          },
          () => {
            this.#writable(project, who);
            if (branch?.name === 'main') refuse(400);
          },
        );
      }
      case 'create': {
        const type = e % 3 === 0 ? 'directory' : (pick(TYPES, e) ?? 'file');
        const text = type === 'directory' ? null : (pick(TEXTS, f) ?? '');
        let ids = new Map<string, string>();
        const make = (to = branch) =>
          create(this.#writableBranch(project, to, who), path, type, text, (each) => ids.get(each) ?? '');
        return await this.#write(
          'POST',
          `${files}?${at}`,
          who,
          { type, content: text },
          201,
          async () => {
            const all = await this.send(
              'GET',
              `${files}?path=&recursive=true&limit=100&branch_id=${branch?.id}`,
              'ada',
            );
            ids = new Map(Files.parse(all.body).data.map((file) => [file.path, file.id]));
            make();
          },
          () => make(structuredClone(branch)),
        );
      }
      case 'update': {
        const body: Update = {
          ...(d % 2 === 0 && { content: pick(TEXTS, e) ?? '' }),
          ...(d % 5 === 0 && { type: pick([...TYPES, 'directory'], f) ?? 'file' }),
          ...(d % 3 === 0 && { name: pick(NAMES, g) ?? 'a' }),
          ...(d % 7 < 3 && { parent_path: pick(DIRECTORIES, h) ?? null }),
        };
        const change = (to = branch) => update(this.#writableBranch(project, to, who), path, body);
        return await this.#write(
          'PUT',
          `${files}?${at}`,
          who,
          body,
          200,
          (received) => {
            const target = change();
            const file = branch && treeOf(branch).get(target);
            expect(received).toMatchObject({ path: target, id: file?.id, type: file?.type, version: file?.version });
          },
          () => change(structuredClone(branch)),
        );
      }
      case 'remove': {
        const drop = (from = branch) => remove(this.#writableBranch(project, from, who), path, e % 2 === 0);
        return await this.#write(
          'DELETE',
          `${files}?${at}&recursive=${e % 2 === 0}`,
          who,
          undefined,
          204,
          () => drop(),
          () => drop(structuredClone(branch)),
        );
      }
      case 'list':
        return await this.#read(`${files}?${at}${asOf}&recursive=${e % 2 === 0}&limit=100`, who, Files, () => ({
          data: list(treeOf(there(), version), path, e % 2 === 0).map(([each, file]) => ({
            path: each,
            id: file.id,
            type: file.type,
            version: file.version,
          })),
        }));
      case 'content':
        return await this.#read(`${files}/content?${at}${asOf}`, who, z.string(), () => {
          const tree = treeOf(there(), version);
          return list(tree, path, false)[0]?.[0] === path ? (tree.get(path)?.text ?? refuse(404)) : refuse(404);
        });
      case 'file': {
        const ever = [...(branch?.trees ?? [])].flatMap((tree) => Array.from(tree.values(), ({ id }) => id));
        const id = pick(ever, c) ?? NO_ID;
        return await this.#read(`/v2/files/${id}`, who, FileBody, () => {
          const found = known().branches.flatMap((each) => [...treeOf(each)].filter(([, file]) => file.id === id));
          const [first] = found;
          return first ? { path: first[0], id, type: first[1].type, version: first[1].version } : refuse(404);
        });
      }
      case 'branch':
        return await this.#read(
          `/v2/vals/${project?.id ?? NO_ID}/branches/${branch?.id ?? NO_ID}`,
          who,
          z.looseObject({}),
          () => {
            const { id, name, from } = there();
            return expect.objectContaining({ id, name, version: versionOf(there()), forkedBranchId: from });
          },
        );
      case 'merge':
        if (project && branch) this.#act('merge', project, branch, (ids) => merge(project, branch, ids));
        return;
      case 'revert':
        if (project && branch) {
          const to = c % (versionOf(branch) + 2);
          this.#act(to, project, branch, () => revert(branch, to));
        }
        return;
      case 'snapshot':
        this.#emulator.snapshot('one');
        this.#snapshot = structuredClone(this.projects);
        return;
      case 'restore':
        if (this.#snapshot === undefined) return;
        this.#emulator.restore('one');
        this.projects = structuredClone(this.#snapshot);
        this.#past = [];
        return;
      case 'rewind': {
        const before = this.#past.pop();
        if (before === undefined) return;
        this.#emulator.rewind(1);
        this.projects = before;
        return;
      }
      case 'reset':
        if (e % 8 > 0) return;
        this.#emulator.reset();
        this.projects = structuredClone(this.#seed);
        this.#past = [];
        return;
      case 'reseed':
        this.#emulator.reseed(this.#emulator.state());
        this.#seed = structuredClone(this.projects);
        this.#past = [];
        return;
    }
  }

  /** Compares each version of each branch. */
  async compareAll(): Promise<number> {
    let versions = 0;
    for (const { id, branches } of this.projects) {
      for (const branch of branches) {
        for (const [version, tree] of branch.trees.entries()) {
          const path = `/v2/vals/${id}/files?path=&recursive=true&limit=100&branch_id=${branch.id}&version=${version}`;
          const expected = list(tree, '', true).map(([each, file]) => ({
            path: each,
            id: file.id,
            type: file.type,
            version: file.version,
          }));
          expect(Files.parse((await this.send('GET', path, 'ada')).body).data, path).toEqual(expected);
          versions++;
        }
      }
    }
    return versions;
  }

  #readable(project: Project | undefined, who: string): Project {
    return project && (who !== 'eve' || !project.isPrivate) ? project : refuse(404);
  }

  #writable(project: Project | undefined, who: string): Project {
    return who === 'eve' ? refuse(404) : this.#readable(project, who);
  }

  #writableBranch(project: Project | undefined, branch: Branch | undefined, who: string): Branch {
    return this.#writable(project, who) && (branch ?? refuse(404));
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #write(
    method: string,
    path: string,
    who: string,
    body: unknown,
    status: number,
    apply: (body: z.infer<typeof Body>) => unknown,
    check: () => unknown,
  ) {
    const expected = this.#predict(status, () => {
      if (who in SCOPES) refuse(403);
      check();
    });
    if (expected === 0) return;
    const before = structuredClone(this.projects);
    const response = await this.send(method, path, who, body);
    expect([response.status, method, path, body]).toEqual([expected, method, path, body]);
    this.#count(`${method} ${expected}`);
    if (expected !== status) return;
    await apply(Body.parse(typeof response.body === 'string' ? {} : response.body));
    this.#past.push(before);
  }

  async #read(path: string, who: string, schema: z.ZodType, predict: () => unknown): Promise<void> {
    let value: unknown;
    const expected = this.#predict(200, () => {
      if (who === 'nobody') refuse(403);
      value = predict();
    });
    const response = await this.send('GET', path, who);
    expect([response.status, path, who]).toEqual([expected, path, who]);
    this.#count(`GET ${expected}`);
    if (expected === 200) expect(schema.parse(response.body), path).toEqual(value);
  }

  #predict(status: number, act: () => unknown): number {
    try {
      act();
      return status;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.status;
    }
  }

  /** Merges a branch, or brings it back to a version. */
  #act(what: 'merge' | number, project: Project, branch: Branch, apply: (ids: (path: string) => string) => void): void {
    const before = structuredClone(this.projects);
    const { id, name, from } = branch;
    const found = this.#predict(200, () => {
      try {
        this.#emulator.update('POST /test', (given) => {
          const draft = toValsState(given);
          const stored = draft.projects.get(project.id) ?? refuse(500);
          const branch = getBranch(draft, stored, id);
          const now = this.#emulator.clock.now.getTime();
          return what === 'merge' ? mergeBranch(draft, branch, now) : revertTo(draft, branch, what, now);
        });
      } catch (error) {
        refuse(Number(Object(error).status) || 500);
      }
    });
    const { branches } = toValsState(this.#emulator.store.state);
    const files = branches.get(from ?? '')?.files.tree;
    const expected = this.#predict(200, () => apply((path) => files?.get(path)?.id ?? ''));
    expect([found, what, name]).toEqual([expected, what, name]);
    this.#count(`${what === 'merge' ? 'merge' : 'revert'} ${expected}`);
    // Without a difference there is no commit.
    if (!isDeepStrictEqual(this.projects, before)) this.#past.push(before);
  }
}

test('the emulator responds to requests about projects as a naive model predicts', async () => {
  const counts: Record<string, number> = {};
  let versions = 0;
  const property = fc.asyncProperty(fc.noBias(fc.array(step, { maxLength: STEPS, size: 'max' })), async (steps) => {
    await using emulator = await createEmulator({
      fixtures: FIXTURES,
      listen: false,
      now: '2024-06-11T22:05:12.585Z',
    });
    const pair = new Pair(emulator);
    await pair.run({ kind: 'project', who: 0, numbers: [] });
    for (const each of steps) await pair.run(each);
    versions += await pair.compareAll();
    for (const [what, number] of Object.entries(pair.counts)) counts[what] = (counts[what] ?? 0) + number;
  });

  await fc.assert(property, { seed: Number(SEED), numRuns: RUNS });

  // So that a generator that makes nothing does not pass.
  for (const what of ['POST 201', 'POST 409', 'PUT 200', 'DELETE 204', 'GET 200', 'GET 404', 'merge 200', 'revert 200'])
    expect(counts[what], what).toBeGreaterThan(RUNS / 2);
  expect(versions).toBeGreaterThan(RUNS * 10);
});
