import { createEmulator, expect, FixtureError, type Sandbox, test } from 'val-emulator/jest';

test('has a sandbox, and can have an emulator', async ({ emulator }) => {
  const sandbox: Sandbox = await createEmulator({ listen: false });
  expect(sandbox).toHaveReceived('POST /v1/vals', { times: 1 });
  expect(() => emulator.reseed({ users: [{ username: 'ada' }] })).not.toThrow(FixtureError);
  // @ts-expect-error: there is no such member
  emulator.nothing;
});
