import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { call, REPORT, WORLD } from './program.js';
import { expectAccessible, openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

/** Types a text into the palette of a page. */
async function type(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find or do' });
  await palette.waitFor();
  await page.keyboard.type(text);
  return {
    palette,
    first: palette.getByRole('list', { name: 'Found' }).getByRole('button').first(),
    list: () => palette.getByRole('list', { name: 'Found' }).getByRole('button').allTextContents(),
  };
}

test('the palette finds records of every collection, files, requests, writes, operations and pages', async () => {
  const emulator = await startEmulator({
    fixtures: {
      ...WORLD,
      projects: [{ owner: 'ada', name: 'site', files: { 'lib/cart.ts': 'export const cart = [];' } }],
    },
  });
  await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { readme: 'New' } });
  await call(emulator, 'GET', '/v1/nowhere');
  const comment = emulator.add.comment({ author: 'ada', val: 'ada/report', comment: 'Good' });
  const email = emulator.add.email({ user: 'ada', subject: 'Welcome' });
  const page = await openDashboard(emulator, { hash: '#/requests' });
  const open = async (text: string, found: string | RegExp) => {
    const { palette } = await type(page, text);
    await palette.getByRole('button', { name: found }).first().click();
  };

  const { list } = await type(page, 'ada/report');
  await expect.poll(async () => (await list())[0]).toBe('ada/reportVal');
  await expect.poll(async () => (await list()).at(-1)).toMatch(/ada\/report.*Commit$/);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'ada/report' }).waitFor();
  await open((await comment).id, 'comment by ada on ada/report');
  await page.getByText('Good').first().waitFor();
  await open((await email).id, 'email by ada: Welcome');
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
  await open('cart.ts', /^lib\/cart\.ts/);
  await page.getByText('export const cart').waitFor();
  await open('404', 'r2 GET /v1/nowhere 404');
  await page.getByRole('region', { name: 'Request r2' }).waitFor();
  await open('r1', /^r1 PUT/);
  await page.getByRole('region', { name: 'Request r1' }).waitFor();
  await open('listMyRuns', /^GET \/v1\/me\/runs/);
  await page.getByRole('heading', { level: 1, name: 'API' }).waitFor();
  await open('time', /^Time/);
  await page.getByRole('heading', { level: 1, name: 'Time' }).waitFor();
  const { palette } = await type(page, 'no such thing');
  await palette.getByText('Nothing has this name or id').waitFor();
});

