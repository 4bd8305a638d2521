/** Measures what a request, an entry and an exchange cost on a real Redis and two nodes. On Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { EXCHANGE, KEYS } from '#cluster/redis-scripts.js';
import type { RedisServer } from '../../test/cluster/redis.js';
import { startOurs, stopAll } from '../http/ours.js';
import { prepare, sendTo, type Traffic, traffic } from './traffic.js';

const connect = (url: string) => createClient({ url }).connect();
type Client = Awaited<ReturnType<typeof connect>>;

/** Reads the microseconds for which a thread of a process ran. */
export const readThreadTime = (pid: number, thread: number | string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000;

export const readProcessTime = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readThreadTime(pid, thread), 0);

/** Reads the calls of scripts, the microseconds in them, and those of the main thread of Redis. */
async function readRedis(client: Client) {
  const info = `${await client.info('commandstats')}${await client.info('server')}`;
  const [, calls, script] = /^cmdstat_evalsha:calls=(\d+),usec=(\d+)/m.exec(info) ?? [];
  const pid = Number(/^process_id:(\d+)/m.exec(info)?.[1]);
  return { calls: Number(calls ?? 0), script: Number(script ?? 0), thread: readThreadTime(pid, pid) };
}

const keys = KEYS.map((name) => `{paper}:${name}`);
const CALLS = 100;

export interface ScriptCost {
  /** Entries that a call returns, and those that it appends, of so many bytes. */
  readonly entries: number;
  readonly appended: number;
  readonly bytes: number;
  /** Microseconds in the script, and of the main thread of Redis: with the request, the response and the append-only file. */
  readonly script: number;
  readonly thread: number;
}

type Size = Pick<ScriptCost, 'entries' | 'appended' | 'bytes'>;

/** Measures one call of the script by which nodes exchange entries. */
async function measureCall(client: Client, { entries, appended, bytes }: Size): Promise<ScriptCost> {
  await client.del(keys);
  const [meta = '', log = '', versions = ''] = keys;
  const text = 'x'.repeat(bytes);
  await client.hSet(meta, { epoch: 'e', format: '1', checkpoint: '0-0', count: entries + 1, checkpointCount: 0 });
  await client.hSet(versions, '', '0-0');
  for (let n = 1; n <= entries + 1; n++) await client.xAdd(log, `1-${n}`, { e: text });
  const hash = await client.scriptLoad(EXCHANGE);
  const units = Array.from({ length: appended }, (_, unit) => [text, '1', `sandbox-${unit}`, '', '1']).flat();
  const before = await readRedis(client);
  let last = '1-1';
  for (let number = 1; number <= CALLS; number++) {
    const values = ['e', 1, 'node', number, last, Date.now(), 1_000, '', appended, ...units].map(String);
    const reply: unknown = await client.evalSha(hash, { keys, arguments: values });
    if (!Array.isArray(reply) || reply[0] !== 'ok') throw new Error(`the script responded ${JSON.stringify(reply)}`);
    if (appended > 0) last = String(reply[2].at(-1));
  }
  const after = await readRedis(client);
  const script = (after.script - before.script) / CALLS;
  return { entries, appended, bytes, script, thread: (after.thread - before.thread) / CALLS };
}

/** Measures the script by entries and bytes, the best of some rounds. */
export async function measureScript(redis: RedisServer, rounds: number): Promise<ScriptCost[]> {
  const client = await connect(redis.url);
  const sizes = [500, 2_000, 8_000].flatMap((bytes) => [
    ...[0, 10, 100, 999].map((entries) => ({ entries, appended: 0, bytes })),
    { entries: 0, appended: 10, bytes },
  ]);
  const best: ScriptCost[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, size] of sizes.entries()) {
      const cost = await measureCall(client, size);
      if (cost.thread < (best[index]?.thread ?? Number.POSITIVE_INFINITY)) best[index] = cost;
    }
  }
  client.destroy();
  return best;
}

/** Returns what a call, an entry and a byte cost, from the calls of 100 entries and of 10 appended ones. */
export function toRedisCosts(measured: readonly ScriptCost[]) {
  const call = Math.min(...measured.filter(({ entries, appended }) => entries + appended === 0).map((c) => c.thread));
  const slope = (field: 'entries' | 'appended', count: number) => {
    const of = (bytes: number) => measured.find((cost) => cost[field] === count && cost.bytes === bytes)?.thread ?? 0;
    const byte = (of(8_000) - of(500)) / 7_500 / count;
    return { byte, entry: Math.max(0, (of(500) - call) / count - 500 * byte) };
  };
  const [read, append] = [slope('entries', 100), slope('appended', 10)];
  return { call, ...read, append: append.entry, appendByte: append.byte };
}

/** What one request costs. Times are microseconds of processor time. */
export interface RequestCost {
  readonly name: string;
  readonly connections: number;
  readonly bytes: number;
  readonly exchanges: number;
  /** On the node that serves it, and on another one that applies its entry. */
  readonly serve: number;
  readonly apply: number;
}

/** So few that the nodes make no checkpoint meanwhile. */
const REQUESTS = 300;
/** Milliseconds in which each node has looked at the log. */
const LOOK_MS = 1_300;

/** Measures requests to one node, while another one only applies their entries: the best of some rounds. */
export async function measureRequests(redis: RedisServer, fixture: string, rounds: number): Promise<RequestCost[]> {
  const start = () => startOurs(fixture, ['--store', redis.url, '--store-prefix', 'requests', '--log', 'off']);
  const [server, other] = [await start(), await start()];
  const client = await connect(redis.url);
  await prepare(server.url);
  const stream = '{requests}:log';
  let sent = 0;

  const measure = async ({ name, request }: Traffic, connections: number): Promise<RequestCost> => {
    await sleep(LOOK_MS);
    const [last] = (await client.xRevRange(stream, '+', '-', { COUNT: 1 })) ?? [];
    const [before, began] = [await readRedis(client), performance.now()];
    const [served, applied] = [readProcessTime(server.pid), readProcessTime(other.pid)];
    const end = sent + REQUESTS;
    const sendAll = async () => {
      while (sent < end) await sendTo(server.url, request(sent++));
    };
    await Promise.all(Array.from({ length: connections }, sendAll));
    const took = performance.now() - began;
    const serve = readProcessTime(server.pid) - served;
    const { calls } = await readRedis(client);
    await sleep(LOOK_MS);
    const apply = readProcessTime(other.pid) - applied;
    const entries = (await client.xRange(stream, `(${last?.id ?? '0-0'}`, '+')) ?? [];
    const bytes = entries.reduce((sum, { message }) => sum + Buffer.byteLength(String(message.e)), 0);
    // Each node looks once a second.
    const exchanges = calls - before.calls - (2 * took) / 1_000;
    const each = (sum: number) => sum / REQUESTS;
    const costs = { bytes: each(bytes), exchanges: each(exchanges), serve: each(serve), apply: each(apply) };
    return { name, connections, ...costs };
  };

  const [first] = traffic;
  const cases = traffic.map((kind) => ({ kind, connections: 1 }));
  if (first) cases.push({ kind: first, connections: 8 });
  const best: RequestCost[] = [];
  // In the round before the first one, the nodes compile.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { kind, connections }] of cases.entries()) {
      const cost = await measure(kind, connections);
      const { serve, apply } = (round > 1 ? best[index] : undefined) ?? cost;
      best[index] = { ...cost, serve: Math.min(serve, cost.serve), apply: Math.min(apply, cost.apply) };
    }
  }
  client.destroy();
  await stopAll();
  return best;
}
