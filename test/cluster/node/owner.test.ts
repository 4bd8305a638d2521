import { describe, expect, test } from 'vitest';
import type { SandboxRecord } from '#tools/client/index.js';
import { launch, run } from '../../tools/cli/cli.js';
import { hasRedis } from '../redis.js';
import { clientOf, redisForTest, send, startNode, startNodes } from './nodes.js';

/** Lists the sandboxes without their addresses, which differ. */
async function list(node: { readonly url: string }) {
  const { body } = await send(node, 'GET', '/_emulator/sandboxes');
  return body.map(({ url: _, ...sandbox }: SandboxRecord) => sandbox);
}

describe.skipIf(!hasRedis)('on a shared store', () => {
  test('all nodes return the same owner and age, also one that starts later', async () => {
    const redis = await redisForTest();
    const storePrefix = 'owners';
    const [first, second] = await startNodes(redis.url, 2, { storePrefix, storeGrowth: 1 });
    if (!first || !second) throw new Error('too few nodes');
    await send(first, 'POST', '/_emulator/sandboxes', { name: 'one', owner: 'job-17' });
    await send(second, 'POST', '/_sandbox/one/_emulator/fork', { name: 'two', owner: 'grace' });
    await send(second, 'GET', '/_sandbox/three/v1/me');
    await send(second, 'POST', '/_emulator/sandboxes', { name: 'one', owner: 'job-18' });

    const sandboxes = await list(second);
    expect(sandboxes).toMatchObject([
      { name: 'one', owner: 'job-17', requests: 0 },
      { name: 'two', owner: 'grace', forkedFrom: { sandbox: 'one', commit: null }, requests: 0 },
      { name: 'three', owner: null, requests: 1 },
    ]);
    for (const { createdAt, lastUse, expiresAt } of sandboxes) {
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(lastUse));
      expect(Date.parse(expiresAt) - Date.parse(lastUse)).toBe(3_600_000);
    }
    expect(await list(first)).toEqual(sandboxes);
    expect(await list(await startNode(redis.url, { storePrefix }))).toEqual(sandboxes);
    // The last entry stays.
    await expect.poll(() => redis.send('XLEN', `{${storePrefix}}:log`)).toBe(':1\r\n');
    expect(await list(await startNode(redis.url, { storePrefix }))).toEqual(sandboxes);
  });

  test('a sandbox that is created again has a new owner and age', async () => {
    const redis = await redisForTest();
    const [first, second] = await startNodes(redis.url, 2);
    if (!first || !second) throw new Error('too few nodes');
    await send(first, 'POST', '/_emulator/sandboxes', { name: 'one', owner: 'job-17' });
    await send(first, 'POST', '/_sandbox/one/v1/vals', { code: '1' });
    const [{ createdAt }] = await list(second);
    await send(second, 'DELETE', '/_emulator/sandboxes/one');
    await send(second, 'POST', '/_emulator/sandboxes', { name: 'one' });

    const [again] = await list(first);
    expect(again).toMatchObject({ name: 'one', owner: null, requests: 0 });
    expect(Date.parse(again.createdAt)).toBeGreaterThan(Date.parse(createdAt));
    expect(await list(second)).toEqual([again]);
  });

  test('the default sandbox is reset and reseeded after a confirmation only', async () => {
    const redis = await redisForTest();
    const [first, second] = await startNodes(redis.url, 2);
    if (!first || !second) throw new Error('too few nodes');
    await send(first, 'POST', '/v1/vals', { name: 'lost', code: '1' });
    await send(first, 'POST', '/_emulator/faults', { route: 'GET /v1/me', status: 500 });
    const lost = `what everyone has in the default sandbox of ${redis.url}: all changes of records, 1 commit, 1 request, 1 fault.`;

    const reset = await send(second, 'POST', '/_emulator/reset');
    const reseed = await send(second, 'PUT', '/_emulator/seed', { fixtures: 'empty' });
    const denied = await send(second, 'POST', '/_emulator/reset', { confirm: false });
    expect([reset.status, reseed.status, denied.status]).toEqual([409, 409, 409]);
    expect(reset.body.message).toBe(
      `A reset drops ${lost} To confirm, send { "confirm": true } (val-emulator reset --yes). Or use a sandbox of your own.`,
    );
    expect(reseed.body.message).toBe(
      `Other seed data replace ${lost} To confirm, send the query confirm=true (val-emulator seed --yes). Or use a sandbox of your own.`,
    );
    expect((await send(first, 'GET', '/_emulator/history')).body).toHaveLength(1);

    expect((await send(second, 'POST', '/_emulator/reset', { confirm: true })).status).toBe(200);
    expect((await send(first, 'GET', '/_emulator/history')).body).toEqual([]);
    await clientOf(first).reset({ confirm: true });
    await clientOf(first).reseed({ users: [{ username: 'eve' }] }, { confirm: true });
    expect((await send(second, 'GET', '/_emulator/users')).body).toMatchObject([{ username: 'eve' }]);
  });

  test('commands confirm by --yes, or by a question on a terminal', async () => {
    const redis = await redisForTest();
    const [node] = await startNodes(redis.url, 1);
    if (!node) throw new Error('too few nodes');
    const { url } = node;
    const write = async () => (await send(node, 'POST', '/v1/vals', { code: '1' })).status;
    const commits = async () => (await send(node, 'GET', '/_emulator/history')).body.length;
    await write();

    const refused = await run(['reset', '--url', url]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('(val-emulator reset --yes)') });
    const asked = launch(['reset', '--url', url], { terminal: 80 });
    await asked.prints(/1 commit, 1 request, .*Continue\? \[y\/N\] $/);
    asked.stdin.type('n\n');
    expect(await asked.end()).toMatchObject({
      code: 4,
      stderr: 'val-emulator: Cancelled. Nothing changed.\n',
    });
    expect(await commits()).toBe(1);

    const again = launch(['seed', 'empty', '--url', url], { terminal: 80 });
    await again.prints(/Continue\? \[y\/N\] $/);
    again.stdin.type('y\n');
    expect(await again.end()).toMatchObject({ code: 0, stderr: '' });
    expect(await commits()).toBe(0);
    await write();
    expect(await run(['reset', '--yes', '--url', url])).toMatchObject({ code: 0, stderr: '' });
    expect(await commits()).toBe(0);
    expect(await run(['seed', 'default', '--yes', '--url', url])).toMatchObject({ code: 0, stderr: '' });
  });

  test('other sandboxes need no confirmation', async () => {
    const redis = await redisForTest();
    const [node] = await startNodes(redis.url, 1);
    if (!node) throw new Error('too few nodes');
    expect((await send(node, 'POST', '/_sandbox/one/_emulator/reset')).status).toBe(200);
    expect((await send(node, 'PUT', '/_sandbox/one/_emulator/seed', { fixtures: 'empty' })).status).toBe(200);
  });

  test('methods that change something throw, name the client, and change nothing', async () => {
    const redis = await redisForTest();
    const [node, other] = await startNodes(redis.url, 2);
    if (!node || !other) throw new Error('too few nodes');
    const before = await Promise.all([node, other].map(read));

    for (const change of [
      () => node.sandbox('new'),
      () => node.fork('new'),
      () => node.add.user({ username: 'eve' }),
      () => node.clock.advance('10m'),
      () => node.fail('GET /v1/me'),
      () => node.snapshot('one'),
      () => node.rateLimit.set({ limit: 1, window: '1m' }),
      () => node.reseed('empty'),
      () => node.reset(),
      () => node.clearRequests(),
    ]) {
      expect(change).toThrow(
        'the sandboxes of a shared store are changed by requests only. Use connect(emulator.url) from val-emulator/client.',
      );
    }
    expect(await Promise.all([node, other].map(read))).toEqual(before);
    // As the node itself shows it.
    expect(node.users.map(({ username }) => username)).toEqual(['ada', 'grace']);
    expect([node.sandboxes(), node.faults(), node.snapshots()]).toEqual([[], [], []]);
    expect(node.clock.read()).toEqual(before[0]?.[3]);
    await send(node, 'POST', '/_emulator/reset', { confirm: true });
    expect(node.users).toHaveLength(2);
  });
});

const PATHS = ['users', 'sandboxes', 'faults', 'clock', 'snapshots', 'rate-limit', 'history', 'state'];

const read = (node: { readonly url: string }) =>
  Promise.all(PATHS.map(async (path) => (await send(node, 'GET', `/_emulator/${path}`)).body));
