import { afterEach, expect } from 'vitest';
import { takeViolations } from './conformance.js';

afterEach(() => {
  expect(takeViolations(), 'responses that the OpenAPI documents do not allow').toEqual([]);
});