test('the palette does what the commands do, says so before, and takes it back', async () => {
  const emulator = await startEmulator({ fixtures: WORLD, now: '2024-06-11T22:05:12.000Z' });
  const page = await openDashboard(emulator, { hash: '#/requests' });
  const run = async (text: string, says: string) => {
    const { first } = await type(page, text);
    await expect.poll(() => first.textContent()).toContain(says);
    await page.keyboard.press('Enter');
    await first.waitFor({ state: 'detached' });
  };
  /** Takes back the last action, whose message is the newest one with a button. */
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click();

  await run('fail next 3 POST /v1/vals by ada', 'Responds 500 to the next 3 requests to POST /v1/vals by ada.');
  await expect
    .poll(() => emulator.faults())
    .toMatchObject([{ route: 'POST /v1/vals', user: 'ada', status: 500, times: 3 }]);
  await undo();
  await expect.poll(() => emulator.faults()).toEqual([]);
  await run('delay 2s GET /v1/me next 1', 'Waits 2s before it responds to the next request to GET /v1/me.');
  await expect.poll(() => emulator.faults()).toMatchObject([{ route: 'GET /v1/me', delay: 2_000, times: 1 }]);
  await run('disarm', 'Disarms all faults.');
  await expect.poll(() => emulator.faults()).toEqual([]);
  await undo();
  await expect.poll(() => emulator.faults()).toMatchObject([{ route: 'GET /v1/me', delay: 2_000, times: 1 }]);
  // The first fault is no longer armed: there is nothing to take back.
  await page.locator('.toast', { hasText: 'Waits 2s' }).getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast', { hasText: 'Waits 2s' }).waitFor({ state: 'detached' });
  await run('disarm f3', 'Disarms f3.');
  await expect.poll(() => emulator.faults()).toEqual([]);
  await run('chaos flaky for 30s', 'flaky, for 30s');
  await expect.poll(() => emulator.faults().length).toBe(3);
  await run('unfreeze', 'Lets the clock run on.');
  await expect.poll(() => emulator.clock.read().frozen).toBe(false);
  await run('freeze 2026-01-01', 'Stops the clock at 2026-01-01T00:00:00.000Z.');
  await expect.poll(() => emulator.clock.read()).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
  await run('advance 1h', 'Moves the clock forward by 1h.');
  await expect.poll(() => emulator.clock.read().now).toBe('2026-01-01T01:00:00.000Z');
  await undo();
  await expect.poll(() => emulator.clock.read()).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
  await run('unfreeze', 'Lets the clock run on.');
  await run('clock 2030-01-01', 'Sets the clock to 2030-01-01T00:00:00.000Z.');
  await run('freeze', 'Stops the clock at its time.');
  await undo();
  await expect.poll(() => emulator.clock.read().frozen).toBe(false);
  expect(emulator.clock.read().now).toMatch(/^2030-01-01T00:0/);
  await page.locator('.toast', { hasText: 'Sets the clock' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => emulator.clock.read().now).toMatch(/^2026-01-01T00:0/);
  expect(emulator.clock.read().frozen).toBe(false);
  await run('limit 100/1m', 'Limits each user to 100 requests in 1m.');
  await expect.poll(() => emulator.rateLimit.read().limit).toBe(100);
  await run('limit off', 'Switches the rate limit off.');
  await undo();
  await expect.poll(() => emulator.rateLimit.read()).toMatchObject({ limit: 100, window: 60_000 });
  await expect.poll(() => page.locator('.toast.error').allTextContents()).toEqual([]);
  await run('snapshot before', 'Takes the snapshot before of this state.');
  await expect.poll(() => emulator.snapshots().map(({ name }) => name)).toEqual(['before']);

  await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { readme: 'New' } });
  const readme = async () => Object(await (await call(emulator, 'GET', `/v1/vals/${REPORT}`)).json()).readme;
  await run('rewind r1', 'Takes back r1 PUT /v1/vals/{val_id}.');
  await expect.poll(readme).not.toBe('New');
  await undo();
  await expect.poll(readme).toBe('New');
  await run('reset', 'Takes the default sandbox back to its seed data');
  await expect.poll(readme).not.toBe('New');
  await run('restore before-reset', 'Goes back to the snapshot before-reset.');
  await expect.poll(readme).toBe('New');

  await run('dark', 'Uses dark colors.');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  const download = page.waitForEvent('download');
  await run('record session', 'Downloads the sandbox with its requests and history.');
  expect((await download).suggestedFilename()).toBe('session.ndjson');
  await run('fork copy', 'Copies the default sandbox to copy, and opens it.');
  await page.waitForURL(/\/_sandbox\/copy\//);
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['copy']);
});

test('the palette completes an action, says what is wrong, and closes by one Escape or by Back', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator, { hash: '#/requests' });

  const { palette, first } = await type(page, 'fail next 3 post /v1/va');
  await expect.poll(() => first.textContent()).toBe('fail next 3 POST /v1/vals');
  await page.keyboard.press('Tab');
  await expect.poll(() => first.textContent()).toContain('Responds 500 to the next 3 requests to POST /v1/vals.');
  await palette.getByRole('searchbox').fill('fail POST /v1/valz');
  await palette.getByText('Did you mean "POST /v1/vals"?').waitFor();
  await palette.getByRole('searchbox').fill('delay soon');
  await palette.getByText('delay: found "soon"; expected a duration such as 2s or 100ms-2s').waitFor();
  await page.keyboard.press('Enter');
  expect(emulator.faults()).toEqual([]);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Clock' }).click();
  await type(page, 'fork');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await palette.waitFor({ state: 'detached' });
});

