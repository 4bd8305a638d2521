import { afterAll, afterEach, expect } from 'vitest';
import { takeViolations } from './conformance.js';
import { findLeftovers, listMockedModules, readShared } from './leftovers.js';

const before = readShared();

afterEach(() => {
  expect(takeViolations(), 'responses that the OpenAPI documents do not allow').toEqual([]);
});

afterAll(async () => {
  const { testPath } = expect.getState();
  expect(await findLeftovers(before), `left in the process by ${testPath}, for the next file to meet`).toEqual([]);
  const message = `replaced by ${testPath}, also for the next file: list it in MOCKING of vitest.config.ts`;
  expect(listMockedModules(), message).toEqual([]);
});
