import {
  type BrowserContext,
  test as base,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Route,
  type TestType,
} from '@playwright/test';
import type { EmulatorOptions } from '#vals/service/options.js';
import type { Sandbox } from '../../emulator.js';
import type { RemoteSandbox } from '../client/index.js';
import type { AnySandbox } from './after-test.js';
import { forward, type Reachable, readApiUrl, SERVICE_URL } from './forward.js';
import { type Matchers, matchers } from './matchers.js';
import { type LocalOptions, type RemoteOptions, type SharedEmulator, useSharedEmulator } from './server.js';

export type { EmulatorOptions, LocalOptions, RemoteOptions, RemoteSandbox, Sandbox };

/** Playwright's `expect`, with `toHaveReceived` and `toHaveNoUnhandledRequests` of an emulator. */
export const expect: Expect<Matchers> = baseExpect.extend(matchers);

/** Options for `test.use({ … })`, and for the configuration: `defineConfig<EmulatorFixtureOptions>({ use: { … } })`. */
export interface EmulatorFixtureOptions {
  /** The base URL at which the page looks for the API. @default 'https://api.val.town' */
  readonly apiUrl: string;
  /** Options of the emulator in each worker. */
  readonly emulatorOptions: LocalOptions;
}

/** Options for the `test.use({ … })` of an `emulatorTest({ url })`. */
export interface RemoteFixtureOptions extends Pick<EmulatorFixtureOptions, 'apiUrl'> {
  readonly emulatorOptions: RemoteOptions;
}

interface TestFixtures<S> extends Pick<EmulatorFixtureOptions, 'apiUrl'> {
  /** A sandbox for this test, named after it. The page's calls to `apiUrl` are routed to it. */
  readonly emulator: S;
}
interface WorkerFixtures<O> {
  readonly emulatorOptions: O;
  readonly emulatorServer: SharedEmulator;
}
type EmulatorTest<S, O> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures<S>,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures<O>
>;

/**
 * Playwright's `test` with an `emulator` for each test, to which the page's calls to the API are routed. Each worker
 * starts one server, on first use. With a `url`, it uses sandboxes of the emulator that runs there.
 * @throws OptionsError, in the first test, for options of a new emulator in addition to a `url`
 */
export function emulatorTest(options: RemoteOptions): EmulatorTest<RemoteSandbox, RemoteOptions>;
export function emulatorTest(options?: LocalOptions): EmulatorTest<Sandbox, LocalOptions>;
export function emulatorTest(options: LocalOptions | RemoteOptions = {}): unknown {
  return base.extend<TestFixtures<AnySandbox>, WorkerFixtures<LocalOptions | RemoteOptions>>({
    emulatorOptions: [options, { option: true, scope: 'worker' }],
    emulatorServer: [({ emulatorOptions }, use) => useSharedEmulator(emulatorOptions, use), { scope: 'worker' }],
    apiUrl: [SERVICE_URL, { option: true }],
    emulator: ({ emulatorServer }, use, info) =>
      emulatorServer.withSandbox(info.title, use, {
        file: info.file,
        hasFailed: () => info.status !== info.expectedStatus,
        hasTimedOut: () => info.status === 'timedOut',
        attach: (path) => info.attach('val-emulator session', { path }),
      }),
    context: async ({ context, emulator, apiUrl }, use) => {
      await routeApi(context, emulator, apiUrl);
      await use(context);
    },
  });
}

/** {@link emulatorTest} with the options of the configuration. */
export const test = emulatorTest();

/** Routes calls to the API at `apiUrl` to a sandbox. Only needed for contexts that a test creates itself. */
export async function routeApi(
  context: Pick<BrowserContext, 'route'>,
  emulator: Reachable,
  apiUrl: string,
): Promise<void> {
  const baseUrl = readApiUrl(apiUrl);
  const fulfill = async (route: Route) => {
    const request = route.request();
    const init = { method: request.method(), headers: request.headers(), body: request.postData() };
    try {
      const response = await forward(emulator, baseUrl, request.url(), init);
      const headers = Object.fromEntries(response.headers);
      await route.fulfill({ status: response.status, headers, body: await response.text() });
    } catch {
      // An injected fault closed the connection. The page sees no status either, even if only the body was cut.
      await route.abort('connectionreset');
    }
  };
  await context.route(({ href }) => href.startsWith(`${baseUrl}/`), fulfill);
}
