import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Balancer } from './balancer.js';
import { untilHealthy } from './client.js';
import { NOW } from './model.js';
import { FIXTURES, send } from './node/nodes.js';
import { EmulatorNode } from './nodes.js';
import { startReplication } from './replication.js';
import { CLIENTS, type Tally, Writes } from './writes.js';

/*
 * Eight clients write to two nodes, whose Redis has a replica and three sentinels. The primary is lost, and the sentinels make
 * the replica the primary. docs/cluster.md has the figures that are printed here.
 */

/** Starts two nodes and their clients. */
async function startWrites(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-failover-'));
  const fixtures = join(folder, 'seed.json');
  writeFileSync(fixtures, JSON.stringify(FIXTURES));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = ['--fixtures', fixtures, '--store', url, '--now', NOW];
  const add = async () => {
    const node = await EmulatorNode.start(flags);
    onTestFinished(() => node.end());
    return node;
  };
  const nodes = [await add(), await add()];
  const balancer = new Balancer();
  onTestFinished(() => balancer.close());
  for (const node of nodes) balancer.targets.add(node);
  const writes = new Writes(await balancer.listen());
  await sleep(1_000);
  return {
    nodes,
    errors: () => nodes.map((node) => node.errors).join(''),
    /** Ends the clients, and compares what they were told with what the nodes have, and one that joins. */
    async end(name: string, disruption: number): Promise<Tally> {
      await writes.end();
      for (const node of nodes) await untilHealthy(node.url);
      const tally = await writes.check(
        [...nodes, await add()].map((node) => node.url),
        disruption,
      );
      for (const node of nodes) expect(node.hasEnded, node.errors).toBe(false);
      console.info(`${name}: ${JSON.stringify(tally)}`);
      return tally;
    },
  };
}

/** Redis responds to a client before it writes to its replica: each of these may have had a response then. */
const ON_THE_WAY = CLIENTS;
const LOST = /has lost entries: \d+-\d+ is not there\. This node had \d+ entries, up to \d+-\d+;/;

test('a primary is killed: the nodes continue with its replica', async () => {
  const redis = await startReplication();
  const load = await startWrites(redis.url);
  const time = performance.now();
  await redis.primary.kill();
  await redis.promotion();
  await sleep(1_000);
  const { lost } = await load.end('killed', time);
  expect(lost).toBeLessThanOrEqual(ON_THE_WAY);
  if (lost > 0) expect(load.errors()).toMatch(LOST);
});

test('a primary stops, and is back as a second primary: no one writes to it', async () => {
  const redis = await startReplication();
  const load = await startWrites(redis.url);
  const time = performance.now();
  redis.primary.pause();
  await redis.promotion();
  redis.primary.resume();
  await sleep(1_000);
  expect(await redis.primary.send('ROLE')).toContain('master');
  const { lost } = await load.end('stopped', time);
  expect(lost).toBeLessThanOrEqual(ON_THE_WAY);
});

test('a primary is killed that had lost its replica: what was written meanwhile is lost, and the nodes say so', async () => {
  const redis = await startReplication();
  const load = await startWrites(redis.url);
  await redis.cutReplication();
  await sleep(500);
  const time = performance.now();
  await redis.primary.kill();
  await redis.promotion();
  await sleep(1_000);
  const { lost } = await load.end('cut off', time);
  expect(lost).toBeGreaterThan(0);
  expect(load.errors()).toMatch(LOST);
});

test('min-replicas-to-write 1: without a replica requests are refused, not lost', async () => {
  const redis = await startReplication(['--min-replicas-to-write', '1']);
  const load = await startWrites(redis.url);
  const [node] = load.nodes;
  if (!node) throw new Error('there are two');
  await redis.cutReplication();
  await expect
    .poll(() => send(node, 'GET', '/v1/me'))
    .toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/ NOREPLICAS Not enough good replicas to write\.$/) },
    });
  await sleep(500);
  const time = performance.now();
  await redis.primary.kill();
  await redis.promotion();
  // The new one has no replica, so it waits for the old one.
  await redis.primary.start();
  await redis.follow(redis.primary, redis.replica);
  await untilHealthy(node.url);
  // An address that leads to a replica.
  redis.target.port = redis.primary.port;
  await redis.replica.send('CLIENT', 'KILL', 'TYPE', 'normal');
  await expect
    .poll(() => send(node, 'GET', '/v1/me'))
    .toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/ READONLY You can't write against a read only replica\.$/) },
    });
  redis.target.port = redis.replica.port;
  await untilHealthy(node.url);
  await sleep(500);
  const { lost } = await load.end('min-replicas-to-write 1', time);
  expect(lost).toBeLessThanOrEqual(ON_THE_WAY);
});
