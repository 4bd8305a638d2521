let emulator;

// The module is loaded when tests have started, and Jest takes no hooks any more.
beforeAll(async () => {
  emulator = await require('val-emulator/jest').createEmulator();
});

afterAll(() => emulator.close());

test('the helper can be loaded in a hook', async () => {
  expect((await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } })).status).toBe(200);
});
