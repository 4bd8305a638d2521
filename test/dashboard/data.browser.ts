import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { describe, expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../src/index.js';
import {
  chooseItem,
  expectAccessible,
  fillEditor,
  openDashboard,
  readEditor,
  startEmulator,
  useBrowser,
} from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.000Z';
const WEATHER = '4c3bbf3a-21a5-4d2c-9a5e-0d4f6c1b2a3d';
const RUN = '7d2f4b1e-93aa-4c55-8a34-5f6e7d8c9b0a';

/** Two authors; a val with three versions, an import, an importer, and an import of a val that is missing. */
const WORLD: Fixtures = {
  users: [{ username: 'ada', bio: 'Measures the weather.' }, { username: 'grace' }],
  vals: [
    {
      ...{
        author: 'ada',
        name: 'weather',
        id: WEATHER,
        type: 'http',
        createdAt: '-3d',
        version: 2,
        readme: '# Weather',
      },
      code: ['import { round } from "https://esm.town/v/grace/round";', 'export const unit = "°C";', 'round(1.5);'],
    },
    {
      author: 'ada',
      name: 'alarm',
      createdAt: '-2d',
      code: 'import "https://esm.town/v/ada/weather"; import "https://esm.town/v/ada/gone";',
    },
    { author: 'grace', name: 'round', createdAt: '-1d', privacy: 'unlisted', code: 'export const round = Math.round;' },
  ],
  versions: [
    { val: 'ada/weather', version: 0, createdAt: '-3d', code: 'export const unit = "K";' },
    { val: 'ada/weather', version: 1, createdAt: '-2d', code: ['export const unit = "°F";', 'round(1.5);'] },
  ],
  runs: [
    {
      val: 'ada/weather',
      id: RUN,
      runStartAt: '-10m',
      duration: '2s',
      error: 'No station',
      logs: ['10.6 °C', { wind: 3 }],
    },
    { val: 'ada/weather', runStartAt: '-5m', source: 'api', parentId: RUN, returnValue: { sunny: true } },
    { val: 'grace/round', runStartAt: '-1m', source: 'interval' },
  ],
  likes: [{ user: 'grace', val: 'ada/weather', createdAt: '-1h' }],
  comments: [{ author: 'grace', val: 'ada/weather', comment: 'Very precise.', createdAt: '-1h' }],
};

/** The texts of the rows of a table, without its header. */
const rowsOf = (page: Page, table: string) =>
  page
    .getByRole('region', { name: `Table of ${table}` })
    .locator('tr.record')
    .allInnerTexts();

/** The names of the vals in the table, from the top. */
const namesOf = (page: Page) => page.locator('.vals .row-link').allTextContents();

const tab = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Parts of the record' }).getByRole('button', { name });

test('finds a val, edits it as JSON, and shows an error at its line', async () => {
  const emulator = await startEmulator({ now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data' });

  await page.getByRole('searchbox', { name: 'Search vals' }).fill('dewPoint');
  await page.getByRole('link', { name: 'dewPoint', exact: true }).first().click();
  await page
    .getByRole('heading', { name: /dewPoint/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: /as JSON/ });
  const text = await readEditor(editor);
  await fillEditor(editor, text.replace('"public"', '"publik"'));
  await page.getByRole('button', { name: 'Save' }).click();
  const line = text.split('\n').findIndex((each) => each.includes('"privacy"')) + 1;
  await page.getByRole('button', { name: `Line ${line}` }).waitFor();
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Did you mean "public"?');
  expect(emulator.history()).toEqual([]);

  await fillEditor(editor, text.replace('"public"', '"unlisted"'));
  await page.getByRole('link', { name: 'Clock' }).click();
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
  await page.goBack();
  expect(await readEditor(editor)).toContain('"unlisted"');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the val.').waitFor();
  expect(emulator.history()).toMatchObject([
    { request: 'PUT /_emulator/records/vals/{id}', counts: { vals: { changed: 1 } } },
  ]);
  expect(emulator.state().vals.find(({ name }) => name === 'dewPoint')?.privacy).toBe('unlisted');
});

test('forms add records and show errors at their fields', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] }, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/users' });

  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('ada');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog
    .getByText(/already|taken/)
    .first()
    .waitFor();
  expect(emulator.users).toHaveLength(1);
  await dialog.getByLabel('Username').fill('eve');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'eve']);
});

