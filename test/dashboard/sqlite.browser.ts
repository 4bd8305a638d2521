import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { expectAccessible, fillEditor, openDashboard, readEditor, startEmulator, useBrowser } from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.000Z';
const SQL = `
  CREATE TABLE numbers (id INTEGER PRIMARY KEY, square);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 250) INSERT INTO numbers SELECT i, i * i FROM c;
  CREATE TABLE "my notes" (title TEXT, body BLOB, done);
  INSERT INTO "my notes" VALUES ('<b>milk</b>', x'0102', NULL), ('${'long '.repeat(200)}', x'01', 0.5);
  CREATE VIEW even AS SELECT id FROM numbers WHERE id % 2 = 0;`;

const start = () =>
  startEmulator({
    fixtures: { users: [{ username: 'ada' }, { username: 'bob' }], sqlite: [{ user: 'ada', sql: SQL }] },
    now: NOW,
  });

/** A name that is wider than a phone. */
const WIDE = 'measurements_of_all_stations_since_the_beginning_of_the_year_by_hour';

/** Runs a statement as ada, as a program would. */
const execute = (emulator: Emulator, statement: string) =>
  emulator.fetch('/v1/sqlite/execute', {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.users[0]?.token}` },
    body: JSON.stringify({ statement }),
  });

/** The texts of the cells of a table, row by row, with its header. */
const cellsOf = (page: Page) =>
  page
    .locator('.tabs-panel tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent.trim())),
    );

test('a database shows its tables, and all of their rows', async () => {
  const emulator = await start();
  const page = await openDashboard(emulator, { hash: '#/data/sqlite' });

  await page.getByText('1 SQLite database', { exact: true }).first().waitFor();
  await page
    .getByRole('region', { name: 'Table of SQLite databases' })
    .getByRole('link', { name: 'ada' })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: 'SQLite database of ada' }).waitFor();
  await page.getByRole('table', { name: 'Tables' }).waitFor();
  await expect
    .poll(() => cellsOf(page))
    .toEqual([
      ['Name', 'Rows', 'Columns'],
      ['even view', '–', 'id'],
      ['my notes', '2', 'title, body, done'],
      ['numbers', '250', 'id, square'],
    ]);

  await page.getByRole('link', { name: 'my notes' }).click();
  await page.getByRole('grid', { name: 'Rows of my notes' }).waitFor();
  await page.getByText('2 bytes').waitFor();
  const [header, first, second] = await cellsOf(page);
  expect(header).toEqual(['title TEXT', 'body BLOB', 'done']);
  expect(first).toEqual(['<b>milk</b>', '2 bytes', 'NULL']);
  expect(second?.slice(1)).toEqual(['1 byte', '0.5']);
  expect(second?.[0]).toMatch(/^(?:long ){100}…$/);

  await page.getByRole('link', { name: 'All tables' }).click();
  await page.getByRole('link', { name: 'numbers' }).click();
  const count = page.locator('.tabs-panel').getByRole('status');
  await count.getByText('250 rows').waitFor();
  const grid = page.getByRole('grid', { name: 'Rows of numbers' });
  await page.locator('.sql-grid').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await grid.getByText('62500', { exact: true }).waitFor();
  await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(80);

  await page.getByRole('link', { name: 'All tables' }).click();
  await page.getByRole('link', { name: 'even' }).click();
  await count.getByText(/^over \d+ rows$/).waitFor();
  await page.locator('.sql-grid').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await count.getByText('125 rows').waitFor();
  await page.locator('summary', { hasText: 'SQL' }).click();
  await page.getByText('CREATE VIEW even AS SELECT id FROM numbers WHERE id % 2 = 0').waitFor();
});

test('a statement runs by keys, with completion, its error at its place, its result as CSV and JSON', async () => {
  const emulator = await start();
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${emulator.users[0]?.id}` });
  const editor = page.getByRole('textbox', { name: 'SQL statement' });

  await editor.focus();
  await page.keyboard.type('select * from num');
  await page.getByRole('option', { name: 'numbers' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' where numbers.squ');
  await page.getByRole('option', { name: 'square' }).waitFor();
  await fillEditor(editor, 'SELECT id,\n square,,\n FROM numbers');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').getByText('syntax error (at offset 19)').waitFor();
  await expect.poll(() => page.locator('.cm-line-marked').textContent()).toMatch(/^ square,,SQL_PARSE_ERROR/);
  await expect.poll(() => page.evaluate('getSelection().toString()')).toBe(',');

  await fillEditor(editor, 'SELECT id, square AS "a ""b""", NULL AS id FROM numbers WHERE id > 248');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 rows', { exact: true }).waitFor();
  expect((await cellsOf(page)).slice(-2)).toEqual([
    ['249', '62001', 'NULL'],
    ['250', '62500', 'NULL'],
  ]);
  const download = async (name: string): Promise<[name: string, text: string]> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return [saved.suggestedFilename(), await readFile(await saved.path(), 'utf8')];
  };
  expect(await download('CSV')).toEqual(['result.csv', 'id,"a ""b""",id\r\n249,62001,\r\n250,62500,\r\n']);
  const [file, text] = await download('JSON');
  expect([file, JSON.parse(text)]).toEqual([
    'result.json',
    [
      { id: 249, 'a "b"': 62001, id_2: null },
      { id: 250, 'a "b"': 62500, id_2: null },
    ],
  ]);

  await page.reload();
  await page.getByText('2 rows', { exact: true }).waitFor();
  await page.locator('summary', { hasText: 'History' }).click();
  await page.getByRole('button', { name: 'SELECT id, square,, FROM numbers' }).click();
  await expect.poll(() => readEditor(editor)).toBe('SELECT id,\n square,,\n FROM numbers');
  await expectAccessible(page);
});

