import { expect, test } from 'vitest';
import { generate, writeFixture, writeFixtureFolder } from '#vals/generator/index.js';
import { folderOf, load } from '../../engine/fixtures/loading.js';

const dataset = generate({ users: 5, vals: 30, runs: 400, seed: 3 });
const { size: _, runs, ...lists } = dataset;
const everything = { ...lists, runs: [...runs] };

test('a file has the whole dataset, one record on each line', () => {
  const text = [...writeFixture(dataset)].join('');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(everything)));
  expect(Object.keys(JSON.parse(text))).toEqual(['users', 'vals', 'versions', 'runs', 'likes', 'comments']);
  const records = Object.values(everything).reduce((sum, list) => sum + list.length, 0);
  expect(text.split('\n').filter((line) => /^ {4}\{.*\},?$/.test(line))).toHaveLength(records);
  expect(text.endsWith('\n}\n')).toBe(true);
});

test('a folder has a file for each collection', () => {
  const files = writeFixtureFolder(dataset).map(({ path, chunks }) => [path, [...chunks].join('')] as const);
  expect(files.map(([name]) => name)).toEqual([
    'users.json',
    'vals.json',
    'versions.json',
    'runs.json',
    'likes.json',
    'comments.json',
  ]);
  const state = load(folderOf(Object.fromEntries(files)));
  expect([...state.users, ...state.vals, ...state.runs, ...state.likes, ...state.comments]).toHaveLength(
    Object.values(everything).reduce((sum, list) => sum + list.length, 0) - everything.versions.length,
  );
  expect([...state.vals]).toEqual([...load(everything).vals]);
});

test('an empty dataset is a fixture', () => {
  const text = [...writeFixture(generate({ users: 0 }))].join('');
  expect(JSON.parse(text)).toEqual({ users: [], vals: [], versions: [], runs: [], likes: [], comments: [] });
});

test('text comes in large chunks, before all of it is generated', () => {
  const huge = generate({ users: 2, vals: 4, runs: 50_000_000, seed: 1 });
  const lengths: number[] = [];
  for (const chunk of writeFixture(huge)) {
    lengths.push(chunk.length);
    if (lengths.length === 20) break;
  }
  expect(lengths).toHaveLength(20);
  // The collections before the runs are short.
  for (const length of lengths.slice(3)) {
    expect(length).toBeGreaterThan(60_000);
    expect(length).toBeLessThan(100_000);
  }
});
