import { test } from 'vitest';
import { CASES } from '#tools/conformance/cases/index.js';
import { createEmulator } from '../src/index.js';
import { SEED, sized } from './support/soak.js';
import { expectConformance, TOKENS } from './tools/conformance/target.js';

const SHARE = sized(4, 1);

// `npm test -- fidelity` runs all cases in each way that the emulator can be run.
test(`passes the cases: in-process fetch (one of ${SHARE}, seed ${SEED})`, async () => {
  const emulator = await createEmulator({ listen: false });
  const close = () => emulator.close();
  const cases = CASES.filter((_, i) => i % SHARE === Number(SEED) % SHARE);
  await expectConformance({ url: emulator.url, fetch: emulator.fetch, ...TOKENS, close, cases });
});