test('a statement that writes runs on the current state only, and can be undone', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  await execute(emulator, 'CREATE TABLE later (a)');
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?table=numbers&at=start` });
  const editor = page.getByRole('textbox', { name: 'SQL statement' });
  const run = async (statement: string) => {
    await fillEditor(editor, statement);
    await page.keyboard.press('Control+Enter');
  };

  await run('SELECT count(*) AS n FROM sqlite_schema');
  await page.getByRole('grid', { name: 'Rows of result' }).getByText('3', { exact: true }).waitFor();
  await run('DELETE FROM numbers');
  await page.getByRole('alert').getByText('A statement that writes runs on the current state only.').waitFor();
  expect(emulator.history()).toHaveLength(1);

  await page.getByRole('button', { name: 'Back to now' }).click();
  await run('DELETE FROM numbers WHERE id > 3 RETURNING id');
  await page.getByText('247 rows changed.').waitFor();
  await page.getByRole('grid', { name: 'Returned rows' }).getByText('4', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open the request r2' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Take back one commit' }).click();
  await page.getByText('Took back one commit.').waitFor();
  await run('SELECT max(id) AS last FROM numbers');
  await page.getByRole('grid', { name: 'Rows of result' }).getByText('250', { exact: true }).waitFor();
});

test.each([
  ['numbers', '2', '7', `UPDATE "numbers" SET "square" = 7 WHERE rowid = 1 AND "square" IS 1`],
  ['my notes', '1', "it's", `UPDATE "my notes" SET "title" = 'it''s' WHERE rowid = 1 AND "title" IS '<b>milk</b>'`],
])(
  'a cell of %s is edited by keys, and the statement is shown before it runs',
  async (table, column, text, statement) => {
    const emulator = await start();
    const [ada] = emulator.users;
    const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?table=${encodeURIComponent(table)}` });
    const grid = page.getByRole('grid', { name: `Rows of ${table}` });

    await grid.getByRole('row').nth(1).waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    if (column === '2') await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Statement that changes the cell' }).getByText(statement).waitFor();
    expect(emulator.history()).toEqual([]);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('1 row changed.').waitFor();
    await grid.getByText(text, { exact: true }).waitFor();
    expect(emulator.history()).toMatchObject([{ request: 'POST /v1/sqlite/execute' }]);
  },
);

