import { describe, expect, test } from 'vitest';
import { generate } from '#vals/generator/index.js';
import type { GenerateOptions } from '#vals/generator/options.js';
import { sized } from '../../support/soak.js';
import { agoOf, DAY, erasOf, importsIn, loadDataset } from './dataset.js';

const DATASETS: readonly GenerateOptions[] = [
  { users: 20, runs: 500, seed: 1 },
  { users: 1 },
  { users: 12, vals: 3, seed: 11 },
  { users: 5, vals: 0 },
  { users: 0 },
  {},
  { users: 50, seed: 42 },
  { users: 50, seed: 7, days: 90 },
  { users: 2, vals: 5, runs: 0 },
  { vals: 30, runs: 3000, days: 1, seed: 3 },
  { users: 3, vals: 40, runs: 60, days: 365, seed: 9 },
  { users: 1, vals: 1, runs: 500, seed: 5 },
  { users: 8, vals: 300, seed: 123_456_789 },
];

describe.each(DATASETS.slice(0, sized(5, DATASETS.length)))('%o', (options) => {
  const dataset = generate(options);
  const runs = [...dataset.runs];
  const eras = erasOf(dataset);
  const vals = new Map(dataset.vals.map((val) => [`${val.author}/${val.name}`, val]));
  const createdAt = (ref: string) => agoOf(vals.get(ref)?.createdAt);
  const expectSome = (items: readonly unknown[]) => {
    if (dataset.size.users >= 20) expect(items.length).toBeGreaterThan(0);
  };

  test('has the requested sizes, and loads', () => {
    const { size } = dataset;
    expect(size).toMatchObject(options);
    const state = loadDataset(dataset);
    expect([state.users, state.vals, state.runs].map((records) => [...records].length)).toEqual([
      size.users,
      size.vals,
      size.runs,
    ]);
    expect([dataset.users.length, dataset.vals.length]).toEqual([size.users, size.vals]);
  });

  test('versions are in order, and the first is as old as the val', () => {
    expect(eras.size).toBe(dataset.size.vals);
    expectSome(dataset.versions);
    for (const [ref, versions] of eras) {
      expect(versions[0]).toMatchObject({ number: 0, from: createdAt(ref) });
      for (const [index, { number, from, to, code }] of versions.entries()) {
        const next = versions[index + 1];
        if (!next) continue;
        expect(next.number).toBeGreaterThan(number);
        expect(from).toBeGreaterThan(to);
        expect(next.code).not.toBe(code);
      }
    }
    for (const { version = 0, nextVersion } of dataset.vals) {
      if (nextVersion !== undefined) expect(nextVersion).toBeGreaterThan(version + 1);
    }
  });

  test('runs have the version of their time, and are within the days of the dataset', () => {
    expect(runs).toHaveLength(dataset.size.runs);
    for (const { val, version, runStartAt, runEndAt, duration } of runs) {
      const ago = agoOf(runStartAt);
      const versions = eras.get(val) ?? [];
      const era = versions.find(({ from, to }) => ago <= from && ago >= to);
      const number = version ?? versions.at(-1)?.number;
      const atTheEdge = versions.some((each) => each.number === number && (each.from === ago || each.to === ago));
      expect(era?.number === number || atTheEdge).toBe(true);
      expect(ago).toBeGreaterThan(0);
      expect(ago).toBeLessThanOrEqual(dataset.size.days * DAY);
      expect(runEndAt === null).toBe(duration === undefined);
      if (duration !== undefined) expect(agoOf(`-${duration}`)).toBeLessThanOrEqual(ago);
    }
  });

  test('likes and comments are on existing vals that others can read', () => {
    expectSome(dataset.likes);
    expectSome(dataset.comments);
    const likes = new Set(dataset.likes.map(({ user, val }) => `${user} ${val}`));
    expect(likes.size).toBe(dataset.likes.length);
    for (const { val, createdAt: time } of [...dataset.likes, ...dataset.comments]) {
      expect(agoOf(time)).toBeLessThanOrEqual(createdAt(val));
      expect(agoOf(time)).toBeGreaterThan(0);
      expect(vals.get(val)?.privacy).toBe('public');
    }
    for (const { user, val } of dataset.likes) expect(user).not.toBe(vals.get(val)?.author);
  });

  test('code imports existing vals that its author may read', () => {
    const all = [...eras.values()].flat();
    expectSome(all.flatMap(({ code }) => importsIn(code)));
    for (const era of all) {
      for (const ref of importsIn(era.code)) {
        const target = vals.get(ref);
        expect(target).toBeDefined();
        expect(ref).not.toBe(era.val);
        expect(createdAt(ref)).toBeGreaterThan(era.from);
        expect(target?.privacy === 'public' || target?.author === era.author).toBe(true);
      }
    }
  });

  test('no val is older than the oldest account', () => {
    const oldest = Math.max(0, ...dataset.vals.map(({ createdAt: time }) => agoOf(time)));
    expect(oldest).toBeLessThanOrEqual((dataset.size.days + 300) * DAY);
  });
});

test('reading the runs does not change a dataset', () => {
  const [one, two] = [generate({ users: 6, seed: 2 }), generate({ users: 6, seed: 2 })];
  const runs = [...one.runs];
  expect([...one.runs]).toEqual(runs);
  for (const _ of two.runs) break;
  expect([...two.runs]).toEqual(runs);
  const { runs: _one, ...restOfOne } = one;
  const { runs: _two, ...restOfTwo } = two;
  expect(restOfTwo).toEqual(restOfOne);
});

test('another seed gives another dataset', () => {
  const [one, two] = [generate({ users: 6, seed: 1 }), generate({ users: 6, seed: 2 })];
  expect(one.users).not.toEqual(two.users);
  const codes = new Set(one.vals.map(({ code }) => code));
  expect(two.vals.filter(({ code }) => codes.has(code)).length).toBeLessThan(two.vals.length / 3);
});

test('runs are generated during iteration', () => {
  const iterator = generate({ users: 2, vals: 4, runs: 50_000_000 }).runs[Symbol.iterator]();
  for (let i = 0; i < 100; i++) expect(iterator.next().done).toBe(false);
});