test('the palette accepts what the emulator does, and stays open with the reason of a refusal', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator, { hash: '#/requests' });

  const { palette, first } = await type(page, '');
  const input = palette.getByRole('searchbox');
  for (const [text, problem] of [
    ['delay 5s-1s', 'expected a duration such as 2s or 100ms-2s, the shorter one first, at most 10m,'],
    ['delay 11m', 'expected a duration such as 2s or 100ms-2s, the shorter one first, at most 10m,'],
    ['fail 205', 'expected a status such as 503, or "reset",'],
    ['fail 503 for 0s', 'found "for 0s"; expected "for" and a duration such as 30s, above 0'],
    ['chaos flaky for 40000d', 'above 0 and at most 100 years.'],
    ['fork a/b', 'found "a/b"; expected a name of A–Z a–z 0–9 . _ -, at most 64 or "at"'],
    ['open ..', 'found ".."; expected the name of a sandbox'],
    ['limit 5/0s', 'found "5/0s"; expected a rate limit such as 100/1m, or "off".'],
    ['limit 5', 'found "5"; expected a rate limit such as 100/1m, or "off".'],
    ['rewind r99', 'expected the first commit to take back, such as r17, or a number of commits.'],
  ] as const) {
    await input.fill(text);
    await palette.getByRole('status').getByText(problem).waitFor();
    await page.keyboard.press('Enter');
    expect([text, await palette.count(), emulator.history()]).toEqual([text, 1, []]);
  }

  await emulator.sandbox('taken').fetch('/v1/me');
  await input.fill('fork taken');
  await expect.poll(() => first.textContent()).toContain('to taken, and opens it.');
  await page.keyboard.press('Enter');
  await palette.getByRole('alert').waitFor();
  await expect.poll(() => input.inputValue()).toBe('fork taken');
  await expectAccessible(page);
  await input.fill('FAIL 503 post /v1/VALS');
  await palette.getByRole('alert').waitFor({ state: 'detached' });
  await expect.poll(() => first.textContent()).toContain('Responds 503 to all requests to POST /v1/vals.');
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
  await expect.poll(() => emulator.faults()).toMatchObject([{ route: 'POST /v1/vals', status: 503 }]);
});

test('keys focus the search and list themselves', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator, { hash: '#/data/vals' });
  await page.getByRole('link', { name: 'weather', exact: true }).waitFor();
  await page.keyboard.press('/');
  await expect
    .poll(() => page.getByRole('searchbox', { name: 'Search vals' }).evaluate((input) => input.matches(':focus')))
    .toBe(true);
  await page.keyboard.press('?');
  await expect.poll(() => page.getByRole('searchbox', { name: 'Search vals' }).inputValue()).toBe('?');
  await page.locator('h1').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('These keys').waitFor();
  await expectAccessible(page);
});

test('the Enter of an input method runs nothing', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator);
  const { palette, first } = await type(page, 'clock');
  await first.getByText('Clock').waitFor();

  const input = palette.getByRole('searchbox');
  await input.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await input.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await palette.waitFor();
  expect(page.url()).not.toContain('clock');
});

test('the snapshot before a restore can be restored itself', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  emulator.snapshot('before-restore');
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);
  const page = await openDashboard(emulator);

  const { first } = await type(page, 'restore before-restore');
  await first.getByText('Goes back to the snapshot before-restore.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  expect((await call(emulator, 'GET', `/v1/vals/${REPORT}`)).status).toBe(200);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.', { exact: true }).waitFor();
  expect((await call(emulator, 'GET', `/v1/vals/${REPORT}`)).status).toBe(404);
});
