/**
 * Measures emulators that share a store of Redis: writes and reads of one node next to bare appends and to memory, three nodes
 * that write at once, and the memory of idle sandboxes. Redis, the nodes and their clients are on one machine, so only ratios
 * count.
 *
 *   npm run bench -- cluster             figures and bounds (exit code 1 if one is missed)
 *   npm run bench -- cluster --quick  one round
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { startRedis } from '../test/cluster/redis.js';
import { Appender, StoreProbe } from './cluster/redis.js';
import { BY_ID, CREATE } from './http/cases.js';
import { headers, type Running } from './http/contenders.js';
import { writeFixture } from './http/fixture.js';
import { drive, getShots, startOurs, stopAll } from './http/ours.js';
import { median } from './measure.js';
import { rate, report } from './report.js';

const flags = await yargs(hideBin(process.argv))
  .options({
    rounds: { type: 'number', describe: 'Number of rounds; ratios are medians of them. Default: 5, 1 with --quick' },
    quick: { type: 'boolean', default: false, describe: 'One round' },
    only: {
      choices: ['writes', 'reads', 'contention', 'sandboxes', 'memory'] as const,
      array: true,
      describe: 'Only these parts',
    },
  })
  .strict()
  .parseAsync();

const rounds = flags.rounds ?? (flags.quick ? 1 : 5);
const isChosen = (part: NonNullable<typeof flags.only>[number]) => flags.only?.includes(part) ?? true;

/** Records of the seed data. */
const SIZE = 1_000;
const WRITERS = [1, 16];
const READERS = 50;
const NODES = 3;
/** Connections to each of several nodes. */
const CLIENTS = 8;
/** Seconds in which several nodes are driven at once. */
const SECONDS = 2;
const SANDBOXES = 1_000;
/** Measurements per round, after one that does not count. The best one counts: other processes only make it slower. */
const PASSES = 2;

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const fixture = join(folder, 'fixture.json');
const [creates, reads] = [getShots(CREATE, SIZE), getShots(BY_ID, SIZE)];
const redis = await startRedis(['--appendfsync', 'everysec']);

/** Starts a node. @param prefix of its store */
const startNode = (prefix: string, args: readonly string[] = [], probed = false): Promise<Running> =>
  startOurs(fixture, ['--store', redis.url, '--store-prefix', prefix, ...args], probed);

/** Starts nodes one after another. The first one of a prefix begins the store. */
async function startNodes(prefixes: readonly string[], probed = false): Promise<Running[]> {
  const nodes: Running[] = [];
  for (const prefix of prefixes) nodes.push(await startNode(prefix, [], probed));
  return nodes;
}

const fill = <T>(make: (index: number) => T): T[] => Array.from({ length: NODES }, (_, index) => make(index));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Runs a round, and begins the next one without emulators and with an empty store. */
async function runRounds<T>(run: () => Promise<T>): Promise<T[]> {
  const samples: T[] = [];
  while (samples.length < rounds) {
    samples.push(await run());
    await stopAll();
    await redis.send('FLUSHALL');
  }
  return samples;
}

/** Measures rates in turn, and returns the best one of each. */
async function measureBest(measures: readonly (() => Promise<number>)[]): Promise<number[]> {
  const best = measures.map(() => 0);
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const [index, measure] of measures.entries()) {
      const value = await measure();
      if (pass > 0) best[index] = Math.max(best[index] ?? 0, value);
    }
  }
  return best;
}

/** Reports the rate of the first of several measurements, of that of another one. */
function reportRatio(what: string, samples: readonly (readonly number[])[], of: number, bound?: number): void {
  const column = (index: number) => samples.map((sample) => sample[index] ?? Number.NaN);
  const others = column(of);
  const ratio = median(column(0).map((value, round) => value / (others[round] ?? Number.NaN)));
  const raw = `${rate(median(column(0)))} of ${rate(median(others))}`;
  report(what, ratio, bound === undefined ? 'none' : 'least', bound ?? 0, raw);
}

const driveRate = async (...load: Parameters<typeof drive>): Promise<number> => (await drive(...load)).perSecond;

