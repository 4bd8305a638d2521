import { test as base, type Route } from '@playwright/test';
import type { Sandbox } from '../control/sandbox.js';
import { createEmulator, type Emulator } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';
import { forward } from './forward.js';
import { sandboxName } from './server.js';

export { expect } from '@playwright/test';
export type { EmulatorOptions, Sandbox };

interface TestFixtures {
  /** A sandbox of the test's own, dropped after it. The page's calls to `apiUrl` lead there. */
  readonly emulator: Sandbox;
  /** The base URL at which the page looks for the API. An option: `test.use({ apiUrl: '…' })`. */
  readonly apiUrl: string;
}

interface WorkerFixtures {
  /** Options of the emulator in each worker. */
  readonly emulatorOptions: EmulatorOptions;
  readonly emulatorServer: Emulator;
}

/** Playwright's `test` with an `emulator` for each test, to which the page's calls to the API are routed. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  emulatorOptions: [{}, { option: true, scope: 'worker' }],
  emulatorServer: [
    async ({ emulatorOptions }, use) => {
      await using emulator = await createEmulator(emulatorOptions);
      await use(emulator);
    },
    { scope: 'worker' },
  ],
  apiUrl: ['https://api.val.town', { option: true }],
  emulator: async ({ emulatorServer }, use, { title, testId, retry }) => {
    const sandbox = emulatorServer.sandbox(sandboxName(title, `${testId.slice(-12)}-${retry}`));
    await use(sandbox);
    sandbox.close();
  },
  context: async ({ context, emulator, apiUrl }, use) => {
    await context.route(
      (url) => url.href.startsWith(`${apiUrl.replace(/\/$/, '')}/`),
      (route) => answer(route, emulator, apiUrl),
    );
    await use(context);
  },
});

async function answer(route: Route, emulator: Sandbox, apiUrl: string): Promise<void> {
  const request = route.request();
  const headers = await request.allHeaders();
  const init = { method: request.method(), headers, body: request.postData() };
  try {
    const response = await forward(emulator, apiUrl, request.url(), init);
    const { status } = response;
    await route.fulfill({ status, headers: Object.fromEntries(response.headers), body: await response.text() });
  } catch {
    // A fault broke the connection off.
    await route.abort('connectionreset');
  }
}
