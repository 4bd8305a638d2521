import { expect, test } from 'vitest';
import { drawNumber } from '#engine/state/state.js';
import type { State } from '#vals/lib/state.collection.js';
import { createVal, generateName } from '#vals/vals/vals.rules.js';
import { makeDraft, NOW } from '../../engine/state/states.js';

function getUser({ users }: State, username: string) {
  const user = users.by.username.get([username]);
  if (!user) throw new Error(`no ${username}`);
  return user;
}

test('a thousand generated names are valid, and differ in any case', () => {
  const draft = makeDraft('names');
  const ada = getUser(draft, 'ada');
  const names = Array.from({ length: 1_000 }, () => createVal(draft, ada, { code: '1' }, NOW).name);

  for (const name of names) {
    expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]*$/);
    expect(name.length).toBeLessThanOrEqual(48);
  }
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(1_000);
});

test('a name of the author, in any case, is not generated again; another author can get it', () => {
  const createNameless = (taken?: { name: string; owner: string }) => {
    const draft = makeDraft('taken');
    const { randomSequence } = draft;
    if (taken) createVal(draft, getUser(draft, taken.owner), { name: taken.name, code: '1' }, NOW);
    // Draws the same numbers as without the val.
    draft.randomSequence = randomSequence;
    return createVal(draft, getUser(draft, 'ada'), { code: '1' }, NOW).name;
  };
  const name = createNameless();

  expect(name).toMatch(/^[a-z]+([A-Z][a-z]+){2}$/);
  expect(createNameless({ name: name.toUpperCase(), owner: 'ada' })).not.toBe(name);
  expect(createNameless({ name, owner: 'bob' })).toBe(name);
});

test('names depend on the seed alone', () => {
  const generate = (idSeed: string) => {
    const draft = makeDraft(idSeed);
    const random = () => drawNumber(draft);
    return Array.from({ length: 20 }, () => generateName(random, () => false));
  };

  expect(generate('one')).toStrictEqual(generate('one'));
  expect(generate('one')).not.toStrictEqual(generate('two'));
});

test('the smallest and the largest random number give the first and the last words', () => {
  const isTaken = () => false;

  expect(generateName(() => 0, isTaken)).toBe('amiableAmberBadger');
  expect(generateName(() => 1 - 2 ** -53, isTaken)).toBe('wonderfulYellowZebra');
});

test('a number is appended when no name without one is free', () => {
  const name = generateName(
    () => 0,
    (each) => !/\d$/.test(each),
  );

  expect(name).toBe('amiableAmberBadger21');
});

test('counts up until a name is free', () => {
  const names = new Set<string>();
  for (let i = 0; i < 50; i++) {
    names.add(
      generateName(
        () => 0,
        (each) => names.has(each),
      ),
    );
  }

  expect(names.size).toBe(50);
  expect([...names].slice(0, 3)).toStrictEqual(['amiableAmberBadger', 'amiableAmberBadger21', 'amiableAmberBadger22']);
});
