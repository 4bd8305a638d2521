import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { Command } from '../cli/cli.js';
import { helperUrl } from './run.js';

const cliOf = (name: string): string => fileURLToPath(import.meta.resolve(name));
const VITEST = [join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs'), 'run'];
const PLAYWRIGHT = [cliOf('@playwright/test/cli'), 'test', '--reporter=line'];

/** Each runner with its arguments and the name of a file of tests. */
const RUNNERS: [helper: string, args: string[], file: string][] = [
  ['vitest', VITEST, 'some.test.mjs'],
  ['playwright', PLAYWRIGHT, 'some.spec.mjs'],
  ['node-test', ['--test', '--test-reporter=tap', 'some.test.mjs'], 'some.test.mjs'],
];

async function runTests([helper, args, file]: (typeof RUNNERS)[number], options: string, body: string) {
  const source = `
    import { emulatorTest } from '${helperUrl(helper)}';
    const test = emulatorTest(${options});
    ${body}`;
  const cwd = folderOf({ [file]: source, 'vitest.config.mjs': 'export default {};' });
  const env = { CI: '', NODE_TEST_CONTEXT: undefined };
  const { stdout, stderr, code } = await new Command(process.execPath, args, { cwd, env }).end();
  return { cwd, code, output: stdout + stderr };
}

const BODY = `
  test('passes', async ({ emulator }) => { await emulator.fetch('/v1/me'); });
  test('saves a val', async ({ emulator }) => {
    await emulator.fetch('/v1/search/vals?query=a');
    await emulator.fetch('/v3/mcp', { headers: { authorization: 'Bearer ada-token' } });
    for (let i = 0; i < 7; i++) await emulator.fetch('/v1/me');
    throw new Error('the reason');
  });`;

test.each(RUNNERS)('%s writes the session of a failed test, and prints how to open it', async (...runner) => {
  const { cwd, code, output } = await runTests(runner, '{}', BODY);

  expect(output).toContain('the reason');
  expect(code).toBe(1);
  const [, path = ''] = /npx val-emulator start --session (\S+)/.exec(output) ?? [];
  expect(path).toMatch(new RegExp(`^test-results/val-emulator/${runner[2]}/saves-a-val-\\d.ndjson$`));
  expect(readdirSync(join(cwd, path, '..'))).toHaveLength(1);
  await using emulator = await createEmulator({ session: join(cwd, path), listen: false });
  expect(emulator.requests().map(({ path: target }) => target)).toEqual([
    '/v1/search/vals?query=a',
    '/v3/mcp',
    ...Array.from({ length: 7 }, () => '/v1/me'),
  ]);
  const why = '401 (Unauthorized - the request has no token - GET /_emulator/users lists the tokens)';
  const lines = ['r3', 'r4', 'r5', 'r6', 'r7'].map((id) => `${id} GET /v1/me ${why}`);
  expect(withoutMargin(output)).toContain(['Refused requests:', ...lines, 'and 2 more'].join('\n'));
});

test.each(RUNNERS)('%s writes no session if the option is off', async (...runner) => {
  const { cwd, output } = await runTests(runner, '{ failedSessions: false }', BODY);

  expect(output).toContain('the reason');
  expect(output).not.toContain('--session');
  expect(existsSync(join(cwd, 'test-results/val-emulator'))).toBe(false);
});

/** In the options of each runner: a short time. Playwright and vitest end the fixtures of such a test, node:test does not wait. */
const WITH_TIMEOUT: Readonly<Record<string, (name: string, body: string) => string>> = {
  vitest: (name, body) => `test('${name}', { timeout: 2_000 }, ${body});`,
  playwright: (name, body) =>
    `test('${name}', async ({ emulator }) => { test.setTimeout(2_000); await (${body})({ emulator }); });`,
  'node-test': (name, body) => `test('${name}', { timeout: 2_000 }, ${body});`,
};

test.each(RUNNERS)('%s prints what the program of a test that timed out sent last', async (...runner) => {
  const withTimeout = WITH_TIMEOUT[runner[0]] ?? expect.unreachable();
  const body = `async ({ emulator }) => {
    emulator.fail('GET /v1/me/likes', { delay: 10_000 });
    for (let i = 0; i < 5; i++) await emulator.fetch('/v1/me');
    await emulator.fetch('/v1/me/likes', { headers: { authorization: 'Bearer ' + emulator.users[0].token } });
  }`;
  const tests =
    withTimeout('waits', body) + withTimeout('sends none', `async ({ emulator }) => { await new Promise(() => {}); }`);
  const { cwd, code, output } = await runTests(runner, '{}', tests);

  expect(code).toBe(1);
  const why = '401 (Unauthorized - the request has no token - GET /_emulator/users lists the tokens)';
  expect(withoutMargin(output)).toContain(
    [
      'val-emulator: a test timed out. Its program sent 6 requests, at last:',
      ...['r2', 'r3', 'r4', 'r5'].map((id) => `${id} GET /v1/me ${why}`),
      'r6 GET /v1/me/likes 200 by ada (fault f1 was injected) (the response has not ended: a fault delays it by 10000 ms)',
      'a test failed. Open its session: npx val-emulator start --session test-results/',
    ].join('\n'),
  );
  expect(output).toContain('a test timed out. Its program sent 0 requests.');
  expect(readdirSync(join(cwd, 'test-results/val-emulator', runner[2]))).toHaveLength(2);
});

const UNHANDLED = `test('asks', async ({ emulator }) => { await emulator.fetch('/v1/mee'); });`;
const MESSAGE = `expected no requests to routes that do not exist, but there was 1:
  r1 GET /v1/mee 404 (Route GET:/v1/mee not found - Did you mean "GET /v1/me"?)`;
const withoutMargin = (output: string) => output.replaceAll(/^[\s#|]+/gm, '');

test.each(RUNNERS)('%s fails a test with unhandled requests, or warns of them', async (...runner) => {
  const failed = await runTests(runner, "{ onUnhandledRequest: 'error' }", UNHANDLED);
  const warned = await runTests(runner, "{ onUnhandledRequest: 'warn' }", UNHANDLED);
  const ignored = await runTests(runner, '{}', UNHANDLED);

  expect([failed.code, warned.code, ignored.code]).toEqual([1, 0, 0]);
  expect(withoutMargin(failed.output)).toContain(withoutMargin(MESSAGE));
  expect(failed.output).toContain('npx val-emulator start --session');
  expect(withoutMargin(warned.output)).toContain(withoutMargin(`val-emulator: ${MESSAGE}`));
  expect(ignored.output).not.toContain('routes that do not exist');
});
