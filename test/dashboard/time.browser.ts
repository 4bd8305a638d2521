import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { call, REPORT, WEATHER, WORLD } from './program.js';
import { chooseItem, expectAccessible, openDashboard, openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.585Z';

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
const commit = (page: Page, name: string | RegExp) => page.locator('.rail').getByRole('button', { name });
const banner = (page: Page) => page.locator('.time-banner');
const valLink = (page: Page, name: string) => page.getByRole('table').getByRole('link', { name, exact: true });

/** Waits until the address has no commit. */
const isNow = (page: Page) => page.waitForURL(({ hash }) => !hash.includes('at='));

/** Starts an emulator with four commits: r1, w1, r2 and r3. */
async function startWithCommits() {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { name: 'summary' } });
  emulator.add.user({ username: 'hopper' });
  await call(emulator, 'POST', `/v1/vals/${REPORT}/versions`, { body: { code: 'export const report = 2;\n' } });
  await call(emulator, 'DELETE', `/v1/vals/${WEATHER}`);
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'w1', 'r2', 'r3']);
  return emulator;
}

test('clicks lead to the changes of a program, and undo them', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: NOW });
  const checkout = emulator.sandbox('checkout');
  const runProgram = async (target: { readonly url: string }) => {
    await call(target, 'GET', '/v1/me');
    await call(target, 'PUT', `/v1/vals/${WEATHER}`, { body: { name: 'forecast' } });
    await call(target, 'GET', `/v1/vals/${REPORT}`);
    await call(target, 'DELETE', `/v1/vals/${REPORT}`);
    await call(target, 'GET', `/v1/vals/${REPORT}`);
    await call(target, 'POST', '/v1/vals', { body: { name: 'later', code: 'export const later = 1;\n' } });
  };
  // The same program in a fork, which is rewound by the API.
  const fork = checkout.fork('fork');
  await runProgram(fork);
  const rewound = await call(fork, 'POST', '/_emulator/rewind', { body: { before: 'r4' } });
  expect(rewound.status).toBe(200);
  await runProgram(checkout);
  const broken = JSON.stringify(checkout.state());

  const page = await openPage(`${emulator.url}/`);
  await goTo(page, 'Sandboxes');
  await page.getByRole('button', { name: 'Open checkout' }).click();
  // Until then the links are those of the page before.
  await page.waitForURL(/\/_sandbox\/checkout\//);
  await goTo(page, 'Requests');
  await page.getByRole('link', { name: /^404 GET/ }).waitFor();
  await page.getByRole('link', { name: /^204 DELETE/ }).click();

  const changes = page.getByRole('region', { name: 'Changed records' });
  expect(
    await changes
      .getByRole('article')
      .filter({ hasText: /removed\s*val/ })
      .textContent(),
  ).toContain('export const report = 1;');
  await page.getByRole('button', { name: 'State before' }).click();
  await page.getByText('All pages show the state after r2').waitFor();
  await goTo(page, 'Data');
  await valLink(page, 'report').waitFor();
  await valLink(page, 'forecast').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'State after' }).click();
  await page.getByText('All pages show the state after r4').waitFor();
  await goTo(page, 'Data');
  await valLink(page, 'forecast').waitFor();
  await expect.poll(() => valLink(page, 'report').count()).toBe(0);
  await expect.poll(() => valLink(page, 'later').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await valLink(page, 'later').waitFor();
  expect(JSON.stringify(checkout.state())).toBe(broken);

  await goTo(page, 'Requests');
  await page.getByRole('link', { name: /^204 DELETE/ }).click();
  await page.getByRole('button', { name: 'Rewind to before it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rewind to the state after r2' });
  await expect
    .poll(() => dialog.locator('.commit-list li .truncate').allTextContents())
    .toEqual(['POST /v1/vals', 'DELETE /v1/vals/{val_id}']);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Take back 2 commits' }).click();
  await page.getByText('Took back 2 commits.').waitFor();
  await goTo(page, 'Data');
  await valLink(page, 'report').waitFor();

  expect(JSON.stringify(checkout.state())).toBe(JSON.stringify(fork.state()));
  expect(JSON.stringify(checkout.state())).not.toBe(broken);
  expect(emulator.history()).toEqual([]);
});

test('the rail lists the commits, and describes the one under the pointer', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time' });
  const rail = page.getByRole('list', { name: 'Commits, newest first' });
  await commit(page, /^r3/).waitFor();
  await expect
    .poll(() => rail.locator('.rail-line .truncate').allTextContents())
    .toEqual([
      'DELETE /v1/vals/{val_id}',
      'POST /v1/vals/{val_id}/versions',
      'POST /_emulator/records',
      'PUT /v1/vals/{val_id}',
    ]);

  const detail = page.getByRole('region', { name: 'Commit', exact: true });
  await commit(page, /^r2/).hover();
  await detail.getByText('export const report = 2;').first().waitFor();
  await commit(page, /^w1/).hover();
  await detail.getByRole('link', { name: 'hopper' }).waitFor();
  await commit(page, /^r1/).hover();
  await detail.getByText('summary', { exact: true }).first().waitFor();
  await expect.poll(() => detail.locator('del').allTextContents()).toContain('report');
  await expect.poll(() => page.url()).not.toContain('at=');

  await detail.getByRole('link', { name: 'Open the request' }).click();
  await page.getByRole('heading', { name: `204 PUT /v1/vals/${REPORT}` }).waitFor();
});

