import { expect, test } from 'vitest';
import { type Action, type Kind, understand } from '../../dashboard/src/ui/palette/grammar.js';

const oneOf = (expected: string, ...values: readonly string[]): Kind => ({
  expected,
  list: () => values,
  read: (text) => values.find((each) => each.toLowerCase() === text.toLowerCase()),
});
const KINDS = {
  COUNT: { expected: 'a number', list: () => ['3'], read: (text: string) => /^\d+$/.exec(text)?.[0] },
  ROUTE: oneOf('a route', 'POST /v1/vals', 'GET /v1/me', '*'),
  USER: oneOf('a user', 'ada', 'Ada L.'),
  NAME: { expected: 'a name such as a, or _', list: () => [], read: (text: string) => /^\w+$/.exec(text)?.[0] },
};
const ACTIONS: readonly Action[] = [
  { usage: 'fail [ROUTE] [next COUNT] [by USER]', says: () => '' },
  { usage: 'as USER', says: () => '' },
  { usage: 'fork [NAME] [at COUNT]', says: () => '' },
  { usage: 'freeze', says: () => '' },
];
const read = (text: string) => understand(text, ACTIONS, KINDS);

test.each([
  ['freeze', {}],
  ['FAIL', {}],
  ['fail next 3 POST /v1/vals', { next: '3', route: 'POST /v1/vals' }],
  ['fail POST /v1/vals by ada next 1', { next: '1', route: 'POST /v1/vals', by: 'ada' }],
  ['fail *  by "Ada L."', { route: '*', by: 'Ada L.' }],
  ['as Ada L.', { user: 'Ada L.' }],
  ['fail post /v1/Vals by ADA', { route: 'POST /v1/vals', by: 'ada' }],
  ['fork at 3', { at: '3' }],
  ['fork copy at 3', { name: 'copy', at: '3' }],
])('the action %j has its values in any order', (text, values) => {
  const understood = read(text);
  expect(understood.action).toBeDefined();
  expect(understood).toMatchObject({ values });
  expect(understood).not.toHaveProperty('problem');
});

test.each([
  ['fail ', ['fail POST /v1/vals', 'fail GET /v1/me', 'fail next 3', 'fail by ada', 'fail by Ada L.']],
  ['fail n', ['fail next 3']],
  ['fail next 3 po', ['fail next 3 POST /v1/vals']],
  ['fail by a', ['fail by ada', 'fail by Ada L.']],
  ['as', ['as ada', 'as Ada L.']],
  ['fork at', ['fork at 3']],
  ['thaw', []],
])('%j is completed by %j', (text, completions) => {
  expect(read(text).completions).toEqual(completions);
});

test.each([
  ['as', 'as takes a user.'],
  ['as eve', 'as: found "eve"; expected a user.'],
  ['fail POST /v1/val', 'POST /v1/vals'],
  ['fail next x', 'fail: found "next x"; expected "next" and a number.'],
  ['fail GET /v2/me', 'expected a route, "next" and a number or "by" and a user. Did you mean "GET /v1/me"?'],
  ['fork a/b', 'fork: found "a/b"; expected a name such as a, or _ or "at" and a number.'],
  ['fork at 3 a/b', 'fork: found "a/b"; expected a name such as a, or _.'],
  ['freeze now', 'freeze: found "now"; expected nothing more.'],
])('%j is not an action, and the problem names what is right: %j', (text, problem) => {
  const { action, completions, problem: found = '' } = read(text);
  expect(action).toBeUndefined();
  expect([found, ...completions].join()).toContain(problem);
});
