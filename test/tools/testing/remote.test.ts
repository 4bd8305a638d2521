import { fileURLToPath } from 'node:url';
import { afterAll, describe, expectTypeOf } from 'vitest';
import { RemoteSandbox } from '#tools/client/index.js';
import type { emulatorTest as jestEmulatorTest } from '#tools/testing/jest.js';
import type { emulatorTest as nodeEmulatorTest } from '#tools/testing/node-test.js';
import type { emulatorTest as playwrightEmulatorTest } from '#tools/testing/playwright.js';
import { shareEmulator } from '#tools/testing/server.js';
import { emulatorTest, expect, test } from '#tools/testing/vitest.js';
import { createEmulator, type Sandbox } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { Command } from '../cli/cli.js';
import { helperUrl } from './run.js';

const running = await createEmulator();
afterAll(() => running.close());

const remoteTest = emulatorTest({ url: running.url });
const ownTest = emulatorTest({ url: undefined });
const ADA = { authorization: 'Bearer ada-token' };

describe.concurrent('tests against a running emulator', () => {
  for (const number of [1, 2, 3]) {
    remoteTest(`test ${number} has a sandbox`, async ({ emulator }) => {
      const body = JSON.stringify({ name: 'mine', code: String(number) });
      const headers = { ...ADA, 'content-type': 'application/json' };

      const response = await emulator.fetch('/v1/vals', { method: 'POST', headers, body });

      expect(response.status).toBe(200);
      expect(emulator.name).toMatch(new RegExp(`^test-${number}-has-a-sandbox-\\d+$`));
      expect(running.sandboxes().map(({ name }) => name)).toContain(emulator.name);
      await expect(emulator).toHaveReceived('POST /v1/vals', {
        times: 1,
        body: { name: 'mine', code: String(number) },
      });
      await expect(emulator).toHaveNoUnhandledRequests();
    });
  }
});

test('sandboxes of tests are closed after them', () => {
  expect(running.sandboxes().filter(({ name }) => name.startsWith('test-'))).toEqual([]);
});

remoteTest('matchers are asynchronous and fail with the near misses', async ({ emulator }) => {
  await emulator.fetch('/v1/nowhere');

  await expect(expect(emulator).toHaveReceived('GET /v1/me')).rejects.toThrow(
    'expected at least one request GET /v1/me, but there were 0 of 1 in all.',
  );
  await expect(emulator).not.toHaveReceived('GET /v1/me');
  await emulator.fetch('/v1/me');
  await expect(expect(emulator).not.toHaveReceived('GET /v1/me')).rejects.toThrow(
    'expected no request GET /v1/me like that, but there was 1:\n  r2 GET /v1/me 401',
  );
  await expect(expect(emulator).toHaveNoUnhandledRequests()).rejects.toThrow(
    'expected no requests to routes that do not exist, but there was 1:\n  r1 GET /v1/nowhere 404',
  );
  await expect(emulator).not.toHaveNoUnhandledRequests();
  // @ts-expect-error: a misspelt route
  await expect(expect(emulator).not.toHaveReceived('GET /v1/mee')).rejects.toThrow('there is no route "GET /v1/mee"');
});

ownTest('without a url the helper starts an emulator and connects to it', async ({ emulator }) => {
  expect(emulator).toBeInstanceOf(RemoteSandbox);
  expect(emulator.url.startsWith(running.url)).toBe(false);
  expect(await emulator.users).toEqual(running.users);
});

test('hooks get the remote sandbox, which is closed even after a failed test', async () => {
  const steps: string[] = [];
  const hooks = {
    beforeEach: ({ emulator }: { emulator: { name: string } }) => void steps.push(`before ${emulator.name}`),
    afterEach: ({ emulator }: { emulator: { name: string } }) => void steps.push(`after ${emulator.name}`),
  };
  const server = shareEmulator({ url: running.url, failedSessions: false }, hooks);
  const run = server.withSandbox('hooks', ({ name }) => {
    expect(running.sandboxes().map((sandbox) => sandbox.name)).toContain(name);
    throw new Error('failed');
  });

  await expect(run).rejects.toThrow('failed');
  expect(steps).toEqual([expect.stringMatching(/^before hooks-\d+$/), expect.stringMatching(/^after hooks-\d+$/)]);
  expect(running.sandboxes().filter(({ name }) => name.startsWith('hooks'))).toEqual([]);
});

