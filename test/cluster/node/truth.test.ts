import { beforeAll, describe, expect, test } from 'vitest';
import { systemTimers } from '#engine/platform/system-timers.js';
import type { Emulator } from '../../../src/index.js';
import { boundBytes } from '../../support/bytes.js';
import { readDatabase, sqlOf } from '../../support/sql.js';
import { hasRedis, type RedisServer, startRedis } from '../redis.js';
import { clientOf, send, startNode, startNodes } from './nodes.js';

// What one node does, the other one shows in the next request.
describe.skipIf(!hasRedis)('two nodes on one store', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    return () => redis.stop();
  });
  const twoNodes = async (options = {}): Promise<[Emulator, Emulator]> => {
    const [a, b] = await startNodes(redis.url, 2, options);
    if (!a || !b) throw new Error('there are two');
    return [a, b];
  };
  /** Without what only the node knows that has sent the response. */
  const listRequests = async (node: Emulator) =>
    (await clientOf(node).requests()).map(({ duration: _, outcome: __, ...request }) => request);
  const create = (node: Emulator, name: string) => send(node, 'POST', '/v1/vals', { name, code: '1' });

  test('a val that one creates is read from the other', async () => {
    const [a, b] = await twoNodes();
    const created = await create(a, 'one');
    expect(created.status).toBe(200);
    const read = await send(b, 'GET', `/v1/vals/${created.body.id}`);
    expect(read.body).toMatchObject({ id: created.body.id, name: 'one' });
  });

  test('a database that both write in turn is the same on both, and on a third', async () => {
    const [a, b] = await twoNodes({ storePrefix: 'databases' });
    await sqlOf(a).all('CREATE TABLE notes (id INTEGER PRIMARY KEY, node)');
    for (let i = 0; i < 6; i++)
      await sqlOf(i % 2 ? a : b).all(`INSERT INTO notes (node) VALUES (${i % 2})`, 'UPDATE notes SET node = node + 10');

    const database = await readDatabase(a);
    expect(database).toMatchObject({
      check: 'ok',
      contents: {
        notes: [
          [1, 60],
          [2, 51],
          [3, 40],
          [4, 31],
          [5, 20],
          [6, 11],
        ],
      },
    });
    expect(await readDatabase(b)).toStrictEqual(database);
    expect(await readDatabase(await startNode(redis.url, { storePrefix: 'databases' }))).toStrictEqual(database);
  });

  test('concurrent writes of two nodes to one database are all kept', async () => {
    const [a, b] = await twoNodes();
    await sqlOf(a).all('CREATE TABLE notes (id INTEGER PRIMARY KEY, text)');

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sqlOf(i % 2 ? a : b).execute(`INSERT INTO notes (text) VALUES ('${i}')`)),
    );

    expect(results.map(({ status }) => status)).toStrictEqual(Array(20).fill(200));
    expect(await sqlOf(a).rows('SELECT count(*), count(DISTINCT text), max(id) FROM notes')).toStrictEqual([
      [20, 20, 20],
    ]);
    expect(await readDatabase(b)).toStrictEqual(await readDatabase(a));
  });

  test('ids and names continue: no two vals have the same', async () => {
    const [a, b] = await twoNodes();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send(i % 2 ? a : b, 'POST', '/v1/vals', { code: '1' })),
    );
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(20);
    expect(new Set(made.map(({ body }) => body.name)).size).toBe(20);
  });

  test('the journal of each has the requests of both, in one order with ids of their own', async () => {
    const [a, b] = await twoNodes();
    await Promise.all(Array.from({ length: 10 }, (_, i) => send(i % 2 ? a : b, 'GET', '/v1/me')));
    await send(a, 'GET', '/v1/missing');
    const requests = await listRequests(b);
    expect(requests.map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, i) => `r${i + 1}`));
    expect(await listRequests(a)).toEqual(requests);
    await clientOf(b).expectRequest('GET /v1/me', { times: 10 });
    expect((await clientOf(b).unhandled()).map(({ path }) => path)).toEqual(['/v1/missing']);
  });

  test('a fault with times: 2 is injected twice in all', async () => {
    const [a, b] = await twoNodes();
    await clientOf(a).fail('GET /v1/me', { status: 500, times: 2 });
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, i) => send(i % 2 ? a : b, 'GET', '/v1/me')));
    expect(statuses.filter(({ status }) => status === 500)).toHaveLength(2);
    expect((await clientOf(b).faults())[0]).toMatchObject({ hits: 2, remaining: 0 });
  });

  test('a limit of 5 accepts 5 requests in all', async () => {
    const [a, b] = await twoNodes({ rateLimit: { limit: 5, window: '1m' } });
    const responses = await Promise.all(Array.from({ length: 16 }, (_, i) => send(i % 2 ? a : b, 'GET', '/v1/me')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(11);
  });

  test('the clock advances on both at once', async () => {
    const [a, b] = await twoNodes();
    await clientOf(a).clock.freeze('2030-01-01T00:00:00Z');
    await clientOf(b).clock.advance('1h');
    expect(await clientOf(a).clock.read()).toEqual({ now: '2030-01-01T01:00:00.000Z', frozen: true });
    expect((await create(a, 'late')).body.createdAt).toBe('2030-01-01T01:00:00.000Z');
  });

  test('a running clock never goes back from one node to the other', async () => {
    const [a, b] = await twoNodes({ now: undefined });
    let last = '';
    for (let i = 0; i < 60; i++) {
      const { now } = await clientOf(i % 2 ? a : b).clock.read();
      expect(now >= last).toBe(true);
      last = now;
    }
  });

  test('commits to different sandboxes have no conflicts', async () => {
    const [a, b] = await twoNodes({ now: undefined });
    await clientOf(a).sandbox('one');
    await clientOf(a).sandbox('two');
    const countConflicts = async (node: Emulator) => {
      const text = await (await fetch(`${node.url}/_emulator/metrics`)).text();
      return Number(/^val_emulator_store_conflicts_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = (await countConflicts(a)) + (await countConflicts(b));
    await Promise.all(
      [`${a.url}/_sandbox/one`, `${b.url}/_sandbox/two`].map(async (url) => {
        const inside = { url };
        for (let n = 0; n < 100; n++) expect((await send(inside, 'POST', '/v1/vals', { code: '1' })).status).toBe(200);
      }),
    );
    expect((await countConflicts(a)) + (await countConflicts(b)) - before).toBeLessThanOrEqual(2);
  });

  test('both nodes have a reset, snapshots, a rewind and other seed data', async () => {
    const [a, b] = await twoNodes();
    const ids = async (node: Emulator) => (await clientOf(node).state()).vals.map(({ name }) => name);
    await create(a, 'one');
    await clientOf(b).snapshot('with one');
    await create(a, 'two');
    await create(b, 'three');
    expect(await ids(a)).toEqual(['hello', 'one', 'two', 'three']);
    await clientOf(a).rewind(1);
    expect(await ids(b)).toEqual(['hello', 'one', 'two']);
    await clientOf(b).restore('with one');
    expect(await ids(a)).toEqual(['hello', 'one']);
    await clientOf(a).reset({ confirm: true });
    expect(await ids(b)).toEqual(['hello']);
    expect(await clientOf(b).requests()).toEqual([]);
    const other = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'other', code: '2' }] };
    await clientOf(b).reseed(other, { confirm: true });
    expect(await ids(a)).toEqual(['other']);
    expect((await create(b, 'after')).status).toBe(200);
    await clientOf(a).reset({ confirm: true });
    expect(await ids(b)).toEqual(['other']);
  });

  test('a sandbox that one creates is used on the other, and closed there', async () => {
    const [a, b] = await twoNodes();
    const { name } = await clientOf(a).sandbox();
    const inB = { url: `${b.url}/_sandbox/${name}` };
    expect((await send(inB, 'POST', '/v1/vals', { name: 'apart', code: '1' })).status).toBe(200);
    const fork = await clientOf({ url: `${a.url}/_sandbox/${name}` }).fork('copy');
    expect((await fork.state()).vals.map(({ name }) => name)).toEqual(['hello', 'apart']);
    expect((await clientOf(b).sandboxes()).map(({ name }) => name)).toEqual([name, 'copy']);
    await clientOf(a).closeSandboxes();
    expect(await clientOf(b).sandboxes()).toEqual([]);
    expect((await send(inB, 'GET', '/v1/me')).status).toBe(404);
    expect(await clientOf(b).sandbox(name)).toBeDefined();
    expect((await send({ url: `${a.url}/_sandbox/${name}` }, 'GET', '/v1/me')).status).toBe(200);
  });

  test('the last use of a sandbox counts all nodes, reads included', async () => {
    const [a, b] = await twoNodes({ now: undefined });
    const { name } = await clientOf(a).sandbox();
    for (let i = 0; i < 6; i++) {
      await send({ url: `${i % 2 ? a.url : b.url}/_sandbox/${name}` }, 'GET', '/v1/me');
      const [one, two] = [await clientOf(a).sandboxes(), await clientOf(b).sandboxes()];
      expect(one.map(({ lastUse, requests }) => [lastUse, requests])).toEqual(
        two.map(({ lastUse, requests }) => [lastUse, requests]),
      );
    }
  });

  test('fixtures that one node reloads reach both, and the resets of their followers', async () => {
    const [a, b] = await twoNodes();
    await clientOf(b).sandbox('follower');
    await a.reload({ users: [{ username: 'ada' }], vals: [] });
    expect((await clientOf(b).state()).vals).toEqual([]);
    const follower = clientOf({ url: `${b.url}/_sandbox/follower` });
    expect((await follower.state()).vals).toHaveLength(1);
    await follower.reset();
    expect((await follower.state()).vals).toEqual([]);
  });

  test('a node that joins has what the others have: data, history, snapshots, journal and closed names', async () => {
    const storePrefix = `joins-${process.pid}`;
    const a = await startNode(redis.url, { storePrefix, storeGrowth: 5 });
    for (const name of ['one', 'two', 'three']) await create(a, name);
    await clientOf(a).snapshot('three');
    await clientOf(a).sandbox('other');
    await (await clientOf(a).sandbox('gone')).close();
    await clientOf(a).rewind(1);
    await expect.poll(() => redis.send('HGET', `{${storePrefix}}:meta`, 'checkpointCount')).not.toBe('$1\r\n0\r\n');
    await create(a, 'four');
    const b = await startNode(redis.url, { storePrefix, fixtures: 'empty' });
    const tell = async (node: Emulator) => {
      const client = clientOf(node);
      const state = await client.state({ tokens: true });
      const [history, snapshots, requests] = [
        await client.history(),
        await client.snapshots(),
        await listRequests(node),
      ];
      const sandboxes = (await client.sandboxes()).map(({ name }) => name);
      const gone = await send({ url: `${node.url}/_sandbox/gone` }, 'GET', '/v1/me');
      return { state, history, snapshots, requests, sandboxes, gone: gone.body };
    };
    expect(await tell(b)).toEqual(await tell(a));
    const [next, later] = [await create(b, 'five'), await create(a, 'six')];
    expect([next.status, later.status]).toEqual([200, 200]);
    expect(await tell(a)).toEqual(await tell(b));
  });

  test('commits that went to make room are gone on all nodes, and on a third', async () => {
    const storePrefix = `bytes-${process.pid}`;
    const [a, b] = await twoNodes({ storePrefix, storeGrowth: 5 });
    boundBytes(a, 20_000);
    for (const path of ['', '/_sandbox/other']) {
      for (let i = 0; i < 12; i++) {
        const url = `${a.url}${path}/v1/blob/a`;
        const init = { method: 'POST', headers: { authorization: 'Bearer ada-token' }, body: new Uint8Array(1_000) };
        expect((await fetch(url, init)).status).toBe(201);
      }
    }
    await expect.poll(() => redis.send('HGET', `{${storePrefix}}:meta`, 'checkpointCount')).not.toBe('$1\r\n0\r\n');
    const c = await startNode(redis.url, { storePrefix });
    const tell = async ({ url }: Emulator) => {
      const clients = ['', '/_sandbox/other'].map((path) => clientOf({ url: url + path }));
      return Promise.all(clients.map(async (each) => (await each.history()).map(({ id }) => id)));
    };
    const held = await tell(a);
    expect(held.map((ids) => ids.length < 12 && ids.length > 5)).toEqual([true, true]);
    expect(held.map((ids) => ids.at(-1))).toEqual(['r12', 'r12']);
    expect([await tell(b), await tell(c)]).toEqual([held, held]);
    const [ids = [], [first = ''] = []] = held;
    for (const node of [a, b, c])
      expect((await send(node, 'POST', '/_emulator/rewind', { before: 'r1' })).status).toBe(404);
    expect((await send(c, 'POST', '/_emulator/rewind', { before: ids[2] })).status).toBe(200);
    await clientOf({ url: `${b.url}/_sandbox/other` }).rewind(first);
    const left = [ids.slice(0, 2), []];
    expect([await tell(a), await tell(b), await tell(c)]).toEqual([left, left, left]);
  });

  test('seed data that no sandbox uses is dropped by all nodes, and is back when it is used again', async () => {
    const storePrefix = `seeds-${process.pid}`;
    const a = await startNode(redis.url, { storePrefix, storeGrowth: 3 });
    const [one, two] = [{ users: [{ username: 'ada' }] }, { users: [{ username: 'ada' }, { username: 'lin' }] }];
    for (let i = 0; i < 3; i++) {
      await clientOf(a).reseed(i % 2 ? two : one, { confirm: true });
      await create(a, 'val');
    }
    await expect.poll(() => redis.send('HGET', `{${storePrefix}}:meta`, 'checkpointCount')).not.toBe('$1\r\n0\r\n');
    // A node that joins has no seed data that were dropped.
    const b = await startNode(redis.url, { storePrefix });
    await clientOf(a).reseed(two, { confirm: true });
    await clientOf(b).sandbox('with-two');
    await clientOf(a).reseed(one, { confirm: true });
    await (await clientOf(a).sandbox('with-two')).reset();
    const users = async (node: Emulator, path = '') => (await clientOf({ url: node.url + path }).users).length;
    expect([await users(a), await users(b)]).toEqual([1, 1]);
    expect([await users(a, '/_sandbox/with-two'), await users(b, '/_sandbox/with-two')]).toEqual([2, 2]);
  });

  test('the cluster lists its nodes with their lag, without those that have left', async () => {
    const [a, b] = await twoNodes();
    await create(a, 'one');
    await expect.poll(async () => (await send(b, 'GET', '/_emulator/cluster')).body.nodes.length).toBe(2);
    const { body } = await send(a, 'GET', '/_emulator/cluster');
    expect(body).toMatchObject({ store: redis.url, entries: 1 });
    await b.close();
    expect((await send(a, 'GET', '/_emulator/cluster')).body.nodes.map(({ id }: { id: string }) => id)).toEqual([
      body.node,
    ]);
  });

  test('local reads return the state that the node has, and are in the journal', async () => {
    const [a, b] = await twoNodes({ reads: 'local' });
    for (let i = 0; i < 5; i++) await send(a, 'GET', '/v1/me');
    await expect.poll(async () => (await clientOf(b).requests()).length).toBe(5);
    await create(b, 'one');
    await a.saved();
    expect((await send(a, 'GET', '/v1/vals/ada/one')).status).toBe((await send(b, 'GET', '/v1/vals/ada/one')).status);
  });

  test('a local read of a node that was stopped is not old', async () => {
    let stopped = 0;
    // It does not look at the log by itself.
    const setInterval = () => ({ cancel: () => {}, unref: () => {} });
    const timers = { ...systemTimers, uptime: () => systemTimers.uptime() + stopped, setInterval };
    const [a, b] = await twoNodes({ reads: 'local', timers });
    const has = async () => (await send(b, 'GET', '/v1/alias/ada/one')).status;
    expect(await has()).toBe(404);
    await create(a, 'one');
    expect(await has()).toBe(404);
    stopped = 3_000;
    expect(await has()).toBe(200);
  });

  test('a reset and other seed data take effect during writes to both nodes', async () => {
    const [a, b] = await twoNodes();
    let isDone = false;
    // The generated data have no ada.
    const writing = [a, b].map(async (node) => {
      while (!isDone) expect([200, 401]).toContain((await send(node, 'POST', '/v1/vals', { code: '1' })).status);
    });
    for (let i = 0; i < 5; i++) {
      await clientOf(i % 2 ? a : b).reset({ confirm: true });
      await clientOf(i % 2 ? b : a).reseed({ generate: { users: 3, vals: 30, runs: 300 } }, { confirm: true });
    }
    isDone = true;
    await Promise.all(writing);
    expect(await clientOf(a).state()).toEqual(await clientOf(b).state());
  });
});
