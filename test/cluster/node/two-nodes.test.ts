import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../redis.js';
import { startTwoNodes } from '../two-nodes.js';
import { FIXTURES, send } from './nodes.js';

// The tests of test/engine/control are run on such nodes as well: the project `nodes` of vitest.config.ts.
describe.skipIf(!hasRedis)('two nodes behind one address', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    return () => redis.stop();
  });
  const start = async () => {
    const emulator = await startTwoNodes(redis.url, { fixtures: FIXTURES });
    onTestFinished(() => emulator.close());
    return emulator;
  };

  test('respond in turn, over HTTP and to fetch', async () => {
    const emulator = await start();
    const sent: string[] = [];
    const fetched: string[] = [];
    for (let i = 0; i < 4; i++) {
      sent.push((await send(emulator, 'GET', '/_emulator/cluster')).body.node);
      fetched.push(JSON.parse(await (await emulator.fetch('/_emulator/cluster')).text()).node);
    }

    const [one, other] = sent;
    expect(new Set(sent).size).toBe(2);
    expect(sent).toStrictEqual([one, other, one, other]);
    expect(fetched).toStrictEqual([one, other, one, other]);
  });

  test('methods return the changes made through either', async () => {
    const emulator = await start();
    for (const name of ['one', 'two', 'three']) {
      expect((await send(emulator, 'POST', '/v1/vals', { name, code: '1' })).status).toBe(200);
      expect(emulator.state().vals.at(-1)).toMatchObject({ name });
    }

    expect(emulator.requests()).toHaveLength(3);
  });

  test('responses have the address that the client uses, and headers as a node sends them', async () => {
    const emulator = await start();
    const { headers, body } = await send(emulator, 'GET', '/v1/me');

    expect(body.links.self).toMatch(`${emulator.url}/v1/users/`);
    expect(headers.get('content-length')).toBe(String(JSON.stringify(body).length));
    expect(headers.get('via')).toBeNull();
  });
});
