import { systemTimers } from '#engine/platform/system-timers.js';
import { random } from '../support/random.js';
import { makeCluster } from './cluster-world.js';
import { makeFolder } from './folder-world.js';
import type { Plan } from './world.js';

/** Draws a plan. */
export function drawPlan(seed: number): Plan {
  const draw = random(seed);
  const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));
  return { seed, nodes: between(1, 5), clients: between(2, 6), requests: between(20, 60), faults: between(0, 6) };
}

export interface Outcome {
  readonly events: number;
  /** Differs for another course of events. */
  readonly digest: string;
  readonly counts: object;
  readonly lines: readonly string[];
  /** Why the run has failed. */
  readonly problem: string | undefined;
}

const MAX_EVENTS = 60_000;

const { uptime } = systemTimers;
let running = 0;

/** Lets work go on without other events in between, which would depend on how fast the machine is. */
async function withoutRealTime<T>(work: () => Promise<T>): Promise<T> {
  running++;
  systemTimers.uptime = () => 0;
  try {
    return await work();
  } finally {
    if (--running === 0) systemTimers.uptime = uptime;
  }
}

/** Runs a world: of three seeds, one has a data folder, one a cluster, and one a cluster whose clock runs. @param isShared whether the nodes of a cluster have a store */
export const simulate = (plan: Plan, isTraced = false, isShared = true): Promise<Outcome> =>
  withoutRealTime(() => run(plan, isTraced, isShared));

async function run(plan: Plan, isTraced: boolean, isShared: boolean): Promise<Outcome> {
  const draw = random(plan.seed + 1e9);
  const { world, counts, live } =
    plan.seed % 3 === 0
      ? makeFolder(draw, isTraced, plan)
      : await makeCluster(draw, isTraced, plan, isShared, plan.seed % 3 === 2);
  let problem: string | undefined;
  try {
    await world.scheduler.run(live(), MAX_EVENTS);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const { events, digest, lines = [] } = world.scheduler;
  return { events, digest: (digest >>> 0).toString(16), counts: { ...counts, ...world.counts }, lines, problem };
}
