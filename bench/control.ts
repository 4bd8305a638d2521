/**
 * What the control plane costs: sandboxes by the ten thousand; reset, snapshot and restore of a small and a large
 * world; the journal, which notes every request.
 *
 *   npm run bench:control            a table, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:control -- --json  the same for machines
 */
import type { Sandbox } from '../src/control/sandbox.js';
import { type Run, runCollection } from '../src/domain/runs.js';
import { userCollection } from '../src/domain/users.js';
import { createEmulator, type Emulator } from '../src/index.js';
import { median } from './measure.js';

const fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export const hello = 1;' }],
};
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

interface Result {
  readonly what: string;
  /** In the world that was measured; undefined where the size is of no account. */
  readonly records?: number;
  readonly value: number;
  readonly unit: 'µs' | 'KB' | 'ms';
  /** Not to be reached; undefined for what is only told. */
  readonly bound?: number;
}

const results: Result[] = [];

/** Microseconds of one call: the median of several rounds, after one to warm up. */
function timed(calls: number, call: () => void, rounds = 15): number {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) call();
    if (round > 0) samples.push(((performance.now() - start) * 1_000) / calls);
  }
  return median(samples);
}

/** Bytes in use once all garbage is gone. */
function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const start = () => createEmulator({ fixtures, listen: false });

async function measureSandboxes(): Promise<void> {
  const COUNT = 10_000;
  (await start()).sandbox();
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < 5; round++) {
    const emulator = await start();
    const before = heapUsed();
    const begun = performance.now();
    for (let i = 0; i < COUNT; i++) emulator.sandbox(`test-${i}`);
    times.push(((performance.now() - begun) * 1_000) / COUNT);
    sizes.push((heapUsed() - before) / COUNT / 1_024);
    emulator.sandbox('test-0').close();
  }
  results.push(
    { what: 'make one of 10,000 sandboxes', value: median(times), unit: 'µs', bound: 100 },
    { what: 'keep one of 10,000 idle sandboxes', value: median(sizes), unit: 'KB', bound: 5 },
  );
}

async function emulatorWith(records: number): Promise<Emulator> {
  const emulator = await start();
  const { state } = emulator.world;
  const val = state.vals.range().first;
  if (!val) throw new Error('no val');
  const facts = { version: 0, error: null, source: 'ui' as const, emails: [], logs: [], returnValue: null, args: [] };
  const runs = Array.from({ length: records }, (_, serial): Run => {
    const id = `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`;
    const at = 1_700_000_000_000 + serial * 1_000;
    const times = { runStartAt: at, runEndAt: at + 100 };
    return { id, valId: val.id, authorId: val.authorId, parentId: id, serial, ...facts, ...times };
  });
  const seed = state.fork();
  seed.runs = runCollection(runs);
  emulator.world.reseed(seed);
  return emulator;
}

async function measureWorld(records: number): Promise<void> {
  const emulator = await emulatorWith(records);
  const [run] = emulator.world.state.runs;
  if (!run || emulator.world.state.runs.size !== records) throw new Error('the runs are not there');
  emulator.snapshot('kept');
  emulator.world.adjust((state) => {
    state.runs = state.runs.put({ ...run, error: 'changed' });
  });
  const bound = 1_000;
  results.push(
    { what: 'reset', records, value: timed(1_000, () => emulator.reset()), unit: 'µs', bound },
    { what: 'snapshot', records, value: timed(1_000, () => void emulator.snapshot('another')), unit: 'µs', bound },
    { what: 'restore', records, value: timed(1_000, () => emulator.restore('kept')), unit: 'µs', bound },
  );
}

async function emulatorWithUsers(count: number): Promise<Emulator> {
  const emulator = await start();
  const seed = emulator.world.state.fork();
  const ada = seed.users.range().first;
  if (!ada) throw new Error('no user');
  const more = Array.from({ length: count - 1 }, (_, i) => {
    const [id, username] = [`00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, `user${i}`];
    return { ...ada, id, username, token: `${username}-token`, serial: i + 1 };
  });
  seed.users = userCollection([ada, ...more]);
  emulator.world.reseed(seed);
  return emulator;
}

/** Microseconds of a request as it is, and of the same where nothing is noted, in turns. */
async function measureJournal(): Promise<void> {
  const noting = await start();
  const silent = await start();
  Object.defineProperty(silent.journal, 'add', { value: () => {} });
  const body = JSON.stringify({ name: 'hello', code: 'x'.repeat(2_000) });
  const requests = [
    { name: 'GET /v1/me', send: ({ fetch }: Sandbox) => fetch('/v1/me', { headers }) },
    { name: 'PUT /v1/vals, 2 KB', send: ({ fetch }: Sandbox) => fetch('/v1/vals', { method: 'PUT', headers, body }) },
  ];
  for (const { name, send } of requests) {
    const whole: number[] = [];
    const noted: number[] = [];
    const batch = async (emulator: Emulator) => {
      const begun = performance.now();
      for (let i = 0; i < 100; i++) await send(emulator);
      return (performance.now() - begun) * 10;
    };
    for (let round = 0; round < 300; round++) {
      if (round % 10 === 0) for (const emulator of [silent, noting]) emulator.reset();
      const without = await batch(silent);
      const all = await batch(noting);
      whole.push(all);
      noted.push(all - without);
    }
    results.push(
      { what: `${name}, in-process`, value: median(whole.slice(100)), unit: 'µs' },
      { what: `${name}, of that the journal`, value: Math.max(0, median(noted.slice(100))), unit: 'µs' },
    );
  }
  const note = {
    at: 0,
    duration: 0,
    route: 'GET /v1/me',
    method: 'GET',
    target: '/v1/me',
    base: noting.url,
    caller: undefined,
    token: 'ada-token',
    users: noting.world.state.users,
    state: undefined,
    status: 200,
    requestBody: undefined,
    responseBody: body,
    faultId: undefined,
  };
  results.push({
    what: 'note a request in the journal',
    value: timed(10_000, () => noting.journal.add(note)),
    unit: 'µs',
    bound: 5,
  });
  for (const users of [10, 100_000]) {
    const world = await emulatorWithUsers(users);
    for (let i = 0; i < 1_000; i++) await world.fetch('/v1/me', { headers });
    results.push({
      what: `read 1,000 requests, ${users.toLocaleString('en')} tokens to blank`,
      value: timed(1, () => void world.requests()) / 1_000,
      unit: 'ms',
    });
  }
}

await measureSandboxes();
await measureWorld(1_000);
await measureWorld(1_000_000);
await measureJournal();

const isMissed = ({ value, bound }: Result) => bound !== undefined && !(value < bound);
const digits = (value: number) => value.toFixed(value < 10 ? 2 : 1);

if (process.argv.includes('--json')) {
  const lines = results.map((result) => ({ ...result, ok: !isMissed(result) }));
  process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
} else {
  const rows = results.map((result) => [
    result.what,
    result.records?.toLocaleString('en') ?? '',
    `${digits(result.value)} ${result.unit}`,
    result.bound === undefined ? '' : `< ${result.bound.toLocaleString('en')} ${result.unit}`,
    result.bound === undefined ? '' : isMissed(result) ? 'MISSED' : 'ok',
  ]);
  const table = [['', 'records', 'measured', 'bound', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) {
    const cells = row.map((cell, i) =>
      i === 0 || i === 4 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
process.exitCode = results.some(isMissed) ? 1 : 0;
