import { expect, test } from 'vitest';
import { chanceFor, uuidFor } from '../../src/domain/ids.js';
import { type Settings, State } from '../../src/domain/state.js';
import { createVal, updateVal } from '../../src/domain/vals.js';

const NOW = Date.parse('2024-06-11T22:05:12.585Z');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const settings: Settings = { auth: 'strict', defaultPrivacy: 'private', idSeed: 'a seed' };

function newState(idSeed = 'a seed'): State {
  const state = new State({ ...settings, idSeed });
  const rest = { email: '', bio: null, profileImageUrl: null, tier: null, token: 'ada-token' };
  state.users = state.users.put({ id: state.newId(), username: 'ada', serial: state.newSerial(), ...rest });
  return state;
}

function adaOf(state: State) {
  const [ada] = state.users;
  if (!ada) throw new Error('no ada');
  return ada;
}

const create = (state: State, name: string) => createVal(state, adaOf(state), { name, code: '1' }, NOW);
const namesIn = (state: State) => [...state.vals.by.name.range()].map((val) => val.name);

test.each(Object.keys(new State(settings)))('a fork takes %s along, and keeps it to itself', (field) => {
  const state = new State(settings);
  Object.assign(state, { [field]: 'as it was' });
  const fork = state.fork();
  expect(Object.entries(fork)).toContainEqual([field, 'as it was']);

  Object.assign(fork, { [field]: 'written to the fork' });
  expect(Object.entries(state)).toContainEqual([field, 'as it was']);

  Object.assign(fork, { [field]: 'as it was' });
  Object.assign(state, { [field]: 'written to the origin' });
  expect(Object.entries(fork)).toContainEqual([field, 'as it was']);
});

test('neither of two forks sees what is written to the other or to their origin', () => {
  const origin = newState();
  const shared = create(origin, 'shared');
  const [one, two] = [origin.fork(), origin.fork()];

  create(one, 'inOne');
  updateVal(one, shared, { name: 'renamedInOne' });
  create(two, 'inTwo');
  two.vals = two.vals.delete(shared);
  create(origin, 'inOrigin');

  expect(namesIn(one)).toStrictEqual(['inOne', 'renamedInOne']);
  expect(namesIn(two)).toStrictEqual(['inTwo']);
  expect(namesIn(origin)).toStrictEqual(['inOrigin', 'shared']);
});

test('a fork of a fork is a state like any other', () => {
  const state = newState();
  const fork = state.fork().fork().fork();
  create(fork, 'hello');

  expect(fork).toBeInstanceOf(State);
  expect(namesIn(fork)).toStrictEqual(['hello']);
  expect(namesIn(state)).toStrictEqual([]);
});

test('equal histories give equal ids, chances and places', () => {
  const history = (state: State) => [state.newId(), state.draw(), state.newSerial(), state.newId(), state.draw()];

  expect(history(newState())).toStrictEqual(history(newState()));
});

test('a fork goes on as its origin does', () => {
  const state = newState();
  state.newId();
  const fork = state.fork();

  expect([fork.newId(), fork.draw(), fork.newSerial()]).toStrictEqual([state.newId(), state.draw(), state.newSerial()]);
});

test('another seed gives other ids and chances', () => {
  const [one, two] = [newState('one'), newState('two')];
  const ids = new Set(Array.from({ length: 500 }, () => [one.newId(), two.newId()]).flat());

  expect(ids.size).toBe(1_000);
  expect(one.draw()).not.toBe(two.draw());
});

test('ids are UUIDs, each given once', () => {
  const state = newState();
  const ids = Array.from({ length: 2_000 }, () => state.newId());

  expect(new Set(ids).size).toBe(2_000);
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids.map((id) => id[19]))).toStrictEqual(new Set('89ab'));
});

test('an id is the same on every machine', () => {
  expect(uuidFor('a seed:0')).toBe('09c03ba8-58fd-51bf-ad2b-d3ce56cf27dd');
  expect(new State(settings).newId()).toBe('09c03ba8-58fd-51bf-ad2b-d3ce56cf27dd');
});

test.each<[string, (state: State, id: string) => void]>([
  [
    'user',
    (state, id) => {
      state.users = state.users.put({ ...adaOf(state), id, token: 'other', username: 'other', serial: 9 });
    },
  ],
  [
    'val',
    (state, id) => {
      state.vals = state.vals.put({ ...create(newState('other'), 'hello'), id });
    },
  ],
  [
    'run',
    (state, id) => {
      const result = { version: 0, error: null, emails: [], logs: [], returnValue: null, args: [] };
      const run = { id, valId: '', authorId: '', parentId: id, runStartAt: NOW, runEndAt: NOW, serial: 0 };
      state.runs = state.runs.put({ ...run, ...result, source: 'api' });
    },
  ],
  [
    'comment',
    (state, id) => {
      const comment = { id, authorId: '', valId: '', valAuthorId: '', comment: '', createdAt: NOW, serial: 0 };
      state.comments = state.comments.put(comment);
    },
  ],
])('an id that a %s already has is passed over', (_kind, take) => {
  const [untroubled, state] = [newState(), newState()];
  const [first, second] = [untroubled.newId(), untroubled.newId()];
  take(state, first);

  expect(state.newId()).toBe(second);
});

test('chances are spread evenly from 0 to 1', () => {
  const chances = Array.from({ length: 10_000 }, (_, i) => chanceFor(`${i}`));
  const tenths = Array.from({ length: 10 }, (_, i) => chances.filter((chance) => Math.floor(chance * 10) === i).length);

  expect(Math.min(...chances)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...chances)).toBeLessThan(1);
  expect(Math.min(...tenths)).toBeGreaterThan(900);
  expect(Math.max(...tenths)).toBeLessThan(1_100);
});

test('records are numbered in the order in which they are made', () => {
  const state = newState();

  expect([state.newSerial(), state.fork().newSerial(), state.newSerial()]).toStrictEqual([1, 2, 2]);
});