/** Opens the table `t` of ada, which is made before. */
async function openTable(schema: string, values: string) {
  const emulator = await start();
  await execute(emulator, `CREATE TABLE t ${schema}`);
  await execute(emulator, `INSERT INTO t VALUES ${values}`);
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${emulator.users[0]?.id}?table=t` });
  const update = page.getByRole('region', { name: 'Statement that changes the cell' });
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true }).first();
  const startEdit = async (name: string, text: string) => {
    await cell(name).dblclick();
    await page.keyboard.type(text);
  };
  const readAll = async () => {
    const response = await execute(emulator, 'SELECT typeof(n), n FROM t ORDER BY n');
    return JSON.parse(await response.text()).rows;
  };
  return { emulator, page, cell, update, startEdit, readAll };
}

test.each([
  ['(a UNIQUE, n)', "('pear', 10), ('apple', 11)", '10', '7', 'rowid = 1 AND "n" IS 10', ['integer 7', 'integer 11']],
  ['(rowid, n)', "('2 OR 1=1 --', 10), (2, 11)", '10', '7', '_rowid_ = 1 AND "n" IS 10', ['integer 7', 'integer 11']],
  [
    '(a, n, PRIMARY KEY (a, n))',
    '(NULL, 1), (NULL, 1)',
    '1',
    '2',
    'rowid = 1 AND "n" IS 1',
    ['integer 1', 'integer 2'],
  ],
  ['(a PRIMARY KEY, n) WITHOUT ROWID', "('a''b', 1)", '1', '7', `"a" = 'a''b' AND "n" IS 1`, ['integer 7']],
  ['(n)', '(1)', '1', '9007199254740993', 'rowid = 1 AND "n" IS 1', ['integer 9007199254740993']],
  ['(n)', '(9007199254740993)', '9007199254740993', '1', 'rowid = 1 AND "n" IS 9007199254740993', ['integer 1']],
  ['(n)', "('9007199254740993')", '9007199254740993', '1', `rowid = 1 AND "n" IS '9007199254740993'`, ['text 1']],
  ['(n)', '(NULL)', 'NULL', '5', 'rowid = 1 AND "n" IS NULL', ['integer 5']],
  ['(n)', "(x'0102')", '2 bytes', '5', `rowid = 1 AND typeof("n") = 'blob' AND length("n") = 2`, ['integer 5']],
  ['(n)', '(0.5)', '0.5', '1e3', `rowid = 1 AND quote("n") = '0.5'`, ['real 1000']],
  ['(n VARCHAR)', '(NULL)', 'NULL', '1.50', 'rowid = 1 AND "n" IS NULL', ['text 1.50']],
])('a cell of a table %s with %s changes in its row, with its type: %s to %s', async (schema, values, ...edit) => {
  const [name, text, condition, rows] = edit;
  const { page, update, startEdit, readAll } = await openTable(schema, values);

  await startEdit(name, text);
  await page.keyboard.press('Enter');
  await update.getByText(`WHERE ${condition}`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 row changed.').waitFor();
  expect((await readAll()).map((row: unknown[]) => row.join(' '))).toEqual(rows);
});

test('a cell whose row has changed meanwhile is not written, and rows without a key are not edited', async () => {
  const { emulator, page, update, startEdit, readAll, cell } = await openTable('(n)', "('a'), ('b'), ('c')");

  await startEdit('b', 'x');
  await execute(emulator, "DELETE FROM t WHERE n = 'a'");
  await expect.poll(() => cell('a').count()).toBe(0);
  await page.keyboard.press('Enter');
  await update.getByText(`SET "n" = 'x' WHERE rowid = 2 AND "n" IS 'b'`).waitFor();
  await execute(emulator, "UPDATE t SET n = 'd' WHERE n = 'b'");
  const changed = 'The row has changed since it was read, so nothing was written.';
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(changed).waitFor();
  await startEdit('c', 'x');
  await execute(emulator, "DELETE FROM t WHERE n = 'c'");
  await page.keyboard.press('Enter');
  await page.locator('.toast').getByText(changed).waitFor();
  expect(await readAll()).toEqual([['text', 'd']]);

  await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite/${emulator.users[0]?.id}?table=even`);
  await cell('2').dblclick();
  await expect.poll(() => page.getByRole('grid').getByRole('textbox').count()).toBe(0);
});

test('what is typed in a cell is kept when another one is clicked', async () => {
  const { page, update, startEdit, readAll } = await openTable('(n)', "('a'), ('b'), ('c')");

  await startEdit('a', 'x');
  await startEdit('b', 'y');
  await update.getByText(`SET "n" = 'x' WHERE rowid = 1`).waitFor();
  await page.keyboard.type('z');
  await expect.poll(() => page.getByRole('grid').getByRole('textbox').inputValue()).toBe('yz');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run the statement' }).click();
  await page.getByText('1 row changed.').waitFor();
  expect(await readAll()).toEqual([
    ['text', 'b'],
    ['text', 'c'],
    ['text', 'x'],
  ]);
});

