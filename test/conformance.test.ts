import { test } from 'vitest';
import { createEmulator } from '../src/index.js';
import { expectConformance, TOKENS } from './tools/conformance/target.js';

// `npm test -- fidelity` runs the cases in each way that the emulator can be run.
test('passes all cases of /v1: in-process fetch', async () => {
  const emulator = await createEmulator({ listen: false });
  const close = () => emulator.close();
  await expectConformance({ url: emulator.url, fetch: emulator.fetch, ...TOKENS, close });
});
