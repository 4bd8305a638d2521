import { type EmulatorOptions, emulatorTest, expect, type Sandbox, test } from 'val-emulator/vitest';

test('has a sandbox', async ({ emulator, task }) => {
  const sandbox: Sandbox = emulator;
  expect(sandbox.name).toContain(task.name);
  expect(emulator).toHaveReceived('POST /v1/vals', { times: 1 });
  expect(emulator).not.toHaveNoUnhandledRequests();
  // @ts-expect-error: there is no such member
  emulator.nothing;
  // @ts-expect-error: a number of times is a number
  expect(emulator).toHaveReceived('POST /v1/vals', { times: 'one' });
});

const options: EmulatorOptions = { fixtures: 'empty' };
emulatorTest(options)('has its own options', ({ emulator }) => expect(emulator.users).toHaveLength(1));
