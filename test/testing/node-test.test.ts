import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const HELPER = pathToFileURL(join(import.meta.dirname, '../../dist/testing/node-test.js')).href;

/** Runs a file of tests with Node's own runner; `npm test` builds the helper first. */
function runTests(source: string): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'some.test.mjs');
  writeFileSync(file, source);
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '' },
  });
  return { status, output: stdout };
}

test('tests of node:test have a sandbox each, and the process ends', () => {
  const { status, output } = runTests(`
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
  const { status, output } = runTests(`
    import { test } from '${HELPER}';
    test('expects a request', ({ emulator }) => emulator.expectRequest('GET /v1/me'));
  `);

  expect(output).toContain('expected at least one request GET /v1/me');
  expect(status).toBe(1);
});
