import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from './balancer.js';
import { LOOPBACK, untilHealthy } from './client.js';
import { Fleet, type Shared } from './disruptions.js';
import type { Random } from './draw.js';
import { LIMIT, NOW, seed } from './model.js';
import { EmulatorNode } from './nodes.js';
import { SANDBOXES, Traffic } from './traffic.js';
import { checkHistories, checkJournals, compareNodes } from './verdicts.js';

export interface RoundOptions {
  readonly random: Random;
  readonly nodes: number;
  /** Requests of all clients. */
  readonly requests: number;
  /** How often something happens to the nodes. */
  readonly disruptions: number;
  /** The server that the nodes share, and the prefix of their keys. Without it, each node has its own data. */
  readonly store?: { readonly shared: Shared; readonly prefix: string };
}

const IDS = 600;
let ids: readonly string[] | undefined;

/** Returns the ids that a sandbox draws, in their order. */
async function learnIds(fixtures: string): Promise<readonly string[]> {
  const node = await EmulatorNode.start(['--fixtures', fixtures]);
  try {
    const body = Array.from({ length: IDS }, (_, i) => ({ author: 'ada', name: `n${i}`, code: '1' }));
    const reply = await LOOPBACK.send({ method: 'POST', url: `${node.url}/_emulator/records/vals`, body });
    if (reply?.status !== 201) throw new Error(`the vals were not added: ${reply?.text}`);
    return JSON.parse(reply.text).map(({ id }: { readonly id: string }) => id);
  } finally {
    await node.end();
  }
}

/** Runs random requests against nodes to which things happen. @throws Error for what a single emulator would not respond */
export async function runRound({ random, nodes, requests, disruptions, store }: RoundOptions): Promise<string> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-cluster-'));
  const fixtures = join(folder, 'seed.json');
  writeFileSync(fixtures, JSON.stringify(seed));
  ids ??= await learnIds(fixtures);
  const flags = ['--fixtures', fixtures, '--now', NOW, '--rate-limit', `${LIMIT}/1h`];
  if (store) flags.push('--store', store.shared.url, '--store-prefix', store.prefix);
  const balancer = new Balancer();
  const base = await balancer.listen();
  const fleet = new Fleet(balancer, flags, random, store?.shared);
  const traffic = new Traffic({ base, random, ids });
  try {
    // The first one brings the seed.
    await fleet.add();
    await Promise.all(Array.from({ length: nodes - 1 }, () => fleet.add()));
    await traffic.openAll();
    const isDone = traffic.run(requests);
    isDone.catch(() => {});
    for (let i = 0; i < disruptions; i++) {
      await sleep(200 + random() * 300);
      await fleet.disrupt();
    }
    await isDone;
    const bases = [...fleet.nodes].map(({ url }) => url);
    for (const each of bases) await untilHealthy(each);
    // A node that was stopped may have closed a sandbox after another one has opened it again.
    await traffic.openAll();
    for (const sandbox of SANDBOXES) {
      await Promise.all(bases.map((each) => traffic.look(sandbox, each)));
    }
    const checking = performance.now();
    for (const sandbox of SANDBOXES) await traffic.readJournal(sandbox);
    const steps = checkHistories(traffic.history, ids);
    const checked = Math.round(performance.now() - checking);
    await checkJournals(base, SANDBOXES, traffic.operations);
    // It has read nothing but what the store has.
    if (store) bases.push((await fleet.add()).url);
    await compareNodes(bases);
    for (const node of fleet.nodes) if (node.hasEnded) throw new Error(`a node has ended: ${node.errors}`);
    const conflicts = await countConflicts(bases);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    return `${seconds} s ${JSON.stringify({ ...traffic.counts, ...fleet.counts, steps, checked, ...(conflicts !== undefined && { conflicts }) })}`;
  } catch (error) {
    const log = join(tmpdir(), `val-emulator-cluster-${process.pid}.json`);
    writeFileSync(log, traffic.history.map((each) => JSON.stringify(each)).join('\n'));
    const printed = [...fleet.nodes].map((node) => node.errors).join('');
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\nhistory: ${log}\n${JSON.stringify(fleet.counts)}\n${printed}`);
  } finally {
    traffic.hasEnded = true;
    await fleet.end();
    balancer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds up the conflicts that nodes tell in their metrics. Undefined if they tell none. */
async function countConflicts(bases: readonly string[]): Promise<number | undefined> {
  let sum: number | undefined;
  for (const base of bases) {
    const reply = await LOOPBACK.send({ method: 'GET', url: `${base}/_emulator/metrics` });
    for (const [, number] of reply?.text.matchAll(/^\w*conflicts_total(?:\{.*\})? (\d+)$/gm) ?? []) {
      sum = (sum ?? 0) + Number(number);
    }
  }
  return sum;
}