test('all pages show the state of a clicked commit until a return to now', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time' });
  await commit(page, /^r1/).click();
  await banner(page).getByText('after r1').waitFor();
  await expect.poll(() => commit(page, /^r1/).getAttribute('aria-pressed')).toBe('true');
  await goTo(page, 'Data');
  await valLink(page, 'summary').waitFor();
  await valLink(page, 'weather').waitFor();
  await goTo(page, 'Time');
  await commit(page, /^Start/).click();
  await banner(page).getByText('before the first commit').waitFor();
  await goTo(page, 'Data');
  await valLink(page, 'report').waitFor();
  await banner(page).getByRole('button', { name: 'Back to now' }).click();
  await valLink(page, 'weather').waitFor({ state: 'detached' });
  await valLink(page, 'summary').waitFor();
  await expect.poll(() => banner(page).count()).toBe(0);
  expect(emulator.history()).toHaveLength(4);

  // Another sandbox has other commits.
  emulator.sandbox('other');
  await goTo(page, 'Time');
  await commit(page, /^r2/).click();
  await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('other');
  await page.waitForURL(/\/_sandbox\/other\/_emulator\/ui\/#\/time$/);
  await page.getByText('The history has no commit yet').waitFor();
});

test('the banner confirms a rewind, and snapshots and forks the shown state', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time?at=w1' });
  await banner(page).getByRole('button', { name: 'Snapshot' }).click();
  await page.getByText('Took a snapshot.').waitFor();
  const [snapshot] = emulator.snapshots();
  expect(emulator.snapshots()).toHaveLength(1);

  await banner(page).getByRole('button', { name: 'Rewind to here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rewind to the state after w1' });
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(emulator.history()).toHaveLength(4);

  await banner(page).getByRole('button', { name: 'Rewind to here' }).click();
  await dialog.getByRole('button', { name: 'Take back 2 commits' }).click();
  await isNow(page);
  await commit(page, /^r3/).waitFor({ state: 'detached' });
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'w1']);
  const rewound = JSON.stringify(emulator.state());
  emulator.restore(snapshot?.name ?? '');
  expect(JSON.stringify(emulator.state())).toBe(rewound);

  await goTo(page, 'Time');
  await call(emulator, 'DELETE', `/v1/vals/${WEATHER}`);
  await commit(page, /DELETE/).waitFor();
  await commit(page, /^Start/).click();
  await banner(page).getByRole('button', { name: 'Fork' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expect.poll(() => page.url()).toContain('/_sandbox/');
  const [fork] = emulator.sandboxes();
  expect(
    emulator
      .sandbox(fork?.name)
      .state()
      .vals.map(({ name }) => name),
  ).toEqual(['summary', 'weather']);
});

test('undoes a commit, rewinds to one, snapshots and forks it', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time' });
  const detail = page.getByRole('region', { name: 'Commit', exact: true });
  await commit(page, /^r3/).hover();
  await detail.getByRole('button', { name: 'Take back this commit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back one commit' }).click();
  await page.getByText('Took back one commit.').waitFor();
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'w1', 'r2']);

  await commit(page, /^r1/).hover();
  await detail.getByRole('button', { name: 'Take back this and 2 later' }).waitFor();
  await detail.getByRole('button', { name: 'See all pages as of then' }).click();
  await banner(page).getByText('after r1').waitFor();
  await chooseItem(detail, 'Snapshot');
  await page.getByText('Took a snapshot.').waitFor();
  await chooseItem(detail, 'Rewind to here');
  await page.getByRole('dialog').getByRole('button', { name: 'Take back 2 commits' }).click();
  await isNow(page);
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1']);

  await chooseItem(detail, 'Fork a sandbox');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const rewound = JSON.stringify(emulator.state());
  const [fork] = emulator.sandboxes();
  expect(JSON.stringify(emulator.sandbox(fork?.name).state())).toBe(rewound);
  emulator.restore(emulator.snapshots()[0]?.name ?? '');
  expect(JSON.stringify(emulator.state())).toBe(rewound);
});

test('undone commits leave the page at once, even while the history is loading', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time?at=r1' });
  await banner(page).getByText('after r1').waitFor();
  // The page reads the history again after a rewind. This response never arrives.
  const historyUrl = `${emulator.url}/_emulator/history`;
  const isAsked = page.waitForRequest(historyUrl);
  await page.route(historyUrl, () => {});
  await banner(page).getByRole('button', { name: 'Rewind to here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back 3 commits' }).click();
  await isNow(page);
  await isAsked;

  await page.getByText('Took back 3 commits.').waitFor();
  await expect.poll(() => page.locator('.rail .rail-id').allTextContents()).toEqual(['r1']);
  const detail = page.getByRole('region', { name: 'Commit', exact: true });
  await chooseItem(detail, 'Fork a sandbox');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await expect.poll(() => page.url()).toContain('/_sandbox/');
});

