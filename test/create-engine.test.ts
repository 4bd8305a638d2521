import { expect, test } from 'vitest';
import { toValsState } from '#vals/lib/state.collection.js';
import { emulate } from './support/emulate.js';

const COUNT = 20_001;

test('the indexes of a large dataset are there before the first request', async () => {
  const users = Array.from({ length: COUNT }, (_, i) => ({ username: `user${i}` }));

  const emulator = await emulate({ users }, { listen: false });

  // What is left to do takes no step.
  expect([...toValsState(emulator.store.state).users.prepare()]).toEqual([]);
});
