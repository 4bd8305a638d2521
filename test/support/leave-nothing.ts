import { afterAll, expect } from 'vitest';
import { findLeftovers, readShared } from './leftovers.js';

const before = readShared();

afterAll(async () => {
  const { testPath } = expect.getState();
  expect(await findLeftovers(before), `left in the process by ${testPath}, for the next file to meet`).toEqual([]);
});