test('names a commit that is no longer in the history, with a link back', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time?at=r3' });
  await banner(page).getByText('after r3').waitFor();
  emulator.rewind('r3');
  await page.getByText('The history has no commit r3: it was taken back, or is too old.').waitFor();
  await expect.poll(() => banner(page).getByRole('button').allTextContents()).toEqual(['Back to now']);
  await banner(page).getByRole('button', { name: 'Back to now' }).click();
  await commit(page, /^Now/).waitFor();
});

test('the rail works by keyboard', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time' });
  await commit(page, /^Now/).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  const detail = page.getByRole('region', { name: 'Commit', exact: true });
  await detail.getByText('export const report = 2;').first().waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+j');
  await page.keyboard.press('Enter');
  await banner(page).getByText('after r2').waitFor();
  await commit(page, /^Now/).focus();
  await page.keyboard.press('Enter');
  await isNow(page);
});

test('filters the commits, and the arrow keys step through time on each page', async () => {
  const emulator = await startWithCommits();

  const page = await openDashboard(emulator, { hash: '#/time' });
  const ids = () => page.locator('.rail .rail-id').allTextContents();
  await page.getByRole('searchbox', { name: 'Search records' }).fill('WEATHER');
  await expect.poll(ids).toEqual(['r3']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Collection').selectOption('users');
  await expect.poll(ids).toEqual(['w1']);
  await page.getByLabel('Collection').selectOption('');
  await page.getByLabel('User').selectOption('ada');
  await page.getByLabel('Route').selectOption('PUT /v1/vals/{val_id}');
  await expect.poll(ids).toEqual(['r1']);
  await expect.poll(() => new URL(page.url()).hash).toBe('#/time?user=ada&route=PUT+%2Fv1%2Fvals%2F%7Bval_id%7D');

  await page.goto(`${emulator.url}/_emulator/ui/#/data/vals?at=r2`);
  await banner(page).getByText('after r2').waitFor();
  await page.keyboard.press('ArrowLeft');
  await banner(page).getByText('after w1').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await banner(page).getByText('before the first commit').waitFor();
  await page.keyboard.press('ArrowLeft');
  await banner(page).getByRole('button', { name: 'One commit later' }).click();
  await banner(page).getByText('after r1').waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await isNow(page);
  await banner(page).waitFor({ state: 'detached' });
});

test('the arrow keys of an editor and of a grid do not step through time', async () => {
  const sql = 'CREATE TABLE numbers (id, square); INSERT INTO numbers VALUES (2, 4);';
  const emulator = await startEmulator({ fixtures: { ...WORLD, sqlite: [{ user: 'ada', sql }] }, now: NOW });
  for (const name of ['one', 'two']) await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { name } });
  const path = `#/data/sqlite/${emulator.users[0]?.id}`;
  const page = await openDashboard(emulator, { hash: `${path}?at=r1` });

  await page.getByRole('textbox', { name: 'SQL statement' }).focus();
  await page.keyboard.type('SELECT 1/2');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('0');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(({ hash }) => hash.includes('SELECT+01%2F2'));
  await page.goto(`${emulator.url}/_emulator/ui/${path}?table=numbers&at=r1`);
  await page.getByRole('grid', { name: 'Rows of numbers' }).focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(() => new URL(page.url()).hash).toContain('at=r1');
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  await banner(page).getByText('before the first commit').waitFor();
});

test('the page of time is accessible in light and dark, empty and full, and fits a phone', async () => {
  const empty = await startEmulator({ fixtures: WORLD, now: NOW });
  const emulator = await startWithCommits();

  const page = await openDashboard(empty, { hash: '#/time' });
  await page.getByText('The history has no commit yet').waitFor();
  await expectAccessible(page);

  const dark = await openDashboard(emulator, { hash: '#/time?at=r1', colorScheme: 'dark' });
  await dark.getByRole('region', { name: 'Commit', exact: true }).getByText('changed').first().waitFor();
  await expectAccessible(dark);

  const phone = await openDashboard(emulator, { hash: '#/time?at=r2', width: 375 });
  await phone.getByRole('region', { name: 'Commit', exact: true }).getByText('changed').first().waitFor();
  await expectAccessible(phone);
  await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBe(375);
});

test('three clicks lead from a deleted val to the request that deletes it, and take it back', async () => {
  const emulator = await startWithCommits();
  const page = await openDashboard(emulator, { hash: `#/data/vals/${WEATHER}` });

  const history = page.getByRole('list', { name: 'Commits that touched it, newest first' });
  await history.getByText('DELETE /v1/vals/{val_id}').waitFor();
  await history.getByRole('link', { name: 'Open the request' }).first().click();
  await page.getByRole('region', { name: 'Request r3' }).waitFor();
  await page.goBack();
  await history.getByRole('button', { name: 'Take back' }).first().click();
  await page.getByRole('button', { name: 'Take back one commit' }).click();

  await page
    .getByRole('tab', { name: 'Code' })
    .or(page.getByRole('button', { name: 'Code' }))
    .first()
    .waitFor();
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'w1', 'r2']);
});
