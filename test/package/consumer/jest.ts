import { type EmulatorOptions, emulatorTest, expect, type Sandbox, test } from 'val-emulator/jest';

test('has a sandbox', async ({ emulator }) => {
  const sandbox: Sandbox = emulator;
  expect(sandbox.url).toBe('');
  expect(emulator).toHaveReceived('POST /v1/vals', { times: 1 });
  expect(emulator).not.toHaveNoUnhandledRequests();
  // @ts-expect-error: there is no such member
  emulator.nothing;
  // @ts-expect-error: a number of times is a number
  expect(emulator).toHaveReceived('POST /v1/vals', { times: 'one' });
});

const options: EmulatorOptions = { fixtures: 'empty' };
emulatorTest(options).only('has its own options', ({ emulator }) => expect(emulator.users).toHaveLength(1), 600_000);
