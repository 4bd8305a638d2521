import { type BrowserContext, test as base, expect as baseExpect, type Expect, type Route } from '@playwright/test';
import type { Sandbox } from '../control/sandbox.js';
import type { EmulatorOptions } from '../options.js';
import { baseUrlOf, forward } from './forward.js';
import { type Matchers, matchers } from './matchers.js';
import { SharedEmulator } from './server.js';

export type { EmulatorOptions, Sandbox };

/** Playwright's `expect`, with `toHaveReceived` and `toHaveNoUnhandledRequests` of an emulator. */
export const expect: Expect<Matchers> = baseExpect.extend(matchers);

/** Options for `test.use({ … })`, and for the configuration: `defineConfig<EmulatorUse>({ use: { … } })`. */
export interface EmulatorUse {
  /** The base URL at which the page looks for the API. @default 'https://api.val.town' */
  readonly apiUrl: string;
  /** Options of the emulator in each worker. */
  readonly emulatorOptions: EmulatorOptions;
}

interface TestFixtures extends Pick<EmulatorUse, 'apiUrl'> {
  /** A sandbox of the test's own, named after it and dropped after it. The page's calls to `apiUrl` lead there. */
  readonly emulator: Sandbox;
}

interface WorkerFixtures extends Pick<EmulatorUse, 'emulatorOptions'> {
  readonly emulatorServer: SharedEmulator;
}

/**
 * Playwright's `test` with an `emulator` for each test, to which the page's calls to the API are routed. There is one
 * server in each worker, started when the first test asks for it.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  emulatorOptions: [{}, { option: true, scope: 'worker' }],
  emulatorServer: [
    async ({ emulatorOptions }, use) => {
      const server = new SharedEmulator(emulatorOptions);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  apiUrl: ['https://api.val.town', { option: true }],
  emulator: ({ emulatorServer }, use, { title }) => emulatorServer.lend(title, use),
  context: async ({ context, emulator, apiUrl }, use) => {
    await routeApi(context, emulator, apiUrl);
    await use(context);
  },
});

/**
 * Answers calls to the API at `apiUrl` from a sandbox. The fixture `context` is routed already; this is for contexts that
 * a test makes itself.
 */
export async function routeApi(
  context: Pick<BrowserContext, 'route'>,
  emulator: Sandbox,
  apiUrl: string,
): Promise<void> {
  const baseUrl = baseUrlOf(apiUrl);
  await context.route(
    ({ href }) => href.startsWith(`${baseUrl}/`),
    (route) => answer(route, emulator, baseUrl),
  );
}

async function answer(route: Route, emulator: Sandbox, baseUrl: string): Promise<void> {
  const request = route.request();
  const init = { method: request.method(), headers: request.headers(), body: request.postData() };
  try {
    const response = await forward(emulator, baseUrl, request.url(), init);
    const { status } = response;
    await route.fulfill({ status, headers: Object.fromEntries(response.headers), body: await response.text() });
  } catch {
    // A fault broke the connection off. Where it broke off in the body, the page does not get to see the head either.
    await route.abort('connectionreset');
  }
}
