import { createEmulator } from '../../src/index.js';
import { prefixOf, untilHealthy } from '../cluster/client.js';
import type { Random } from '../cluster/draw.js';
import { LIMIT, NOW } from '../cluster/model.js';
import { Traffic } from '../cluster/traffic.js';
import { checkHistories, checkJournals, compareNodes } from '../cluster/verdicts.js';
import { StoreServer } from './link.js';
import { MemoryRedis } from './memory-redis.js';
import { Registers } from './registers.js';
import { Process } from './scheduler.js';
import { BALANCER, FIXTURES, type Plan, SANDBOXES, World } from './world.js';

/** Entries after which a node makes a checkpoint: few, so that it happens in short worlds. */
const GROWTH = 12;

let ids: readonly string[] | undefined;

/** Returns the ids that a sandbox draws, in their order. */
async function learnIds(): Promise<readonly string[]> {
  const emulator = await createEmulator({ fixtures: FIXTURES, now: NOW, listen: false });
  const drawn = Array.from({ length: 300 }, (_, i) => emulator.add.val({ author: 'ada', name: `n${i}`, code: '1' }).id);
  await emulator.close();
  return drawn;
}

/** A cluster: nodes that share a store. @param isShared whether they do @param hasClock whether its time is not frozen */
export async function makeCluster(draw: Random, isTraced: boolean, plan: Plan, isShared: boolean, hasClock: boolean) {
  ids ??= await learnIds();
  const rateLimit = { limit: LIMIT, window: '1h' } as const;
  const shared = { fixtures: FIXTURES, ...(!hasClock && { now: NOW, rateLimit }) };
  const world: World = new World(draw, isTraced, (process) => ({
    ...shared,
    ...(isShared && { store: 'redis://store:6379/0', storeGrowth: GROWTH }),
    storeClient: () => server.connect(process),
  }));
  const machine = new Process('store', world.scheduler);
  const server = new StoreServer(new MemoryRedis(machine.timers.now), world.scheduler);
  const traffic = new Traffic({
    ...{ base: BALANCER, random: draw, ids, sandboxes: SANDBOXES },
    ...{ clients: plan.clients, network: world, upheavals: draw() < 0.3 ? 0.4 : 0.07 },
  });
  const registers = new Registers(world);
  const { counts } = hasClock ? registers : traffic;
  return { world, counts, live: () => live(world, server, machine, hasClock ? registers : traffic, plan) };
}

async function live(
  world: World,
  server: StoreServer,
  machine: Process,
  traffic: Traffic | Registers,
  plan: Plan,
): Promise<void> {
  const { nodes, requests, faults } = plan;
  // The first one brings the seed.
  for (let i = 0; i < nodes; i++) await world.add();
  if (traffic instanceof Traffic) await traffic.openAll();
  const isDone = traffic instanceof Traffic ? traffic.run(requests) : traffic.run(plan);
  isDone.catch(() => {});
  const withNode = (run: (node: World['nodes'][number]) => unknown) => {
    const node = world.nodes[world.below(world.nodes.length)];
    return node && run(node);
  };
  const link = () => [...server.links][world.below(server.links.size)];
  await world.disturb(faults, {
    kills: () =>
      withNode((node) => {
        world.kill(node);
        return world.add();
      }),
    stops: (pause) => withNode((node) => world.stop(node, pause)),
    cuts: () => link()?.cut(world.scheduler.random()),
    delays: (pause) => world.set(link() ?? { delay: 0 }, 'delay', 300 + pause, 0, pause),
    doubles: (pause) => world.set(link() ?? { doubles: 0 }, 'doubles', 0.5, 0, pause),
    restarts: (pause) => server.restart(pause),
    refusals: (pause) => world.set(server, 'refusal', 'OOM command not allowed', '', pause),
    jumps: (pause) => {
      machine.skew += (world.scheduler.random() - 0.5) * 2 * pause;
    },
    losses: (pause) => world.set(world, 'loss', 0.3, 0, pause),
    // As after a failover, or a power cut without a sync of each write.
    ...(traffic instanceof Registers && {
      setbacks: async (pause) => {
        const earlier = server.redis.save();
        await world.sleep(pause);
        traffic.lose();
        await server.restart(pause, earlier);
      },
      wipes: () => {
        traffic.lose();
        server.redis.empty();
      },
    }),
  });
  if (traffic instanceof Registers) traffic.isQuiet = true;
  await isDone;
  const { unknown } = traffic.counts;
  if (faults === 0 && unknown > 0) throw new Error(`${unknown} requests have no response, but nothing was disturbed`);
  const bases = () => world.nodes.map(({ url }) => url);
  for (const base of bases()) await untilHealthy(base, world);
  // Otherwise, each node tells another time.
  for (const sandbox of SANDBOXES)
    await world.ask({ method: 'PUT', url: `${BALANCER}${prefixOf(sandbox)}/_emulator/clock`, body: { freeze: true } });
  await (traffic instanceof Traffic ? checkTraffic(world, traffic) : traffic.check());
  // It has read nothing but what the store has.
  await world.add();
  await compareNodes(bases(), world);
  for (const { problems, process } of world.nodes)
    if (problems.length > 0) throw new Error(`${process.name} has stopped: ${problems}`);
}

async function checkTraffic(world: World, traffic: Traffic): Promise<void> {
  await traffic.openAll();
  for (const sandbox of SANDBOXES) for (const { url } of world.nodes) await traffic.look(sandbox, url);
  for (const sandbox of SANDBOXES) await traffic.readJournal(sandbox);
  checkHistories(traffic.history, ids ?? []);
  await checkJournals(BALANCER, SANDBOXES, traffic.operations, world);
}
