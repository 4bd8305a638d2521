import { expect, test } from 'vitest';
import { Connection } from '#vals/sqlite/connection.js';
import { Engine } from '#vals/sqlite/engine.js';
import { readEngine } from '#vals/sqlite/engine-files.js';

// Without the proxies of the engine, V8 of Node 20 ends this process with a segmentation fault.
test('values of every type are read by compiled functions', () => {
  const connection = new Connection(new Engine(readEngine()), undefined);
  const select = (sql: string) => JSON.parse(connection.read([{ sql }])?.[0] ?? '').rows;
  for (let i = 0; i < 10_000; i++) {
    expect(select("SELECT 1, 'a', null, x'00'")).toEqual([[1, 'a', null, [0]]]);
    expect(select('SELECT 7')).toEqual([[7]]);
  }
  connection.close();
});
