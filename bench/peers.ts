/**
 * Measures the processor time of a request and of a start, and the memory, of the emulator beside other servers with the same
 * records. They take turns in one run, so the load of other programs hardly changes the ratios. On Linux only.
 *
 *   npm run bench -- peers            a table with 1,000 records
 *   npm run bench -- peers --growth   the emulator with 1,000, 100,000 and 1,000,000 runs
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BY_ID, CREATE, cases, DEEPEST_PAGE, FIRST_PAGE } from './http/cases.js';
import { BARE, type Contender, contenders, inProject, OURS, type Running, start } from './http/contenders.js';
import { pinServer } from './http/cores.js';
import { writeFixture, writeRunsFixture } from './http/fixture.js';
import { drive, makeContender, startOurs, stopAll } from './http/ours.js';
import { median, readProcessorTime } from './measure.js';

const RECORDS = 1_000;
/** As many as in the default dataset, for a start. */
const FEW = 30;
const SIZES = [1_000, 100_000, 1_000_000];
const CONNECTIONS = 10;
const ROUNDS = 7;
const MEASURED = cases.filter(({ name }) => [BY_ID, FIRST_PAGE, CREATE].includes(name));
const OF_RUNS = cases.filter(({ name }) => [FIRST_PAGE, DEEPEST_PAGE, CREATE].includes(name));

/** Requests that the journal keeps by default. */
const JOURNAL = 1_000;

/** A server that is running, with what was measured. */
interface Lane {
  readonly contender: Contender;
  readonly size: number;
  readonly server: Running;
  /** Milliseconds of processor time until the first response. */
  readonly start: number;
  /** Bytes of memory after that. */
  readonly resident: number;
  /** Microseconds of processor time of a request, by case. */
  readonly times: Map<string, number[]>;
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));

function writeRecords(size: number): string {
  const path = join(folder, `${size}.json`);
  writeFixture(path, size);
  return path;
}

const readResident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Starts a contender several times, then once with its records. Returns undefined for one that is not installed. */
async function openLane(contender: Contender, few: string, fixture: string): Promise<Lane | undefined> {
  const starts: number[] = [];
  const residents: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start(contender, contender.name === OURS ? 'default' : few);
    if (!server) return undefined;
    starts.push(readProcessorTime(server.pid) / 1_000);
    residents.push(readResident(server.pid));
    await server.stop();
  }
  // As the others, it prints no line for a request.
  const server = await start(contender.name === OURS ? makeContender(['--log', 'off']) : contender, fixture);
  if (server) pinServer(server.pid);
  return (
    server && { contender, size: RECORDS, server, start: median(starts), resident: median(residents), times: new Map() }
  );
}

async function measure(
  { server, contender, size, times }: Lane,
  measured: typeof cases,
  isCounted: boolean,
): Promise<void> {
  for (const { name, shots } of measured) {
    const before = readProcessorTime(server.pid);
    const { requests } = await drive(server.url, shots(contender, size), CONNECTIONS);
    const time = (readProcessorTime(server.pid) - before) / requests;
    // The first round compiles.
    if (isCounted) times.set(name, [...(times.get(name) ?? []), time]);
  }
}

const getTime = ({ times }: Lane, name: string): number => median(times.get(name) ?? []);

/** The packages of each contender in the table: the root of the lock file is this one. */
const PACKAGES: Readonly<Record<string, string>> = {
  [OURS]: '',
  'Express 5': 'node_modules/express',
  'json-server': 'node_modules/json-server',
  'Fastify 4': 'node_modules/fastify',
  Hono: 'node_modules/@hono/node-server',
};

/** Counts the packages that an install of a contender brings. */
function countPackages(name: string): number {
  const lock: { packages: Record<string, { dependencies?: object; peerDependencies?: object }> } = JSON.parse(
    readFileSync(inProject('package-lock.json'), 'utf8'),
  );
  const found = new Set<string>();
  const add = (path: string | undefined): void => {
    const entry = path === undefined || found.has(path) ? undefined : lock.packages[path];
    if (path === undefined || entry === undefined) return;
    found.add(path);
    const needed = { ...entry.dependencies, ...(path === '' ? {} : entry.peerDependencies) };
    for (const id of Object.keys(needed)) add(`node_modules/${id}`);
  };
  add(PACKAGES[name]);
  return found.size;
}

async function comparePeers(): Promise<void> {
  const [few, fixture] = [writeRecords(FEW), writeRecords(RECORDS)];
  const lanes: Lane[] = [];
  try {
    for (const contender of contenders) lanes.push(...[(await openLane(contender, few, fixture)) ?? []].flat());
    for (let round = 0; round <= ROUNDS; round++) for (const lane of lanes) await measure(lane, MEASURED, round > 0);
  } finally {
    for (const { server } of lanes) await server.stop();
  }
  const bare = lanes.find(({ contender }) => contender.name === BARE);
  if (!bare) throw new Error(`no ${BARE}`);
  const print = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  print(['', ...MEASURED.map(({ name }) => name), 'start', 'memory', 'packages']);
  print(Array.from({ length: MEASURED.length + 4 }, () => '---'));
  for (const lane of lanes) {
    const { name } = lane.contender;
    const requests = MEASURED.map((each) => {
      const time = getTime(lane, each.name);
      return `${time.toFixed(0)} µs (${(getTime(bare, each.name) / time).toFixed(2)})`;
    });
    const started = `${lane.start.toFixed(0)} ms (${(lane.start / bare.start).toFixed(2)})`;
    print([name, ...requests, started, `${(lane.resident / 1e6).toFixed(0)} MB`, `${countPackages(name)}`]);
  }
}

/** Measures the memory of an entry of the journal, for a request by id. */
async function weighEntry(): Promise<void> {
  const fixture = writeRecords(RECORDS);
  const byId = cases.find(({ name }) => name === BY_ID);
  const ours = contenders.find(({ name }) => name === OURS);
  if (!byId || !ours) throw new Error('no case');
  const sizes: number[] = [];
  for (const args of [[], ['--no-journal']]) {
    const { url, memory } = await startOurs(fixture, ['--log', 'off', ...args], true);
    await drive(url, byId.shots(ours, RECORDS), CONNECTIONS);
    sizes.push(await memory());
  }
  const [withJournal = 0, without = 0] = sizes;
  console.log(`an entry of the journal: ${((withJournal - without) / JOURNAL).toFixed(0)} bytes`);
}

async function showGrowth(): Promise<void> {
  const ours = contenders.find(({ name }) => name === OURS);
  if (!ours) throw new Error(`no ${OURS}`);
  const lanes: Lane[] = [];
  for (const size of SIZES) {
    const fixture = join(folder, 'runs.json');
    writeRunsFixture(fixture, size);
    const server = await startOurs(fixture, ['--log', 'off']);
    pinServer(server.pid);
    const resident = readResident(server.pid);
    lanes.push({ contender: ours, size, server, start: 0, resident, times: new Map() });
  }
  for (let round = 0; round <= ROUNDS; round++) for (const lane of lanes) await measure(lane, OF_RUNS, round > 0);
  for (const lane of lanes) {
    const requests = OF_RUNS.map(({ name }) => `${name} ${getTime(lane, name).toFixed(0)} µs`);
    console.log(
      `${String(lane.size).padStart(9)} runs: ${requests.join(', ')}, ${(lane.resident / 1e6).toFixed(0)} MB`,
    );
  }
}

try {
  if (process.argv.includes('--growth')) await showGrowth();
  else {
    await comparePeers();
    await weighEntry();
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}