test('deletes a record after a confirmation', async () => {
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'one', code: '1' }] },
  });
  const page = await openDashboard(emulator, { hash: '#/data/vals' });
  await page.getByRole('link', { name: 'one', exact: true }).click();

  await chooseItem(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(emulator.state().vals).toHaveLength(1);
  await chooseItem(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted the val.').waitFor();
  expect(emulator.state().vals).toEqual([]);
});

test('exports a selection as fixtures that load alone', async () => {
  const emulator = await startEmulator({ now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/vals?q=dewPoint' });

  await page.getByRole('checkbox', { name: 'Select ada/dewPoint' }).check();
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download fixture.json' }).click(),
  ]);
  const other = await startEmulator({ fixtures: await download.path() });
  expect(other.state().vals.map(({ name }) => name)).toEqual(['dewPoint']);
  expect(other.users.map(({ username }) => username)).toEqual(['ada']);
});

test('sorts, filters and scrolls a hundred thousand runs', async () => {
  const runs = Array.from({ length: 100_000 }, (_, i) => ({
    val: 'ada/one',
    runStartAt: `-${i + 1}s`,
    ...(i % 1_000 === 0 ? { error: `failure ${i}` } : {}),
  }));
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'one', code: '1' }], runs },
    now: NOW,
  });
  const page = await openDashboard(emulator, { hash: '#/data/runs' });

  await page.getByText('100,000 runs').first().waitFor();
  const table = page.getByRole('region', { name: 'Table of runs' });
  await table.focus();
  await page.keyboard.press('End');
  await page.locator('[aria-rowindex="100001"]').getByRole('link', { name: 'ada/one', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(120);
  await page.getByRole('combobox', { name: /outcome/i }).selectOption('failed');
  await page.getByText('100 runs').first().waitFor();
  await page.getByText('failure 0', { exact: true }).waitFor({ state: 'attached' });
});

test('shows the state as of an earlier commit without edit buttons', async () => {
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'one', code: '1' }] },
  });
  emulator.add.val({ author: 'ada', name: 'two', code: '2' });
  const page = await openDashboard(emulator, { hash: '#/data/vals?at=start' });

  await page.getByRole('link', { name: 'one', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'two', exact: true }).count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Add val' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('link', { name: 'two', exact: true }).waitFor();
});

test('keeps the sorting, search and filters of a table in the address', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/vals' });

  await expect.poll(() => namesOf(page)).toEqual(['round', 'alarm', 'weather']);
  const name = page.getByRole('columnheader', { name: 'Name' });
  await name.getByRole('button').click();
  await expect.poll(() => namesOf(page)).toEqual(['alarm', 'round', 'weather']);
  await expect.poll(() => name.getAttribute('aria-sort')).toBe('ascending');
  await name.getByRole('button').click();
  await expect.poll(() => namesOf(page)).toEqual(['weather', 'round', 'alarm']);
  await expect.poll(() => name.getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('combobox', { name: 'Author' }).fill('ada');
  await page.keyboard.press('Enter');
  await expect.poll(() => namesOf(page)).toEqual(['weather', 'alarm']);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('http');
  await expect.poll(() => namesOf(page)).toEqual(['weather']);
  await expect
    .poll(() => page.url())
    .toBe(`${emulator.url}/_emulator/ui/#/data/vals?sort=name&order=desc&author=ada&type=http`);

  await page.reload();
  await expect.poll(() => namesOf(page)).toEqual(['weather']);
  await page.getByRole('combobox', { name: 'Privacy' }).selectOption('private');
  await page.getByText('No vals match').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect.poll(() => namesOf(page)).toEqual(['weather', 'round', 'alarm']);
  await page.getByRole('searchbox', { name: 'Search vals' }).fill('MATH.round');
  await expect.poll(() => namesOf(page)).toEqual(['round']);
});

