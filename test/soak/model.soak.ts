import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { createEmulator } from '../../src/index.js';
import { seededModel } from '../model/control.js';
import { SEED as RECORDS, START } from '../model/seed.js';
import { Steps } from '../model/steps.js';
import { World } from '../model/world.js';
import { SEED, scaled } from '../support/soak.js';

/** Sandboxes that are used in turn. */
const SANDBOXES = 50;
/** Sequences for each, one after the other: each is about 200 requests and operations. */
const ROUNDS = scaled(21);
const config = { auth: 'strict', defaultPrivacy: 'private', specOnly: false, limit: undefined } as const;

test(`${SANDBOXES} sandboxes in turn respond as an independent model predicts`, async () => {
  const before = World.steps;
  const sandboxes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const label = `round ${round}, SEED=${SEED}`;
    const rng = new Rng(`model-${SEED}-${round}`);
    await using emulator = await createEmulator({ fixtures: RECORDS, listen: false, now: START });
    const world = new World(emulator, seededModel(config, START, RECORDS));
    const steps = new Steps(world);
    try {
      let waiting = Array.from({ length: SANDBOXES }, (_, index) => ({ index, left: rng.int(0, 400) }));
      while (waiting.length > 0) {
        const turn = rng.pick(waiting);
        if (turn.left-- === 0) waiting = waiting.filter((each) => each !== turn);
        // The sandboxes of a sequence are its own and its two neighbours, so that sequences meet.
        const place = { '': turn.index, one: turn.index + 1, two: turn.index + 2 };
        world.rename = (name) => `s${(name === '' || name === 'one' || name === 'two' ? place[name] : 0) % SANDBOXES}`;
        await steps.take(rng.int(0, 2 ** 31 - 1));
      }
      world.rename = (name) => name;
      for (const name of ['', ...world.names]) {
        sandboxes.add(name);
        for (const path of ['state', 'users', 'clock', 'faults', 'snapshots', 'history', 'requests']) {
          await world.control(name, 'http', { method: 'GET', path });
        }
      }
    } catch (error) {
      throw new Error(`${label}, after\n  ${world.log.slice(-80).join('\n  ')}\n${error}`);
    }
  }
  expect(sandboxes.size).toBe(SANDBOXES + 1);
  expect(World.steps - before).toBeGreaterThan(ROUNDS * SANDBOXES * 50);
  console.log(`model: ${World.steps - before} requests and operations in ${SANDBOXES} sandboxes, SEED=${SEED}`);
});
