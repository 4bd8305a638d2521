import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { datasets } from '#vals/lib/datasets.collection.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { PRIVACIES, type Run, VAL_TYPES, type Val } from '#vals/service/service.collection.js';
import { findUserByName } from '#vals/users/users.collection.js';
import { findValByName, getAuthor } from '#vals/vals/val-records.collection.js';

import { as, createEmulator } from '../../support/emulate.js';
import { readPages } from '../../support/pages.js';
import { LOADED_AT, load } from './loading.js';

const NOW = Date.parse(LOADED_AT);
const hasFailed = ({ error }: Run) => error !== null;
const SCENARIOS = datasets.names.filter((name) => !['default', 'empty'].includes(name));
const folderOf = (name: string) => join(import.meta.dirname, '../../../fixtures', name);

/** Maximum size of the files of a scenario in bytes. */
const LARGEST = 400_000;

test.each(SCENARIOS)('the first user of %s is ada, and its files are small', (name) => {
  const [first] = load(name).users.by.serial.range();
  expect(first).toMatchObject({ username: 'ada', token: 'ada-token' });
  const sizes = readdirSync(folderOf(name)).map((file) => statSync(join(folderOf(name), file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST);
});

/** Loads a scenario, with the records of ada. */
function adasPart(name: string) {
  const state = load(name);
  const ada = findUserByName(state, 'ada');
  if (!ada) throw new Error('no ada');
  const vals = [...state.vals].filter(({ authorId }) => authorId === ada.id);
  const runs = [...state.runs].filter(({ authorId }) => authorId === ada.id);
  const valOf = (val: string): Val => {
    const found = findValByName(state, ada.id, val);
    if (!found) throw new Error(`no ${val}`);
    return found;
  };
  return { state, ada, vals, runs, valOf };
}

describe('busy', () => {
  const { state, ada, vals, runs } = adasPart('busy');

  test('ada has hundreds of vals, and thousands of runs in the last two weeks', () => {
    expect(vals.length).toBeGreaterThanOrEqual(200);
    expect(runs.length).toBeGreaterThanOrEqual(1_900);
    expect(state.runs.size).toBeGreaterThanOrEqual(2_000);
    const ages = runs.map(({ runStartAt }) => NOW - runStartAt);
    expect(Math.min(...ages)).toBeLessThan(60_000);
    expect(Math.max(...ages)).toBeGreaterThan(13 * 86_400_000);
    expect(ages.filter((age) => age < 3_600_000).length).toBeGreaterThanOrEqual(10);
  });

  test('some runs fail, most do not', () => {
    const failed = runs.filter(hasFailed);
    expect(failed.length).toBeGreaterThanOrEqual(20);
    expect(failed.length).toBeLessThan(runs.length / 4);
  });

  test('other users only like and comment', () => {
    const others = [...state.vals].filter((val) => !['ada', 'std'].includes(getAuthor(state, val).username ?? ''));
    expect(others).toEqual([]);
    expect([...state.likes].filter(({ userId }) => userId !== ada.id).length).toBeGreaterThanOrEqual(100);
    expect([...state.comments].filter(({ authorId }) => authorId !== ada.id).length).toBeGreaterThanOrEqual(30);
  });

  test('the runs of ada are on 19 pages or more, each once', async () => {
    await using emulator = await createEmulator({ fixtures: 'busy', validateResponses: true });
    const pages = await readPages(emulator, 'ada', '/v1/me/runs?limit=100');
    const ids = pages.flatMap(({ data }) => z.array(z.object({ id: z.string() })).parse(data)).map(({ id }) => id);
    expect(pages.length).toBeGreaterThanOrEqual(19);
    expect(new Set(ids).size).toBe(runs.length);
  });
});

describe('failures', () => {
  const { state, runs } = adasPart('failures');
  const errors = runs.filter(hasFailed).map(({ error }) => error);
  const objects = errors.filter((error) => typeof error === 'object');
  const keysOf = (key: string) => objects.filter((error) => error !== null && key in error);

  test('errors have every shape', () => {
    const texts = errors.filter((error) => typeof error === 'string');
    expect(texts.length).toBeGreaterThanOrEqual(10);
    expect(texts).toContain('');
    expect(objects).toContainEqual({});
    for (const key of ['message', 'val', 'name', 'stack', 'cause', 'error', 'errors', 'code']) {
      expect(keysOf(key).length, key).toBeGreaterThanOrEqual(1);
    }
    expect(
      objects.filter(
        (error) =>
          Object.keys(error ?? {})
            .toSorted()
            .join() === 'message,val',
      ).length,
    ).toBeGreaterThan(5);
  });

  test('some errors are longer than a screen', () => {
    const lengths = errors.map((error) => JSON.stringify(error).length);
    expect(lengths.filter((length) => length > 8_000).length).toBeGreaterThanOrEqual(2);
    expect(errors.filter((error) => typeof error === 'string' && error.split('\n').length > 200)).toHaveLength(1);
  });

  test('failed runs have logs and emails, and other runs succeed', () => {
    expect(runs.filter((run) => hasFailed(run) && run.logs.length > 0).length).toBeGreaterThanOrEqual(5);
    expect(runs.filter((run) => hasFailed(run) && run.emails.length > 0).length).toBeGreaterThanOrEqual(1);
    expect(runs.filter((run) => !hasFailed(run)).length).toBeGreaterThanOrEqual(20);
  });

  test('some runs are unfinished: for a second, and for days', () => {
    const ages = runs.filter(({ runEndAt }) => runEndAt === null).map(({ runStartAt }) => NOW - runStartAt);
    expect(Math.min(...ages)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...ages)).toBeGreaterThan(2 * 86_400_000);
  });

  test('parents and their children fail in every combination, and every parent exists', () => {
    const family = runs.flatMap((run) => {
      const parent = state.runs.get(run.parentId);
      return run.parentId === run.id ? [] : [[parent && hasFailed(parent), hasFailed(run)] as const];
    });
    for (const pair of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ])
      expect(family).toContainEqual(pair);
    expect(family.filter(([parent]) => parent === undefined)).toEqual([]);
  });

  test('runs fail from one version on', () => {
    const ofVersion = (version: number) =>
      runs.filter((run) => state.vals.get(run.valId)?.name === 'parsePrices' && run.version === version);
    expect(ofVersion(2).map(hasFailed)).toEqual([false]);
    expect(ofVersion(3).map(hasFailed)).toEqual([true, true, true]);
  });

  test('the last hour has a failure of each source', async () => {
    await using emulator = await createEmulator({ fixtures: 'failures', validateResponses: true });
    for (const source of ['ui', 'api', 'interval', 'email']) {
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const [page] = await readPages(emulator, 'ada', `/v1/me/runs?error=true&source=${source}&since=${since}`);
      expect(page?.data.length, source).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('edge-cases', () => {
  const { state, vals, runs, valOf } = adasPart('edge-cases');
  const numbersOf = (val: Val) => [...state.versions.range(val.id)].map(({ version }) => version).reverse();

  test('names have the minimum and the maximum length', () => {
    const lengths = [...state.users].flatMap(({ username }) => username?.length ?? []);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, API_LIMITS.name]);
    const names = vals.map(({ name }) => name.length);
    expect([Math.min(...names), Math.max(...names)]).toEqual([1, API_LIMITS.name]);
  });

  test('code and readme are at their limits, empty, or missing', () => {
    expect(valOf('longestCode').latest.code).toHaveLength(API_LIMITS.code);
    expect(valOf('longestReadme').readme).toHaveLength(API_LIMITS.readme);
    expect([valOf('emptyReadme').readme, valOf('noReadme').readme]).toEqual(['', null]);
  });

  test('a user without a username has a val, likes and comments', () => {
    const nameless = [...state.users].filter(({ username }) => username === null);
    expect(nameless).toHaveLength(1);
    const isTheirs = ({ authorId }: { readonly authorId: string }) => authorId === nameless[0]?.id;
    expect([...state.vals].filter(isTheirs)).toHaveLength(1);
    expect([...state.comments].filter(isTheirs)).toHaveLength(1);
    expect([...state.likes].filter(({ userId }) => userId === nameless[0]?.id)).toHaveLength(1);
    expect(new Set([...state.users].map(({ bio }) => bio))).toContain('');
    expect(new Set([...state.users].map(({ bio }) => bio))).toContain(null);
  });

  test('versions are missing at the start, in the middle and at the end, and one val has 151', () => {
    expect(numbersOf(valOf('neverEdited'))).toEqual([0]);
    expect(numbersOf(valOf('oftenEdited'))).toEqual(Array.from({ length: 151 }, (_, version) => version));
    expect(numbersOf(valOf('holes'))).toEqual([0, 3, 4, 9]);
    expect(valOf('holes').nextVersion).toBe(15);
    expect(numbersOf(valOf('firstDeleted'))).toEqual([7]);
    expect(runs.some(({ valId, version }) => valId === valOf('holes').id && version === 7)).toBe(true);
  });

  test('another user has vals of every type and privacy, some invisible to ada', async () => {
    const kinds = [...state.vals].filter((val) => getAuthor(state, val).username === 'Mixed_Case_99');
    expect(kinds.map(({ type, privacy }) => `${type} ${privacy}`).toSorted()).toEqual(
      VAL_TYPES.flatMap((type) => PRIVACIES.map((privacy) => `${type} ${privacy}`)).toSorted(),
    );
    const secret = kinds.find(({ name }) => name === 'script_private');
    await using emulator = await createEmulator({ fixtures: 'edge-cases', validateResponses: true });
    expect((await as(emulator, 'ada').get(`/v1/vals/${secret?.id}`)).status).toBe(404);
  });

  test('the API returns every text unchanged', async () => {
    await using emulator = await createEmulator({ fixtures: 'edge-cases', validateResponses: true });
    for (const name of ['escapes', 'unicode', 'longestCode', 'blankCode']) {
      const val = valOf(name);
      const { body } = await as(emulator, 'ada').get(`/v1/vals/${val.id}`);
      expect(body.code === val.latest.code && body.readme === val.readme, name).toBe(true);
    }
  });
});

describe('popular', () => {
  test('one val of ada has hundreds of likes and of importers', async () => {
    const { valOf } = adasPart('popular');
    await using emulator = await createEmulator({ fixtures: 'popular', validateResponses: true });
    const { body } = await as(emulator, 'ada').get(`/v1/vals/${valOf('fetchJson').id}`);
    expect(body.likeCount).toBeGreaterThanOrEqual(200);
    expect(body.referenceCount).toBeGreaterThanOrEqual(200);
    const pages = await readPages(emulator, 'ada', '/v1/me/references?limit=100');
    expect(pages.flatMap(({ data }) => data).length).toBeGreaterThanOrEqual(200);
  });

  test('vals have comments, also by ada, and runs', () => {
    const { state, ada, runs } = adasPart('popular');
    expect(state.comments.size).toBeGreaterThanOrEqual(20);
    expect([...state.comments].some(({ authorId }) => authorId === ada.id)).toBe(true);
    expect(runs.length).toBeGreaterThanOrEqual(50);
  });
});
