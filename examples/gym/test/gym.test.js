import assert from 'node:assert/strict';
import { test } from 'node:test';
import { careful, hasty } from '../src/agents.js';
import { formatScores, play } from '../src/gym.js';
import { TASKS } from '../src/tasks.js';

const failing = (results) => results.filter(({ pass }) => !pass);
const errors = (results) => results.filter(({ error }) => error !== undefined);

test('there are 20 tasks, and both agents know each', () => {
  const names = TASKS.map(({ name }) => name);
  assert.equal(new Set(names).size, 20);
  assert.deepEqual([Object.keys(careful), Object.keys(hasty)], [names, names]);
});

test('an agent that does what it is told passes each task', async () => {
  const results = await play(careful);

  assert.deepEqual([failing(results), errors(results)], [[], []]);
  assert.match(formatScores(results), /all 20 +20 pass +1\.00$/);
});

test('a mistake in a task fails it, and a small one costs less than the whole score', async () => {
  const results = await play(hasty);

  assert.deepEqual([failing(results).length, errors(results)], [20, []]);
  for (const { score } of results) assert.ok(score < 1);
  const scores = Object.fromEntries(results.map(({ name, score }) => [name, score]));
  assert.equal(scores['send a reminder'], 0.5);
  assert.equal(scores['set a variable'], 0);
});

test('the scores are the same each time', async () => {
  assert.deepEqual(await play(hasty), await play(hasty));
});