test('long statements run, and none is too large to be kept', async () => {
  const emulator = await start();
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${emulator.users[0]?.id}` });
  const editor = page.getByRole('textbox', { name: 'SQL statement' });
  const run = async (statement: string) => {
    await fillEditor(editor, statement);
    await page.keyboard.press('Control+Enter');
  };

  for (const length of [900_000, 900_001, 900_002, 900_003, 900_004, 900_005, 190_000, 190_001]) {
    await run(`SELECT length('${'x'.repeat(length)}') AS n`);
    await page.getByRole('gridcell', { name: String(length), exact: true }).waitFor();
  }
  await run(`INSERT INTO numbers VALUES (999, '${'x'.repeat(50_000)}')`);
  await page.getByText('1 row changed.').waitFor();
  await page.reload();
  await page.locator('summary', { hasText: 'History' }).click();
  await expect.poll(() => page.getByRole('button', { name: /^(?:SELECT length|INSERT)/ }).count()).toBe(1);
});

test('rows appear as they are written and as of a commit, and the history names the changes', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?table=my+notes` });
  await page.getByText('2 bytes').waitFor();

  await execute(emulator, 'INSERT INTO "my notes" VALUES (\'written\', NULL, NULL)');
  await page.getByRole('gridcell', { name: 'written' }).waitFor();
  emulator.clock.advance('1h');
  await execute(emulator, 'CREATE TABLE later (a)');
  await execute(emulator, 'DELETE FROM "my notes"');
  await page.getByText('No rows').waitFor();

  await page.getByRole('button', { name: 'History' }).click();
  const entries = page.getByRole('list', { name: 'Commits that touched it, newest first' }).getByRole('article');
  await expect.poll(() => entries.count()).toBe(3);
  const [deleted, created, inserted] = await entries.allInnerTexts();
  expect(inserted).toMatch(
    /changed\s+SQLite database\s+database of ada\s+Its content changed; its fields are the same\./,
  );
  expect(created).toMatch(/size\s+24576\s*32768\s+updatedAt\s+2024-06-11T22:05:12.000Z\s*2024-06-11T23:05:12.000Z$/);
  expect(deleted).toContain('Its content changed');
  const rows = page.getByRole('region', { name: 'Rows of sqlite/ada' });
  await expect.poll(() => rows.count()).toBe(2);
  const last = await rows.last().textContent();
  expect(last).toContain('INSERT INTO "my notes" VALUES (\'written\', NULL, NULL)');
  expect(last).toContain('"title": "written"');

  await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite/${ada?.id}?table=my+notes&at=r1`);
  await page.getByRole('gridcell', { name: 'written' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite/${ada?.id}?table=later&at=r1`);
  await page.getByText('There is no table "later" at this point in time').waitFor();
  await page.getByRole('link', { name: 'Show all tables' }).click();
  await page.getByRole('link', { name: 'numbers' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'later' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('link', { name: 'later' }).waitFor();
});

test('a row leads to the requests that changed it, and they lead to its table', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  for (const statement of [
    'INSERT INTO numbers VALUES (300, 1)',
    'UPDATE numbers SET square = 2 WHERE id = 300',
    'UPDATE numbers SET square = 5 WHERE id = 1',
  ])
    await execute(emulator, statement);
  const page = await openDashboard(emulator, {
    hash: `#/data/sqlite/${ada?.id}?table=numbers`,
  });

  const trace = page.getByRole('button', { name: 'Who changed the row' });
  await page.locator('.sql-grid').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('gridcell', { name: '300', exact: true }).click();
  await trace.click();
  const changes = page.getByRole('region', { name: /^Change by/ });
  await expect.poll(() => changes.count()).toBe(2);
  await expect
    .poll(() => changes.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^r2\s+by ada\s+UPDATE numbers SET square = 2 WHERE id = 300\s+square\s+1\s*2$/),
      expect.stringMatching(/^r1\s+by ada\s+INSERT INTO numbers VALUES \(300, 1\)\s+id\s+300\s+square\s+1$/),
    ]);
  await changes.first().getByRole('link', { name: 'r2' }).click();
  await page.getByRole('region', { name: 'Rows of sqlite/ada' }).getByRole('link', { name: 'numbers' }).click();
  await page.getByRole('grid', { name: 'Rows of numbers' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toContain('at=r2');
});

