import { expect, test } from 'vitest';
import { getRecords, mapCollections } from '#engine/definition/definitions.js';
import { applyChanges } from '#engine/persistence/changes.js';
import { emptyState } from '#engine/state/state.js';
import { definitions } from '#vals/service/service.collection.js';

const NAMES = [
  ...['users', 'organizations', 'memberships', 'projects', 'branches', 'commits', 'environment', 'responses'],
  ...['clients', 'grants', 'tokens', 'vals', 'versions', 'runs', 'likes', 'comments', 'emails', 'blobs', 'sqlite'],
];

test('mapCollections makes a value for each collection', () => {
  const titles = mapCollections<Record<string, string>>(definitions.all, ({ title }) => title);
  expect(Object.keys(titles)).toEqual(NAMES);
  expect(titles.likes).toBe('The likes');
});

test('mapCollections makes a value for each adder, by its name', () => {
  const names = mapCollections<Record<string, string>>(
    definitions.all,
    ({ name }) => name,
    ({ adder }) => adder,
  );
  expect(names).toEqual({
    ...{
      user: 'users',
      client: 'clients',
      token: 'tokens',
      organization: 'organizations',
      membership: 'memberships',
      project: 'projects',
    },
    ...{ branch: 'branches', commit: 'commits', environmentVariable: 'environment', response: 'responses' },
    ...{ val: 'vals', run: 'runs', like: 'likes', comment: 'comments', email: 'emails' },
    ...{ blob: 'blobs', sqlite: 'sqlite' },
  });
});

test('a state has each set of records', () => {
  const state = emptyState({ auth: 'strict', defaultPrivacy: 'public', idSeed: 'test' }, definitions);
  const sets = definitions.sets.map(({ name }) => name);
  expect(sets).toEqual([
    ...['users', 'organizations', 'memberships', 'projects', 'commits', 'texts', 'environment', 'responses'],
    ...[
      'clients',
      'grants',
      'tokens',
      'versions',
      'runs',
      'likes',
      'comments',
      'emails',
      'blobs',
      'sqlite',
      'pages',
      'branches',
      'vals',
    ],
  ]);
  expect(sets.map((name) => getRecords(state, name).size)).toEqual(sets.map(() => 0));
});

test('each collection refers to collections before it', () => {
  const later = definitions.all.flatMap(({ name, references }, index) =>
    Object.values(references).flatMap(({ to }) => (definitions.names.indexOf(to) < index ? [] : [`${name} to ${to}`])),
  );
  expect(later).toEqual([]);
});

test('changes of an unknown collection are refused with its name', () => {
  const state = emptyState({ auth: 'strict', defaultPrivacy: 'public', idSeed: 'test' }, definitions);
  const changes = JSON.parse('{ "badges": { "put": [{ "id": "a" }] } }');
  expect(() => applyChanges(state, changes)).toThrow(
    'has records of the collection "badges", which this emulator does not know',
  );
});
