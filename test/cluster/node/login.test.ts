import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { exchange, lead, refresh, register, toAddress } from '../../vals/login/support.js';
import { hasRedis } from '../redis.js';
import { redisForTest } from './nodes.js';

test.skipIf(!hasRedis).each([
  ['the node that issued it', [0, 0]],
  ['the other node', [1, 1]],
  ['both nodes at once', [0, 1, 0, 1]],
])('a code is redeemed once, by %s', async (_, order) => {
  const redis = await redisForTest();
  const startNode = async () => {
    const node = await createEmulator({ store: redis.url, login: 'ada' });
    onTestFinished(() => node.close());
    return node;
  };
  const nodes = [await startNode(), await startNode()];
  const at = (index: number): Emulator['fetch'] => {
    const url = nodes[index]?.url;
    return (path, init) => fetch(`${url}${path}`, init);
  };
  const client = await register(at(0));
  const address = toAddress(client, { scope: 'user_r offline_access' });
  const code = (await lead(at(0), address)).searchParams.get('code') ?? '';

  const redeemed = await Promise.all(order.map((index) => exchange(at(index), client, code)));

  const statuses = redeemed.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...order.slice(1).map(() => 400)]);
  // The second use has revoked what the first one got.
  const won = redeemed.find(({ status }) => status === 200)?.body;
  for (const index of [0, 1]) {
    const headers = { authorization: `Bearer ${won.access_token}` };
    expect((await at(index)('/v1/me', { headers })).status).toBe(401);
    expect((await refresh(at(index), client, won.refresh_token)).status).toBe(400);
  }
  const keys = await Promise.all([0, 1].map(async (index) => (await at(index)('/oauth/jwks')).text()));
  expect(keys[1]).toBe(keys[0]);
});
