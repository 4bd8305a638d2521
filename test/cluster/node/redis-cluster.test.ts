import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../support/ports.js';
import { Command, MAIN } from '../../tools/cli/cli.js';
import { hasRedis, type RedisServer } from '../redis.js';
import { clientOf, redisForTest, send, startNode } from './nodes.js';

const PREFIX = 'team';
const LAST_SLOT = 16_383;

type Node = { readonly url: string };
const create = async (node: Node, name: string) => (await send(node, 'POST', '/v1/vals', { name, code: '1' })).status;
const names = async (node: Node) => (await clientOf(node).state()).vals.map(({ name }) => name);

interface Shard extends RedisServer {
  readonly id: string;
  readonly busPort: string;
}

async function startShard(): Promise<Shard> {
  const busPort = String(await findFreePort());
  const flags = ['--cluster-enabled', 'yes', '--cluster-port', busPort, '--cluster-node-timeout', '500'];
  const server = await redisForTest([...flags, '--appendonly', 'no', '--repl-diskless-sync-delay', '0']);
  const [, id = ''] = (await server.send('CLUSTER', 'MYID')).split('\r\n');
  return { ...server, id, busPort };
}

const join = (shard: Shard, { port, busPort }: Shard) =>
  shard.send('CLUSTER', 'MEET', '127.0.0.1', String(port), busPort);
const readInfo = (shard: Shard) => shard.send('CLUSTER', 'INFO');

/** How many bytes of the log of replication a server has. */
const readOffset = async (shard: Shard) =>
  Number(/master_repl_offset:(\d+)/.exec(await shard.send('INFO', 'replication'))?.[1]);

/** Starts a Redis Cluster of three primaries. @returns the one with the keys of the prefix first */
async function startCluster() {
  const shards = await Promise.all([startShard(), startShard(), startShard()]);
  const [first] = shards;
  for (const [i, shard] of shards.entries()) {
    const [start, end] = [i, i + 1].map((part) => Math.floor((part * (LAST_SLOT + 1)) / shards.length));
    await shard.send('CLUSTER', 'ADDSLOTSRANGE', String(start), String((end ?? 0) - 1));
    if (shard !== first) await join(first, shard);
  }
  for (const shard of shards) await expect.poll(() => readInfo(shard)).toMatch(/cluster_state:ok[\s\S]*known_nodes:3/);
  const slot = (await first.send('CLUSTER', 'KEYSLOT', `{${PREFIX}}:log`)).slice(1).trim();
  const at = Math.floor((Number(slot) * shards.length) / (LAST_SLOT + 1));
  const [owner = first, other = first] = [...shards.slice(at), ...shards.slice(0, at)];
  return { shards, slot, owner, other };
}

/** Expects the response of a request that was not done. */
async function expectRefusal(node: Node, message: string): Promise<void> {
  await expect
    .poll(async () => {
      const { status, headers, body } = await send(node, 'GET', '/v1/me');
      return { status, retry: headers.get('retry-after'), body };
    })
    .toMatchObject({ status: 503, retry: '1', body: { message: expect.stringContaining(message) } });
}

const expectService = (node: Node) => expect.poll(async () => (await send(node, 'GET', '/v1/me')).status).toBe(200);

