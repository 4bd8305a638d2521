import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Rng } from '#engine/lib/rng.js';
import { folderOf } from '../engine/fixtures/loading.js';
import { SEED, scaled } from '../support/soak.js';
import { sqlOf } from '../support/sql.js';
import { serveProcess } from '../tools/cli/cli.js';
import { HostileSql } from './hostile-sql.js';

const REQUESTS = scaled(1_000);
const USERS = ['ada', 'bob', 'eve'];
/** Milliseconds after the last request in which an engine that holds too much memory has ended. */
const REST = 10_000;
/** Readings of the memory at most, and requests before each. */
const READINGS = 5;
const OTHERS = 2_000;
/** Megabytes that may be left then. */
const MAX_LEFT = 60;
/** Milliseconds of the processor in which any request ends: its time, the grace, a new thread, and its JSON. */
const MAX_PROCESSOR = 4_000;

/** Else glibc keeps what was freed, up to 60 MB for each of its threads, after it has had to allocate 10 MB at once. */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' };

const Functions = z.array(z.tuple([z.string(), z.number()]));

/** Milliseconds that a process had from the processor, counted in hundredths of a second. */
function readProcessor(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const readMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Sends a request over a new connection: a server that was held ends those that it takes for idle. */
async function send(url: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> {
  const sent = request(url, { method, agent: false, headers: { ...Object(headers) } });
  const [response] = await once(sent.end(body), 'response');
  const { statusCode: status } = response;
  return new Response(status === 204 ? null : await text(response), { status });
}

/** The worst of some numbers, with its label. */
class Worst {
  value = 0;
  label = '';

  add(value: number, label: string): void {
    if (value <= this.value) return;
    this.value = value;
    this.label = label;
  }
}

test.runIf(process.platform === 'linux')(
  `${REQUESTS} hostile requests hold no other client for long, and leave little memory`,
  async () => {
    const folder = folderOf({ 'users.json': USERS.map((username) => ({ username })) });
    const { command, url } = await serveProcess(['--fixtures', folder, '--quiet', '--no-journal'], { env: ALLOCATOR });
    const pid = command.child.pid ?? expect.fail();
    const emulator = { fetch: (path: unknown, init?: RequestInit) => send(url + String(path), init) };
    const sql = (user: string) => sqlOf(emulator, user);
    const list = 'SELECT DISTINCT name, narg FROM pragma_function_list ORDER BY name, narg';
    const functions = Functions.parse(await sql('ada').rows(list));
    const before = readMemory(pid);
    const hostile = new HostileSql(
      new Rng(`hostile-${SEED}`),
      functions.map(([name, parameters]) => ({ name, parameters })),
    );
    const waits = new Worst();
    const processor = new Worst();
    const peak = new Worst();
    const counts = new Map<string, number>();
    for (let request = 0; request < REQUESTS; request++) {
      const user = USERS[request % USERS.length] ?? '';
      const statements = hostile.next();
      const label = `request ${request}, SEED=${SEED}: ${statements.length} statements, ${JSON.stringify(statements.at(-1)).slice(0, 400)}`;
      const start = readProcessor(pid);
      let isDone = false;
      const response = sql(user)
        .batch(statements)
        .finally(() => {
          isDone = true;
        });
      while (!isDone) {
        const sent = performance.now();
        expect((await send(`${url}/_emulator/health`)).status, label).toBe(200);
        waits.add(performance.now() - sent, label);
      }
      const { status, body } = await response;
      processor.add(readProcessor(pid) - start, label);
      peak.add(readMemory(pid), label);
      const code = status === 200 ? '200' : `${Object(body).code ?? status}`;
      expect([200, 400, 413, 507], `${label}: ${JSON.stringify(body).slice(0, 400)}`).toContain(status);
      counts.set(code, (counts.get(code) ?? 0) + 1);
      expect(await sql('ada').rows('SELECT 1'), label).toStrictEqual([[1]]);
    }
    for (const user of USERS) expect(await sql(user).rows('PRAGMA integrity_check')).toStrictEqual([['ok']]);

    await send(`${url}/_emulator/reset`, { method: 'POST' });
    // A process that rests collects no garbage: it serves other requests between the readings.
    let left = Number.POSITIVE_INFINITY;
    for (let reading = 0; reading < READINGS && left >= MAX_LEFT; reading++) {
      for (let sent = 0; sent < OTHERS; sent++)
        await send(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });
      await new Promise((resolve) => setTimeout(resolve, REST));
      left = Math.min(left, readMemory(pid) - before);
    }

    console.log(
      [
        `hostile SQL: ${REQUESTS} requests, SEED=${SEED}: ${JSON.stringify(Object.fromEntries(counts))}`,
        `worst wait of another client: ${waits.value.toFixed(0)} ms, by ${waits.label}`,
        `most time of the processor: ${processor.value.toFixed(0)} ms, by ${processor.label}`,
        `memory: ${before.toFixed(0)} MB after the first statement, ${peak.value.toFixed(0)} MB at most, ${left.toFixed(0)} MB more at the end`,
      ].join('\n'),
    );
    expect(counts.get('200')).toBeGreaterThan(REQUESTS / 20);
    expect(counts.get('SQLITE_INTERRUPT')).toBeGreaterThan(REQUESTS / 100);
    expect(processor.value, processor.label).toBeLessThan(MAX_PROCESSOR);
    expect(left).toBeLessThan(MAX_LEFT);
  },
);
