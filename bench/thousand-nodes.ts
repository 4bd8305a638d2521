/**
 * Says how a cluster would go with up to 1,000 nodes: a simulation from what a request and an entry cost on real nodes.
 *
 *   npm run bench -- thousand-nodes            the tables of docs/thousand-nodes.md, from bench/cluster/costs.json
 *   npm run bench -- thousand-nodes --measure  measures the costs anew, and writes that file
 *   npm run bench -- thousand-nodes --check    runs 1 to 4 real nodes, and the simulation of the same
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { startRedis } from '../test/cluster/redis.js';
import { checkModel } from './cluster/check.js';
import { measureRequests, measureScript, type RequestCost, type ScriptCost, toRedisCosts } from './cluster/costs.js';
import { type Costs, type Setting, simulate } from './cluster/model.js';
import { traffic } from './cluster/traffic.js';
import { inProject } from './http/contenders.js';
import { writeFixture } from './http/fixture.js';
import { stopAll } from './http/ours.js';

const flags = await yargs(hideBin(process.argv))
  .options({
    measure: { type: 'boolean', default: false, describe: 'Measure the costs, and write bench/cluster/costs.json' },
    check: { type: 'boolean', default: false, describe: 'Compare the simulation with real nodes' },
    rounds: { type: 'number', default: 3, describe: 'Rounds of measurements, of which the best one counts' },
    seed: { type: 'number', default: 1, describe: 'Seed of the simulation' },
  })
  .strict()
  .parseAsync();

const FILE = inProject('bench/cluster/costs.json');
const NODES = [1, 2, 5, 10, 30, 100, 300, 1_000];
/** Microseconds of a message, and bytes per microsecond of 10 Gbit/s: assumptions. */
const DATA_CENTRE = { latency: 250, bandwidth: 1_250 };
const CLIENTS = 8;

interface Measured {
  readonly script: readonly ScriptCost[];
  readonly requests: readonly RequestCost[];
}

/** Splits the costs of requests into those of the exchange and the rest. */
function toCosts({ script, requests }: Measured): Costs {
  const [alone, together] = [1, 8].map((count) =>
    requests.find(({ name, connections }) => name === traffic[0]?.name && connections === count),
  );
  if (!alone || !together) throw new Error(`${FILE} is incomplete: run npm run bench -- thousand-nodes --measure`);
  const exchange = Math.max(0, (alone.serve - together.serve) / (alone.exchanges - together.exchanges));
  const kinds = traffic.flatMap(({ name, weight, isRead }) => {
    const cost = requests.find((each) => each.name === name && each.connections === 1);
    return cost
      ? [
          {
            weight,
            isRead,
            isControl: cost.exchanges > 1.5,
            ...cost,
            serve: Math.max(0, cost.serve - cost.exchanges * exchange),
          },
        ]
      : [];
  });
  return { redis: toRedisCosts(script), exchange, kinds };
}

const printTable = (...rows: readonly (readonly string[])[]): void => {
  const [head = [], ...others] = rows;
  for (const row of [head, head.map(() => '---'), ...others]) console.log(`| ${row.join(' | ')} |`);
  console.log();
};

const number = (value: number): string => Math.round(value).toLocaleString('en');
const micro = (value: number): string => `${value < 100 ? value.toPrecision(2) : number(value)} µs`;
const percent = (value: number): string => `${Math.round(value * 100)} %`;
const time = (seconds: number): string =>
  seconds < 1 ? `${Number((seconds * 1_000).toPrecision(2))} ms` : `${seconds.toPrecision(2)} s`;

function printCosts({ script, requests }: Measured): void {
  const bytes = [...new Set(script.map((cost) => cost.bytes))];
  const calls = [...new Set(script.map(({ entries, appended }) => `${entries} ${appended}`))].map((key) => {
    const found = script.filter(({ entries, appended }) => `${entries} ${appended}` === key);
    const [{ entries = 0, appended = 0 } = {}] = found;
    return [appended > 0 ? `appends ${appended}` : `returns ${entries}`, ...found.map((cost) => micro(cost.thread))];
  });
  printTable(['a call that', ...bytes.map((each) => `entries of ${number(each)} bytes`)], ...calls);
  const rows = requests
    .filter(({ connections }) => connections === 1)
    .map((cost) => [cost.name, number(cost.bytes), micro(cost.serve), micro(cost.apply), cost.exchanges.toFixed(0)]);
  printTable(['request', 'bytes in the log', 'its node', 'each other node', 'exchanges'], ...rows);
}

function printSimulation(costs: Costs): void {
  const run = (nodes: number, setting: Partial<Setting> = {}) =>
    simulate({
      ...{ costs, nodes, seed: flags.seed, clients: CLIENTS, pause: 0, localReads: false, isHot: false },
      ...{ seconds: nodes < 100 ? 6 : nodes < 1_000 ? 60 : 180, ...DATA_CENTRE, ...setting },
    });
  const busy = NODES.map((nodes) => {
    const [own, local, hot] = [run(nodes), run(nodes, { localReads: true }), run(nodes, { isHot: true })];
    const parts = [own.redis, own.network, own.node].map(percent);
    const others = [number(local.perSecond), number(hot.perSecond), hot.conflictsPerCommit.toFixed(1)];
    return [number(nodes), number(own.perSecond), time(own.p50), ...parts, ...others];
  });
  const head = ['nodes', 'requests/s', 'p50', 'Redis', 'network', 'a node'];
  printTable([...head, '`--reads local`', 'one sandbox', 'conflicts per commit'], ...busy);
  const light = NODES.slice(3).map((nodes) => {
    const [one, local] = [false, true].map((localReads) =>
      run(nodes, { clients: 1, pause: 1e6, seconds: 30, localReads }),
    );
    const times = [one?.p50, one?.p99, local?.staleness, local?.longest].map((value) => time(value ?? Number.NaN));
    return [number(nodes), number(one?.perSecond ?? Number.NaN), ...times, percent(one?.redis ?? Number.NaN)];
  });
  printTable(['nodes', 'requests/s', 'p50', 'p99', 'staleness', 'longest', 'Redis'], ...light);
}

/** Runs something with a Redis and a file of 1,000 vals. */
async function withRedis<T>(run: (redis: Awaited<ReturnType<typeof startRedis>>, fixture: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  const redis = await startRedis(['--appendfsync', 'everysec']);
  try {
    writeFixture(join(folder, 'fixture.json'), 1_000);
    return await run(redis, join(folder, 'fixture.json'));
  } finally {
    await stopAll();
    await redis.stop();
    rmSync(folder, { recursive: true });
  }
}

if (flags.measure) {
  const measured = await withRedis(async (redis, fixture): Promise<Measured> => {
    const script = await measureScript(redis, flags.rounds);
    await redis.send('FLUSHALL');
    return { script, requests: await measureRequests(redis, fixture, flags.rounds) };
  });
  writeFileSync(FILE, `${JSON.stringify(measured, undefined, 2)}\n`);
}
const measured: Measured = JSON.parse(readFileSync(FILE, 'utf8'));
const costs = toCosts(measured);
if (flags.check) {
  const rows = await withRedis((redis, fixture) => checkModel(redis, fixture, costs, flags));
  printTable(
    ['nodes', ...['', ' in one sandbox'].flatMap((where) => [`requests/s${where}`, 'the nodes', 'Redis', 'conflicts'])],
    ...rows,
  );
} else {
  printCosts(measured);
  printSimulation(costs);
}
