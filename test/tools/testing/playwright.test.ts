import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { PATIENCE } from '../../support/patience.js';
import { findFreePort } from '../../support/ports.js';
import { Command, MAIN } from '../cli/cli.js';
import { helperUrl, runTests } from './run.js';

const HELPER = helperUrl('playwright');
const PLAYWRIGHT = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

/** Tests without a browser; examples/playwright tests pages. */
const run = (source: string) => runTests('some.spec.mjs', source, PLAYWRIGHT, 'test', '--reporter=line', '--workers=1');

test('each test has a sandbox of its own, and so has each retry; the worker ends', () => {
  const { status, output } = run(`
    import { expect, test } from '${HELPER}';

    test.describe.configure({ retries: 1 });
    for (const number of [1, 2]) {
      test('creates ' + number, async ({ emulator, request }, { retry }) => {
        expect(emulator.name).toMatch(/^creates-/);
        const response = await request.post(emulator.url + '/v1/vals', {
          headers: { authorization: 'Bearer ada-token' },
          data: { name: 'mine', code: '1' },
        });
        expect(response.status()).toBe(200);
        expect(emulator).toHaveReceived('POST /v1/vals', { times: 1, body: { name: 'mine' } });
        expect(emulator).toHaveNoUnhandledRequests();
        expect(retry).toBe(1);
      });
    }
  `);

  expect(output).toMatch(/\n {2}2 flaky\n/);
  expect(status).toBe(0);
});

test('accepts the options of createEmulator', () => {
  const { status, output } = run(`
    import { expect, test } from '${HELPER}';

    test.use({ emulatorOptions: { fixtures: { users: [{ username: 'lin' }] }, now: '2030-01-01T00:00:00Z' } });
    test('has them', ({ emulator }) => {
      expect(emulator.users.map(({ username }) => username)).toEqual(['lin']);
      expect(emulator.clock.read()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    });
  `);

  expect(output).toMatch(/\n {2}1 passed /);
  expect(status).toBe(0);
});

test('a failing matcher shows the near misses', () => {
  const { status, output } = run(`
    import { expect, test } from '${HELPER}';
    test('expects a request', ({ emulator }) => expect(emulator).toHaveReceived('GET /v1/me'));
  `);

  expect(output).toContain('expected at least one request GET /v1/me, but there were 0 of 0 in all.');
  expect(status).toBe(1);
});

test('webServer starts with the bare URL', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const command = `"${process.execPath}" "${MAIN}" start --port ${port} --fixtures empty`;
  const config = { webServer: { command, url, timeout: PATIENCE }, use: { baseURL: url } };
  const cwd = folderOf({
    'playwright.config.mjs': `export default ${JSON.stringify(config)};`,
    'some.spec.mjs': `
      import { expect, test } from '${HELPER}';
      test('is up', async ({ request }) => expect(await (await request.get('/')).json()).toMatchObject({ url: '${url}' }));
    `,
  });

  const { stdout, code } = await new Command(process.execPath, [PLAYWRIGHT, 'test', '--reporter=line'], { cwd }).end();

  expect(stdout).toMatch(/\n {2}1 passed /);
  expect(code).toBe(0);
});

test('reports an invalid apiUrl', () => {
  const { status, output } = run(`
    import { routeApi, test } from '${HELPER}';
    test('is refused', ({ emulator }) => routeApi({ route: () => {} }, emulator, 'api.example.com'));
  `);

  expect(output).toContain(
    'TypeError: apiUrl: found "api.example.com"; expected a base URL such as "https://api.example.com".',
  );
  expect(status).toBe(1);
});
