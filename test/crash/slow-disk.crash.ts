import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fixturesOf, type Json, USERS } from './model.js';
import { get, Killed, request, serve } from './process.js';
import { createVal } from './writers.js';

/*
 * Each sync takes 100 ms, so that many writes wait for one. Sixteen connections write, four read, and one changes data and clock
 * by the control API. What a read has shown, and what had a response, is there after kill -9.
 */

const ROUNDS = 8;
const READERS = 4;
const SYNC_MS = 100;
/** Milliseconds between two control changes. */
const PAUSE_MS = 30;

const CHANGES = [
  { method: 'POST', path: '/_emulator/records/comments', body: { author: 'root', val: 'root/seed', comment: 'new' } },
  { method: 'PUT', path: '/_emulator/clock', body: { advance: '1s' } },
];

test(`a read returns no val that kill -9 takes back, while control changes wait for a slow disk (${ROUNDS} rounds)`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-slow-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fixtures = join(folder, 'seed.json');
  writeFileSync(fixtures, JSON.stringify(fixturesOf('seed')));
  const counts = { reads: 0, writes: 0, changes: 0, pending: 0, seen: 0 };
  const gone: string[] = [];
  const lost: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const options = { data: join(folder, `data-${round}`), fixtures, dataSync: 'full', dataGrowth: undefined } as const;
    const served = await serve({ ...options, syncDelay: SYNC_MS });
    const { url } = served;
    const seen = new Set<string>();
    const written = new Set<string>();
    const sent = new Set<string>();
    const write = async (user: string) => {
      for (let i = 0; ; i++) {
        const name = `${user}v${i}`;
        sent.add(name);
        await request(url, createVal(user, name, '1').send);
        written.add(name);
      }
    };
    const read = async () => {
      for (;;) {
        const { data } = await get(url, '/v1/search/vals?query=Read&limit=100');
        for (const { name } of data) seen.add(name);
        counts.reads++;
      }
    };
    // Rounds of comments, of changes of the clock, and of both.
    const changes = CHANGES.filter((_, i) => round % 3 === 2 || round % 3 === i);
    let isKilled = false;
    const control = async () => {
      while (!isKilled) {
        for (const change of changes) void request(url, change).then(() => counts.changes++, ignoreKilled);
        await sleep(PAUSE_MS);
      }
    };
    const readers = Array.from({ length: READERS }, read);
    const all = Promise.allSettled([...USERS.map(write), ...readers, control()]);
    while (written.size < 4 * USERS.length) await sleep(1);
    await sleep((round * SYNC_MS) / ROUNDS);
    await served.stop('SIGKILL');
    isKilled = true;
    for (const result of await all) if (result.status === 'rejected') ignoreKilled(result.reason);
    const restarted = await serve(options);
    const { vals } = await get(restarted.url, '/_emulator/state');
    const names = new Set(vals.map(({ name }: Json) => name));
    await restarted.stop('SIGKILL');
    gone.push(...[...seen].filter((name) => !names.has(name)));
    lost.push(...[...written].filter((name) => !names.has(name)));
    counts.writes += written.size;
    counts.pending += sent.size - written.size;
    counts.seen += seen.size;
  }
  console.info(JSON.stringify({ ...counts, gone: gone.length, lost: lost.length }));
  expect({ gone, lost }).toEqual({ gone: [], lost: [] });
  // So that rounds in which nothing happens do not pass.
  expect(counts.pending).toBe(ROUNDS * USERS.length);
  expect(counts.writes).toBeGreaterThan(ROUNDS * USERS.length);
  expect(counts.seen).toBeGreaterThan(ROUNDS * USERS.length);
  expect(counts.changes).toBeGreaterThan(ROUNDS * 10);
}, 120_000);

function ignoreKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}
