import { simulate } from './simulate.js';
import type { Plan } from './world.js';

const LEAST = { faults: 0, clients: 1, nodes: 1, requests: 1 } as const;

/** Makes a plan that fails smaller, as long as it fails. */
export async function shrink(plan: Plan): Promise<Plan> {
  for (const name of ['faults', 'clients', 'nodes', 'requests'] as const) {
    const least = LEAST[name];
    for (const less of new Set([least, least + 1, plan[name] >> 2, plan[name] >> 1, plan[name] - 1])) {
      if (less < least || less >= plan[name]) continue;
      const smaller = { ...plan, [name]: less };
      if ((await simulate(smaller)).problem !== undefined) return shrink(smaller);
    }
  }
  return plan;
}
