import { expect, test } from 'vitest';
import { Fight } from './fight.js';
import { hasNamespaces, NO_NAMESPACES } from './namespaces.js';

const { CRASH_ROUNDS: rounds = '100' } = process.env;

test('a process that is paused for 17 seconds loses the folder, and every write is kept', async (context) => {
  if (!hasNamespaces()) return context.skip(NO_NAMESPACES);
  const fight = new Fight({ dataSync: 'full' });
  await fight.round({ by: 'signal', time: 17_000 });
  expect(fight.writes).toBeGreaterThan(40);
});

test('a process whose thread is blocked for 20 seconds loses the folder, and every write is kept', async (context) => {
  if (!hasNamespaces()) return context.skip(NO_NAMESPACES);
  const fight = new Fight({ dataSync: 'full' });
  await fight.round({ by: 'block', time: 20_000 });
  expect(fight.writes).toBeGreaterThan(40);
});

/** Rounds on the same folder. */
const FOLDER_ROUNDS = 20;

test(`two processes fight for a folder (${rounds} rounds)`, async (context) => {
  if (!hasNamespaces()) return context.skip(NO_NAMESPACES);
  let fight: Fight | undefined;
  let writes = 0;
  const start = performance.now();
  for (let round = 0; round < Number(rounds); round++) {
    if (round % FOLDER_ROUNDS === 0) {
      await fight?.end();
      const number = round / FOLDER_ROUNDS;
      fight = new Fight({
        dataLock: { beat: 50, stale: 400 },
        dataSync: number % 2 === 0 ? 'full' : 'lazy',
        // So small that the file is rewritten again and again.
        ...(number % 3 !== 0 && { dataGrowth: 20_000 }),
      });
    }
    const by = (['signal', 'block', 'kill'] as const)[round % 3] ?? 'signal';
    await fight?.round({ by, time: 450 + Math.random() * 300 });
    if (round % FOLDER_ROUNDS === FOLDER_ROUNDS - 1) {
      writes += fight?.writes ?? 0;
      console.info(`${round + 1} rounds in ${Math.round((performance.now() - start) / 1_000)} s: ${writes} writes`);
    }
  }
});
