import { defineConfig } from 'vitest/config';

/** Kills an emulator again and again: `npm run test:crash`, or `CRASH_ROUNDS=40 npm run test:crash` for fewer rounds. */
export default defineConfig({
  test: { include: ['test/crash/*.crash.ts'], testTimeout: 7_200_000, reporters: ['verbose'] },
});
