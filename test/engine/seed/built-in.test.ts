import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasets } from '#vals/lib/datasets.collection.js';
import { PRIVACIES, type User, VAL_TYPES } from '#vals/service/service.collection.js';
import { findUserByName } from '#vals/users/users.collection.js';
import { findValByName } from '#vals/vals/val-records.collection.js';
import { isVisible } from '#vals/vals/vals.rules.js';
import { createEmulator } from '../../../src/index.js';
import { as } from '../../support/emulate.js';
import { readPages } from '../../support/pages.js';
import { LOADED_AT, load } from './loading.js';

const state = load('default');
const vals = [...state.vals];
const runs = [...state.runs];

/** The user of the printed curl line. */
function firstUser(): User {
  const { first } = state.users.by.serial.range();
  if (!first) throw new Error('no user');
  return first;
}

const NOW = Date.parse(LOADED_AT);
const HALF_AN_HOUR = 30 * 60_000;

test.each(datasets.names)('the fixtures %s load, and every list responds without an error', async (fixtures) => {
  await using emulator = await createEmulator({ fixtures, validateResponses: true });
  expect(emulator.users.length).toBeGreaterThan(0);
  for (const { token } of emulator.users.slice(0, 100)) {
    for (const path of ['/v1/me', '/v1/me/runs', '/v1/me/likes', '/v1/me/comments', '/v1/me/references']) {
      const response = await as(emulator).get(path).set('Authorization', `Bearer ${token}`);
      expect(response.status, `${path} ${response.text}`).toBe(200);
    }
  }
});

test('the default dataset has at least 5 users, some with and some without a bio and a picture, of both tiers', () => {
  const users = [...state.users];
  expect(users.length).toBeGreaterThanOrEqual(5);
  for (const key of ['bio', 'profileImageUrl'] as const) {
    expect(new Set(users.map((user) => user[key] === null))).toEqual(new Set([true, false]));
  }
  expect(new Set(users.map(({ tier }) => tier))).toEqual(new Set(['free', 'pro']));
});

test('the default dataset has at least 25 vals, of every type and every privacy', () => {
  expect(vals.length).toBeGreaterThanOrEqual(25);
  expect(new Set(vals.map(({ type }) => type))).toEqual(new Set(VAL_TYPES));
  expect(new Set(vals.map(({ privacy }) => privacy))).toEqual(new Set(PRIVACIES));
  const authors = new Set(vals.map(({ authorId }) => authorId));
  expect(authors.size).toBe(state.users.size);
});

test('vals import one another, also across authors, and every imported val exists', () => {
  const imports = [...state.versions].flatMap((version) => version.imports.map((target) => ({ version, target })));
  const found = imports.map(({ version, target }) => {
    const author = findUserByName(state, target.username);
    return { version, target, author, val: author && findValByName(state, author.id, target.name) };
  });
  expect(found.filter(({ val }) => val === undefined).map(({ target }) => target)).toEqual([]);
  const across = found.filter(({ version, author }) => state.vals.get(version.valId)?.authorId !== author?.id);
  expect(across.length).toBeGreaterThanOrEqual(5);
});

test('authors can read the vals that their vals import', () => {
  expect(vals.flatMap((val) => val.latest.imports).length).toBeGreaterThan(5);
  const blind = vals.flatMap((val) => {
    const importer = state.users.get(val.authorId);
    return val.latest.imports.flatMap(({ username, name }) => {
      const author = findUserByName(state, username);
      const target = author && findValByName(state, author.id, name);
      const isReadable = target && (target.privacy !== 'private' || target.authorId === importer?.id);
      return isReadable ? [] : [`${importer?.username}/${val.name} imports ${username}/${name}`];
    });
  });
  expect(blind).toEqual([]);
});

test('some vals have a readme and some have none', () => {
  const readmes = vals.filter(({ readme }) => readme !== null);
  expect(readmes.length).toBeGreaterThanOrEqual(10);
  expect(readmes.length).toBeLessThan(vals.length);
  for (const { readme } of readmes) expect(readme).toMatch(/\S/);
});

test('some vals have several versions, with holes in their numbers', () => {
  const numbers = vals.map((val) => [...state.versions.range(val.id)].map(({ version }) => version));
  const several = numbers.filter(({ length }) => length > 1);
  const withHoles = several.filter((versions) => Math.max(...versions) - Math.min(...versions) >= versions.length);
  expect(several.length).toBeGreaterThanOrEqual(5);
  expect(withHoles.length).toBeGreaterThanOrEqual(2);
});

test('versions are in the order of their times, between the time of the val and now', () => {
  expect(state.versions.size).toBeGreaterThan(vals.length);
  for (const val of vals) {
    const times = [...state.versions.range(val.id)].map(({ createdAt }) => createdAt);
    expect(times, val.name).toEqual(times.toSorted((a, b) => b - a));
    expect(times.at(-1), val.name).toBeGreaterThanOrEqual(val.createdAt);
    expect(times.at(0), val.name).toBeLessThanOrEqual(NOW);
  }
});

