import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { seededModel } from './control.js';
import type { Config } from './records.js';
import { SEED, START } from './seed.js';
import { Steps } from './steps.js';
import { World } from './world.js';

/*
 * Random requests and operations of the control plane, to the emulator and to the model. `SEED=7` draws others,
 * `SOAK=1500` that many longer runs; a failure prints how to see it again.
 */

const { SEED: seed = '20240611', SOAK, FC_PATH } = process.env;
const soak = SOAK !== undefined && SOAK !== '';
const [RUNS, LONGEST] = soak ? [Number(SOAK), 400] : [15, 150];

const config: fc.Arbitrary<Config> = fc.record({
  auth: fc.constantFrom('strict', 'strict', 'lenient'),
  defaultPrivacy: fc.constantFrom('private', 'public', 'unlisted'),
  specOnly: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(undefined, undefined, 10),
});

/** Takes the steps on both, then compares all that can be read. */
async function play(options: Config, numbers: readonly number[]): Promise<void> {
  const { limit, ...rest } = options;
  const rateLimit = limit === undefined ? undefined : { limit, window: '1m' };
  await using emulator = await createEmulator({ fixtures: SEED, listen: false, now: START, ...rest, rateLimit });
  const world = new World(emulator, seededModel(options, START, SEED));
  try {
    const steps = new Steps(world);
    for (const number of numbers) await steps.take(number);
    for (const name of ['', ...world.names]) {
      for (const path of ['state', 'users', 'clock', 'faults', 'snapshots', 'history', 'requests']) {
        await world.control(name, 'http', { method: 'GET', path });
      }
    }
  } catch (error) {
    throw new Error(`after\n  ${world.log.join('\n  ')}\n${error}`);
  }
}

test('the emulator responds as an independent model of the API predicts', async () => {
  // A failure is shrunk to fewer steps. A smaller number is no simpler one.
  const numbers = fc.array(fc.noShrink(fc.nat()), { maxLength: LONGEST, size: 'max' });
  const property = fc.asyncProperty(config, numbers, play);
  const replay = { ...(FC_PATH !== undefined && { path: FC_PATH }) };
  const result = await fc.check(property, { seed: Number(seed), numRuns: RUNS, ...replay });
  const report = `${fc.defaultReportMessage(result)}\n${result.errorInstance}`;
  const again = { SEED: result.seed, FC_PATH: result.counterexamplePath, ...(soak && { SOAK }) };
  const how = Object.entries(again).map(([name, value]) => `${name}='${value}'`);
  expect(result.failed ? `${report}\n\nAgain: ${how.join(' ')} npx vitest run test/model` : '').toBe('');
  // So that a generator that makes nothing does not pass.
  expect(World.steps).toBeGreaterThan(FC_PATH === undefined ? RUNS * 20 : 0);
  if (soak) console.info(`${World.steps} requests and operations`);
});
