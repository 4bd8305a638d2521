import { parseArgs } from 'node:util';
import { shrink } from './shrink.js';
import { drawPlan, simulate } from './simulate.js';
import type { Plan } from './world.js';

// Run by scripts/simulate.js, which compiles it.

const LEGEND = `A line an event: milliseconds since the world began, who, what.
  node0, node1 …  a node: "turn" and "timer" are its own, "reply" is one of the store, a method and a path are a request to it
  redis           the store has run a command: what it was, and what it responded
  opens, writes, syncs, has synced …  an operation of the disk has begun, or is done
  fault           what the world does to nodes, connections, clocks and the store
  (nobody)        a client or the network: "arrives" is a command at the store, "200 reply to …" a response at a client
`;

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ seed: number, seeds: number, step: number, nodes: number, clients: number, requests: number, faults: number },
    quiet: { type: 'boolean' },
  },
});
const { seed: first = '1', seeds, step = '1', quiet, ...given } = values;
const others = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]));
const plan = (seed: number): Plan => ({ ...drawPlan(seed), ...others });
const show = (each: Plan) =>
  Object.entries(each)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ');

if (seeds === undefined) {
  const { lines, problem, events, digest, counts } = await simulate(plan(Number(first)), true);
  if (!quiet) console.log(LEGEND + lines.join('\n'));
  console.log(`${show(plan(Number(first)))}: ${events} events, ${digest} ${JSON.stringify(counts)}`);
  if (problem !== undefined) console.log(problem);
  process.exitCode = problem === undefined ? 0 : 1;
} else {
  const start = performance.now();
  let [worlds, events] = [0, 0];
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += Number(step)) {
    const outcome = await simulate(plan(seed));
    worlds++;
    events += outcome.events;
    if (outcome.problem === undefined) continue;
    console.log(`seed ${seed} after ${worlds} worlds: ${outcome.problem}`);
    if (!quiet) console.log(`npm run simulate -- ${show(await shrink(plan(seed)))}`);
    process.exitCode = 1;
    break;
  }
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage();
  console.log(
    `${worlds} worlds, ${events} events in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of a processor`,
  );
}
// A pipe may still have to take what was printed.
process.stdout.write('', () => process.exit());
