import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { sqlOf, type Statement } from '../../support/sql.js';

async function start(...setup: Statement[]) {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const sql = sqlOf(emulator);
  await sql.all(...setup);
  const last = () => emulator.requests().at(-1)?.rows;
  return { emulator, ...sql, last };
}
test('smoke', async () => {
  const { execute, batch, last } = await start(
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, n REAL, b BLOB, twice AS (n*2), s AS (n*3) STORED)',
    'CREATE TABLE bare (a, b)',
    'CREATE TABLE wr (k TEXT PRIMARY KEY, v) WITHOUT ROWID',
    'CREATE TABLE kid (id INTEGER PRIMARY KEY, note REFERENCES notes(id) ON DELETE CASCADE)',
    "CREATE TRIGGER t AFTER UPDATE ON notes BEGIN INSERT INTO bare VALUES (old.text, new.text); END",
    'CREATE VIRTUAL TABLE ft USING fts5(a)',
  );
  const show = async (...s: Statement[]) => {
    const r = s.length === 1 && s[0] ? await execute(s[0]) : await batch(s);
    console.log(JSON.stringify(s), r.status, r.status === 200 ? '' : JSON.stringify(r.body), '\n   ', last()?.map((x) => JSON.stringify(x)).join('\n    '));
  };
  await show("INSERT INTO notes (text, n, b) VALUES ('a', 3, x'0102'), ('ä', 1.5, zeroblob(2000)), (printf('%.2000c','x'), NULL, NULL)");
  await show("UPDATE notes SET text = 'z' WHERE id = 1");
  await show("INSERT INTO kid VALUES (1, 1), (9007199254740993, 1)");
  await show("DELETE FROM notes WHERE id = 1");
  await show("REPLACE INTO notes (id, text) VALUES (2, 'q')");
  await show("INSERT INTO wr VALUES ('k', 1)", "INSERT INTO wr VALUES ('l', 2)", "UPDATE wr SET k = 'm' WHERE k = 'k'", 'UPDATE wr SET v = 9');
  await show("INSERT INTO bare SELECT text, n FROM notes");
  await show("INSERT INTO bare SELECT * FROM bare");
  await show("DELETE FROM bare");
  await show("INSERT INTO ft VALUES ('hello')");
  await show('SAVEPOINT a', "INSERT INTO bare VALUES (1, 1)", 'SAVEPOINT b', "INSERT INTO bare VALUES (2, 1)", 'ROLLBACK TO b', 'EXPLAIN ROLLBACK TO a', "INSERT INTO bare VALUES (3, 1)", 'RELEASE a');
  await show("INSERT INTO bare VALUES (4, 1)", 'INSERT INTO bare VALUES (4)');
  await show("ALTER TABLE bare RENAME a TO c", "INSERT INTO bare VALUES (5, 1)");
  await show("ALTER TABLE bare ADD COLUMN e DEFAULT 7", "UPDATE bare SET b = 2 WHERE c = 5");
  await show("SELECT 1");
  await show("CREATE TABLE ctas AS SELECT 1 AS x");
  await show("DROP TABLE ctas");
  await show(...Array.from({length: 3}, (_, i) => ({ sql: 'INSERT INTO wr VALUES (?, ?)', args: [`a${i}`, i] })));
  expect(1).toBe(1);
});
