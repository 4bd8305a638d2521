import { expect, test } from 'vitest';
import { toSandboxName } from '../../src/testing/server.js';

test.each([
  ['lists the runs', 17, 'lists-the-runs-17'],
  ['ünïcode: “quotes” & more!', 1, 'n-code-quotes-more-1'],
  ['', 2, '2'],
  ['…', 3, '3'],
  ['x'.repeat(100), 4, `${'x'.repeat(62)}-4`],
])('a test called %j has the sandbox %j', (title, number, name) => {
  expect(toSandboxName(title, number)).toBe(name);
  expect(name).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
});
