import { expect, test } from 'vitest';
import { inventName } from '../../src/domain/names.js';
import { State } from '../../src/domain/state.js';
import { createVal } from '../../src/domain/vals.js';

const NOW = Date.parse('2024-06-11T22:05:12.585Z');

function newState(idSeed: string): State {
  const state = new State({ auth: 'strict', defaultPrivacy: 'private', idSeed });
  for (const username of ['ada', 'bob']) {
    const rest = { email: '', bio: null, profileImageUrl: null, tier: null, token: username };
    state.users = state.users.put({ id: state.newId(), username, serial: state.newSerial(), ...rest });
  }
  return state;
}

function userOf(state: State, username: string) {
  const user = state.users.by.username.get([username]);
  if (!user) throw new Error(`no ${username}`);
  return user;
}

test('a thousand vals without a name get names that are valid, and different whatever the case', () => {
  const state = newState('names');
  const ada = userOf(state, 'ada');
  const names = Array.from({ length: 1_000 }, () => createVal(state, ada, { code: '1' }, NOW).name);

  for (const name of names) {
    expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]*$/);
    expect(name.length).toBeLessThanOrEqual(48);
  }
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(1_000);
});

test('a name that the author has, in any case, is not invented again; another author may get it', () => {
  const invent = (taken: string | undefined, owner: string) => {
    const state = newState('taken');
    if (taken !== undefined) createVal(state, userOf(state, owner), { name: taken, code: '1' }, NOW);
    // Chance as it was before the val took an id.
    state.drawn = 2;
    return inventName(state, userOf(state, 'ada').id);
  };
  const name = invent(undefined, 'ada');

  expect(name).toMatch(/^[a-z]+([A-Z][a-z]+){2}$/);
  expect(invent(name.toUpperCase(), 'ada')).not.toBe(name);
  expect(invent(name, 'bob')).toBe(name);
});

test('names follow from the seed and the history', () => {
  const invent = (idSeed: string) => {
    const state = newState(idSeed);
    return Array.from({ length: 20 }, () => inventName(state, ''));
  };

  expect(invent('one')).toStrictEqual(invent('one'));
  expect(invent('one')).not.toStrictEqual(invent('two'));
});
