import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.000Z';

test('a person finds a val, edits it as JSON, and sees what is wrong at its line', async () => {
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
  const text = await editor.inputValue();
  await editor.fill(text.replace('"public"', '"publik"'));
  await page.getByRole('button', { name: 'Save' }).click();
  const line = text.split('\n').findIndex((each) => each.includes('"privacy"')) + 1;
  await page.getByRole('button', { name: `Line ${line}` }).waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('Did you mean "public"?');
  expect(emulator.history()).toEqual([]);

  await editor.fill(text.replace('"public"', '"unlisted"'));
  await page.getByRole('link', { name: 'Clock' }).click();
  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await editor.inputValue()).toContain('"unlisted"');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the val.').waitFor();
  expect(emulator.history()).toMatchObject([
    { request: 'PUT /_emulator/db/vals/{id}', changes: { vals: { added: [] } } },
  ]);
  expect(emulator.exportState().vals.find(({ name }) => name === 'dewPoint')?.privacy).toBe('unlisted');
});

test('records are added by forms, with errors at their fields', async () => {
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

test('a record is deleted after a question', async () => {
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'one', code: '1' }] },
  });
  const page = await openDashboard(emulator, { hash: '#/data/vals' });
  await page.getByRole('link', { name: 'one', exact: true }).click();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(emulator.exportState().vals).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted the val.').waitFor();
  expect(emulator.exportState().vals).toEqual([]);
});

test('a selection is exported as fixtures that load by themselves', async () => {
  const emulator = await startEmulator({ now: NOW });
  const page = await openDashboard(emulator, { hash: '#/data/vals?q=dewPoint' });

  await page.getByRole('checkbox', { name: 'Select ada/dewPoint' }).check();
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download fixture.json' }).click(),
  ]);
  const other = await startEmulator({ fixtures: await download.path() });
  expect(other.exportState().vals.map(({ name }) => name)).toEqual(['dewPoint']);
  expect(other.users.map(({ username }) => username)).toEqual(['ada']);
});

test('a hundred thousand runs are sorted, filtered and scrolled', async () => {
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
  await page.locator('[aria-rowindex="100001"]').getByText('ada/one').first().waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  await page.getByRole('combobox', { name: /outcome/i }).selectOption('failed');
  await page.getByText('100 runs').first().waitFor();
  await page.getByText('failure 99000').waitFor({ state: 'attached' });
});

test('the table shows the state as of an earlier commit, and offers no edit', async () => {
  const emulator = await startEmulator({
    fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'one', code: '1' }] },
  });
  emulator.add.val({ author: 'ada', name: 'two', code: '2' });
  const page = await openDashboard(emulator, { hash: '#/data/vals?at=start' });

  await page.getByRole('link', { name: 'one', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'two', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Add val' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('link', { name: 'two', exact: true }).waitFor();
});

test('what users have stored is text: no script of it runs', async () => {
  const script = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
  const url = 'javascript:window.pwned=1';
  const fixtures: Fixtures = {
    users: [{ username: 'ada', bio: script, profileImageUrl: url }],
    vals: [{ author: 'ada', name: 'one', code: `/* ${script} */`, readme: `${script} [x](${url})` }],
    runs: [{ val: 'ada/one', error: script, logs: [script], args: [script], returnValue: { [script]: script } }],
    comments: [{ author: 'ada', val: 'ada/one', comment: script }],
  };
  const emulator = await startEmulator({ fixtures });
  await emulator.fetch(`/v1/${encodeURIComponent(script)}?${script}`, {
    method: 'POST',
    headers: { 'x-test': script, 'content-type': 'application/json' },
    body: JSON.stringify({ [script]: script }),
  });
  const { users, vals, runs, comments } = emulator.exportState();
  const page = await openDashboard(emulator);
  const hashes = [
    '#/',
    '#/requests/r1',
    '#/data/users',
    `#/data/users/${users[0]?.id}`,
    `#/data/vals/${vals[0]?.id}`,
    '#/data/runs',
    `#/data/runs/${runs[0]?.id}`,
    '#/data/comments',
    `#/data/comments/${comments[0]?.id}`,
    `#/data/${encodeURIComponent(script)}`,
  ];
  for (const hash of hashes) {
    await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(300);
    for (const tab of await page.getByRole('group').getByRole('button').all()) await tab.click();
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((link) => link.startsWith('javascript:'))).toEqual([]);
    expect(await page.locator('html').evaluate(() => 'pwned' in globalThis)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  await page.goto(`${emulator.url}/_emulator/ui/#/data/comments`);
  await page.getByText('<script>window.pwned=1</script>').first().waitFor();
});
