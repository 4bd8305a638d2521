/**
 * Measures the parts of a gym: the difference of two forks of a million records, and 10,000 forks over HTTP that are opened, driven
 * by 20 requests each, scored and closed: the processor time of the server, and the memory that it keeps. On Linux only.
 *
 *   npm run bench -- gym    figures with their bounds (exit code 1 if one is missed)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seed } from '#engine/sandbox/seed.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { collections } from '#vals/service/service.collection.js';
import { createEmulator } from '../src/index.js';
import { pinServer } from './http/cores.js';
import { startOurs, stopAll } from './http/ours.js';
import { median, readProcessorTime } from './measure.js';
import { milliseconds, report } from './report.js';

const RECORDS = 1_000_000;
const MOST_MS = 5;
const FORKS = 10_000;
const REQUESTS = 20;
const CONNECTIONS = 20;
const MOST_SECONDS = 25;
const MOST_MIB = 30;
const MEBIBYTE = 1_048_576;

const fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export const hello = 1;' }],
};

async function measureDiff(): Promise<void> {
  const emulator = await createEmulator({ fixtures, listen: false });
  emulator.add.run({ val: 'ada/hello' });
  const state = toValsState(emulator.store.state);
  const [run] = state.runs;
  if (!run) throw new Error('no run');
  const toId = (n: number) => `3fa85f64-5717-4562-b3fc-${n.toString(16).padStart(12, '0')}`;
  const runs = collections.runs.collect(
    Array.from({ length: RECORDS }, (_, n) => ({ ...run, id: toId(n), serial: n })),
  );
  const large = { ...state, runs };
  emulator.resetTo(new Seed(large));
  const [a, b] = [emulator.fork('a'), emulator.fork('b')];
  b.add.run({ val: 'ada/hello' });
  const times = Array.from({ length: 101 }, () => {
    const start = performance.now();
    if (emulator.diff('sandbox:a', 'sandbox:b').total !== 1) throw new Error('not one difference');
    return performance.now() - start;
  });
  report(
    'difference of two forks of 1,000,000 records',
    median(times),
    'most',
    MOST_MS,
    `the first ${milliseconds(times[0] ?? 0)}`,
  );
  await a.close();
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

/** Sends a request, and reads its response. @throws Error if it is refused */
function send(url: string, method: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 0) < 300) resolve(text);
        else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Opens forks, drives each by 19 reads and a write, scores and closes them. Returns how many pass. */
async function play(url: string, count: number): Promise<number> {
  const { forks }: { forks: { name: string }[] } = JSON.parse(
    await send(`${url}/_emulator/forks`, 'POST', { count, ttl: '10m' }),
  );
  const rest = forks[Symbol.iterator]();
  const drive = async () => {
    for (const { name } of rest) {
      const base = `${url}/_sandbox/${name}/v1`;
      await send(`${base}/vals`, 'POST', { name: 'made', code: 'export const made = 1;' });
      for (let i = 1; i < REQUESTS; i++) await send(i % 2 === 0 ? `${base}/me` : `${base}/alias/ada/made`, 'GET');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
  const expected = { expect: [{ collection: 'vals', type: 'added', after: { name: 'made' } }] };
  const names = forks.map(({ name }) => name);
  return JSON.parse(await send(`${url}/_emulator/forks/score`, 'POST', { names, ...expected })).passed;
}

async function measureForks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  try {
    const fixture = join(folder, 'fixture.json');
    writeFileSync(fixture, JSON.stringify(fixtures));
    const server = await startOurs(fixture, ['--log', 'off'], true);
    pinServer(server.pid);
    // Compiles, and fills what stays: the journal and the names of closed sandboxes.
    await play(server.url, 1_000);
    const memory = await server.memory();
    const before = readProcessorTime(server.pid);
    const passed = await play(server.url, FORKS);
    const seconds = (readProcessorTime(server.pid) - before) / 1e6;
    if (passed !== FORKS) throw new Error(`${passed} of ${FORKS} forks pass`);
    const kept = ((await server.memory()) - memory) / MEBIBYTE;
    report(
      '10,000 forks with 20 requests each, seconds of the server',
      seconds,
      'most',
      MOST_SECONDS,
      'opened, scored and closed',
    );
    report(
      'memory that it keeps after them, MiB',
      kept,
      'most',
      MOST_MIB,
      `${(memory / MEBIBYTE).toFixed(0)} MiB before`,
    );
  } finally {
    agent.destroy();
    await stopAll();
    rmSync(folder, { recursive: true });
  }
}

await measureDiff();
await measureForks();
