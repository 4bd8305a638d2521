import { createServer } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { call, REPORT, WEATHER, WORLD } from './program.js';
import {
  expectAccessible,
  fillEditor,
  openDashboard,
  openPage,
  readEditor,
  startEmulator,
  useBrowser,
} from './support.js';

// What a person sees and clicks stays where it is, and has room.

useBrowser();

const LINES = Array.from({ length: 60 }, (_, i) => `export const line${i + 1} = ${i + 1};`);
const CODE = `${LINES.join('\n')}\n`;
const CHANGED = CODE.replace('line41 = 41', 'line41 = 4100');

/** Where an element is in the window. */
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return box;
}

/** Reads a computed style of an element, or of a pseudo-element of it. */
const styleOf = (locator: Locator, name: string, pseudo?: string): Promise<string | undefined> =>
  locator.evaluate(
    (element, [property, part]) =>
      element.ownerDocument.defaultView?.getComputedStyle(element, part).getPropertyValue(property),
    [name, pseudo] as const,
  );

const heightsOf = (locator: Locator) =>
  locator.evaluateAll((elements) => elements.map((element) => Math.round(element.getBoundingClientRect().height)));

const requestRow = (page: Page, id: string) => page.locator(`.request-list [data-id="${id}"]`);

/** Whether a row is in the document and in view. */
const isInView = async (page: Page, id: string): Promise<boolean> => {
  const box = await requestRow(page, id)
    .boundingBox({ timeout: 200 })
    .catch(() => null);
  const list = await boxOf(page.locator('.request-list .virtual-list'));
  return box !== null && box.y >= list.y && box.y + box.height <= list.y + list.height;
};

/** Starts an emulator that got GET requests r1 to rN. */
async function startWithRequests(count: number) {
  const emulator = await startEmulator({ fixtures: WORLD });
  const headers = { authorization: 'Bearer ada-token' };
  for (let i = 0; i < count; i++) await emulator.fetch('/v1/me', { headers });
  return emulator;
}

test.each([
  ['a val', '#/requests/r1', 'Changed lines'],
  ['a file of a project', '#/requests/r2', 'Changed lines'],
])('the text of a difference of %s begins beside the line numbers', async (_, hash, label) => {
  const emulator = await startEmulator({
    fixtures: {
      users: [{ username: 'ada' }],
      vals: [{ author: 'ada', name: 'long', id: REPORT, code: CODE }],
      projects: [{ owner: 'ada', name: 'site', id: WEATHER, files: { 'main.ts': CODE } }],
    },
  });
  await call(emulator, 'POST', `/v1/vals/${REPORT}/versions`, { body: { code: CHANGED } });
  await call(emulator, 'PUT', `/v2/vals/${WEATHER}/files?path=main.ts`, { body: { content: CHANGED } });
  const page = await openDashboard(emulator, { hash, width: 1440 });
  const table = page.getByRole('table', { name: label }).first();
  await table.getByText('4100').waitFor();

  const { x } = await boxOf(table);
  for (const code of await table.locator('code').all()) expect((await boxOf(code)).x - x).toBeLessThan(110);
});

test('an added file begins with its first line, and a gap stands for hidden lines only', async () => {
  const emulator = await startEmulator({
    fixtures: {
      users: [{ username: 'ada' }],
      projects: [{ owner: 'ada', name: 'site', id: WEATHER, files: { 'main.ts': CODE } }],
    },
  });
  const path = (file: string) => `/v2/vals/${WEATHER}/files?path=${file}`;
  await call(emulator, 'POST', path('new.ts'), { body: { type: 'script', content: 'export const a = 1;\n' } });
  await call(emulator, 'PUT', path('main.ts'), { body: { content: CHANGED } });
  const page = await openDashboard(emulator, { hash: '#/requests/r1' });
  const rows = () => page.getByRole('table', { name: 'Changed lines' }).first().locator('tr').allTextContents();

  await expect.poll(rows).toEqual(['1+export const a = 1;']);
  await page.goto(`${emulator.url}/_emulator/ui/#/requests/r2`);
  await expect.poll(async () => (await rows())[0]).toBe('⋯');
  expect(await rows()).toContain('41+export const line41 = 4100;');
});

test('a click at the right end of a row opens the request, and arms nothing', async () => {
  const emulator = await startWithRequests(3);
  const page = await openDashboard(emulator, { hash: '#/requests', width: 1440 });
  await requestRow(page, 'r2').hover();
  const { x, y, width, height } = await boxOf(requestRow(page, 'r2'));

  await page.mouse.click(x + width - 60, y + height / 2);
  await page.getByRole('region', { name: 'Request r2' }).waitFor();
  expect(emulator.faults()).toEqual([]);
});

