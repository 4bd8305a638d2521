import { afterAll, afterEach, expect } from 'vitest';
import { takeViolations } from './conformance.js';
import { listMockedModules } from './leftovers.js';

afterEach(() => {
  expect(takeViolations(), 'responses that the OpenAPI documents do not allow').toEqual([]);
});

afterAll(() => {
  const message = `replaced by ${expect.getState().testPath}, also for the next file: list it in MOCKING of vitest.config.ts`;
  expect(listMockedModules(), message).toEqual([]);
});
