/** The programs for which tests are written. */
export const TEST_RUNNERS = ['vitest', 'jest', 'node', 'pytest'] as const;
export type TestRunner = (typeof TEST_RUNNERS)[number];
