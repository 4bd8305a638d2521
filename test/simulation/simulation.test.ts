import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { DEFECTS } from '../../scripts/defects.js';
import { sized } from '../support/soak.js';
import { shrink } from './shrink.js';
import { drawPlan, simulate } from './simulate.js';

vi.mock('../../src/vals/sqlite/thread/thread.js', () => import('./direct-sql.js'));

const { SIMULATION_SEED: first = '1' } = process.env;
const SEEDS = sized(1, 200);

test(`worlds of ${SEEDS} seeds from ${first} on respond as one emulator`, async () => {
  for (let seed = Number(first); seed < Number(first) + SEEDS; seed++) {
    const { problem } = await simulate(drawPlan(seed));
    if (problem === undefined) continue;
    const smaller = JSON.stringify(await shrink(drawPlan(seed)));
    expect.fail(`${problem}\nnpm run simulate -- --seed ${seed}; smaller: ${smaller}`);
  }
});

test('a run repeats byte for byte from its seed', async () => {
  const plan = { seed: 7, nodes: 3, clients: 4, requests: 30, faults: 5 };
  const [first, second] = [await simulate(plan, true), await simulate(plan, true)];
  expect(first.lines.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
  expect((await simulate({ ...plan, seed: 8 }, true)).digest).not.toBe(first.digest);
});

test('a world without a store is found not to respond as one', async () => {
  const outcomes = await Promise.all(
    [1, 4, 7].map((seed) => simulate({ seed, nodes: 2, clients: 3, requests: 30, faults: 0 }, false, false)),
  );
  expect(outcomes.map(({ problem }) => problem)).toEqual(Array(3).fill(expect.stringContaining('not linearizable')));
});

test.each(DEFECTS)('%s can be planted', async (_, file, from) => {
  const source = await readFile(`${import.meta.dirname}/../..${file}`, 'utf8');
  expect(source.split(from)).toHaveLength(2);
});
