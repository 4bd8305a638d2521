import { test as base } from 'node:test';
import { emulatorTest, test, withEmulator } from 'val-emulator/node-test';

test('has a sandbox', { concurrency: true }, async ({ emulator }, context) => context.diagnostic(emulator.url));
base(
  'has a body',
  withEmulator(async ({ emulator }, t) => t.diagnostic(emulator.url)),
);
emulatorTest({}, { beforeEach: ({ emulator }) => emulator.reset() }).skip('has hooks', () => {});
// @ts-expect-error: there is no such hook
emulatorTest({}, { before: () => {} });
