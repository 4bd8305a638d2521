import { expect, test } from 'vitest';
import { helperUrl, runTests } from './run.js';

const HELPER = helperUrl('node-test');

const run = (source: string) => runTests('some.test.mjs', source, '--test', '--test-reporter=tap', 'some.test.mjs');

test('tests of node:test have a sandbox each, and the process ends', () => {
  const { status, output } = run(`
    import assert from 'node:assert/strict';
    import { test } from '${HELPER}';

    for (const number of [1, 2]) {
      test('creates ' + number, { concurrency: true }, async ({ emulator }, context) => {
        assert.equal(context.name, 'creates ' + number);
        const response = await fetch(emulator.url + '/v1/vals', {
          method: 'POST',
          headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'mine', code: '1' }),
        });
        assert.equal(response.status, 200);
        emulator.expectRequest('POST /v1/vals', { times: 1 });
      });
    }
    test.skip('is skipped', () => { throw new Error('ran'); });
  `);

  expect(output).toMatch(/# pass 2\n# fail 0\n# cancelled 0\n# skipped 1/);
  expect(status).toBe(0);
});

test('a test that fails is a failure', () => {
  const { status, output } = run(`
    import { test } from '${HELPER}';
    test('expects a request', ({ emulator }) => emulator.expectRequest('GET /v1/me'));
  `);

  expect(output).toContain('expected at least one request GET /v1/me');
  expect(status).toBe(1);
});