test('each collection has a table with links to its records and their references', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data' });

  const navigation = page.getByRole('navigation', { name: 'Collections' });
  await expect
    .poll(() =>
      navigation
        .getByRole('link')
        .allInnerTexts()
        .then((all) => all.map((text) => text.replace(/\s+/g, ' '))),
    )
    .toEqual([
      'Users 2',
      ...['Organizations 0', 'Memberships 0', 'Projects 0', 'Branches 0', 'Commits 0', 'Environment variables 0'],
      ...['Responses 0', 'Clients 0', 'Grants 0'],
      'Tokens 0',
      'Vals 3',
      'Versions 5',
      'Runs 3',
      'Likes 1',
      'Comments 1',
      'Blobs 0',
      'SQLite databases 0',
    ]);
  const heading = page.getByRole('heading', { level: 1 });
  for (const [collection, name, title] of [
    ['Users', 'grace', 'grace'],
    ['Vals', 'weather', 'ada/weather'],
    ['Versions', '2 version of ada/weather', 'ada/weather version 2'],
    ['Versions', 'grace/round', 'grace/round'],
    ['Runs', '1 m ago run of grace/round', 'Run of grace/round'],
    ['Runs', 'grace/round', 'grace/round'],
    ['Likes', '1 h ago grace likes ada/weather', 'grace likes ada/weather'],
    ['Likes', 'ada/weather', 'ada/weather'],
    ['Comments', 'Very precise.', 'Very precise.'],
    ['Comments', 'grace', 'grace'],
  ] as const) {
    await navigation.getByRole('link', { name: collection }).click();
    await page.getByRole('table').getByRole('link', { name, exact: true }).click();
    await heading.getByText(title, { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: `Table of ${collection.toLowerCase()}` }).waitFor();
  }
  // A click beside the links of a row counts for the record.
  await navigation.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('cell', { name: 'interval' }).click({ force: true });
  await heading.getByText('Run of grace/round').waitFor();
});

test('filters runs by their outcome and their parent', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/runs?outcome=failed' });

  await expect.poll(() => rowsOf(page, 'runs')).toHaveLength(1);
  expect((await rowsOf(page, 'runs'))[0]).toMatch(/^.*10 m ago.*failed\s+ada\/weather\s+2.0 s\s+ui\s+2\s+No station$/s);
  await page.getByRole('link', { name: '10 m ago run of ada/weather' }).click();
  await tab(page, /^Children/).click();
  await page.getByRole('table', { name: 'Children' }).getByRole('link', { name: '5 m ago' }).waitFor();
  await page.goto(`${emulator.url}/_emulator/ui/#/data/runs?parentId=${RUN}`);
  await expect.poll(() => rowsOf(page, 'runs')).toHaveLength(2);
  await page.getByRole('button', { name: 'Of parent run' }).click();
  await expect.poll(() => rowsOf(page, 'runs')).toHaveLength(3);
});

test('shows the records of a val in tabs', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  const parts = page.getByRole('group', { name: 'Parts of the record' }).getByRole('button');
  await page.locator('.token.keyword').getByText('import').waitFor();
  await expect
    .poll(() => parts.allInnerTexts())
    .toEqual([
      ...['Code', 'Readme', 'Versions 3', 'History', 'Runs 2', 'Likes 1', 'Comments 1', 'Imports 1', 'Importers 1'],
    ]);
  for (const [name, text] of [
    [/^Readme/, '# Weather'],
    [/^Runs/, 'No station'],
    [/^Likes/, 'grace'],
    [/^Comments/, 'Very precise.'],
    [/^Imports/, 'round'],
    [/^Importers/, 'alarm'],
  ] as const) {
    await tab(page, name).click();
    await page.locator('.tabs-panel').getByText(text, { exact: true }).waitFor();
    await expect.poll(() => tab(page, name).getAttribute('aria-pressed')).toBe('true');
  }
  await tab(page, /^Runs/).click();
  await page.getByRole('link', { name: 'Show in the table' }).click();
  await expect.poll(() => rowsOf(page, 'runs')).toHaveLength(2);
});