describe.skipIf(!hasRedis)('a node of a Redis Cluster', () => {
  test('that has the keys of the prefix is a store, and another one is refused with the right address', async () => {
    const { owner, other } = await startCluster();
    expect(await create(await startNode(owner.url, { storePrefix: PREFIX }), 'one')).toBe(200);
    const flags = ['--store', other.url, '--store-prefix', PREFIX, '--port', '0', '--no-config'];
    const { code, stderr } = await new Command(process.execPath, [MAIN, 'start', ...flags]).end();
    expect(stderr).toContain(
      `${other.url}: is not the node of its Redis Cluster that has the keys of this prefix. That is 127.0.0.1:${owner.port}. Name that node by --store.`,
    );
    expect(code).toBe(2);
    // The prefix alone decides on the node.
    const prefixes = Array.from({ length: 20 }, (_, i) => `team-${i}`);
    const opened = await Promise.all(
      prefixes.map((storePrefix) =>
        startNode(other.url, { storePrefix }).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(new Set(opened).size).toBe(2);
  });

  test('whose slot moves makes requests return 503 until it is back, and no node stops', async () => {
    const { shards, slot, owner, other } = await startCluster();
    const stops: Error[] = [];
    const node = await startNode(owner.url, { storePrefix: PREFIX, onDataError: (error) => void stops.push(error) });
    expect(await create(node, 'one')).toBe(200);
    const move = async (from: Shard, to: Shard) => {
      await to.send('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
      await from.send('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
      const keys = (await from.send('CLUSTER', 'GETKEYSINSLOT', slot, '100')).match(/^\{.*\S/gm) ?? [];
      const send = (...some: readonly string[]) =>
        from.send('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...some);
      const [key = '', ...others] = keys;
      await send(key);
      const finish = async () => {
        await send(...others);
        if (from === owner) await expectRefusal(node, `has the keys of this prefix. That is 127.0.0.1:${to.port}.`);
        for (const shard of shards) await shard.send('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
      };
      return finish;
    };
    const finish = await move(owner, other);
    await expectRefusal(node, 'TRYAGAIN Multiple keys request during rehashing of slot');
    await finish();
    await expectRefusal(node, `has the keys of this prefix. That is 127.0.0.1:${other.port}.`);
    const late = await startNode(other.url, { storePrefix: PREFIX });
    expect(await create(late, 'two')).toBe(200);
    await (await move(other, owner))();
    await expectService(node);
    expect(await create(node, 'three')).toBe(200);
    expect(await names(node)).toEqual(['hello', 'one', 'two', 'three']);
    expect(stops).toEqual([]);
  });

  test('that fails over comes back as a replica, and names the node that has the keys now', async () => {
    const { shards, owner } = await startCluster();
    const replica = await startShard();
    await join(replica, owner);
    for (const shard of shards) await expect.poll(() => readInfo(shard)).toContain('known_nodes:4');
    await expect.poll(() => replica.send('CLUSTER', 'REPLICATE', owner.id)).toBe('+OK\r\n');
    await expect.poll(() => replica.send('INFO', 'replication')).toContain('master_link_status:up');
    const stops: Error[] = [];
    const node = await startNode(owner.url, { storePrefix: PREFIX, onDataError: (error) => void stops.push(error) });
    expect(await create(node, 'one')).toBe(200);
    // Redis acknowledges a write before its replica has it.
    const written = await readOffset(owner);
    await expect.poll(() => readOffset(replica)).toBeGreaterThanOrEqual(written);
    await owner.kill();
    await expectRefusal(node, `connect ECONNREFUSED 127.0.0.1:${owner.port}`);
    await expect.poll(() => replica.send('ROLE')).toContain('master');
    await owner.start();
    await expectRefusal(node, `That is 127.0.0.1:${replica.port}.`);
    expect(await names(await startNode(replica.url, { storePrefix: PREFIX }))).toEqual(['hello', 'one']);
    expect(stops).toEqual([]);
  });

  test('makes requests return 503 while its cluster is down', async () => {
    const { owner, other } = await startCluster();
    const node = await startNode(owner.url, { storePrefix: PREFIX });
    await other.kill();
    await expectRefusal(node, 'CLUSTERDOWN The cluster is down');
    await expect(startNode(owner.url, { storePrefix: PREFIX })).rejects.toThrow(
      /: CLUSTERDOWN The cluster is down\. Start the emulator again when Redis accepts commands\.$/,
    );
    await other.start();
    await expectService(node);
    expect(await create(node, 'one')).toBe(200);
  });
});
