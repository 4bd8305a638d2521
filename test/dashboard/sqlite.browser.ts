import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { expectAccessible, openDashboard, startEmulator, useBrowser } from './support.js';

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

test('a database shows its tables, and their rows page by page', async () => {
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
  expect(await cellsOf(page)).toEqual([
    ['Name', 'Rows', 'Columns'],
    ['even view', '–', 'id'],
    ['my notes', '2', 'title, body, done'],
    ['numbers', '250', 'id, square'],
  ]);

  await page.getByRole('link', { name: 'my notes' }).click();
  await page.getByRole('region', { name: 'Rows of my notes' }).waitFor();
  const [header, first, second] = await cellsOf(page);
  expect(header).toEqual(['title TEXT', 'body BLOB', 'done']);
  expect(first).toEqual(['<b>milk</b>', '2 bytes', 'NULL']);
  expect(second?.slice(1)).toEqual(['1 byte', '0.5']);
  expect(second?.[0]).toMatch(/^(?:long ){99}.{4}…$/);

  await page.getByRole('link', { name: 'All tables' }).click();
  await page.getByRole('link', { name: 'numbers' }).click();
  const range = page.locator('.tabs-panel').getByRole('status');
  await range.getByText('1–100 of 250').waitFor();
  const [previous, next] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name, exact: true }));
  expect(await previous?.isDisabled()).toBe(true);
  await next?.click();
  await next?.click();
  await range.getByText('201–250 of 250').waitFor();
  expect(await next?.isDisabled()).toBe(true);
  expect((await cellsOf(page)).at(-1)).toEqual(['250', '62500']);
  await previous?.click();
  await range.getByText('101–200 of 250').waitFor();

  await page.getByRole('link', { name: 'All tables' }).click();
  await page.getByRole('link', { name: 'even' }).click();
  await range.getByText('1–100', { exact: true }).waitFor();
  await next?.click();
  await range.getByText('101–125', { exact: true }).waitFor();
  expect(await next?.isDisabled()).toBe(true);
  await page.getByText('SQL', { exact: true }).click();
  await page.getByText('CREATE VIEW even AS SELECT id FROM numbers WHERE id % 2 = 0').waitFor();
});

test('rows appear as they are written and as of a commit, and the history names the changes', async () => {
  const emulator = await start();
  const [ada] = emulator.users;
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${ada?.id}?table=my+notes` });
  await page.getByText('2 bytes').waitFor();

  await execute(emulator, 'INSERT INTO "my notes" VALUES (\'written\', NULL, NULL)');
  await page.getByRole('cell', { name: 'written' }).waitFor();
  emulator.clock.advance('1h');
  await execute(emulator, 'CREATE TABLE later (a)');
  await execute(emulator, 'DELETE FROM "my notes"');
  await page.getByText('No rows').waitFor();

  await page.getByRole('button', { name: 'History' }).click();
  const entries = page.getByRole('list', { name: 'Commits that touched it, newest first' }).getByRole('article');
  await expect.poll(() => entries.count()).toBe(3);
  const [deleted, created, inserted] = await entries.allInnerTexts();
  expect(inserted).toMatch(/changed\s+SQLite database\s+ada\s+Its content changed; its fields are the same\./);
  expect(created).toMatch(/size\s+24576\s*32768\s+updatedAt\s+2024-06-11T22:05:12.000Z\s*2024-06-11T23:05:12.000Z$/);
  expect(deleted).toContain('Its content changed');
  const rows = page.getByRole('region', { name: 'Rows of sqlite/ada' });
  expect(await rows.count()).toBe(2);
  const last = await rows.last().textContent();
  expect(last).toContain('INSERT INTO "my notes" VALUES (\'written\', NULL, NULL)');
  expect(last).toContain('"title": "written"');

  await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite/${ada?.id}?table=my+notes&at=r1`);
  await page.getByRole('cell', { name: 'written' }).waitFor();
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite/${ada?.id}?table=later&at=r1`);
  await page.getByText('There is no table "later" at this point in time').waitFor();
  await page.getByRole('link', { name: 'Show all tables' }).click();
  await page.getByRole('link', { name: 'numbers' }).waitFor();
  expect(await page.getByRole('link', { name: 'later' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('link', { name: 'later' }).waitFor();
});

test('a form adds a database by its SQL, and reports the error of a statement', async () => {
  const emulator = await start();
  const page = await openDashboard(emulator, { hash: '#/data/sqlite' });

  await page.getByRole('button', { name: 'Add SQLite database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a SQLite database' });
  await dialog.getByLabel('User').fill('bob');
  await dialog.getByLabel('SQL').fill('CREATE TABEL t (a)');
  await dialog.getByRole('button', { name: 'Add SQLite database' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/near "TABEL": syntax error/)
    .first()
    .waitFor();
  await dialog.getByLabel('SQL').fill('CREATE TABLE t (a); INSERT INTO t VALUES (1);');
  await dialog.getByRole('button', { name: 'Add SQLite database' }).click();
  await page.getByText('Added the SQLite database.').waitFor();
  await page.getByText('2 SQLite databases', { exact: true }).first().waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/data/users/${emulator.users[1]?.id}?tab=sqlite`);
  await page.getByRole('table', { name: 'SQLite databases' }).getByRole('link', { name: 'bob' }).first().click();
  await page.getByRole('link', { name: 't', exact: true }).click();
  await page.getByText('1–1 of 1').waitFor();
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
    [`/${ada?.id}?table=numbers&offset=100`, '10201'],
    [`/${ada?.id}?table=${WIDE}`, 'NULL'],
    [`/${ada?.id}?tab=history`, 'SQLite database'],
  ] as const) {
    await page.goto(`${emulator.url}/_emulator/ui/#/data/sqlite${hash}`);
    await page.locator('main').getByText(text, { exact: true }).first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(page.viewportSize()?.width);
  }
});
