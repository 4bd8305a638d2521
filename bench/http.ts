/**
 * Measures requests per second of the emulator and of other servers with the same records, in one run: each server is a
 * process, all of them run at once and receive their load in turn. Each round has new processes, since two processes of
 * one program differ.
 *
 *   npm run bench -- http              tables and the bounds (exit code 1 if one is missed)
 *   npm run bench -- http --json    the same as JSON
 *   npm run bench -- http --help    all flags
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { BY_ID, type Case, CREATE, cases, DEEPEST_PAGE, FIRST_PAGE, soak } from './http/cases.js';
import {
  BARE,
  type Contender,
  contenders,
  EXPRESS,
  JSON_SERVER,
  OURS,
  type Running,
  start,
} from './http/contenders.js';
import { pinServer } from './http/cores.js';
import { defaultDriver, drivers, type Load } from './http/drivers.js';
import { writeFixture } from './http/fixture.js';
import { median } from './measure.js';

const SMALL = 1_000;
const LARGE = 100_000;
const SIZES = [SMALL, LARGE];

const flags = await yargs(hideBin(process.argv))
  .options({
    json: { type: 'boolean', default: false, describe: 'Print JSON' },
    driver: {
      choices: ['wrk', 'autocannon'] as const,
      default: defaultDriver,
      describe: 'Program that sends the requests',
    },
    seconds: { type: 'number', default: 3, describe: 'Seconds of load per server and round; the best second counts' },
    rounds: { type: 'number', default: 5, describe: 'Number of rounds; the tables show medians' },
    connections: { type: 'number', array: true, default: [1, 10, 50], describe: 'Numbers of connections' },
    only: { type: 'string', describe: 'Only cases whose name contains this text' },
    soak: { type: 'number', default: 60, describe: 'Seconds of load with 50 connections at the end' },
  })
  .strict()
  .parseAsync();

/** A running server with `size` records. */
interface Lane {
  readonly contender: Contender;
  readonly size: number;
  readonly server: Running;
}

/** Requests per second of each lane, in the best second of a round. */
type Rates = ReadonlyMap<string, number>;

/** A case with a number of connections. */
interface Turn extends Case {
  readonly connections: number;
  readonly rounds: Rates[];
}

interface Row {
  readonly case: string;
  readonly connections: number;
  readonly records: number;
  /** Requests per second: the median of the rounds. */
  readonly rates: Readonly<Record<string, number>>;
}

interface Check {
  readonly what: string;
  readonly value: number;
  readonly bound: number;
  /** Whether the bound is a minimum or a maximum. */
  readonly sense: 'least' | 'most';
  /** The same value of the bare server, which shows the part of the machine. */
  readonly ofBare?: number;
}

const laneKey = (name: string, size: number): string => `${name} ${size}`;

const holds = ({ value, bound, sense }: Check) => (sense === 'least' ? value >= bound : value <= bound);

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const fixturePath = (size: number): string => join(folder, `${size}.json`);
let lanes: Lane[] = [];
try {
  await measure();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  for (const size of SIZES) writeFixture(fixturePath(size), size);
  const chosen = cases.filter((each) => each.name.includes(flags.only ?? ''));
  const turns = chosen.flatMap((each) =>
    flags.connections.map((connections): Turn => ({ ...each, connections, rounds: [] })),
  );
  for (let round = 1; round <= flags.rounds; round++) {
    await startAll();
    for (const turn of turns) turn.rounds.push(await takeTurn(turn));
    await stopAll();
    if (!flags.json) console.log(`round ${round} of ${flags.rounds} done`);
  }
  const rows = turns.flatMap((turn) => SIZES.map((size) => makeRow(turn, size)));
  if (!flags.json) for (const { name } of chosen) printRows(rows.filter((row) => row.case === name));
  const checks = turns.filter(({ connections }) => connections === 10).flatMap(makeChecks);
  if (flags.soak > 0) checks.push(...(await soakOurs()));
  if (flags.json)
    console.log(JSON.stringify({ rows, checks: checks.map((check) => ({ ...check, ok: holds(check) })) }));
  else for (const check of checks) printCheck(check);
  if (!checks.every(holds)) process.exitCode = 1;
}

/** Starts the sizes of one contender in a row, since their ratio is the most sensitive. */
async function startAll(): Promise<void> {
  for (const contender of contenders) {
    for (const size of SIZES) {
      // Servers of examples have the same ones at any size.
      const server = contender.holdsRecords || size === SMALL ? await start(contender, fixturePath(size)) : undefined;
      if (!server) continue;
      pinServer(server.pid);
      lanes.push({ contender, size, server });
    }
  }
}

async function stopAll(): Promise<void> {
  await Promise.all(lanes.map(({ server }) => server.stop()));
  lanes = [];
}

/**
 * Drives each server for a second, in alternating order, after one to warm up. The best second counts, since other
 * processes can only make a server slower.
 */
