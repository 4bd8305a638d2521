import { expect, onTestFinished, test } from 'vitest';
import { random } from '../support/random.js';
import { startRedis } from './redis.js';
import { runRound } from './round.js';

/*
 * Sixteen clients send random requests to three nodes behind a balancer, while nodes are killed and stopped, Redis is started
 * again and connections are cut. The history of each sandbox must be linearizable: one emulator could have responded so. In the
 * end all nodes tell the same, and so does one that joins. `CLUSTER_SEED=7` draws others.
 */

const { CLUSTER_ROUNDS: rounds = '50', CLUSTER_SEED: seed = String(Date.now() % 1e6) } = process.env;

test(`the check accepts one node (seed ${seed})`, async () => {
  await runRound({ random: random(Number(seed)), nodes: 1, requests: 700, disruptions: 3 });
});

test('the check rejects three nodes without a shared store', async () => {
  const round = runRound({ random: random(Number(seed)), nodes: 3, requests: 200, disruptions: 0 });
  await expect(round).rejects.toThrow('not linearizable');
});

test(`three nodes respond as one (${rounds} rounds, seed ${seed})`, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  for (let round = 0; round < Number(rounds); round++) {
    // Each round has a seed of its own, so that it can be run alone: `CLUSTER_SEED=12 CLUSTER_ROUNDS=1`.
    const own = Number(seed) + round;
    const store = { shared: redis, prefix: `round-${own}` };
    const options = { random: random(own), nodes: 3, requests: 500, disruptions: 3, store };
    try {
      console.info(`round ${round}, seed ${own}: ${await runRound(options)}`);
    } catch (error) {
      throw new Error(`round ${round}, CLUSTER_SEED=${own}: ${error}`);
    }
  }
});
