const { expect, test } = require('val-emulator/jest');

// biome-ignore lint/suspicious/noFocusedTests: what it does is tried
test.only.each([[1], [2]])('only %i', async ({ emulator }, number) => {
  expect((await emulator.fetch(`/v1/search/vals?query=a&limit=${number}`)).status).toBe(200);
});

test('does not run', () => {
  throw new Error('ran');
});