async function takeTurn({ shots, connections }: Turn): Promise<Rates> {
  const best = new Map<string, number>();
  for (let pass = 0; pass <= flags.seconds; pass++) {
    for (const lane of pass % 2 === 0 ? lanes : lanes.toReversed()) {
      const { contender, size } = lane;
      const { requests, seconds } = await drive(lane, { connections, seconds: 1, shots: shots(contender, size) });
      const key = laneKey(contender.name, size);
      if (pass > 0) best.set(key, Math.max(requests / seconds, best.get(key) ?? 0));
    }
  }
  return best;
}

/** Sends the load. @throws Error if a request fails */
async function drive({ contender, server }: Lane, load: Load) {
  const outcome = await drivers[flags.driver](server.url, load);
  if (outcome.failed > 0)
    throw new Error(`${contender.name}: ${outcome.failed} of ${outcome.requests} requests failed`);
  return outcome;
}

type RateOf = (name: string, size: number) => number;

/** Returns the median over the rounds. */
function medianOfRounds(rounds: readonly Rates[], select: (rate: RateOf) => number): number {
  return median(rounds.map((rates) => select((name, size) => rates.get(laneKey(name, size)) ?? Number.NaN)));
}

function makeRow({ name, connections, rounds }: Turn, size: number): Row {
  const here = contenders.filter((contender) => rounds.every((rates) => rates.has(laneKey(contender.name, size))));
  const rates = here.map((contender) => [contender.name, medianOfRounds(rounds, (rate) => rate(contender.name, size))]);
  return { case: name, connections, records: size, rates: Object.fromEntries(rates) };
}

/** Makes the checks of a case. A ratio is the median of the ratios within each round. */
function makeChecks({ name, rounds }: Turn): Check[] {
  const relativeTo = (other: string, size: number, bound: number): Check => ({
    what: `${name}, ${size} records, relative to ${other}`,
    value: medianOfRounds(rounds, (rate) => rate(OURS, size) / rate(other, size)),
    bound,
    sense: 'least',
  });
  const getGrowth = (contender: string) =>
    medianOfRounds(rounds, (rate) => rate(contender, LARGE) / rate(contender, SMALL));
  const grown = {
    what: `${name}, rate at ${LARGE} records relative to ${SMALL}`,
    value: getGrowth(OURS),
    bound: 0.85,
    sense: 'least',
    ofBare: getGrowth(BARE),
  } as const;
  switch (name) {
    case BY_ID:
      return [
        ...SIZES.flatMap((size) => [relativeTo(BARE, size, 0.7), relativeTo(EXPRESS, size, 3)]),
        relativeTo(JSON_SERVER, SMALL, 4),
        grown,
      ];
    case FIRST_PAGE:
    case DEEPEST_PAGE:
      return [...SIZES.map((size) => relativeTo(BARE, size, 1)), grown];
    case CREATE:
      return [...SIZES.map((size) => relativeTo(BARE, size, 0.33)), grown];
    default:
      return [grown];
  }
}

/** Sends the load of 50 connections for a minute, and compares the memory after a garbage collection. */
async function soakOurs(): Promise<Check[]> {
  const contender = contenders.find(({ name }) => name === OURS);
  const server = contender && (await start(contender, fixturePath(LARGE), true));
  if (!server) return [];
  const lane = { contender, size: LARGE, server };
  lanes.push(lane);
  const load = { connections: 50, shots: soak(contender, LARGE) };
  await drive(lane, { ...load, seconds: Math.ceil(flags.soak / 6) });
  const before = await server.memory();
  const { p50, p99 } = await drive(lane, { ...load, seconds: flags.soak });
  const after = await server.memory();
  const what = `50 connections for ${flags.soak} s`;
  return [
    { what: `${what}, p99 relative to p50`, value: p99 / p50, bound: 10, sense: 'most' },
    { what: `${what}, memory after relative to before`, value: after / before, bound: 1.1, sense: 'most' },
  ];
}

function printRows(rows: readonly Row[]): void {
  const [{ case: name } = { case: '' }] = rows;
  const names = Object.keys(rows[0]?.rates ?? {});
  console.log(`\n${name}: requests per second, and relative to ${BARE}`);
  console.log(['connections', 'records', ...names].map((cell) => cell.padStart(18)).join(''));
  for (const { connections, records, rates } of rows) {
    const cells = names.map((each) => {
      const rate = rates[each];
      return rate === undefined ? '' : `${Math.round(rate)} (${(rate / (rates[BARE] ?? Number.NaN)).toFixed(2)})`;
    });
    console.log([String(connections), String(records), ...cells].map((cell) => cell.padStart(18)).join(''));
  }
}

function printCheck(check: Check): void {
  const { what, value, bound, sense, ofBare } = check;
  const comparison = ofBare === undefined ? '' : `; ${BARE} ${ofBare.toFixed(2)}`;
  console.log(`${what}: ${value.toFixed(2)} (at ${sense} ${bound}${comparison}) ${holds(check) ? 'ok' : 'MISSED'}`);
}
