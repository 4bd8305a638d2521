import { describe, expect, onTestFinished, test } from 'vitest';
import { RedisLog } from '#cluster/redis-log.js';
import type { Unit } from '#cluster/shared-log.js';
import { systemTimers } from '#engine/platform/system-timers.js';
import type { Emulator } from '../../../src/index.js';
import { hasRedis, type RedisServer } from '../redis.js';
import { redisForTest, send, startNode } from './nodes.js';

const PREFIX = 'closed';

const hlen = async (redis: RedisServer, key: string) =>
  Number((await redis.send('HLEN', `{closed}:${key}`)).slice(1).trim());

const readCheckpoint = async (redis: RedisServer) =>
  /\d+-\d+/.exec(await redis.send('HGET', '{closed}:meta', 'checkpoint'))?.[0] ?? '';

/** Creates sandboxes by writes to them, and closes all. */
async function openAndClose(node: Emulator, number: number, name: string): Promise<void> {
  const create = (_: unknown, i: number) => send(node, 'POST', `/_sandbox/${name}-${i}/v1/vals`, { code: '1' });
  const created = await Promise.all(Array.from({ length: number }, create));
  expect(created.every(({ status }) => status === 200)).toBe(true);
  const { body } = await send(node, 'DELETE', `/_emulator/sandboxes?prefix=${name}-`);
  expect(body).toEqual({ closed: number });
}

/** Waits until a checkpoint has all entries so far. */
async function waitForCheckpoint(redis: RedisServer): Promise<void> {
  const [last = ''] = /\d+-\d+/.exec(await redis.send('XREVRANGE', '{closed}:log', '+', '-', 'COUNT', '1')) ?? [];
  await expect.poll(() => readCheckpoint(redis)).toBe(last);
}

describe.skipIf(!hasRedis)('a shared store', () => {
  test('keeps no version and no time of any closed sandbox after a checkpoint', async () => {
    const redis = await redisForTest();
    const options = { storePrefix: PREFIX, storeGrowth: 1 };
    const node = await startNode(redis.url, options);
    expect((await send(node, 'POST', '/_sandbox/open/v1/vals', { name: 'kept', code: '1' })).status).toBe(200);
    for (let i = 0; i < 3; i++) await openAndClose(node, 100, `job-${i}`);
    await waitForCheckpoint(redis);
    // The default sandbox.
    expect({ versions: await hlen(redis, 'versions'), times: await hlen(redis, 'times') }).toEqual({
      versions: 1,
      times: 0,
    });
    // Requests to closed sandboxes leave nothing, and are refused by all nodes, also by one that starts later.
    const late = await startNode(redis.url, options);
    for (const each of [node, late]) {
      const { status, body } = await send(each, 'GET', '/_sandbox/job-1-7/v1/me');
      expect([status, body.message]).toEqual([404, expect.stringContaining('Sandbox "job-1-7" is closed')]);
      expect((await send(each, 'GET', '/_sandbox/open/v1/alias/ada/kept')).status).toBe(200);
    }
    expect(await redis.send('HEXISTS', '{closed}:times', 'job-1-7')).toBe(':0\r\n');
    // One that is created again is another one, on all nodes.
    expect((await send(late, 'POST', '/_emulator/sandboxes', { name: 'job-1-7' })).status).toBe(200);
    for (const each of [node, late]) {
      const { id } = (await send(each, 'GET', '/_sandbox/job-1-7/v1/me')).body;
      const { body } = await send(each, 'GET', `/_sandbox/job-1-7/v1/users/${id}/vals`);
      expect(body.data.map(({ name }: { readonly name: string }) => name)).toEqual(['hello']);
    }
  });

  test('does not create a closed sandbox again on a node that has not seen the close', async () => {
    const redis = await redisForTest();
    const options = { storePrefix: PREFIX, storeGrowth: 1 };
    const a = await startNode(redis.url, options);
    const b = await startNode(redis.url, options);
    for (let round = 0; round < 3; round++) {
      const write = (node: Emulator) => send(node, 'POST', `/_sandbox/job-${round}/v1/vals`, { code: '1' });
      expect((await write(b)).status).toBe(200);
      expect((await send(a, 'DELETE', `/_emulator/sandboxes/job-${round}`)).status).toBe(204);
      await waitForCheckpoint(redis);
      const { status, body } = await write(b);
      expect([status, body.message]).toEqual([404, expect.stringContaining(`Sandbox "job-${round}" is closed`)]);
    }
  });

  test('keeps no seed data of closed sandboxes', async () => {
    const redis = await redisForTest();
    const node = await startNode(redis.url, { storePrefix: PREFIX, storeGrowth: 1 });
    for (let i = 0; i < 5; i++) {
      await send(node, 'PUT', '/_sandbox/seeded/_emulator/seed', { users: [{ username: `user${i}` }] });
    }
    await send(node, 'DELETE', '/_emulator/sandboxes');
    await waitForCheckpoint(redis);
    expect(await hlen(redis, 'versions')).toBe(1);
  });
});

