/**
 * Requests per second of the emulator and of others with the same records, side by side in one run: each server is a
 * process of its own, all of them are up at once, and they are driven in turn. Every round has processes of its own, as
 * two of the same program differ for as long as they live.
 *
 *   npm run bench:http              tables, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:http -- --json    the same for machines
 *   npm run bench:http -- --help    all flags
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
import { defaultDriver, drivers, type Load } from './http/drivers.js';
import { writeWorld } from './http/world.js';
import { median } from './measure.js';

const SMALL = 1_000;
const LARGE = 100_000;
const SIZES = [SMALL, LARGE];

const flags = await yargs(hideBin(process.argv))
  .options({
    json: { type: 'boolean', default: false, describe: 'Print JSON' },
    driver: { choices: ['wrk', 'autocannon'] as const, default: defaultDriver, describe: 'What sends the requests' },
    seconds: { type: 'number', default: 3, describe: 'How long a server is driven in each round; the best counts' },
    rounds: { type: 'number', default: 5, describe: 'How often; medians are shown' },
    connections: { type: 'number', array: true, default: [1, 10, 50], describe: 'Connections at a time' },
    only: { type: 'string', describe: 'Only cases whose name has this in it' },
    soak: { type: 'number', default: 60, describe: 'How long 50 connections are kept busy at the end, in seconds' },
  })
  .strict()
  .parseAsync();

/** A server with so many records, and its requests per second in each case. */
interface Lane {
  readonly contender: Contender;
  readonly size: number;
  readonly server: Running;
}

/** Requests per second of each lane in the best second of a round. */
type Rates = ReadonlyMap<string, number>;

/** A case with so many connections. */
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
  /** Whether the bound is the least or the most that is allowed. */
  readonly sense: 'least' | 'most';
  /** The same of the bare server, where it tells what the machine has to do with it. */
  readonly ofBare?: number;
}

const laneKey = (name: string, size: number): string => `${name} ${size}`;

const holds = ({ value, bound, sense }: Check) => (sense === 'least' ? value >= bound : value <= bound);

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const fixtureOf = (size: number): string => join(folder, `${size}.json`);
let lanes: Lane[] = [];
try {
  await measure();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  for (const size of SIZES) writeWorld(fixtureOf(size), size);
  const chosen = cases.filter((each) => each.name.includes(flags.only ?? ''));
  const turns = chosen.flatMap((each) =>
    flags.connections.map((connections): Turn => ({ ...each, connections, rounds: [] })),
  );
  for (let round = 1; round <= flags.rounds; round++) {
    await startAll();
    for (const turn of turns) turn.rounds.push(await takeTurn(turn));
    await stopAll();
    if (!flags.json) console.log(`round ${round} of ${flags.rounds} is done`);
  }
  const rows = turns.flatMap((turn) => SIZES.map((size) => rowOf(turn, size)));
  if (!flags.json) for (const { name } of chosen) printRows(rows.filter((row) => row.case === name));
  const checks = turns.filter(({ connections }) => connections === 10).flatMap(checksOf);
  if (flags.soak > 0) checks.push(...(await soakOurs()));
  if (flags.json)
    console.log(JSON.stringify({ rows, checks: checks.map((check) => ({ ...check, ok: holds(check) })) }));
  else for (const check of checks) printCheck(check);
  if (!checks.every(holds)) process.exitCode = 1;
}

/** The sizes of one contender come one after the other: what is compared most closely is measured next to each other. */
async function startAll(): Promise<void> {
  for (const contender of contenders) {
    for (const size of SIZES) {
      // One that shows examples shows the same ones whatever the size.
      const server = contender.holdsRecords || size === SMALL ? await start(contender, fixtureOf(size)) : undefined;
      if (server) lanes.push({ contender, size, server });
    }
  }
}

async function stopAll(): Promise<void> {
  await Promise.all(lanes.map(({ server }) => server.stop()));
  lanes = [];
}

/**
 * Drives the servers for a second each, to and fro, after one to warm up. The best second of each counts: what others do
 * on the machine only ever makes a server slower, and by more than what is to be seen here.
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

/** Throws if any request fails. */
async function drive({ contender, server }: Lane, load: Load) {
  const outcome = await drivers[flags.driver](server.url, load);
  if (outcome.failed > 0)
    throw new Error(`${contender.name}: ${outcome.failed} of ${outcome.requests} requests failed`);
  return outcome;
}

type RateOf = (name: string, size: number) => number;

/** The median over the rounds of what `from` makes of one. */
function overRounds(rounds: readonly Rates[], from: (rate: RateOf) => number): number {
  return median(rounds.map((rates) => from((name, size) => rates.get(laneKey(name, size)) ?? Number.NaN)));
}

function rowOf({ name, connections, rounds }: Turn, size: number): Row {
  const here = contenders.filter((contender) => rounds.every((rates) => rates.has(laneKey(contender.name, size))));
  const rates = here.map((contender) => [contender.name, overRounds(rounds, (rate) => rate(contender.name, size))]);
  return { case: name, connections, records: size, rates: Object.fromEntries(rates) };
}

/** Ratios are taken within a round, where all servers had the same machine, and then the median of them. */
function checksOf({ name, rounds }: Turn): Check[] {
  const against = (other: string, size: number, bound: number): Check => ({
    what: `${name}, ${size} records, against ${other}`,
    value: overRounds(rounds, (rate) => rate(OURS, size) / rate(other, size)),
    bound,
    sense: 'least',
  });
  const growthOf = (contender: string) => overRounds(rounds, (rate) => rate(contender, LARGE) / rate(contender, SMALL));
  const grown = {
    what: `${name}, ${LARGE} records against ${SMALL}`,
    value: growthOf(OURS),
    bound: 0.9,
    sense: 'least',
    ofBare: growthOf(BARE),
  } as const;
  switch (name) {
    case BY_ID:
      return [
        ...SIZES.flatMap((size) => [against(BARE, size, 0.5), against(EXPRESS, size, 3)]),
        against(JSON_SERVER, SMALL, 4),
        grown,
      ];
    case FIRST_PAGE:
    case DEEPEST_PAGE:
      return [...SIZES.map((size) => against(BARE, size, 1)), grown];
    case CREATE:
      return [
        {
          what: `${name}, cost at ${LARGE} against ${SMALL}`,
          value: 1 / grown.value,
          bound: 1.3,
          sense: 'most',
          ofBare: 1 / grown.ofBare,
        },
      ];
    default:
      return [grown];
  }
}

/**
 * 50 connections for a minute, after some seconds to warm up. What memory the process has goes up and down as garbage
 * gathers, so what is compared is what is in use after a collection.
 */
async function soakOurs(): Promise<Check[]> {
  const contender = contenders.find(({ name }) => name === OURS);
  const server = contender && (await start(contender, fixtureOf(LARGE), true));
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
    { what: `${what}, p99 against p50`, value: p99 / p50, bound: 10, sense: 'most' },
    { what: `${what}, memory in use after against before`, value: after / before, bound: 1.1, sense: 'most' },
  ];
}

function printRows(rows: readonly Row[]): void {
  const [{ case: name } = { case: '' }] = rows;
  const names = Object.keys(rows[0]?.rates ?? {});
  console.log(`\n${name}: requests per second, and as a part of ${BARE}`);
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
  const beside = ofBare === undefined ? '' : `; ${BARE} ${ofBare.toFixed(2)}`;
  console.log(`${what}: ${value.toFixed(2)} (at ${sense} ${bound}${beside}) ${holds(check) ? 'ok' : 'MISSED'}`);
}
