import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FIXTURES as AGENT, connect } from '../../vals/service/tools/agent.js';
import { hasRedis, type RedisServer, startRedis } from '../redis.js';
import { startTwoNodes } from '../two-nodes.js';
import { send } from './nodes.js';

describe.skipIf(!hasRedis)('an agent that calls two nodes in turn', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    return () => redis.stop();
  });

  test('builds one val, which both nodes have, before and after a rewind', async () => {
    const emulator = await startTwoNodes(redis.url, { fixtures: AGENT });
    onTestFinished(() => emulator.close());
    const { call } = connect(emulator);
    const val = 'ada/shop';
    const database = { type: 'val', val };
    await call('create_val', { name: 'shop', initialFile: { path: 'main.http.ts', content: '1' } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call('create_file', { val, path: `${name}.ts`, content: name });
    await call('replace_in_file', { val, path: 'a.ts', old_string: 'a', new_string: 'one' });
    await call('create_branch', { val, name: 'draft' });
    await call('update_file', { val, branch: 'draft', path: 'b.ts', content: 'drafted' });
    await call('sqlite_execute', { sql: 'CREATE TABLE orders (id INTEGER)', database });
    await call('storeBlob', { key: 'logo', content: '<svg/>', storage: database });
    const { branchId, branchVersion } = await call('get_val_history', { val });
    await call('update_file', { val, path: 'a.ts', content: 'broken(' });
    await call('revert_to_version', { val, branchId, version: branchVersion });

    const { body: project } = await send(emulator, 'GET', '/v2/alias/vals/ada/shop');
    const list = async () => {
      const query = 'path=&recursive=true&limit=100&offset=0';
      const { body } = await send(emulator, 'GET', `/v2/vals/${project.id}/files?${query}`);
      const files: readonly { readonly path: string; readonly version: number }[] = body.data;
      return files.map(({ path, version }) => [path, version]);
    };
    const expected = [
      ...[
        ['a.ts', 9],
        ['b.ts', 3],
        ['c.ts', 4],
        ['d.ts', 5],
        ['e.ts', 6],
        ['main.http.ts', 1],
      ],
    ];
    // One node after the other.
    for (let i = 0; i < 2; i++) expect(await list()).toEqual(expected);
    await call('delete_file', { val, path: 'a.ts' });
    for (let i = 0; i < 2; i++) expect(await list()).toEqual(expected.slice(1));
    await send(emulator, 'POST', '/_emulator/rewind', { steps: 1 });
    for (let i = 0; i < 2; i++) {
      expect(await list()).toEqual(expected);
      expect(await call('sqlite_execute', { sql: 'SELECT * FROM orders', database })).toMatchObject({ rows: [] });
      expect(await call('readBlob', { key: 'logo', storage: database })).toMatchObject({ content: '<svg/>' });
    }
  });
});