describe.skipIf(!hasRedis)('a log, after a checkpoint that drops the versions of sandboxes', () => {
  const unit = (name: string, isKnown = true): Unit => ({
    seen: new Map([[name, true]]),
    known: new Set(isKnown ? [name] : []),
    changed: new Set([name]),
    lines: [{ type: 'close', sandbox: name }],
  });

  async function openLogs(redis: RedisServer) {
    const open = async (node: string) => {
      const log = await RedisLog.open({ url: redis.url, prefix: PREFIX, node, timers: systemTimers });
      onTestFinished(() => log.close());
      return log;
    };
    const [a, b] = [await open('a'), await open('b')];
    expect(await a.begin({ last: '0-0', count: 0, lines: [] })).toBe(true);
    for (const log of [a, b]) await log.load();
    return [a, b] as const;
  }

  test('refuses a node that has not read its entries, and appends nothing', async () => {
    const redis = await redisForTest();
    const [a, b] = await openLogs(redis);
    const time = 1_000;
    const first = await a.exchange({ number: 1, last: '0-0', time, units: [unit('s')] });
    const id = first?.ids[0] ?? '';
    await a.replaceCheckpoint({ last: id, count: 1, lines: [] });
    expect(await hlen(redis, 'versions')).toBe(1);
    expect(await b.exchange({ number: 1, last: '0-0', time, units: [unit('s'), unit('t', false)] })).toBeUndefined();
    // At the checkpoint nothing is missed, whatever the node knew of the sandbox.
    expect((await b.load())?.last).toBe(id);
    const { ids } = (await b.exchange({ number: 2, last: id, time, units: [unit('s')] })) ?? {};
    expect(ids).toEqual([expect.stringMatching(/^\d+-\d+$/)]);
  });

  test('refuses a unit whose sandbox has a later change, and not the units of others', async () => {
    const redis = await redisForTest();
    const [a, b] = await openLogs(redis);
    const time = 1_000;
    const first = await a.exchange({ number: 1, last: '0-0', time, units: [unit('s')] });
    const id = first?.ids[0] ?? '';
    await a.replaceCheckpoint({ last: id, count: 1, lines: [] });
    // Created again.
    const second = await a.exchange({ number: 2, last: id, time, units: [unit('s', false)] });
    const result = await b.exchange({ number: 1, last: id, time, units: [unit('s'), unit('t', false)] });
    expect(result?.entries.map((entry) => entry.id)).toEqual(second?.ids);
    expect(result?.ids).toEqual([undefined, expect.stringMatching(/^\d+-\d+$/)]);
  });

  test('never sets back the time of a sandbox', async () => {
    const redis = await redisForTest();
    const [a, b] = await openLogs(redis);
    const first = await a.exchange({ number: 1, last: '0-0', time: 5_000, units: [unit('s')] });
    const id = first?.ids[0] ?? '';
    await a.replaceCheckpoint({ last: id, count: 1, lines: [] });
    expect(await hlen(redis, 'times')).toBe(0);
    const early = await b.exchange({ number: 1, last: id, time: 4_999, units: [unit('s')] });
    expect([early?.ids, early?.time]).toEqual([[undefined], 5_000]);
    const later = await b.exchange({ number: 2, last: id, time: 5_000, units: [unit('s')] });
    expect(later?.ids).toEqual([expect.stringMatching(/^\d+-\d+$/)]);
  });
});