test('rows stay below the pointer that selects them', async () => {
  const emulator = await startWithRequests(60);
  const page = await openDashboard(emulator, { hash: '#/requests' });
  const box = requestRow(page, 'r50').getByRole('checkbox');
  const before = await boxOf(box);
  await box.check();
  await page.getByText('Selected: 1').waitFor();
  expect(await boxOf(box)).toEqual(before);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByText('Selected: 1').waitFor({ state: 'detached' });
  expect(await boxOf(box)).toEqual(before);

  await page.goto(`${emulator.url}/_emulator/ui/#/data/vals`);
  const record = page.getByRole('checkbox', { name: 'Select ada/report' });
  const first = await boxOf(record);
  await record.check();
  await page.getByText('Selected: 1 val').waitFor();
  expect(await boxOf(record)).toEqual(first);
});

test('the list of requests follows the request that is open', async () => {
  const emulator = await startWithRequests(300);
  const page = await openDashboard(emulator, { hash: '#/requests/r290' });
  await expect.poll(() => isInView(page, 'r290')).toBe(true);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('r17');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^r17 GET/ })
    .click();
  await page.getByRole('region', { name: 'Request r17' }).waitFor();
  await expect.poll(() => isInView(page, 'r17')).toBe(true);
  await page.goBack();
  await page.getByRole('region', { name: 'Request r290' }).waitFor();
  await expect.poll(() => isInView(page, 'r290')).toBe(true);
  await page.goto(`${emulator.url}/_emulator/ui/#/requests/r150`);
  await expect.poll(() => isInView(page, 'r150')).toBe(true);
});

test('the palette holds still while one types, and lists the exact operation first', async () => {
  const emulator = await startWithRequests(1);
  const page = await openDashboard(emulator);
  await page.keyboard.press('Control+k');
  const input = page.getByRole('dialog').getByRole('searchbox');
  const places = new Set<number>();
  for (const letter of 'fail x') {
    await page.keyboard.type(letter);
    places.add((await boxOf(input)).y);
  }
  expect(places.size).toBe(1);
  expect(
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /close|clear/i })
      .count(),
  ).toBe(1);

  const items = page.getByRole('dialog').getByRole('list', { name: 'Found' }).getByRole('button');
  const titles = () => items.evaluateAll((all) => all.map((item) => item.querySelector('.truncate')?.textContent));
  await input.fill('POST /v1/vals');
  await expect.poll(titles).toEqual(expect.arrayContaining(['POST /v1/vals', 'POST /v1/vals/{val_id}/versions']));
  expect((await titles())[0]).toBe('POST /v1/vals');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate<string>('location.hash')).toBe('#/api/POST/v1/vals');
});

test('a rewind by its button can be undone as the one of the palette', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);
  const page = await openDashboard(emulator, { hash: '#/requests/r1' });
  await page.getByRole('button', { name: 'Rewind to before it' }).click();
  await page.getByRole('button', { name: 'Take back one commit' }).click();
  await page.getByText('Took back one commit.').waitFor();
  expect((await call(emulator, 'GET', `/v1/vals/${REPORT}`)).status).toBe(200);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect((await call(emulator, 'GET', `/v1/vals/${REPORT}`)).status).toBe(404);
});

test('a start before the emulator responds, and a sandbox that is missing, look as meant', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  // A server that has the page, and does not respond to its feed of events yet.
  const slow = createServer(async ({ url = '' }, response) => {
    if (url.startsWith('/_emulator/events')) return;
    const file = await fetch(emulator.url + url);
    response.setHeader('content-type', file.headers.get('content-type') ?? '');
    response.end(Buffer.from(await file.arrayBuffer()));
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    slow.closeAllConnections();
    slow.close();
  });
  const address = slow.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const page = await openPage(`http://127.0.0.1:${port}/_emulator/ui/`, { isInterrupted: true });
  const loading = page.locator('main').getByText('Loading');
  await loading.waitFor();
  const main = await boxOf(page.locator('main'));
  const { x, y } = await boxOf(loading);
  expect(x - main.x).toBeGreaterThanOrEqual(14);
  expect(y - main.y).toBeGreaterThanOrEqual(14);
  const heights = await heightsOf(page.locator('.connection > span:not(.dot)'));
  expect(Math.max(...heights)).toBeLessThan(24);

  const missing = await openPage(`${emulator.url}/_sandbox/gone/_emulator/ui/`, { isInterrupted: true }, emulator.url);
  await missing.getByRole('button', { name: 'Create it' }).waitFor();
  expect(await missing.getByText('Loading').count()).toBe(0);
  expect(Math.max(...(await heightsOf(missing.locator('.connection > span:not(.dot)'))))).toBeLessThan(24);
});

