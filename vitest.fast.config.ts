import { defineConfig } from 'vitest/config';

/** The tests of the routes and of the control API, without those that take half of the time: `npm run test:fast`. */
export default defineConfig({
  test: {
    include: ['test/{routes,control}/**/*.test.ts'],
    exclude: [
      'test/routes/{determinism,failures,paging,reset}.test.ts',
      'test/control/{isolation,journal,reset}.test.ts',
    ],
    setupFiles: ['test/support/setup.ts'],
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
  },
});
