/** Compares the simulation with real nodes that share this machine with Redis and their clients. */
import { availableParallelism } from 'node:os';
import type { RedisServer } from '../../test/cluster/redis.js';
import { random } from '../../test/support/random.js';
import type { Running } from '../http/contenders.js';
import { startOurs, stopAll } from '../http/ours.js';
import { readProcessTime, readThreadTime } from './costs.js';
import { type Costs, simulate } from './model.js';
import { prepare, sendTo, type Traffic, traffic } from './traffic.js';

const NODES = [1, 2, 3, 4];
const CLIENTS = 8;
/** Long, since a new node compiles what it runs. */
const WARM_MS = 8_000;
const COUNTED_MS = 4_000;

/** What happened in a second, or per request in microseconds of processor time. */
interface Result {
  readonly perSecond: number;
  readonly nodes: number;
  readonly redis: number;
  readonly conflicts: number;
}

/** Draws requests as often as the traffic has them. */
function makeDraw(seed: number): () => Traffic['request'] {
  const draw = random(seed);
  const all = traffic.flatMap(({ weight, request }) => Array.from({ length: weight }, () => request));
  return () => all[Math.floor(draw() * all.length)] ?? (() => ['/v1/me']);
}

async function readMetrics(nodes: readonly Running[]): Promise<Record<'commits' | 'conflicts', number>> {
  const texts = await Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/_emulator/metrics`)).text()));
  const sum = (name: string) =>
    texts.reduce(
      (all, text) => all + Number(new RegExp(`^val_emulator_store_${name}_total (\\S+)`, 'm').exec(text)?.[1]),
      0,
    );
  return { commits: sum('commits'), conflicts: sum('conflicts') };
}

/** Drives real nodes. The result has what a client costs, too. */
async function drive(
  nodes: readonly Running[],
  redis: number,
  isHot: boolean,
  nextNumber: () => number,
): Promise<Result & { client: number }> {
  const draw = makeDraw(1);
  let done = 0;
  const bases = nodes.flatMap(({ url }, node) =>
    Array.from({ length: CLIENTS }, (_, n) => (isHot ? url : `${url}/_sandbox/client-${node}-${n}`)),
  );
  const run = async (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    const send = async (base: string) => {
      for (; performance.now() < end; done++) await sendTo(base, draw()(nextNumber()));
    };
    await Promise.all(bases.map(send));
  };
  await run(WARM_MS);
  const read = () => ({
    ofNodes: nodes.reduce((sum, { pid }) => sum + readProcessTime(pid), 0),
    ofRedis: readThreadTime(redis, redis),
    own: readProcessTime(process.pid),
    at: performance.now(),
  });
  const [metrics, before] = [await readMetrics(nodes), read()];
  done = 0;
  await run(COUNTED_MS);
  const [after, { commits, conflicts }] = [read(), await readMetrics(nodes)];
  return {
    perSecond: (done * 1_000) / (after.at - before.at),
    nodes: (after.ofNodes - before.ofNodes) / done,
    redis: (after.ofRedis - before.ofRedis) / done,
    client: (after.own - before.own) / done,
    conflicts: (conflicts - metrics.conflicts) / (commits - metrics.commits),
  };
}

/** Returns rows with what was measured, and in brackets what was simulated. */
export async function checkModel(
  redis: RedisServer,
  fixture: string,
  costs: Costs,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<string[][]> {
  const pid = Number(/process_id:(\d+)/.exec(await redis.send('INFO', 'server'))?.[1]);
  const nodes: Running[] = [];
  let number = 0;
  const rows: string[][] = [];
  for (const count of NODES) {
    const node = await startOurs(fixture, ['--store', redis.url, '--log', 'off']);
    nodes.push(node);
    if (count === 1) await prepare(node.url);
    for (let n = 0; n < CLIENTS; n++) await prepare(`${node.url}/_sandbox/client-${count - 1}-${n}`);
    const row = [String(count)];
    for (const isHot of [false, true]) {
      const runs: Awaited<ReturnType<typeof drive>>[] = [];
      while (runs.length < rounds) runs.push(await drive(nodes, pid, isHot, () => number++));
      const best = runs.reduce((one, other) => (one.nodes < other.nodes ? one : other));
      const machine = { latency: 20, bandwidth: 5_000, cores: availableParallelism(), client: best.client };
      const load = { nodes: count, clients: CLIENTS, pause: 0, localReads: false, isHot, seconds: 9 };
      const simulated = simulate({ costs, seed, ...load, ...machine });
      const { perSecond, conflictsPerCommit } = simulated;
      const each = (busy: number) => Math.round((busy * 1e6) / perSecond);
      row.push(
        `${Math.round(best.perSecond)} (${Math.round(perSecond)})`,
        `${Math.round(best.nodes)} µs (${each(simulated.node * count)})`,
        `${Math.round(best.redis)} µs (${each(simulated.redis)})`,
        `${best.conflicts.toFixed(1)} (${conflictsPerCommit.toFixed(1)})`,
      );
    }
    rows.push(row);
  }
  await stopAll();
  return rows;
}
