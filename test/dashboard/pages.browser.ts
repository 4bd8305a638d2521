import { describe, expect, test } from 'vitest';
import { findViolations, openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.000Z';

/** Starts an emulator that has received requests and has faults, snapshots and sandboxes. */
async function startUsed() {
  const emulator = await startEmulator({ now: NOW });
  const [ada] = emulator.users;
  const send = (method: string, path: string, body?: object) =>
    emulator.fetch(path, {
      method,
      headers: { authorization: `Bearer ${ada?.token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
  await send('POST', '/v1/vals', { name: 'report', code: 'export const a = 1;' });
  await send('PUT', '/v1/vals', { name: 'report', code: 'export const a = 2;' });
  await send('GET', '/v1/nowhere');
  await send('GET', '/v1/vals/x');
  emulator.fail('GET /v1/me', { status: 503 });
  emulator.rateLimit.set({ limit: 100, window: '1m' });
  emulator.snapshot('one');
  await emulator.sandbox('checkout').fetch('/v1/me');
  return emulator;
}

/** Bytes of the first load of a page with a full journal, at most. */
const FIRST_LOAD = 150_000;

test('the first load with a full journal is small, and what has not changed is not sent again', async () => {
  const emulator = await startEmulator();
  for (let n = 0; n < 1_000; n++) await emulator.fetch(`/v1/search/vals?query=${n}`);
  const page = await openDashboard(emulator, { hash: '#/faults' });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let received = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received += encodedDataLength;
  });
  const load = async (hash: string) => {
    const before = received;
    await page.goto('about:blank');
    await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.getByText('/v1/search/vals?query=999').first().waitFor();
    return received - before;
  };
  await session.send('Network.clearBrowserCache');
  const first = await load('#/requests');
  expect(first).toBeGreaterThan(50_000);
  expect(first).toBeLessThan(FIRST_LOAD);
  expect(await load('#/requests')).toBeLessThan(first / 10);
});

const PAGES = [
  ['#/', 'Overview'],
  ['#/requests', 'Requests'],
  ['#/requests/r2', 'Requests'],
  ['#/requests/r4', 'Requests'],
  ['#/time', 'Time'],
  ['#/data/users', 'Data'],
  ['#/data/vals', 'Data'],
  ['#/data/runs?outcome=failed', 'Data'],
  ['#/data/likes', 'Data'],
  ['#/data/comments', 'Data'],
  ['#/data/sqlite', 'Data'],
  ['#/faults', 'Faults and limits'],
  ['#/clock', 'Clock'],
  ['#/sandboxes', 'Sandboxes'],
  ['#/api/POST/v1/vals', 'API'],
  ['#/nowhere', 'Not found'],
  ['#/constructor', 'Not found'],
] as const;

describe.each([
  ['at a desk', {}],
  ['in the dark, on a phone', { width: 375, colorScheme: 'dark' }],
] as const)('%s', (_, options) => {
  test('each page is accessible, fits the window and logs no error', async () => {
    const emulator = await startUsed();
    const page = await openDashboard(emulator, options);
    const problems: unknown[] = [];
    for (const [hash, title] of [...PAGES, ['#/data/vals?at=r1', 'Data'], ['#/?at=start', 'Overview']] as const) {
      await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForTimeout(300);
      const alerts = await page.getByRole('alert').allTextContents();
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      // A box is not drawn by a line.
      const lines = await page.evaluate<number>(
        `[...document.querySelectorAll('input[type="checkbox"]')].filter((box) => getComputedStyle(box, '::before').display !== 'block').length`,
      );
      const violations = await findViolations(page);
      if (alerts.length > 0 || overflow > 0 || lines > 0 || violations.length > 0)
        problems.push({ hash, alerts, overflow, lines, violations });
    }
    expect(problems).toEqual([]);
  });
});

test('a long text without a space wraps on each page of a phone', async () => {
  const long = 'n'.repeat(400);
  const emulator = await startEmulator({
    fixtures: {
      users: [{ username: 'ada', bio: long }],
      vals: [{ author: 'ada', name: long.slice(0, 48), code: `export const ${long} = 1;`, readme: long }],
      comments: [{ author: 'ada', val: `ada/${long.slice(0, 48)}`, comment: long }],
      runs: [{ val: `ada/${long.slice(0, 48)}`, error: long }],
      blobs: [{ user: 'ada', key: long, text: long }],
      emails: [{ user: 'ada', subject: long, text: long }],
    },
    now: NOW,
  });
  const headers = { authorization: `Bearer ${emulator.users[0]?.token}`, 'content-type': 'application/json' };
  await emulator.fetch(`/v1/${long}`, { headers });
  await emulator.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ [long]: long }) });
  await emulator.fetch(`/v1/blob/${long}`, { method: 'POST', headers, body: `"${long}"` });
  emulator.snapshot(long);
  const page = await openDashboard(emulator, { width: 390 });
  const state = emulator.state();
  const details = (['vals', 'comments', 'runs', 'blobs', 'users'] as const).flatMap((name) =>
    state[name].map((record) => `#/data/${name}/${encodeURIComponent(String('id' in record ? record.id : long))}`),
  );
  const hashes = ['#/requests/r1', '#/requests/r2', '#/requests/r3', '#/time/r3', '#/sandboxes', ...details];
  const problems: unknown[] = [];
  const check = async (hash: string) => {
    await page.waitForTimeout(300);
    const [width, ...cut] = await page.evaluate<unknown[]>(`[document.documentElement.scrollWidth,
      ...[...document.querySelectorAll('main :is(h1, h2, h3, p, li, b, dd)')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML.slice(0, 80))]`);
    if (width !== 390 || cut.length > 0) problems.push({ hash, width, cut });
  };
  for (const hash of hashes) {
    await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
    await check(hash);
    for (const tab of await page.locator('.tabs .tab').all()) {
      await tab.click();
      await check(`${hash} ${await tab.textContent()}`);
    }
  }
  await page.goto(`${emulator.url}/_emulator/ui/#/mail`);
  await page.getByRole('link', { name: /nnn/ }).click();
  await page.getByRole('heading', { level: 2 }).waitFor();
  await check('mail');
  expect(problems).toEqual([]);
});

test('each page of a phone is reached from the menu, and each detail leads back', async () => {
  const emulator = await startUsed();
  emulator.add.email({ user: 'ada', subject: 'Welcome', text: 'Hello' });
  const page = await openDashboard(emulator, { width: 390 });
  const goTo = async (name: string) => {
    await page.getByRole('button', { name: 'Menu' }).click();
    const links = page.getByRole('navigation', { name: 'Pages' });
    await links.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  await goTo('Requests');
  const row = page.getByRole('link', { name: /404/ });
  for (const part of ['404', 'GET', '/v1/nowhere', 'ada', /:12\.000$/]) {
    expect([part, await row.getByText(part, { exact: true }).isVisible()]).toEqual([part, true]);
  }
  await row.click();
  await page.getByRole('region', { name: 'Request r3' }).waitFor();
  await expect.poll(() => row.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row.waitFor();
  await goTo('Time');
  const commit = page.getByRole('region', { name: 'Commit' });
  await expect.poll(() => commit.isVisible()).toBe(false);
  await page.getByRole('button', { name: /^r1 / }).click();
  await commit.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => commit.isVisible()).toBe(false);
  await goTo('Mail');
  await page.getByRole('link', { name: /Welcome/ }).click();
  await page.getByRole('link', { name: 'All emails' }).click();
  await page.getByRole('link', { name: /Welcome/ }).waitFor();
  await goTo('Data');
  await page.goto(`${emulator.url}/_emulator/ui/#/data/vals`);
  await page.getByRole('link', { name: 'askTheGarden' }).click();
  await page.getByRole('heading', { level: 1, name: 'radia/askTheGarden' }).waitFor();
  await page.getByRole('link', { name: 'Vals', exact: true }).first().click();
  await page.getByRole('link', { name: 'askTheGarden' }).waitFor();
  await goTo('API');
  await page.getByRole('link', { name: /POST \/v1\/vals\s*Create/ }).click();
  await page.getByRole('link', { name: 'All operations' }).click();
  await page.getByRole('link', { name: /POST \/v1\/vals\s*Create/ }).waitFor();
  for (const name of ['Faults and limits', 'Clock', 'Sandboxes', 'Overview']) await goTo(name);
});
