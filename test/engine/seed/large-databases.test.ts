import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { sqlOf } from '../../support/sql.js';
import { makeFile } from '../../support/sqlite-alone.js';
import { listProblems } from './loading.js';

const users = [{ username: 'ada' }];

test('a file beyond 10 MB is refused, and so are statements that fill as much', async () => {
  const rows = Array<string>(11).fill('INSERT INTO t VALUES (zeroblob(1000000));');
  const base64 = (await makeFile('CREATE TABLE t (a)', ...rows)).toString('base64');

  expect(listProblems({ users, sqlite: [{ user: 'ada', base64 }] })).toStrictEqual([
    'sqlite[0]: SQLITE_FULL: a database has at most 10 MB.',
  ]);
  expect(listProblems({ users, sqlite: [{ user: 'ada', sql: ['CREATE TABLE t (a);', ...rows] }] })).toStrictEqual([
    'sqlite[0].sql: line 12: SQLITE_FULL: database or disk is full.',
  ]);
});

test('9 MB of blobs and texts are the same after an export', async () => {
  const emulator = await emulate({ users, sqlite: [{ user: 'ada' }] }, { listen: false });
  await sqlOf(emulator).all('CREATE TABLE t (a)', ...Array(4).fill('INSERT INTO t VALUES (randomblob(2000000))'));
  await sqlOf(emulator).all("INSERT INTO t VALUES (replace(hex(zeroblob(500000)), '0', ''''))");

  const exported = emulator.state();
  const again = await emulate(exported, { listen: false });

  expect(exported.sqlite[0]).toHaveProperty('sql');
  expect(JSON.stringify(again.state()) === JSON.stringify(exported)).toBe(true);
  expect(await sqlOf(again).rows('SELECT sum(length(a)) FROM t')).toStrictEqual([[9_000_000]]);
});