test('options of a new emulator beside a url are refused', () => {
  const options = { url: running.url, fixtures: 'empty' };

  expect(() => shareEmulator(options)).toThrow(
    'option fixtures: expected url, controlToken and options of the helper, since a running emulator has its own options.',
  );
});

test('the type of the sandbox follows the options', () => {
  const url = process.env.VAL_EMULATOR_URL;
  // Not called: these modules load in their runners only.
  const define = (
    jest: typeof jestEmulatorTest,
    node: typeof nodeEmulatorTest,
    playwright: typeof playwrightEmulatorTest,
  ) => {
    const remote = async ({ emulator }: { emulator: RemoteSandbox }) => emulator.reset();
    const local = ({ emulator }: { emulator: Sandbox }) => emulator.reset();
    const options = { beforeEach: remote, afterEach: remote };
    jest({ url }, options).concurrent.only.each([[1], [2]])('%i', async ({ emulator }, number) => {
      expectTypeOf(emulator).toEqualTypeOf<RemoteSandbox>();
      expectTypeOf(number).toEqualTypeOf<number>();
    });
    jest({ fixtures: 'empty' }, { beforeEach: local })('', local);
    node({ url }, options)('', ({ emulator }) => expectTypeOf(emulator).toEqualTypeOf<RemoteSandbox>() && undefined);
    node({ fixtures: 'empty' }, { beforeEach: local }).withEmulator(local);
    playwright({ url })('', ({ emulator }) => expectTypeOf(emulator).toEqualTypeOf<RemoteSandbox>() && undefined);
    playwright()('', local);
    // @ts-expect-error: a running emulator has its options
    emulatorTest({ url, fixtures: 'empty' });
  };
  expect(define).toHaveLength(3);

  const received = (sandbox: RemoteSandbox) => expect(sandbox).toHaveReceived('GET /v1/me');
  expectTypeOf(received).returns.toEqualTypeOf<Promise<void>>();
  const receivedHere = (sandbox: Sandbox) => expect(sandbox).toHaveReceived('GET /v1/me');
  expectTypeOf(receivedHere).returns.toEqualTypeOf<void>();
});

/** Creates a val of the same name in each process: without a sandbox for each, the second is a conflict. */
const saveIn = (helper: string, assertion: string) => `
  import { emulatorTest } from '${helperUrl(helper)}';
  ${assertion}
  const test = emulatorTest({ url: process.env.VAL_EMULATOR_URL });
  test('saves', async ({ emulator }) => {
    const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ name: 'shared', code: '1' }) };
    const response = await fetch(emulator.url + '/v1/vals', init);
    if (response.status !== 200) throw new Error(await response.text());
    await check(emulator);
  });`;

test('two processes share a server, each test with a sandbox', async () => {
  const options = { env: { VAL_EMULATOR_URL: running.url } };
  const source = saveIn(
    'node-test',
    "const check = (emulator) => emulator.expectRequest('POST /v1/vals', { times: 1 });",
  );
  const cwd = folderOf({ 'some.test.mjs': source });
  const start = () => new Command(process.execPath, ['--test', 'some.test.mjs'], { cwd, ...options }).end();

  for (const { stdout, code } of await Promise.all([start(), start()])) {
    expect(stdout).toContain('pass 1');
    expect(code).toBe(0);
  }
  expect(running.users.length).toBeGreaterThan(0);
  expect(running.requests()).toEqual([]);
  expect(running.sandboxes()).toEqual([]);
});

test('Playwright uses a running emulator, with matchers to await', async () => {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const assertion = `
    import { expect } from '${helperUrl('playwright')}';
    async function check(emulator) {
      await expect(emulator).toHaveReceived('POST /v1/vals', { times: 1 });
      await expect(emulator).toHaveNoUnhandledRequests();
    }`;
  const cwd = folderOf({ 'some.spec.mjs': saveIn('playwright', assertion) });
  const env = { VAL_EMULATOR_URL: running.url };

  const { stdout, code } = await new Command(process.execPath, [cli, 'test', '--reporter=line'], { cwd, env }).end();

  expect(stdout).toMatch(/\n {2}1 passed /);
  expect(code).toBe(0);
  expect(running.sandboxes()).toEqual([]);
});
