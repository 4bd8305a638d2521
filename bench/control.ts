/**
 * Measures the control plane: sandboxes, reset, snapshot and restore at 1,000 and 1,000,000 records, and the journal.
 *
 *   npm run bench -- control            a table with bounds (exit code 1 if one is missed)
 *   npm run bench -- control --json  the same as JSON
 */

import { beginExchange } from '#engine/journal/exchange.js';
import { Seed } from '#engine/sandbox/seed.js';
import { type State, toValsState } from '#vals/lib/state.collection.js';
import { collections } from '#vals/service/service.collection.js';
import { createEmulator, type Emulator, ExpectationError } from '../src/index.js';
import { heapUsed, median } from './measure.js';
import { makeRun } from './runs.js';

const fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export const hello = 1;' }],
};
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

interface Result {
  readonly what: string;
  /** Undefined where the number of records does not matter. */
  readonly records?: number;
  readonly value: number;
  readonly unit: 'µs' | 'KB' | 'ms';
  /** The value must be below; undefined for no bound. */
  readonly bound?: number;
}

const results: Result[] = [];

/** Measures one call in microseconds: the median of several rounds, after one to warm up. */
function measureCall(calls: number, call: () => void, rounds = 15): number {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) call();
    if (round > 0) samples.push(((performance.now() - start) * 1_000) / calls);
  }
  return median(samples);
}

const startEmulator = () => createEmulator({ fixtures, listen: false });

async function measureSandboxes(): Promise<void> {
  const COUNT = 10_000;
  (await startEmulator()).sandbox();
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < 5; round++) {
    const emulator = await startEmulator();
    const before = heapUsed();
    const startTime = performance.now();
    for (let i = 0; i < COUNT; i++) emulator.sandbox(`test-${i}`);
    times.push(((performance.now() - startTime) * 1_000) / COUNT);
    sizes.push((heapUsed() - before) / COUNT / 1_024);
    emulator.sandbox('test-0').close();
  }
  results.push(
    { what: 'create one of 10,000 sandboxes', value: median(times), unit: 'µs', bound: 100 },
    { what: 'memory of one of 10,000 idle sandboxes', value: median(sizes), unit: 'KB', bound: 5 },
  );
}

/** Starts an emulator whose seed has `records` runs of one val. */
async function startWithRuns(records: number): Promise<Emulator> {
  const emulator = await startEmulator();
  const { store } = emulator;
  const state = toValsState(store.state);
  const [val] = state.vals;
  if (!val) throw new Error('no val');
  const runs = Array.from({ length: records }, (_, n) => ({ ...makeRun(n), valId: val.id, authorId: val.authorId }));
  const seeded: State = { ...state, runs: collections.runs.collect(runs) };
  emulator.meta = { ...emulator.meta, seed: new Seed(seeded) };
  emulator.reset();
  return emulator;
}

async function measureStates(records: number): Promise<void> {
  const emulator = await startWithRuns(records);
  const { store } = emulator;
  const { runs } = toValsState(store.state);
  const [run] = runs;
  if (!run || runs.size !== records) throw new Error('the runs are missing');
  emulator.snapshot('unchanged');
  store.update((given) => {
    const draft = toValsState(given);
    draft.runs = draft.runs.put({ ...run, error: 'changed' });
  });
  const add = (what: string, call: () => void) =>
    results.push({ what, records, value: measureCall(1_000, call), unit: 'µs', bound: 50 });
  add('reset', () => emulator.reset());
  add('snapshot', () => void emulator.snapshot('another'));
  add('restore', () => emulator.restore('unchanged'));
  add('create and close a sandbox', () => void emulator.sandbox('one').close());
}

/** Measures a request with and without the journal, in turn. */
async function measureRecording(): Promise<void> {
  const [recording, silent] = [await startEmulator(), await startEmulator()];
  Object.defineProperty(silent.journal, 'record', { value: () => {} });
  const body = JSON.stringify({ name: 'hello', code: 'x'.repeat(2_000) });
  const requests = [
    { name: 'GET /v1/me', send: ({ fetch }: Emulator) => fetch('/v1/me', { headers }) },
    { name: 'PUT /v1/vals, 2 KB', send: ({ fetch }: Emulator) => fetch('/v1/vals', { method: 'PUT', headers, body }) },
  ];
  for (const { name, send } of requests) {
    const total: number[] = [];
    const ofJournal: number[] = [];
    const measureBatch = async (emulator: Emulator) => {
      const start = performance.now();
      for (let i = 0; i < 100; i++) await send(emulator);
      return (performance.now() - start) * 10;
    };
    for (let round = 0; round < 300; round++) {
      if (round % 10 === 0) for (const emulator of [silent, recording]) emulator.reset();
      const without = await measureBatch(silent);
      const withJournal = await measureBatch(recording);
      total.push(withJournal);
      ofJournal.push(withJournal - without);
    }
    results.push(
      { what: `${name}, in-process`, value: median(total.slice(100)), unit: 'µs' },
      { what: `${name}, of that the journal`, value: Math.max(0, median(ofJournal.slice(100))), unit: 'µs' },
    );
  }
  const { journal } = recording;
  const exchange = () => ({ ...beginExchange({ method: 'GET', target: '/v1/me', headers: [] }), responseBody: body });
  const value = measureCall(10_000, () => journal.record(exchange()));
  results.push({ what: 'record a request', value, unit: 'µs', bound: 5 });
}

/** Measures queries of a journal with 1,000 list responses of 100 runs each. */
async function measureQueries(): Promise<void> {
  const emulator = await startWithRuns(1_000);
  for (let i = 0; i < 1_000; i++) {
    const response = await emulator.fetch(`/v1/me/runs?limit=100&offset=${i % 900}`, { headers });
    if (!response.ok) throw new Error(`status ${response.status}`);
  }
  const add = (what: string, call: () => void, bound?: number) => {
    const value = measureCall(1, call) / 1_000;
    results.push({ what, value, unit: 'ms', ...(bound === undefined ? {} : { bound }) });
  };
  add('expectRequest, 1,000 matches', () => emulator.expectRequest('GET /v1/me/runs', { times: 1_000 }), 20);
  add('expectRequest, near misses', () => expectMiss(emulator), 20);
  add('unhandled()', () => void emulator.unhandled(), 20);
  add('requests(), all 1,000 with their bodies', () => void emulator.requests());
}

/** Expects a request that the journal does not contain. */
function expectMiss(emulator: Emulator): void {
  try {
    emulator.expectRequest('GET /v1/me/runs', { body: { name: 'missing' } });
  } catch (error) {
    if (error instanceof ExpectationError) return;
    throw error;
  }
  throw new Error('the request is in the journal');
}

await measureSandboxes();
await measureStates(1_000);
await measureStates(1_000_000);
await measureRecording();
await measureQueries();

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