test('compares two versions side by side', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}?tab=versions` });

  const table = page.getByRole('table', { name: 'Two versions side by side' });
  const lines = async () =>
    (await table.getByRole('row').allInnerTexts()).map((line) => line.split('\t').map((cell) => cell.trim()));
  await expect.poll(lines).toEqual([
    ['1', 'export const unit = "°F";', '1', 'import { round } from "https://esm.town/v/grace/round";'],
    ['', '', '2', 'export const unit = "°C";'],
    ['2', 'round(1.5);', '3', 'round(1.5);'],
  ]);
  await page.getByRole('combobox', { name: 'Version', exact: true }).selectOption('0');
  await page.getByRole('combobox', { name: 'Compared with' }).selectOption('1');
  await expect.poll(lines).toEqual([
    ['1', 'export const unit = "K";', '1', 'export const unit = "°F";'],
    ['', '', '2', 'round(1.5);'],
  ]);
  await expect.poll(() => page.url()).toContain('tab=versions&from=0&to=1');
  await page.getByRole('button', { name: 'Changed lines' }).click();
  const removed = page.getByRole('table', { name: 'Changed lines' }).locator('tr.removed code');
  await expect.poll(() => removed.allTextContents()).toEqual(['export const unit = "K";']);
});

test('adds a version, a run, a like and a comment to a val', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });
  const dialog = page.getByRole('dialog');
  const open = async (name: string) => {
    await chooseItem(page, `Add ${name}`);
    await expect.poll(() => dialog.getByLabel('Val', { exact: true }).inputValue()).toBe('ada/weather');
  };
  const add = async (name: string) => {
    await dialog.getByRole('button', { name: `Add ${name}` }).click();
    await page.getByText(`Added the ${name}.`).waitFor();
    await dialog.waitFor({ state: 'detached' });
  };

  await open('version');
  await fillEditor(dialog.getByLabel('Code'), 'export const unit = "°R";');
  await add('version');
  await page.getByRole('button', { name: 'Versions 4' }).waitFor();
  await open('run');
  await dialog.getByLabel('Source').selectOption('email');
  await dialog.getByLabel('Logs').fill('[oops]');
  await dialog.getByRole('button', { name: 'Add run' }).click();
  await dialog.getByText('This is not JSON. Texts need double quotes.').waitFor();
  await dialog.getByLabel('Logs').fill('["7 °C"]');
  await dialog.getByLabel('Duration').fill('three');
  await dialog.getByRole('button', { name: 'Add run' }).click();
  await expect.poll(() => dialog.getByLabel('Duration').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await dialog.getByLabel('Duration').fill('3s');
  await add('run');
  await page.getByRole('button', { name: 'Runs 3' }).waitFor();
  await open('like');
  await dialog.getByLabel('User').fill('ada');
  await add('like');
  await page.getByRole('button', { name: 'Likes 2' }).waitFor();
  await open('comment');
  await dialog.getByLabel('Author').fill('ada');
  await dialog.getByLabel('Comment').fill('Thank you.');
  await add('comment');
  await page.getByRole('button', { name: 'Comments 2' }).waitFor();

  const { vals, runs, likes, comments } = emulator.state();
  expect(vals.find(({ id }) => id === WEATHER)).toMatchObject({ version: 3, code: 'export const unit = "°R";' });
  expect(runs.at(-1)).toMatchObject({
    ...{ val: 'ada/weather', source: 'email', logs: ['7 °C'], runStartAt: NOW, runEndAt: '2024-06-11T22:05:15.000Z' },
  });
  expect(likes.at(-1)).toMatchObject({ user: 'ada', val: 'ada/weather' });
  expect(comments.at(-1)).toMatchObject({ author: 'ada', comment: 'Thank you.' });
});

test('the confirmation lists the records that are deleted with a user', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/users' });

  await page.getByRole('link', { name: 'ada', exact: true }).click();
  await chooseItem(page, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete this user?' });
  await dialog.getByText('Deleted with it: 2 vals, 2 runs.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted the user.').waitFor();
  expect(emulator.state().vals.map(({ name }) => name)).toEqual(['round']);
});

test('edits a record by keyboard, and each error links to its line', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/runs/${RUN}` });

  await page.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Run of ada/weather as JSON' });
  const problems = page.getByRole('alert').getByRole('listitem');
  const save = async (text: string) => {
    await fillEditor(editor, text);
    await page.keyboard.press('Control+Enter');
  };
  const selected = () => page.evaluate('getSelection().toString()');

  await save('{\n  "val": "ada/weather",\n  "source" "ui"\n}');
  await expect.poll(() => problems.allInnerTexts()).toHaveLength(1);
  expect((await problems.allInnerTexts())[0]).toMatch(/^Line 3 /);
  await save('{\n  "val": "ada/weathr",\n  "logs": "none",\n  "sorce": "api"\n}');
  await expect.poll(() => problems.count()).toBeGreaterThan(1);
  const texts = (await problems.allInnerTexts()).join('\n');
  expect(texts).toMatch(/^Line 3 logs /m);
  expect(texts).toMatch(/^Line 4 sorce .*Did you mean "source"\?/m);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Line 3' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(selected).toBe('"logs": "none"');
  // Tab leaves the editor, for the first of the messages.
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Line \d$/);
  expect(emulator.history()).toEqual([]);

  await save('{ "val": "ada/weather", "runStartAt": "-10m", "logs": ["12 °C"], "source": "api" }');
  await page.getByText('Saved the run.').waitFor();
  expect(emulator.state().runs.find(({ id }) => id === RUN)).toMatchObject({ logs: ['12 °C'], source: 'api' });
  await page.getByText('12 °C').waitFor();
});