test('the default dataset has at least 50 runs over several days, some of them failures', () => {
  expect(runs.length).toBeGreaterThanOrEqual(50);
  expect(runs.filter(({ error }) => error !== null).length).toBeGreaterThanOrEqual(5);
  expect(runs.filter(({ error }) => error === null).length).toBeGreaterThanOrEqual(40);
  const days = new Set(runs.map(({ runStartAt }) => Math.floor((NOW - runStartAt) / 86_400_000)));
  expect(days.size).toBeGreaterThanOrEqual(3);
});

test('runs come from every source, and some have a parent', () => {
  expect(new Set(runs.map(({ source }) => source))).toEqual(new Set(['ui', 'api', 'interval', 'email']));
  const parents = runs.filter(({ id, parentId }) => id !== parentId).map(({ parentId }) => parentId);
  expect(parents.length).toBeGreaterThan(0);
  expect(parents.filter((id) => state.runs.get(id) === undefined)).toEqual([]);
});

test('a run has an existing version, and a time between its val and now', () => {
  expect(runs.length).toBeGreaterThan(0);
  for (const run of runs) {
    const val = state.vals.get(run.valId);
    expect(run.version, val?.name).toBeLessThan(val?.nextVersion ?? 0);
    expect(run.runStartAt, val?.name).toBeGreaterThanOrEqual(val?.createdAt ?? Number.POSITIVE_INFINITY);
    expect(run.runStartAt, val?.name).toBeLessThanOrEqual(NOW);
  }
});

test('at each start, at least 5 runs of the first user are from the last half hour', async () => {
  const mine = runs.filter(
    ({ authorId, runStartAt }) => authorId === firstUser().id && runStartAt > NOW - HALF_AN_HOUR,
  );
  expect(mine.length).toBeGreaterThanOrEqual(5);

  await using emulator = await createEmulator();
  const since = new Date(Date.now() - HALF_AN_HOUR).toISOString();
  const pages = await readPages(emulator, firstUser().username ?? '', `/v1/me/runs?since=${since}`);
  expect(pages.flatMap(({ data }) => data).length).toBeGreaterThanOrEqual(5);
});

test('the first user gives and receives likes and comments', () => {
  const { id } = firstUser();
  const authorOf = (valId: string) => state.vals.get(valId)?.authorId;
  const given = [...state.likes].filter(({ userId, valId }) => userId === id && authorOf(valId) !== id);
  const received = [...state.likes].filter(({ userId, valId }) => userId !== id && authorOf(valId) === id);
  expect(given.length).toBeGreaterThanOrEqual(3);
  expect(received.length).toBeGreaterThanOrEqual(3);

  const comments = [...state.comments];
  expect(
    comments.filter(({ authorId, valAuthorId }) => authorId === id && valAuthorId !== id).length,
  ).toBeGreaterThanOrEqual(2);
  expect(
    comments.filter(({ authorId, valAuthorId }) => authorId !== id && valAuthorId === id).length,
  ).toBeGreaterThanOrEqual(2);
});

test('likes and comments are younger than the val, and by users who can read it', () => {
  expect(Math.min(state.likes.size, state.comments.size)).toBeGreaterThan(0);
  for (const { valId, userId, createdAt } of state.likes) {
    const val = state.vals.get(valId);
    expect(createdAt, val?.name).toBeGreaterThanOrEqual(val?.createdAt ?? Number.POSITIVE_INFINITY);
    expect(val && isVisible(val, state.users.get(userId)), val?.name).toBe(true);
  }
  for (const { valId, authorId, createdAt } of state.comments) {
    const val = state.vals.get(valId);
    expect(createdAt, val?.name).toBeGreaterThanOrEqual(val?.createdAt ?? Number.POSITIVE_INFINITY);
    expect(val && isVisible(val, state.users.get(authorId)), val?.name).toBe(true);
  }
});

test('empty has one user and nothing else', () => {
  const { users, vals, versions, runs, likes, comments } = load('empty');
  expect([...users]).toMatchObject([{ username: 'ada', token: 'ada-token' }]);
  expect([vals, versions, runs, likes, comments].map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
});

test('the built-in datasets contain only reserved email addresses', () => {
  const folder = join(import.meta.dirname, '../../../fixtures');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const emails = [...text.matchAll(/[\w.+-]+@([\w-]+\.[\w.-]+)/g)].map(([, host]) => host);
    expect(
      emails.filter((host) => !/(?:^|\.)example\.(?:com|net|org)$/.test(host ?? '')),
      file,
    ).toEqual([]);
  }
});

test('the built-in dataset has the span of its description', async () => {
  await using emulator = await createEmulator({ listen: false });
  const { runs = [], likes = [], comments = [] } = emulator.state();
  const now = emulator.clock.now.getTime();
  const daysAgo = (time = '') => (now - Date.parse(time)) / 86_400_000;

  expect(Math.ceil(Math.max(...runs.map(({ runStartAt }) => daysAgo(runStartAt))))).toBe(6);
  expect(Math.ceil(Math.max(...likes.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
  expect(Math.ceil(Math.max(...comments.map(({ createdAt }) => daysAgo(createdAt))) / 30)).toBe(7);
});