test.each([1024, 390])('times stay on a line of %d pixels, and the filters have room', async (width) => {
  const emulator = await startEmulator({ fixtures: WORLD });
  for (let i = 0; i < 8; i++) {
    const body = { name: `a_val_with_quite_a_long_name_${i}`, code: '1' };
    await call(emulator, 'POST', '/v1/vals', { body });
  }
  const page = await openDashboard(emulator, { hash: '#/time', width });
  const times = page.locator('.rail time');
  await times.nth(7).waitFor();
  expect(new Set(await heightsOf(times)).size).toBe(1);
  const lines = await times.evaluateAll((all) => all.map((time) => time.getClientRects().length));
  expect(new Set(lines)).toEqual(new Set([1]));
  const widths = await page
    .locator('.time-filters select')
    .evaluateAll((all) => all.map((select) => select.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(width < 760 ? 300 : 80);
});

test('the origin of a fork stands below its name', async () => {
  const emulator = await startWithRequests(1);
  emulator.fork('beta');
  const page = await openDashboard(emulator, { hash: '#/sandboxes' });
  const cell = page.getByRole('row').filter({ hasText: 'Fork of' }).getByRole('cell').first();
  const name = await boxOf(cell.getByText('beta', { exact: true }));
  const source = await boxOf(cell.getByText(/^Fork of/));
  expect(source.y).toBeGreaterThanOrEqual(name.y + name.height - 1);
  await page.getByRole('row').filter({ hasText: 'default' }).first().getByText('1', { exact: true }).waitFor();
});

test('a reload keeps a text that was not saved', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator, { hash: `#/data/vals/${REPORT}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Code of ada/report' });
  await fillEditor(editor, 'export const draft = 1;');

  await page.reload();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  expect(await readEditor(editor)).toBe('export const draft = 1;');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Code of ada/report' }).count()).toBe(0);
});

test('the regions of several statements have names of their own', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const statements = ['CREATE TABLE t (a, b)', 'INSERT INTO t VALUES (1, 2)', 'UPDATE t SET a = 3'];
  await call(emulator, 'POST', '/v1/sqlite/batch', { body: { statements } });
  const page = await openDashboard(emulator, { hash: '#/requests/r1' });
  await page.getByRole('region', { name: 'Rows of sqlite/ada, statement 2' }).waitFor();
  await expectAccessible(page);
});

test('columns of a result are as wide as their values, and NULL stands where numbers do', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const sql = "SELECT 1 AS id, NULL AS amount, 'some words' AS title UNION ALL SELECT 2, 3.5, 'other words'";
  await call(emulator, 'POST', '/v1/sqlite/execute', { body: { statement: 'CREATE TABLE t (a)' } });
  const hash = `#/data/sqlite/${emulator.users[0]?.id}?sql=${encodeURIComponent(sql)}`;
  const page = await openDashboard(emulator, { hash });
  const cell = page.getByRole('gridcell', { name: 'NULL' });
  await cell.waitFor();
  expect(await styleOf(cell, 'text-align')).toBe('right');
  expect((await boxOf(page.getByRole('gridcell', { name: '1', exact: true }))).width).toBeLessThan(140);
});

test('the focus ring of an editor is around its gutter', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'POST', '/v1/sqlite/execute', { body: { statement: 'CREATE TABLE t (a)' } });
  const page = await openDashboard(emulator, { hash: `#/data/sqlite/${emulator.users[0]?.id}` });
  await page.getByRole('textbox', { name: 'SQL statement' }).focus();
  const editor = page.locator('.cm-editor.cm-focused');
  expect(await styleOf(editor, 'border-left-width', '::after')).toBe('2px');
  expect(await styleOf(editor, 'left', '::after')).toBe('0px');
  const gutter = await styleOf(editor.locator('.cm-gutters'), 'z-index');
  expect(Number(await styleOf(editor, 'z-index', '::after'))).toBeGreaterThan(Number(gutter));
});

test('a conversation begins at its end, with room between its parts', async () => {
  const emulator = await startWithRequests(45);
  const page = await openDashboard(emulator, { hash: '#/requests?view=conversation' });
  const turns = page.getByRole('list', { name: 'Conversation, oldest first' }).locator('.turn');
  await expect.poll(() => turns.count()).toBe(30);
  await expect.poll(async () => (await turns.last().boundingBox())?.y).toBeLessThan(820);
  const button = await boxOf(page.getByRole('button', { name: '15 earlier' }));
  expect((await boxOf(turns.first())).y - button.y - button.height).toBeGreaterThanOrEqual(10);
});

test('the reason of a refused tool call is in view, and its status is beside its method', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const args = { val: 'ada/nothing', path: 'main.ts', content: 'export const answer = 42;\n'.repeat(8) };
  await call(emulator, 'POST', '/v3/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_file', arguments: args } },
  });
  const page = await openDashboard(emulator, { hash: '#/requests' });
  await page.setViewportSize({ width: 1024, height: 700 });
  const cell = requestRow(page, 'r1').locator('.request-row > .truncate').first();
  const [reason, room] = [await boxOf(cell.locator('.cause')), await boxOf(cell)];
  expect(reason.x + 60).toBeLessThan(room.x + room.width);

  await page.goto(`${emulator.url}/#/`);
  const recent = page.locator('.recent-link').first();
  const [badge, method] = [await boxOf(recent.locator('.badge')), await boxOf(recent.locator('.method'))];
  expect(badge.x + badge.width).toBeLessThanOrEqual(method.x);
});