test('the editor warns of a change of the record by another client', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  const editor = page.getByRole('textbox', { name: 'ada/weather as JSON' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await fillEditor(editor, '{ "privacy": "unlisted" }');
  await page.getByRole('link', { name: 'Vals', exact: true }).click();
  await page.getByRole('region', { name: 'Table of vals' }).waitFor();
  await emulator.fetch(`/_emulator/db/vals/${WEATHER}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{ "privacy": "private" }',
  });
  await page.getByRole('link', { name: 'weather', exact: true }).click();
  await page.getByText('This val has changed since you began.').waitFor();
  expect(await readEditor(editor)).toBe('{ "privacy": "unlisted" }');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('private', { exact: true }).waitFor();
});

test('a text that is edited stays when another client deletes its record', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  const editor = page.getByRole('textbox', { name: 'ada/weather as JSON' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await fillEditor(editor, '{ "privacy": "unlisted" }');
  await emulator.fetch(`/_emulator/records/vals/${WEATHER}`, { method: 'DELETE' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('There is no record').waitFor();
  expect(await readEditor(editor)).toBe('{ "privacy": "unlisted" }');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('This val does not exist').waitFor();
});

test('selects all matching records of several collections at once', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/vals?author=ada' });

  await page.getByRole('checkbox', { name: 'Select ada/alarm' }).check();
  await page.getByRole('button', { name: 'Select all 2 that match' }).click();
  await page.getByText('Selected: 2 vals').waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('checkbox', { name: 'Select Run of grace/round' }).check();
  await page.getByText('Selected: 2 vals, 1 run').waitFor();
  await page.getByRole('button', { name: 'Export as a fixture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export as a fixture' });
  await dialog.getByText(/^2 users, 3 vals, .*1 run/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy the fixture' }).click();
  const text = await page.evaluate('navigator.clipboard.readText()');
  const other = await startEmulator({ fixtures: JSON.parse(String(text)), now: NOW });
  expect(
    other
      .state()
      .vals.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['alarm', 'round', 'weather']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Export as a fixture');
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Select Run of grace/round' }).isChecked()).toBe(false);
});

test('shows a record and its imports as of an earlier commit', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  await emulator.fetch(`/_emulator/db/vals/${WEATHER}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{ "readme": "New", "code": "import \\"https://esm.town/v/ada/alarm\\";" }',
  });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}?at=start` });

  await tab(page, /^Readme/).click();
  await page.getByText('# Weather').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^(Edit|Delete|Run)$/ }).count()).toBe(0);
  await tab(page, /^Imports/).click();
  await expect.poll(() => namesOf(page)).toEqual(['round']);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect.poll(() => namesOf(page)).toEqual(['alarm']);
});

test('a missing record or collection has links to others', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${RUN}` });

  await page.getByText('This val does not exist').waitFor();
  await page.goto(`${emulator.url}/_emulator/ui/#/data/wals`);
  await page.getByText('There is no collection "wals"').waitFor();
  await page.getByRole('link', { name: 'Go to the vals' }).click();
  await expect.poll(() => namesOf(page)).toEqual(['round', 'alarm', 'weather']);
});

