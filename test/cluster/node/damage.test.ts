import { describe, expect, test } from 'vitest';
import { Command, MAIN } from '../../tools/cli/cli.js';
import { hasRedis, type RedisServer } from '../redis.js';
import { redisForTest, send, startNode } from './nodes.js';

const PREFIX = 'damaged';
const CHECKPOINT = 'shared store is damaged: its checkpoint is missing, the key {damaged}:checkpoint:';

const create = (node: { readonly url: string }, name: string) =>
  send(node, 'POST', '/v1/vals', { name, code: '1', privacy: 'public' });

/** Returns a field of what Redis says about itself. */
async function readInfo(redis: RedisServer, section: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await redis.send('INFO', section))?.[1] ?? 0);
}
const countCalls = (redis: RedisServer) => readInfo(redis, 'commandstats', /cmdstat_evalsha:calls=(\d+)/);

async function deleteCheckpoint(redis: RedisServer): Promise<void> {
  const [key = ''] = /\{damaged\}:checkpoint:\S+/.exec(await redis.send('HGET', '{damaged}:meta', 'key')) ?? [];
  expect(await redis.send('DEL', key)).toBe(':1\r\n');
}

/** Each way to lose one key, and the name of the key. */
const LOSSES = [
  ['whose log is trimmed', ['XTRIM', '{damaged}:log', 'MAXLEN', '0'], '{damaged}:log lacks entries (3)'],
  ['whose log is deleted', ['DEL', '{damaged}:log'], '{damaged}:log lacks entries (3)'],
  ['whose versions are deleted', ['DEL', '{damaged}:versions'], '{damaged}:versions is missing'],
] as const;

// One key of the store is lost, and the others are not: by hand, or by another program.
describe.skipIf(!hasRedis)('a shared store', () => {
  test.each(LOSSES)('%s stops the nodes, which name the missing part', async (_, command, expected) => {
    const redis = await redisForTest();
    const stops: string[] = [];
    const options = { storePrefix: PREFIX, onDataError: ({ message }: Error) => void stops.push(message) };
    const nodes = [await startNode(redis.url, options), await startNode(redis.url, options)] as const;
    for (const name of ['one', 'two', 'three']) expect((await create(nodes[0], name)).status).toBe(200);
    await nodes[1].saved();
    const [last = ''] = /\d+-\d+/.exec(await redis.send('XREVRANGE', '{damaged}:log', '+', '-', 'COUNT', '1')) ?? [];
    expect(await redis.send(...command)).toMatch(/^:[13]\r\n/);
    const calls = await countCalls(redis);
    // At once, all of them.
    const responses = await Promise.all(
      nodes.flatMap((node) => [
        create(node, 'four'),
        send(node, 'GET', '/v1/me'),
        send(node, 'GET', '/_emulator/state'),
      ]),
    );
    for (const { status, body } of responses) {
      expect({ status, message: body.message }).toEqual({ status: 503, message: expect.stringContaining(expected) });
      expect(body.message).toContain(`this node has read up to ${last}. Restore Redis from a backup`);
    }
    for (const node of nodes) {
      for (const path of ['/_emulator/health', '/_emulator/ready']) {
        const { status, body } = await send(node, 'GET', path);
        expect([path, status, body.message]).toEqual([path, 503, expect.stringContaining(expected)]);
      }
    }
    expect(stops).toHaveLength(2);
    for (const node of nodes) await node.close();
    // Without an end it were thousands.
    expect((await countCalls(redis)) - calls).toBeLessThan(20);
    // A node that joins now does not hide the loss.
    const late = await startNode(redis.url, options);
    expect(await create(late, 'five')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining(expected) },
    });
  });

  test('whose log is trimmed stops the nodes without a request, within some seconds', async () => {
    const redis = await redisForTest();
    const node = await startNode(redis.url, { storePrefix: PREFIX });
    await create(node, 'one');
    expect((await send(node, 'GET', '/_emulator/health')).status).toBe(200);
    await redis.send('XTRIM', '{damaged}:log', 'MAXLEN', '0');
    await expect.poll(async () => (await send(node, 'GET', '/_emulator/health')).status).toBe(503);
  });

  test('whose log is trimmed ends the command with exit code 1, unless a signal ends it', async () => {
    const redis = await redisForTest();
    const flags = ['--store', redis.url, '--store-prefix', PREFIX, '--port', '0', '--json', '--no-config'];
    const command = new Command(process.execPath, [MAIN, 'start', ...flags]);
    const other = new Command(process.execPath, [MAIN, 'start', ...flags]);
    const { url } = JSON.parse((await command.prints(/.*\n/))[0]);
    await other.prints(/.*\n/);
    expect((await create({ url }, 'one')).status).toBe(200);
    await redis.send('XTRIM', '{damaged}:log', 'MAXLEN', '0');
    const pending = send({ url }, 'GET', '/v1/me').catch(() => undefined);
    const ended = await Promise.all([command.end(), other.kill('SIGTERM')]);
    await pending;
    expect(ended[0].code).toBe(1);
    expect(ended[0].stderr).toContain('{damaged}:log lacks entries (1)');
    expect(ended[1].code).not.toBeNull();
  });

  test('without its checkpoint serves the running nodes, and their next checkpoint repairs it', async () => {
    const redis = await redisForTest();
    const stops: string[] = [];
    const options = { storePrefix: PREFIX, onDataError: ({ message }: Error) => void stops.push(message) };
    const node = await startNode(redis.url, { ...options, storeGrowth: 5 });
    await create(node, 'one');
    await deleteCheckpoint(redis);
    await expect(startNode(redis.url, options)).rejects.toThrow(CHECKPOINT);
    for (const name of ['two', 'three', 'four', 'five']) expect((await create(node, name)).status).toBe(200);
    await expect
      .poll(() => startNode(redis.url, options).then((late) => create(late, 'six')))
      .toMatchObject({ status: 200 });
    expect(stops).toEqual([]);
  });

  test('without its checkpoint stops a node that needs it', async () => {
    const redis = await redisForTest();
    const node = await startNode(redis.url, { storePrefix: PREFIX });
    await create(node, 'one');
    await deleteCheckpoint(redis);
    // It has lost its last entry, as in a failover: the node loads the checkpoint again.
    await redis.send('DEL', '{damaged}:log');
    await redis.send('HSET', '{damaged}:meta', 'count', '0');
    expect(await send(node, 'GET', '/v1/me')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining(CHECKPOINT) },
    });
    expect((await send(node, 'GET', '/_emulator/health')).status).toBe(503);
  });

  test('without its checkpoint refuses a start, with the missing part', async () => {
    const redis = await redisForTest();
    const node = await startNode(redis.url, { storePrefix: PREFIX });
    await create(node, 'one');
    await node.close();
    await deleteCheckpoint(redis);
    const flags = ['--store', redis.url, '--store-prefix', PREFIX, '--port', '0', '--no-config'];
    const { code, stderr } = await new Command(process.execPath, [MAIN, 'start', ...flags]).end();
    expect(stderr).toContain(CHECKPOINT);
    expect(stderr).toContain('Restore Redis from a backup, or begin with another prefix (--store-prefix).');
    // As for any start that fails on this machine.
    expect(code).toBe(2);
  });
});
