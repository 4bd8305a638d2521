import { expect, test } from 'vitest';
import { generate } from '#vals/generator/index.js';
import { load } from '../../engine/fixtures/loading.js';
import { agoOf } from './dataset.js';

const dataset = generate({ users: 20, vals: 0, projects: 200, seed: 7 });
const { users, projects = [], commits = [] } = dataset;
const state = load({ users, projects, commits });
/** All texts of files by path, of each commit. */
const texts = [
  ...projects.map(({ files }) => files ?? {}),
  ...projects.flatMap(({ branches = [] }) =>
    branches.flatMap((branch) => branch.commits ?? []).map(({ files }) => files ?? {}),
  ),
  ...commits.map(({ files }) => files ?? {}),
].flatMap((files) => Object.entries(files));

test('all projects load, each with files, half of them with later commits, some with a branch', () => {
  expect(state.projects.size).toBe(200);
  const mains = [...state.branches].filter(({ name }) => name === 'main');
  expect(mains.every(({ files }) => files.tree.size >= 2)).toBe(true);
  expect(mains.filter(({ version }) => version > 1).length).toBeGreaterThan(80);
  expect(state.branches.size - mains.length).toBeGreaterThan(30);
  expect(state.environment.size).toBeGreaterThan(5);
  expect(new Set(projects.map(({ privacy }) => privacy))).toEqual(new Set(['public', 'unlisted', 'private']));
});

test('files are of each type', () => {
  const types = new Set([...state.branches].flatMap(({ files }) => Array.from(files.tree, ({ type }) => type)));
  expect([...types].sort()).toEqual(['directory', 'file', 'http', 'interval', 'script']);
});

test('texts are rendered, and import files of their project', () => {
  expect(texts.length).toBeGreaterThan(500);
  for (const [, text] of texts) expect(text).not.toMatch(/%\w+%|undefined|https:\/\/esm\.town\/v\//);
  let count = 0;
  for (const { files = {} } of projects) {
    for (const [, text] of Object.entries(files)) {
      for (const [, path] of String(text).matchAll(/from "\.\/(lib\/[^"]+)"/g)) {
        count++;
        expect(Object.keys(files)).toContain(path);
      }
    }
  }
  expect(count).toBeGreaterThan(50);
});

test('times of a project are in order, and after its owner joined', () => {
  const last = new Map<string, number>();
  for (const { owner, name, createdAt, branches = [] } of projects) {
    last.set(`${owner}/${name}@main`, agoOf(createdAt));
    for (const branch of branches)
      expect(agoOf(branch.commits?.[0]?.createdAt)).toBeLessThanOrEqual(agoOf(branch.createdAt));
  }
  expect(commits.length).toBeGreaterThan(100);
  for (const { branch, createdAt } of commits) {
    expect(agoOf(createdAt)).toBeLessThanOrEqual(last.get(branch) ?? -1);
    last.set(branch, agoOf(createdAt));
  }
  const ages = projects.map(({ createdAt }) => agoOf(createdAt));
  expect(ages).toEqual([...ages].sort((a, b) => b - a));
});

test('a dataset without projects has no collection of them', () => {
  expect(Object.keys(generate({ users: 1, vals: 0 }))).not.toContain('projects');
});
