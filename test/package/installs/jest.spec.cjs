const { expect, test } = require('val-emulator/jest');
const { USED, use } = require('./use.cjs');

test('has a sandbox', async ({ emulator }) => {
  expect(await use(emulator)).toEqual(USED);
  expect(emulator).toHaveReceived('GET /v1/me', { times: 1 });
});
