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

test('a failure in withEmulator is reported at the line of the test', () => {
  const { status, output } = run(
    `import { test } from 'node:test';
import { emulatorTest, withEmulator } from '${HELPER}';

test('expects a request', withEmulator(({ emulator }) => emulator.expectRequest('GET /v1/me')));
const { withEmulator: withEve } = emulatorTest({ fixtures: { users: [{ username: 'eve' }] } });
test('has options', { concurrency: true }, withEve(({ emulator }, t) => t.diagnostic(emulator.users[0].username)));
test('is named after the test', withEmulator(({ emulator }, t) => t.diagnostic(emulator.name)));
`,
  );

  expect(output).toMatch(/not ok 1 - expects a request\n(?: .*\n)*? {2}location: '.*some\.test\.mjs:4:1'/);
  expect(output).toContain('# eve\n');
  expect(output).toContain('# is-named-after-the-test-2\n');
  expect(output).toMatch(/# pass 2\n# fail 1\n/);
  expect(status).toBe(1);
});

test('hooks run around each test, with its sandbox', () => {
  const { status, output } = run(`
    import assert from 'node:assert/strict';
    import { emulatorTest } from '${HELPER}';
    const test = emulatorTest({}, {
      beforeEach: async ({ emulator }) => { await emulator.fetch('/v1/nowhere'); },
      afterEach: ({ emulator }) => emulator.expectRequest('GET /v1/me', { times: 1 }),
    });
    test('sends it', async ({ emulator }) => {
      assert.equal(emulator.unhandled().length, 1);
      await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
    });
    test('does not send it', () => {});
    test('fails before its hook does', () => { throw new Error('the error of the test'); });
  `);

  expect(output).toMatch(/^ok 1 - sends it$/m);
  expect(output).toMatch(/^not ok 2 - does not send it$/m);
  expect(output.match(/expected 1 request GET \/v1\/me/g)).toHaveLength(1);
  expect(output).toContain("error: 'the error of the test'");
  expect(status).toBe(1);
});
