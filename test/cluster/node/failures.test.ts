import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RedisLog } from '#cluster/redis-log.js';
import { BEGIN, KEYS, REPLACE } from '#cluster/redis-scripts.js';
import { formatEntry } from '#cluster/shared-log.js';
import { systemTimers } from '#engine/platform/system-timers.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Emulator } from '../../../src/index.js';
import { hasRedis } from '../redis.js';
import { clientOf, redisForTest, send, startNode, startNodes } from './nodes.js';

const create = (node: Emulator, name: string) => send(node, 'POST', '/v1/vals', { name, code: '1' });
const names = async (node: Emulator) => (await clientOf(node).state()).vals.map(({ name }) => name);

// What happens when the store is away, has lost something, or has what it should not have.
describe.skipIf(!hasRedis)('a shared store', () => {
  test('that is gone makes reads and writes return 503 with Retry-After until it is back', async () => {
    const redis = await redisForTest();
    const warnings: string[] = [];
    const [a, b] = await startNodes(redis.url, 2, { onWarning: (message) => warnings.push(message) });
    if (!a || !b) throw new Error('there are two');
    await create(a, 'one');
    await redis.kill();
    const before = await send(a, 'GET', '/v1/me');
    for (const [method, path, body] of [
      ['GET', '/v1/me'],
      ['POST', '/v1/vals', { code: '1' }],
      ['GET', '/_emulator/state'],
    ] as const) {
      const { status, headers, body: error } = await send(a, method, path, body);
      expect({ status, retry: headers.get('retry-after') }).toEqual({ status: 503, retry: '1' });
      expect(error.message).toMatch(/^The shared store cannot be reached: redis:\/\/127\.0\.0\.1:\d+\/0 /);
    }
    expect(before.status).toBe(503);
    const health = await send(a, 'GET', '/_emulator/health');
    expect(health.status).toBe(503);
    expect(health.body.message).toMatch(/cannot be reached/);
    expect((await send(a, 'GET', '/_emulator/ready')).status).toBe(503);
    expect(await fetch(`${a.url}/_emulator/metrics`).then((response) => response.text())).toContain(
      'val_emulator_store_up 0',
    );
    await redis.start();
    await expect.poll(async () => (await send(a, 'GET', '/v1/me')).status).toBe(200);
    await expect.poll(async () => (await send(b, 'GET', '/_emulator/health')).status).toBe(200);
    expect(await names(b)).toEqual(['hello', 'one']);
    expect((await create(b, 'two')).status).toBe(200);
    expect(await names(a)).toEqual(['hello', 'one', 'two']);
    expect(warnings.join('\n')).toMatch(/cannot be reached.*Requests get a 503 until it is back\./);
    expect(warnings.filter((warning) => warning === 'The shared store is back.')).toHaveLength(2);
  });

  test('that stops for a moment responds later, and repeats no write', async () => {
    const redis = await redisForTest();
    const [a, b] = await startNodes(redis.url, 2);
    if (!a || !b) throw new Error('there are two');
    redis.pause();
    const waiting = Promise.all([create(a, 'one'), create(b, 'two'), create(a, 'three')]);
    setTimeout(() => redis.resume(), 500);
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await names(a)).sort()).toEqual(['hello', 'one', 'three', 'two']);
  });

  test('that accepts connections and responds to nothing is gone, for requests, ends and starts', async () => {
    const redis = await redisForTest();
    const [a, b] = await startNodes(redis.url, 2);
    if (!a || !b) throw new Error('there are two');
    redis.pause();
    try {
      const [{ status, body }, , start] = await Promise.all([
        create(a, 'one'),
        b.close(),
        startNode(redis.url).catch((error: unknown) => error),
      ]);
      expect({ status, message: body.message }).toMatchObject({
        status: 503,
        message: expect.stringMatching('may have'),
      });
      expect(String(start)).toMatch(/cannot be reached: it does not respond in 5 s\. Start Redis there/);
    } finally {
      redis.resume();
    }
    await expect.poll(async () => (await send(a, 'GET', '/v1/me')).status).toBe(200);
    expect(['hello', 'one']).toEqual(expect.arrayContaining(await names(a)));
  });

  test('whose connections are cut applies no write twice and loses none', async () => {
    const redis = await redisForTest();
    const [a, b] = await startNodes(redis.url, 2);
    if (!a || !b) throw new Error('there are two');
    let isDone = false;
    const cutting = (async () => {
      while (!isDone) {
        await redis.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    const statuses: number[] = [];
    const made: string[] = [];
    for (let i = 0; i < 60; i++) {
      const { status, body } = await create(i % 2 ? a : b, `val${i}`);
      statuses.push(status);
      if (status === 200) made.push(body.name);
    }
    isDone = true;
    await cutting;
    await expect.poll(async () => (await send(a, 'GET', '/v1/me')).status).toBe(200);
    await expect.poll(async () => (await send(b, 'GET', '/v1/me')).status).toBe(200);
    const found = await names(b);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(made));
    expect(made.length).toBeGreaterThan(5);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  });

  test('without memory makes requests return 503 until it has some', async () => {
    const redis = await redisForTest();
    const [a] = await startNodes(redis.url, 1);
    if (!a) throw new Error('there is one');
    await redis.send('CONFIG', 'SET', 'maxmemory', '1');
    const { status, body } = await create(a, 'one');
    // It was not done, so it does not say that it may have been.
    const message = expect.stringMatching(/^The shared store cannot be reached: redis:\S+ OOM /);
    expect({ status, message: body.message }).toEqual({ status: 503, message });
    await redis.send('CONFIG', 'SET', 'maxmemory', '0');
    await expect.poll(async () => (await send(a, 'GET', '/v1/me')).status).toBe(200);
    expect((await create(a, 'two')).status).toBe(200);
    expect(await names(a)).toEqual(['hello', 'two']);
  });

  test('that is emptied begins again with the seed data, and the nodes report the loss', async () => {
    const redis = await redisForTest();
    const warnings: string[] = [];
    const [a] = await startNodes(redis.url, 1, { onWarning: (message) => warnings.push(message) });
    if (!a) throw new Error('there is one');
    await create(a, 'one');
    await redis.send('FLUSHALL');
    expect(await names(a)).toEqual(['hello']);
    expect(await clientOf(a).requests()).toEqual([]);
    expect(warnings.join()).toMatch(/the shared store was emptied.*This node had 1 entries/);
    expect((await create(a, 'two')).status).toBe(200);
  });

  test('that loses its last entries in a failover makes the nodes drop them, with a report', async () => {
    const redis = await redisForTest();
    const storePrefix = 'failover';
    const warnings: string[] = [];
    const a = await startNode(redis.url, { storePrefix, onWarning: (message) => warnings.push(message) });
    await create(a, 'kept');
    const before = await redis.send('XREVRANGE', '{failover}:log', '+', '-', 'COUNT', '1');
    await create(a, 'lost');
    const lost = /\d+-\d+/.exec(await redis.send('XREVRANGE', '{failover}:log', '+', '-', 'COUNT', '1'))?.[0] ?? '';
    await redis.send('XDEL', '{failover}:log', lost);
    await redis.send('HSET', '{failover}:versions', '', /\d+-\d+/.exec(before)?.[0] ?? '');
    await redis.send('HINCRBY', '{failover}:meta', 'count', '-1');
    // A write of another node, as it comes after a failover, does not hide the loss.
    const b = await startNode(redis.url, { storePrefix });
    await create(b, 'later');
    expect(await names(a)).toEqual(['hello', 'kept', 'later']);
    expect(warnings.join()).toMatch(new RegExp(`has lost entries: ${lost}`));
  });

  test('that breaks the connection while a node drops lost entries does not stop it', async () => {
    const redis = await redisForTest();
    const warnings: string[] = [];
    let isCut = false;
    const proxy = createServer((socket) => {
      const upstream = connect(redis.port, '127.0.0.1').on('error', () => {});
      socket.on('error', () => {}).on('close', () => upstream.destroy());
      socket.pipe(upstream).on('data', (reply) => {
        socket.write(reply);
        if (isCut || !/^\*1\r\n\$5\r\nepoch/.test(String(reply))) return;
        isCut = true;
        socket.end();
      });
    });
    proxy.listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const stops: Error[] = [];
    const [a] = await startNodes(`redis://127.0.0.1:${port}/0`, 1, {
      onWarning: (message) => warnings.push(message),
      onDataError: (error) => void stops.push(error),
    });
    if (!a) throw new Error('there is one');
    await create(a, 'one');
    await redis.send('FLUSHALL');
    await expect.poll(async () => (await send(a, 'GET', '/v1/me')).status).toBe(200);
    expect(await names(a)).toEqual(['hello']);
    expect(isCut).toBe(true);
    expect(stops).toEqual([]);
    expect(warnings.join()).toMatch(/the shared store was emptied/);
  });

  test('that loses a part of a checkpoint, or its last entry, in a failover keeps the one before', async () => {
    const redis = await redisForTest();
    const log = await RedisLog.open({ url: redis.url, prefix: 'failover', node: 'a', timers: systemTimers });
    onTestFinished(() => log.close());
    const readKey = () => redis.send('HGET', '{failover}:meta', 'key');
    await log.begin({ last: '0-0', count: 0, lines: [] });
    await log.load();
    const unit = { seen: new Map([['s', true]]), known: new Set('s'), changed: new Set('s') };
    const lines = [{ type: 'close', sandbox: 's' } as const];
    const { ids = [] } = (await log.exchange({ number: 1, last: '0-0', time: 1, units: [{ ...unit, lines }] })) ?? {};
    const [last = ''] = ids;
    const before = await readKey();
    const keys = KEYS.map((name) => `{failover}:${name}`);
    const part = '{failover}:checkpoint:part';
    await redis.send('RPUSH', part, 'the second of two');
    expect(await redis.send('EVAL', REPLACE, '6', ...keys, last, part, '2', '1')).toBe(':0\r\n');
    expect(await redis.send('EVAL', BEGIN, '1', '{other}:meta', 'e', '1', '1.0.0', part, '2')).toBe(':0\r\n');
    await redis.send('XDEL', '{failover}:log', last);
    await log.replaceCheckpoint({ last, count: 1, lines: [] });
    expect(await readKey()).toBe(before);
  });

  test('keeps no beginning of a checkpoint that could not be written', async () => {
    const redis = await redisForTest();
    const log = await RedisLog.open({ url: redis.url, prefix: 'short', node: 'a', timers: systemTimers });
    onTestFinished(() => log.close());
    function* lines() {
      for (let i = 0; i < 2_000; i++) yield { type: 'close', sandbox: `s${i}` } as const;
      throw new Error('no memory');
    }
    await expect(log.begin({ last: '0-0', count: 0, lines: lines() })).rejects.toThrow('no memory');
    expect(await redis.send('DBSIZE')).toBe(':0\r\n');
  });

  test('that drops data under memory pressure is refused at the start', async () => {
    const redis = await redisForTest(['--maxmemory-policy', 'allkeys-lru']);
    await expect(startNode(redis.url)).rejects.toThrow(
      /maxmemory-policy is allkeys-lru.*Set maxmemory-policy noeviction/,
    );
  });

  test('without an append-only file causes a warning with the line to add', async () => {
    const redis = await redisForTest(['--appendonly', 'no']);
    const warnings: string[] = [];
    await startNode(redis.url, { onWarning: (message) => warnings.push(message) });
    expect(warnings.join()).toMatch(/has no append-only file.*"appendonly yes"/);
  });

  test('that nothing listens at causes an error with its address, without its password', async () => {
    const message = await startNode('redis://user:s3cret@127.0.0.1:1/0').then(String, ({ message }) => message);
    expect(message).toMatch(
      /^redis:\/\/127\.0\.0\.1:1\/0: cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Start Redis there/,
    );
    expect(message).not.toContain('s3cret');
  });

  test('with a password is opened by it, and the password is never printed', async () => {
    const redis = await redisForTest(['--requirepass', 's3cret']);
    const url = redis.url.replace('redis://', 'redis://:s3cret@');
    const a = await startNode(url);
    const texts = [JSON.stringify(a.data), JSON.stringify((await send(a, 'GET', '/_emulator/cluster')).body)];
    const refused = await startNode(redis.url).then(String, ({ message }) => message);
    const wrong = await startNode(url.replace('s3cret', 'wr0ng')).then(String, ({ message }) => message);
    expect([...texts, refused, wrong].join('\n')).not.toMatch(/s3cret|wr0ng/);
    expect(refused).toMatch(/NOAUTH/);
    expect(wrong).toMatch(/WRONGPASS/);
  });

  test('keeps its first settings, and a start with others prints a warning', async () => {
    const redis = await redisForTest();
    const storePrefix = 'settings';
    await startNode(redis.url, { storePrefix, auth: 'lenient' });
    const warnings: string[] = [];
    const b = await startNode(redis.url, { storePrefix, onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining('began with: auth "lenient". The settings of this start')]);
    expect((await send(b, 'GET', '/v1/me', undefined, 'nobody')).status).toBe(200);
  });

  test('in a newer format stops a node, which names the version that it needs', async () => {
    const redis = await redisForTest();
    const storePrefix = 'newer';
    const stops: string[] = [];
    const a = await startNode(redis.url, { storePrefix, onDataError: ({ message }) => stops.push(message) });
    await redis.send('HSET', '{newer}:meta', 'format', '99', 'version', '7.1.0');
    expect(await send(a, 'GET', '/v1/me')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('7.1.0') },
    });
    expect(stops.join()).toContain('7.1.0');
    await expect(startNode(redis.url, { storePrefix })).rejects.toThrow(/newer format.*7\.1\.0/);
  });

  test.each([
    ['a wrong checksum', '00000000 {"node":"x"}', /Entry \d+-\d+ of the shared store is damaged: its checksum/],
    [
      'an unknown kind',
      formatEntry({
        node: 'x',
        exchange: 1,
        unit: 0,
        changed: [],
        lines: [JSON.parse('{"type":"merge","sandbox":""}')],
      }),
      /Entry \d+-\d+ of the shared store cannot be applied: it has an unknown kind of line/,
    ],
  ])('that has an entry with %s stops the nodes, with its id', async (_, entry, message) => {
    const redis = await redisForTest();
    const storePrefix = 'poison';
    const stops: string[] = [];
    const a = await startNode(redis.url, { storePrefix, onDataError: ({ message }) => stops.push(message) });
    await create(a, 'one');
    await redis.send('XADD', '{poison}:log', '*', 'e', entry);
    const { status, body } = await send(a, 'GET', '/v1/me');
    expect(status).toBe(503);
    expect(body.message).toMatch(message);
    expect(stops).toEqual([body.message]);
    expect((await send(a, 'GET', '/_emulator/health')).status).toBe(503);
  });

  test('finds a node that differs, and stops it with a report', async () => {
    const redis = await redisForTest();
    const stops: string[] = [];
    const [a, b] = await startNodes(redis.url, 2, { onDataError: ({ message }) => stops.push(message) });
    if (!a || !b) throw new Error('there are two');
    // A defect, by which one node has another record.
    const { store } = b;
    await create(a, 'one');
    await b.saved();
    const state = toValsState(store.state);
    const [val] = [...state.vals];
    if (!val) throw new Error('there is one');
    const corrupt = { ...val, name: 'other' };
    Object.assign(state, { vals: state.vals.delete(val).put(corrupt) });
    for (let i = 0; i < 1_001; i++) await send(a, 'POST', '/v1/vals', { code: '1' });
    await send(b, 'GET', '/v1/me');
    expect(stops.join()).toMatch(/sandbox "" has the digest [0-9a-f]{32}, and [0-9a-f]{32} on another node/);
    expect((await send(a, 'GET', '/v1/me')).status).toBe(200);
  });

  test('is listed in the cluster', async () => {
    const redis = await redisForTest();
    const [a] = await startNodes(redis.url, 1);
    if (!a) throw new Error('there is one');
    await expect.poll(async () => (await send(a, 'GET', '/_emulator/cluster')).body.nodes.length).toBe(1);
  });
});