async function measureWrites(writers: number): Promise<void> {
  let size = 0;
  const samples = await runRounds(async () => {
    const [shared, memory] = [await startNode('shared'), await startOurs(fixture)];
    const probe = await StoreProbe.connect(redis.url, 'shared');
    await drive(shared.url, creates, 1);
    size = await probe.lastSize();
    probe.close();
    const appender = await Appender.connect(redis.url, writers, size);
    const best = await measureBest([
      () => driveRate(shared.url, creates, writers),
      () => appender.measureRate(),
      () => driveRate(memory.url, creates, writers),
    ]);
    appender.close();
    return best;
  });
  const connections = writers === 1 ? '1 connection' : `${writers} connections`;
  reportRatio(`a create, ${connections}, of bare appends of ${size} bytes`, samples, 1, 0.5);
  reportRatio(`a create, ${connections}, of those in memory`, samples, 2);
}

async function measureReads(): Promise<void> {
  const samples = await runRounds(async () => {
    const [shared, memory] = [await startNode('shared'), await startOurs(fixture)];
    const local = await startNode('local', ['--reads', 'local']);
    return measureBest(
      [shared, memory, local].map(
        ({ url }) =>
          () =>
            driveRate(url, reads, READERS),
      ),
    );
  });
  reportRatio(`a linearizable read, ${READERS} connections, of those in memory`, samples, 1, 0.3);
  const local = samples.map(([, memory = Number.NaN, value = Number.NaN]) => [value, memory]);
  reportRatio(`a local read, ${READERS} connections, of those in memory`, local, 1);
}

/** Creates vals on several nodes at once. @param sandboxes of the nodes. @returns the rate of each */
function driveNodes(nodes: readonly Running[], sandboxes: readonly string[] = []): Promise<number[]> {
  return Promise.all(
    nodes.map(({ url }, index) => {
      const sandbox = sandboxes[index];
      const prefix = sandbox === undefined ? '' : `/_sandbox/${sandbox}`;
      const shots = creates.map((shot) => ({ ...shot, path: `${prefix}${shot.path}` }));
      return driveRate(url, shots, CLIENTS, SECONDS);
    }),
  );
}