test('an empty dataset shows how to add records', async () => {
  const emulator = await startEmulator({ fixtures: {} });
  const page = await openDashboard(emulator, { hash: '#/data/vals' });

  await page.getByText('There are no vals').waitFor();
  await page.getByRole('button', { name: 'Add val' }).last().click();
  await page.getByRole('dialog', { name: 'Add a val' }).waitFor();
  await page.keyboard.press('Escape');
  expect(emulator.history()).toEqual([]);
});

test('reports a failed load of the page, and loads it again', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator);
  const file = /\/data-[\w-]+\.js$/;

  await page.route(file, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Data' }).click();
  await page.getByText('The page could not be loaded').waitFor();
  await expectAccessible(page);
  await page.unroute(file);
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect.poll(() => namesOf(page)).toEqual(['round', 'alarm', 'weather']);
});

describe.each([
  ['in light colors', {}],
  ['in dark colors on a phone', { width: 375, colorScheme: 'dark' }],
] as const)('%s', (_, options) => {
  test('the pages of records are accessible and fit the window', async () => {
    const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
    const page = await openDashboard(emulator, { ...options, hash: `#/data/vals/${WEATHER}` });
    const check = async () => {
      await expectAccessible(page);
      await expect.poll(() => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)).toBe(0);
    };

    await page.getByRole('heading', { level: 1, name: 'ada/weather' }).waitFor();
    await check();
    await tab(page, /^Versions/).click();
    await page.getByRole('table', { name: 'Versions', exact: true }).waitFor();
    await check();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.schema-fields dt').first().waitFor();
    await check();
    await page.goto(`${emulator.url}/_emulator/ui/#/data/runs/${RUN}`);
    await page.getByRole('heading', { level: 1, name: 'Run of ada/weather' }).waitFor();
    await check();
    await page.goto(`${emulator.url}/_emulator/ui/#/data/versions`);
    await page.getByRole('region', { name: 'Table of versions' }).waitFor();
    await check();
  });
});

