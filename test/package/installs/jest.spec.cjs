const { createEmulator, expect, test } = require('val-emulator/jest');
const { USED, use } = require('./use.cjs');

test('has a sandbox', async ({ emulator }) => {
  expect(await use(emulator)).toEqual(USED);
  expect(emulator).toHaveReceived('GET /v1/me', { times: 1 });
});

test('names what a module of fixtures needs', async () => {
  const module = createEmulator({ listen: false, fixturesModule: './use.cjs' });
  await expect(module).rejects.toThrow('Jest imports no module without node --experimental-vm-modules');
});
