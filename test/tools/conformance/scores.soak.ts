import { expect, test } from 'vitest';
import { checkConformance } from '#tools/conformance/index.js';
import { PATIENCE } from '../../support/patience.js';
import type { Target } from './target.js';
import { startJsonServer, startPrism } from './targets.js';

/** Returns the share of the cases that a server passes. */
async function score(start: () => Promise<Target>): Promise<number> {
  const { close, ...target } = await start();
  try {
    const { entries, totals } = await checkConformance({ ...target, level: 'email', timeout: PATIENCE });
    return totals.passed / entries.length;
  } finally {
    await close();
  }
}

// docs/conformance.md says so.
test('mock servers fail most cases', async () => {
  const scores = { prism: await score(startPrism), jsonServer: await score(startJsonServer) };
  console.log(scores);
  expect(scores.prism).toBeLessThan(0.5);
  expect(scores.jsonServer).toBeLessThan(0.1);
});