test('shows stored markup as text and runs no script', async () => {
  const script = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
  const url = 'javascript:window.pwned=1';
  const fixtures: Fixtures = {
    users: [
      { username: 'ada', bio: script, email: script, profileImageUrl: url, token: script },
      { username: 'grace', profileImageUrl: `data:text/html,${script}` },
    ],
    vals: [
      {
        ...{ author: 'ada', name: 'one', id: WEATHER, readme: `${script} [x](${url})`, version: 1 },
        code: [`/* ${script} */`, `import "https://esm.town/v/ada/gone"; // ${url}`],
      },
    ],
    versions: [{ val: 'ada/one', version: 0, code: `const a = '${script}';` }],
    runs: [
      {
        ...{ val: 'ada/one', id: RUN, error: { message: script, stack: url }, logs: [script], args: [script] },
        ...{ returnValue: { [script]: script }, emails: [{ html: script }] },
      },
    ],
    comments: [{ author: 'ada', val: 'ada/one', comment: `${script} [x](${url})` }],
  };
  const emulator = await startEmulator({ fixtures });
  const sandbox = emulator.sandbox('a-_.b');
  const { users, comments } = sandbox.state();
  const [ada, grace] = users;
  const page = await openDashboard(emulator, { sandbox: sandbox.name });
  const text = page.getByText('<script>window.pwned=1</script>');
  // The editor has an empty image beside a message.
  const FOREIGN = 'img:not(.cm-widgetBuffer), script, iframe';
  const check = async () => {
    const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((link) => !/^(?:#|https?:|blob:)/.test(link))).toEqual([]);
    await expect.poll(() => page.locator(`main :is(${FOREIGN}), dialog :is(${FOREIGN})`).count()).toBe(0);
    expect(await page.evaluate("'pwned' in window")).toBe(false);
  };
  const visit = async (hash: string) => {
    await page.goto(`${sandbox.url}/_emulator/ui/${hash}`);
    await text.first().waitFor();
    await check();
  };

  await visit('#/data/users');
  await visit(`#/data/users/${ada?.id}`);
  await page.getByText(url, { exact: true }).waitFor();
  await visit(`#/data/users/${grace?.id}`);
  await visit('#/data/versions');
  await visit('#/data/runs');
  await visit('#/data/comments');
  await visit(`#/data/comments/${comments[0]?.id}`);
  await visit(`#/data/${encodeURIComponent(script)}`);
  for (const [hash, parts] of [
    [`#/data/vals/${WEATHER}`, [/^Readme/, /^Runs/, /^Comments/, /^Code/]],
    [`#/data/runs/${RUN}`, [/^Logs/, /^Return value/, /^Arguments/, /^Emails/, /^Error/]],
  ] as const) {
    await visit(hash);
    for (const part of parts) {
      await tab(page, part).click();
      await page.locator('.tabs-panel').getByText('<script>window.pwned=1</script>').first().waitFor();
      await check();
    }
  }
  await visit(`#/data/vals/${WEATHER}?tab=versions`);
  await page.getByRole('button', { name: 'Changed lines' }).click();
  await check();
  await page.getByRole('button', { name: 'Edit' }).click();
  await fillEditor(page.getByRole('textbox', { name: 'ada/one as JSON' }), `{ "${script.replaceAll('"', "'")}": 1 }`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Line 1' }).first().waitFor();
  await check();
  await page.goto(`${sandbox.url}/_emulator/ui/#/data/comments`);
  await page.getByRole('checkbox', { name: /^Select/ }).check();
  await page.getByRole('button', { name: 'Export as a fixture' }).click();
  await page.getByRole('dialog').getByText('window.pwned=1').first().waitFor();
  await check();
  await visit('#/');
});

test('edits the code of a val as code, and the text of a blob', async () => {
  const emulator = await startEmulator({
    fixtures: { ...WORLD, blobs: [{ user: 'ada', key: 'settings', text: '{ "a": 1 }' }] },
    now: NOW,
  });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('group', { name: 'What to edit' }).getByRole('button', { name: 'Code' }).click();
  await fillEditor(
    page.getByRole('textbox', { name: 'Code of ada/weather' }),
    'export const a = "b";\nexport default a;',
  );
  await page.keyboard.type(' // why?');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Saved the val.').waitFor();
  expect(emulator.state().vals.find(({ name }) => name === 'weather')?.code).toBe(
    'export const a = "b";\nexport default a; // why?',
  );

  await page.goto(`${emulator.url}/_emulator/ui/#/data/blobs`);
  await page.getByRole('link', { name: 'settings', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('group', { name: 'What to edit' }).getByRole('button', { name: 'Content' }).click();
  await fillEditor(page.getByRole('textbox', { name: 'Content of settings' }), '{ "a": 2,\n "b": 3 }');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Saved the blob.').waitFor();
  expect(emulator.state().blobs).toMatchObject([{ key: 'settings', text: '{ "a": 2,\n "b": 3 }' }]);
});

test('an editor keeps what is typed at the moment it appears', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });
  await page.evaluate(`{
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options);
      const type = async (_, observer) => {
        observer.disconnect();
        for (const key of '//') {
          // The page renders, and its effects wait for the next frame.
          for (let index = 0; index < 50; index += 1) await undefined;
          root.querySelector('.cm-content').focus();
          document.execCommand('insertText', false, key);
        }
      };
      new MutationObserver(type).observe(root, { childList: true });
      return root;
    };
  }`);

  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'ada/weather as JSON' });
  await editor.waitFor();
  await editor.press('Control+End');
  await page.keyboard.type(' ');
  const text = await readEditor(editor);
  expect(text).toMatch(/^\/\/\{/);
  expect(text).toMatch(/\} $/);
});

test('an invisible character of code is marked where code is shown and edited', async () => {
  const code = 'if (role) { /* \u202e} \u2066begin */ }';
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'x', id: WEATHER, code }] },
  });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  await page.locator('.code mark').first().waitFor();
  await expect.poll(() => page.locator('.code mark').allTextContents()).toEqual(['U+202E', 'U+2066']);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.locator('.cm-specialChar').first().waitFor();
  await expect.poll(() => page.locator('.cm-specialChar').allTextContents()).toEqual(['U+202E', 'U+2066']);
});

test('an invisible character of a comment is marked in the table and on its page', async () => {
  const emulator = await startEmulator({
    fixtures: {
      users: [{ username: 'ada' }],
      vals: [{ author: 'ada', name: 'x', code: '1' }],
      comments: [{ author: 'ada', val: 'ada/x', comment: 'not\u202e a' }],
    },
  });
  const page = await openDashboard(emulator, { hash: '#/data/comments' });

  const link = page.getByRole('link', { name: 'notU+202E a' });
  await link.waitFor();
  await link.click();
  await page.locator('p.text mark').waitFor();
  await expect.poll(() => page.locator('p.text').textContent()).toBe('notU+202E a');
});

