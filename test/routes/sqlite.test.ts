import { expect, test } from 'vitest';
import { as, emulate } from '../support/emulate.js';

test('x', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const run = async (statement: unknown) => {
    const r = await emulator.fetch('/v1/sqlite/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.users[0]?.token}` },
      body: JSON.stringify({ statement }),
    });
    console.log(
      JSON.stringify(statement).slice(0, 200),
      r.status,
      (await r.text()).slice(0, 300),
      emulator.store.history.length,
    );
  };
  await run('select 1 as one');
  await run('select * from x');
  await run('create table t (id integer primary key, name text, b blob)');
  await run({ sql: 'insert into t values (?, ?, ?)', args: [1, 'a\0b', [1, 2, 255]] });
  await run({ sql: 'insert into t(name) values (:n) returning id, 9007199254740993 as big', args: { n: 0 } });
  await run('select *, 1.5, null from t');
  await run({ sql: 'select :a, $b, @c', args: { a: 1, $b: true, '@c': null } });
  await run({ sql: 'select ?', args: [] });
  await run({ sql: 'select ?', args: [1, 2] });
  await run({ sql: 'select ?', args: [{ a: 1 }] });
  await run('insert into t(id) values (1)');
  await run('begin');
  await run('commit');
  await run('vacuum');
  await run('create temp table u(a)');
  await run('pragma journal_mode=wal');
  await run('pragma table_info(t)');
  await run('select 1; select 2');
  await run('');
  await run('-- x');
  await run('select 1; -- x');
  await run(';;select 1;;');
  await run('select 1\0 x');
  await run('delete from t where id = 99');
  await run('select current_timestamp, sqlite_version()');
  await run(
    "select instr('abc','c'), replace('aXa','X',1), trim('xax','x'), instr(x'010203', x'03'), instr(null,1), trim('a ')",
  );
  await run("select instr(zeroblob(1000000), cast(zeroblob(500000) || 'x' as blob))");
  await run('select length(zeroblob(3000000))');
  await run('with recursive c(i) as (select 1 union all select i+1 from c) select count(*) from c');
  await run('with recursive c(i) as (select 1 union all select i+1 from c) insert into t(name) select i from c');
  await run('select count(*) from t');
  await run(
    'with recursive c(i) as (select 1 union all select i+1 from c limit 100000) insert into t(name) select hex(randomblob(100)) from c',
  );
  await run('select count(*) from t');
  await run('explain query plan select * from t');
  expect(1).toBe(1);
}, 60000);
