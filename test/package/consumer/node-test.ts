import { type EmulatorOptions, emulatorTest, type Sandbox, test } from 'val-emulator/node-test';

test('has a sandbox', { concurrency: true }, async ({ emulator }, context) => {
  const sandbox: Sandbox = emulator;
  context.diagnostic(sandbox.url);
  // @ts-expect-error: there is no such member
  emulator.nothing;
});

const options: EmulatorOptions = { fixtures: 'empty' };
emulatorTest(options).skip('has its own options', ({ emulator }) => emulator.reset());
