import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 30_000, hookTimeout: 30_000 };
/** What is generated is up to date. */
const GENERATED = 'test/docs/generated.test.ts';
/** Holds every answer against the API documents. */
const watched = { ...shared, setupFiles: ['test/support/setup.ts'] };

export default defineConfig({
  test: {
    projects: [
      { test: { ...watched, name: 'socket', include: ['test/**/*.test.ts'], exclude: [GENERATED] } },
      // The route tests once more, through the emulator's own fetch.
      {
        test: {
          ...watched,
          name: 'in-process',
          include: ['test/{routes,http}/**/*.test.ts'],
          env: { TRANSPORT: 'in-process' },
        },
      },
      {
        test: {
          ...shared,
          name: 'docs',
          include: [GENERATED],
          // It makes types by TypeScript's own functions, which version 7 no longer has.
          alias: { typescript: '@typescript/typescript6' },
          server: { deps: { inline: ['openapi-typescript'] } },
        },
      },
    ],
  },
});