test('a form adds a database by its SQL, and reports the error of a statement', async () => {
  const emulator = await start();
  const page = await openDashboard(emulator, { hash: '#/data/sqlite' });

  await page.getByRole('button', { name: 'Add SQLite database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a SQLite database' });
  await dialog.getByLabel('User').fill('bob');
  await fillEditor(dialog.getByLabel('SQL'), 'CREATE TABEL t (a)');
  await dialog.getByRole('button', { name: 'Add SQLite database' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/near "TABEL": syntax error/)
    .first()
    .waitFor();
  await fillEditor(dialog.getByLabel('SQL'), 'CREATE TABLE t (a); INSERT INTO t VALUES (1);');
  await dialog.getByRole('button', { name: 'Add SQLite database' }).click();
  await page.getByText('Added the SQLite database.').waitFor();
  await page.getByText('2 SQLite databases', { exact: true }).first().waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/data/users/${emulator.users[1]?.id}?tab=sqlite`);
  await page.getByRole('table', { name: 'SQLite databases' }).getByRole('link', { name: 'bob' }).first().click();
  await page.getByRole('link', { name: 't', exact: true }).click();
  await page.getByText('1 row', { exact: true }).waitFor();
});

test.each([
  ['at a desk', {}],
  ['in the dark, on a phone', { width: 375, colorScheme: 'dark' }],
] as const)('the pages of databases are accessible and fit the window: %s', async (_, options) => {
  const emulator = await start();
  const [ada] = emulator.users;
  await execute(
    emulator,
    `CREATE TABLE ${WIDE} (a_long_name TEXT, another_long_name TEXT, the_longest_name_of_all TEXT)`,
  );
  await execute(emulator, `INSERT INTO ${WIDE} VALUES ('${'w'.repeat(600)}', NULL, 'x')`);
  const page = await openDashboard(emulator, options);
  for (const [hash, text] of [
    ['', 'ada'],
    [`/${ada?.id}`, 'numbers'],
    [`/${ada?.id}?table=numbers`, '100'],
    [`/${ada?.id}?table=${WIDE}`, 'NULL'],
    [`/${ada?.id}?tab=history`, 'SQLite database'],
  ] as const) {
    await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite${hash}`);
    await page.locator('main').getByText(text, { exact: true }).first().waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(page.viewportSize()?.width);
  }
});

test('a statement that has not run stays in the box while one travels in time', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  await execute(emulator, 'CREATE TABLE later (a)');
  await execute(emulator, 'DROP TABLE later');
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?at=r1` });
  const editor = page.getByRole('textbox', { name: 'SQL statement' });

  await fillEditor(editor, 'SELECT 1 AS unfinished');
  await page.getByRole('button', { name: 'One commit earlier (←)' }).click();
  await page.getByText('All pages show the state before the first commit').waitFor();
  await expect.poll(() => readEditor(editor)).toBe('SELECT 1 AS unfinished');
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByText('All pages show').waitFor({ state: 'detached' });
  await expect.poll(() => readEditor(editor)).toBe('SELECT 1 AS unfinished');
});

test('Undo takes back the statement of the page, not that of a program that wrote at the same time', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}` });
  await page.route('**/v1/sqlite/execute', async (route) => {
    await execute(emulator, 'UPDATE numbers SET square = 7 WHERE id = 7');
    await route.continue();
  });

  await fillEditor(page.getByRole('textbox', { name: 'SQL statement' }), 'DELETE FROM numbers WHERE id = 1');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Open the request r2' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Take back one commit' }).click();
  await page.getByText('Took back one commit.').waitFor();
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1']);
});

test('a cell whose text has a NUL is edited, and the Enter of an input method ends no edit', async () => {
  const { emulator, page, cell, update } = await openTable('(a)', "('x' || char(0) || 'y')");

  await cell('xU+0000y').dblclick();
  const input = page.getByRole('textbox', { name: 'a', exact: true });
  await input.fill('日本');
  await input.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await input.fill('日本語');
  await page.keyboard.press('Enter');
  await update.getByText(`UPDATE "t" SET "a" = '日本語' WHERE rowid = 1 AND "a" IS 'x'||char(0)||'y'`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 row changed.').waitFor();
  await cell('日本語').waitFor();
  expect(emulator.history()).toHaveLength(3);
});

test('a download of the first rows of a view says that there are more', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  await execute(emulator, 'CREATE VIEW pairs AS SELECT a.id FROM numbers a, numbers b, (SELECT 1 UNION ALL SELECT 2)');
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?table=pairs` });

  await page.getByText(/^over \d+ rows$/).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ]);
  await page.getByText('The file has the first 100,000 rows only.').waitFor();
  expect((await readFile(await saved.path(), 'utf8')).split('\r\n')).toHaveLength(100_002);
});
