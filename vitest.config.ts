import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { threadPlugin } from './scripts/thread.js';
import { hasRedis } from './test/cluster/redis.js';
import { PATIENCE } from './test/support/patience.js';

const HOUR = 3_600_000;
/** What a test waits for fails it first, with a better message. */
const LIMIT = PATIENCE + 60_000;
/** Checks that generated files are up to date. */
const GENERATED = 'test/docs/generated.test.ts';
/** Tests that compare times, which takes a machine without other work. */
const TIMED = ['test/engine/control/slices.test.ts'];
/** Tests of this machine's clock. The nodes of a cluster use the clock of Redis. */
const OWN_CLOCK = ['test/engine/clock/fresh-times.test.ts', 'test/engine/clock/idle.test.ts'];
/** Tests that call methods without awaiting them, so they have one node. */
const SYNCHRONOUS = [
  'test/engine/control/{commit,listing,one-history,record-history,replacement}.test.ts',
  'test/engine/control/ui/summary.test.ts',
  'test/engine/faults/chaos.test.ts',
  'test/vals/sqlite/rows.test.ts',
];
/** Tests that start other programs, most of them for seconds. */
const SPAWNING = ['test/package/**/*.test.ts', 'test/tools/testing/**/*.test.ts', 'test/loading.test.ts'];
/** Tests of processes, signals, files that change, threads that end and built modules: they start programs, or wait for real time. */
const PROCESSES = [
  'test/tools/cli/{detached,ends,exec,generate,machine,module,parents,pipes,port,process,service,shrink,watch}.test.ts',
  'test/vals/generator/{compiled,environments}.test.ts',
  'test/vals/service/determinism.test.ts',
  'test/engine/http/waiting.test.ts',
  'test/vals/sqlite/{cached,compiled,scripts,thread}.test.ts',
  'test/engine/persistence/fence.test.ts',
  'test/tools/std/vite.test.ts',
  'test/vals/login/killed.test.ts',
  'test/vals/projects/modules.control.test.ts',
];
/** Rules of the sources and of committed documents. */
const SOURCE = ['test/layers.test.ts', 'test/docs/{names,openapi}.test.ts'];
/** Conformance, pull, and comparisons with Fastify. `npm test` runs the cases once: test/conformance.test.ts. */
const FIDELITY = ['test/tools/{conformance,pull}/**/*.test.ts', 'test/engine/http/{fastify,statuses}.test.ts'];
/** The largest bodies, values, databases and numbers. */
const LIMITS = [
  'test/engine/api/limits.test.ts',
  'test/engine/data-browser/bounds.test.ts',
  'test/engine/fixtures/large-databases.test.ts',
  'test/vals/login/bounds.test.ts',
  'test/vals/sqlite/bounds.test.ts',
  'test/engine/http/large-requests.test.ts',
];
/** Nodes of a cluster, each file on a separate Redis. */
const ON_REDIS = ['test/cluster/node/*.test.ts'];
/** Tests of unchanged programs in several runtimes. */
const INTERCEPTING = ['test/tools/intercept/*.test.ts'];
/** Tests that replace a module, so they share none with other files. */
const MOCKING = ['test/simulation/simulation.test.ts'];
/** Tests that explore, by their source: small under `npm test`, and large under `npm test -- explore`. */
const EXPLORING = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .filter((file) => !TIMED.includes(file) && !MOCKING.includes(file))
  .filter((file) => /\bsized\(|\bSOAK\b/.test(readFileSync(file, 'utf8')));

type Settings = NonNullable<TestProjectInlineConfiguration['test']>;
/**
 * The modules are loaded once per worker: they have no state (test/layers.test.ts), and a file leaves nothing behind that another one
 * would meet (test/support/leftovers.ts).
 */
const SHARED: Settings = { setupFiles: ['test/support/setup.ts', 'test/support/leave-nothing.ts'], isolate: false };
const project = (name: string, settings: Settings): TestProjectInlineConfiguration => ({
  plugins: [threadPlugin],
  test: {
    testTimeout: LIMIT,
    hookTimeout: LIMIT,
    expect: { poll: { timeout: PATIENCE } },
    ...settings,
    name,
  },
});

/** The projects that `npx vitest` runs without `--project`. The types of vitest know this option of its command only. */
const BY_DEFAULT = { project: ['tests', 'simulation'] };

/** `scripts/test.js` runs these projects by name, such as `npm test -- soak`. */
export default defineConfig({
  test: {
    ...BY_DEFAULT,
    // One more than there are cores, since many tests wait: for timers, for other programs.
    maxWorkers: availableParallelism() + 1,
    // Transformed modules are kept between runs, in node_modules.
    experimental: { fsModuleCache: true },
    projects: [
      project('tests', {
        include: ['test/**/*.test.ts'],
        exclude: [
          '**/node_modules/**',
          GENERATED,
          ...SOURCE,
          ...TIMED,
          ...PROCESSES,
          ...SPAWNING,
          ...MOCKING,
          ...INTERCEPTING,
          ...FIDELITY,
          ...LIMITS,
          ...ON_REDIS,
        ],
        ...SHARED,
      }),
      project('simulation', { include: MOCKING, testTimeout: HOUR }),
      // These two are checks: `npm run check -- source`.
      project('docs', { include: [GENERATED] }),
      project('source', { include: SOURCE }),
      project('timed', { include: TIMED, fileParallelism: false, ...SHARED }),
      project('processes', { include: PROCESSES, ...SHARED }),
      project('limits', { include: LIMITS, ...SHARED }),
      project('fidelity', { include: FIDELITY, ...SHARED }),
      project('redis', { include: ON_REDIS, ...SHARED }),
      project('package', { include: SPAWNING, globalSetup: ['test/package/tarball.ts'] }),
      // Programs with a fixed host below `exec --intercept`. INTERCEPT_RUNS=200 runs more of them at once.
      project('intercept', {
        include: INTERCEPTING,
        globalSetup: ['test/tools/intercept/clients.ts'],
      }),
      // The tests of the control API again, each request on the other of two nodes.
      project('nodes', {
        include: hasRedis ? ['test/{engine,vals}/control/*.test.ts', 'test/model/alike.test.ts'] : [],
        exclude: [...TIMED, ...OWN_CLOCK, ...SYNCHRONOUS],
        globalSetup: ['test/cluster/shared-store.ts'],
        alias: { './one-node.js': fileURLToPath(new URL('test/cluster/two-nodes.ts', import.meta.url)) },
        ...SHARED,
      }),
      // Random requests, power cuts and hostile input in many more rounds. SOAK=1500 runs six times as many of some.
      project('explore', {
        include: EXPLORING,
        env: { SOAK: process.env.SOAK ?? '250' },
        testTimeout: HOUR,
        ...SHARED,
        // Some of them replace a module.
        isolate: true,
      }),
      // Memory, overload, conformance of other servers, SQL next to libSQL. SOAK=250 runs a sixth of them.
      project('soak', {
        include: ['test/**/*.soak.ts', ...TIMED],
        env: { SOAK: process.env.SOAK ?? '1500' },
        testTimeout: HOUR,
      }),
      // Kills an emulator with a data folder again and again. CRASH_ROUNDS=40 runs fewer rounds.
      project('crash', { include: ['test/crash/*.crash.ts'], testTimeout: 2 * HOUR }),
      // Disturbs three nodes on one Redis, and loses a primary of Redis. CLUSTER_ROUNDS=5 runs fewer rounds.
      project('cluster', { include: ['test/cluster/*.cluster.ts'], fileParallelism: false, testTimeout: 2 * HOUR }),
      // The dashboard of the packed package in headless Chromium, in one browser at a time.
      project('dashboard', {
        include: ['test/dashboard/**/*.browser.ts'],
        globalSetup: ['test/dashboard/install.ts'],
        fileParallelism: false,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