/** Returns the sum of a metric of several nodes. */
async function readMetric(nodes: readonly Running[], name: string): Promise<number> {
  const texts = await Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/_emulator/metrics`)).text()));
  return sum(texts.map((text) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])));
}

/** Calls a function, and returns how often nodes were refused meanwhile, per commit. */
async function countConflicts(nodes: readonly Running[], run: () => Promise<unknown>): Promise<number> {
  const count = () =>
    Promise.all(['commits', 'conflicts'].map((name) => readMetric(nodes, `val_emulator_store_${name}_total`)));
  const [commitsBefore = 0, conflictsBefore = 0] = await count();
  await run();
  const [commits = 0, conflicts = 0] = await count();
  return (conflicts - conflictsBefore) / (commits - commitsBefore);
}

function reportConflicts(what: string, samples: readonly number[]): void {
  report(`${what}, conflicts per commit`, median(samples), 'none', 0, `at most ${Math.max(...samples).toFixed(2)}`);
}

async function measureContention(): Promise<void> {
  const samples = await runRounds(async () => {
    const nodes = await startNodes(fill(() => 'shared'));
    await driveNodes(nodes);
    let rates: number[] = [];
    const conflicts = await countConflicts(nodes, async () => {
      rates = await driveNodes(nodes);
    });
    return { rates: [Math.min(...rates), Math.max(...rates)], conflicts };
  });
  const what = `${NODES} nodes that create in one sandbox, ${CLIENTS} connections each`;
  const rates = samples.map((sample) => sample.rates);
  reportRatio(`${what}, the slowest of the fastest`, rates, 1, 0.5);
  reportConflicts(
    what,
    samples.map(({ conflicts }) => conflicts),
  );
}

async function measureSandboxes(): Promise<void> {
  const samples = await runRounds(async () => {
    const together = await startNodes(fill(() => 'shared'));
    const apart = await startNodes(fill((index) => `apart-${index}`));
    const names = fill((index) => `sandbox-${index}`);
    const drives = [together, apart].map((nodes) => async () => sum(await driveNodes(nodes, names)));
    let rates: number[] = [];
    const conflicts = await countConflicts(together, async () => {
      rates = await measureBest(drives);
    });
    return { rates, conflicts };
  });
  const what = `${NODES} nodes that create in a sandbox each, ${CLIENTS} connections each`;
  const rates = samples.map((sample) => sample.rates);
  reportRatio(`${what}, of ${NODES} nodes with a store each`, rates, 1, 0.9);
  reportConflicts(
    what,
    samples.map(({ conflicts }) => conflicts),
  );
}

/** Creates sandboxes, each by a request to the next node. */
async function createSandboxes(nodes: readonly Running[], name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const url = nodes[index % nodes.length]?.url;
    const sandbox = `${name}-${index}`;
    const body = JSON.stringify({ name: sandbox });
    const created = await fetch(`${url}/_emulator/sandboxes`, { method: 'POST', headers: json, body });
    const used = await fetch(`${url}/_sandbox/${sandbox}${reads[0]?.path}`, { headers });
    await Promise.all([created.arrayBuffer(), used.arrayBuffer()]);
    if (!created.ok || !used.ok) throw new Error(`${sandbox}: ${created.status}, ${used.status}`);
  }
}

const json = { ...headers, 'content-type': 'application/json' };
/** Seconds in which there must be a checkpoint. */
const CHECKPOINT_SECONDS = 120;

/** Sends reads, which are recorded, until a checkpoint has replaced all entries before this call. */
async function makeCheckpoint(node: Running, probe: StoreProbe): Promise<void> {
  const before = await readMetric([node], 'val_emulator_store_entries_total');
  for (let i = 0; i < CHECKPOINT_SECONDS; i++) {
    if ((await probe.checkpoint()) >= before) return;
    await drive(node.url, reads, 1);
  }
  throw new Error(`there was no checkpoint in ${CHECKPOINT_SECONDS} seconds`);
}

async function measureMemory(): Promise<void> {
  const nodes = await startNodes(
    fill(() => 'shared'),
    true,
  );
  const [first] = nodes;
  if (!first) throw new Error('no nodes');
  const probe = await StoreProbe.connect(redis.url, 'shared');
  const inNodes = async () => sum(await Promise.all(nodes.map((node) => node.memory()))) / NODES;
  await createSandboxes(nodes, 'warm', SANDBOXES / 10);
  await makeCheckpoint(first, probe);
  const before = { redis: await probe.memory(), node: await inNodes() };
  await createSandboxes(nodes, 'idle', SANDBOXES);
  const after = { redis: await probe.memory(), node: await inNodes() };
  await makeCheckpoint(first, probe);
  const last = { redis: await probe.memory(), node: await inNodes() };
  probe.close();
  await stopAll();
  await redis.send('FLUSHALL');
  const reportMemory = (what: string, bytes: number, from: number) => {
    const raw = `${(bytes / 1e6).toFixed(1)} MB after ${(from / 1e6).toFixed(1)} MB`;
    report(`an idle sandbox of ${SANDBOXES}, KB ${what}`, (bytes - from) / 1e3 / SANDBOXES, 'most', 5, raw);
  };
  reportMemory('in the stream of Redis', after.redis, before.redis);
  reportMemory('in a checkpoint of Redis', last.redis, before.redis);
  reportMemory('in a node', after.node, before.node);
  reportMemory('in a node, after the checkpoint', last.node, before.node);
}

try {
  writeFixture(fixture, SIZE);
  if (isChosen('writes')) for (const writers of WRITERS) await measureWrites(writers);
  if (isChosen('reads')) await measureReads();
  if (isChosen('contention')) await measureContention();
  if (isChosen('sandboxes')) await measureSandboxes();
  if (isChosen('memory')) await measureMemory();
} finally {
  await stopAll();
  await redis.stop();
  rmSync(folder, { recursive: true });
}