const send = (emulator: Emulator, method: string, path: string, body?: object | string) =>
  emulator.fetch(path, {
    method,
    headers: { authorization: `Bearer ${emulator.users[0]?.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const countNodes = (page: Page) => page.evaluate<number>("document.querySelectorAll('*').length");

test('a change of 4,000 lines is bounded, and no text is shown twice', async () => {
  const lines = (word: string) => Array.from({ length: 4_000 }, (_, i) => `const ${word}${i} = ${i};`).join('\n');
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'big', code: 'old', version: 0 }] },
  });
  const id = emulator.state().vals[0]?.id;
  await send(emulator, 'POST', `/v1/vals/${id}/versions`, { code: lines('a') });
  await send(emulator, 'DELETE', `/v1/vals/${id}/versions/0`);
  const page = await openDashboard(emulator, { hash: '#/requests/r1' });

  await page.getByRole('button', { name: 'Show 200 more of 4,001 lines' }).first().waitFor();
  await page.getByText('The same text as of val ada/big.').waitFor();
  expect(await countNodes(page)).toBeLessThanOrEqual(3_000);
  await page.goto(`${emulator.url}/_emulator/ui/#/data/vals/${id}`);
  await page.getByText('const a0 = 0;').first().waitFor();
  expect(await countNodes(page)).toBeLessThanOrEqual(3_000);
  await page.goto(`${emulator.url}/_emulator/ui/#/requests/r2`);
  await page.getByRole('article').getByRole('link', { name: 'ada/big version 0' }).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
});

test('bytes are numbers with a download, and long JSON is folded', async () => {
  const base64 = Buffer.from(Array.from({ length: 40_000 }, (_, i) => i % 256)).toString('base64');
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], blobs: [{ user: 'ada', key: 'bytes', base64 }] },
  });
  await send(emulator, 'GET', '/v1/blob/bytes');
  await send(emulator, 'PUT', '/v1/blob/list', {
    all: Array.from({ length: 3_000 }, (_, i) => `item ${i}`),
    end: 'here',
  });
  const page = await openDashboard(emulator, { hash: '#/data/blobs' });

  await page.getByRole('link', { name: 'bytes', exact: true }).click();
  await page.getByText('40,000 bytes').waitFor();
  await page.getByText('00000010 10 11 12 13').waitFor();
  expect(await countNodes(page)).toBeLessThanOrEqual(3_000);
  await expectAccessible(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect((await readFile(await saved.path())).toString('base64')).toBe(base64);

  await page.goto(`${emulator.url}/_emulator/ui/#/requests/r2`);
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  await page.getByText('"end"').waitFor();
  await expect
    .poll(() => page.locator('.cm-line').allTextContents())
    .toEqual(['{', '  "all": […],', '  "end": "here"', '}']);
  await expectAccessible(page);
});

test('an id with the characters of addresses keeps its page, and a pointer that leaves a dialog closes nothing', async () => {
  const key = 'a/b?c#d%20e ☃';
  const emulator = await startEmulator({ fixtures: { ...WORLD, blobs: [{ user: 'ada', key, text: 'hello' }] } });
  const page = await openDashboard(emulator, { hash: '#/data/blobs' });

  await page.getByRole('link', { name: key }).click();
  await page.getByText('hello').waitFor();
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await page.getByText('No commit of the history touched it').waitFor();
  await page.reload();
  await page.getByText('No commit of the history touched it').waitFor();
  await page.getByRole('heading', { level: 1, name: key }).waitFor();

  await page.getByRole('link', { name: 'Blobs', exact: true }).click();
  await page.getByRole('button', { name: 'Add blob' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Key' }).fill('a text to select');
  const { x, y, width } = (await dialog.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await dialog.getByRole('textbox', { name: 'Key' }).hover();
  await page.mouse.down();
  await page.mouse.move(x / 2, y + 10);
  await page.mouse.up();
  expect(await dialog.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('a text to select');
  await page.mouse.click(x + width + 10, y + 10);
  await dialog.waitFor({ state: 'detached' });
});
