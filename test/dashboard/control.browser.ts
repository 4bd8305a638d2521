import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const NOW = '2024-06-11T22:05:12.000Z';
const ADA = { headers: { authorization: 'Bearer ada-token' } };

test('arms a fault from a template, counts it live, and disarms it', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { hash: '#/faults' });

  await page.getByRole('button', { name: /Two 503s, then fine/ }).click();
  await page.getByRole('combobox', { name: 'Route' }).selectOption('GET /v1/me');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByRole('heading', { name: 'Armed: 1' }).waitFor();
  expect(emulator.faults()).toMatchObject([{ route: 'GET /v1/me', status: 503, times: 2, remaining: 2 }]);

  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await emulator.fetch('/v1/me', ADA)).status);
  expect(statuses).toEqual([503, 503, 200]);
  const cells = page.getByRole('row', { name: /^f1 / }).getByRole('cell');
  await expect.poll(async () => (await cells.allTextContents()).slice(4, 7)).toEqual(['2', '2', 'used up']);
  await page.getByRole('button', { name: 'Disarm all' }).click();
  await page
    .getByText('Armed: 0')
    .or(page.getByText(/No fault/))
    .first()
    .waitFor();
  expect(emulator.faults()).toEqual([]);
});

test('the form of a fault has the fields of its kind, with its button in view', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { hash: '#/faults' });

  await page.getByRole('button', { name: /429 with Retry-After/ }).click();
  const form = page.getByRole('form', { name: 'Arm a fault' });
  await expect.poll(() => form.getByLabel('Headers').inputValue()).toBe('Retry-After: 1');
  const { y = 0, height = 0 } = (await form.getByRole('button', { name: 'Arm', exact: true }).boundingBox()) ?? {};
  expect(y + height).toBeLessThan(820);
  await form.getByLabel('What they get').selectOption('A delay');
  await form.getByLabel('Status').waitFor({ state: 'detached' });
  await form.getByLabel('Delay').fill('soon');
  await form.getByRole('button', { name: 'Arm', exact: true }).click();
  await form.getByText('found "soon"').waitFor();
  await form.getByLabel('Delay').fill('100-300');
  await form.locator('summary', { hasText: 'More conditions' }).click();
  await form.getByLabel('After').fill('2');
  await form.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByRole('heading', { name: 'Armed: 1' }).waitFor();
  expect(emulator.faults()).toMatchObject([{ status: null, headers: null, delay: [100, 300], times: 1, after: 2 }]);
});

test('a list of faults is armed by its name, and taken back', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { hash: '#/faults' });

  await page.getByRole('button', { name: 'flaky' }).click();
  await page.getByRole('heading', { name: 'Armed: 3' }).waitFor();
  expect(emulator.faults()).toMatchObject([{ reset: true }, { status: 503 }, { delay: [200, 2_000] }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('No fault is armed').waitFor();
  expect(emulator.faults()).toEqual([]);
});

test('the rate limit is set and switched off', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { hash: '#/faults' });

  await page
    .getByRole('spinbutton', { name: 'Requests' })
    .or(page.getByRole('textbox', { name: 'Requests' }))
    .fill('1');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('button', { name: /Switch off/ }).waitFor();
  expect([(await emulator.fetch('/v1/me', ADA)).status, (await emulator.fetch('/v1/me', ADA)).status]).toEqual([
    200, 429,
  ]);
  await page.getByRole('button', { name: /Switch off/ }).click();
  await page.getByText('There is no rate limit.').waitFor();
  expect((await emulator.fetch('/v1/me', ADA)).status).toBe(200);
});

test('the clock is frozen, moved and resumed', async () => {
  const emulator = await startEmulator({ now: NOW });
  const page = await openDashboard(emulator, { hash: '#/clock' });

  await page.getByRole('button', { name: '+10 minutes' }).click();
  await expect.poll(() => emulator.clock.read()).toEqual({ now: '2024-06-11T22:15:12.000Z', frozen: true });
  await page.getByRole('button', { name: /Resume/ }).click();
  await expect.poll(() => emulator.clock.read().frozen).toBe(false);
  await page
    .getByRole('button', { name: /^Freeze/ })
    .first()
    .click();
  await expect.poll(() => emulator.clock.read().frozen).toBe(true);
});

test('a sandbox is created, opened and closed, and a snapshot is taken and restored', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const page = await openDashboard(emulator, { hash: '#/sandboxes' });

  await page.getByLabel('Name of a new snapshot').fill('before');
  await page.getByRole('button', { name: 'Take snapshot' }).click();
  await expect.poll(() => emulator.snapshots().map(({ name }) => name)).toEqual(['before']);
  emulator.add.user({ username: 'eve' });
  await page.getByRole('button', { name: 'Restore' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Restore/ }).click();
  await expect.poll(() => emulator.users.length).toBe(1);
  // Text cannot be typed behind a dialog.
  await dialog.waitFor({ state: 'hidden' });

  await page.getByLabel('Name of a new sandbox').fill('checkout');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => emulator.sandboxes().map(({ name }) => name)).toEqual(['checkout']);
  await page.waitForURL(`${emulator.url}/_sandbox/checkout/_emulator/ui/**`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.goto(`${emulator.url}/_emulator/ui/#/sandboxes`);
  await page.getByRole('button', { name: 'Open checkout' }).waitFor();
  await page.getByRole('button', { name: 'Close checkout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the sandbox' }).click();
  await expect.poll(() => emulator.sandboxes()).toEqual([]);
});

test('an operation that is tried as a user links to its request', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { hash: '#/api' });

  await page.getByRole('link', { name: /POST \/v1\/vals\s*Create a new val/ }).click();
  await page.getByRole('heading', { name: 'Create a new val' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => emulator.requests()).toMatchObject([{ route: 'POST /v1/vals', user: 'ada', status: 200 }]);
  await page.getByRole('link', { name: /r1/ }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await page.getByText('greeting').first().waitFor();
});

test('the overview shows the users and commands to copy', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);

  await page.getByText('ada-token').first().waitFor();
  await page.getByRole('radio', { name: 'grace' }).check();
  await page.getByRole('button', { name: '.env' }).click();
  await page.getByText('grace-token').nth(1).waitFor();
  await page.getByRole('link', { name: /31\s*vals/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
});

test('the overview begins with errors and requests once a program has called', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);
  const titles = () => page.getByRole('heading', { level: 2 }).allTextContents();

  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await emulator.fetch('/v1/me', ADA);
  await emulator.fetch('/v1/vals/x', ADA);
  await page.getByRole('heading', { name: '1 error in the last 5 minutes' }).waitFor();
  await expect
    .poll(async () => (await titles()).map((title) => title.replace(/[\d-]+ [\d:.]+$/, 'TIME')))
    .toEqual([
      '1 error in the last 5 minutes',
      'Recent requests',
      'Recent commits',
      'Records',
      'Requests since r1, TIME',
    ]);
  const numbers = page.getByRole('list', { name: 'Numbers of requests' }).getByRole('link');
  await expect.poll(() => numbers.allTextContents()).toEqual(['2requests', '1error', '0writes']);
  await page.getByRole('link', { name: 'All of them' }).click();
  await page.getByText('/v1/vals/x').first().waitFor();
  await expect.poll(() => page.getByText('/v1/me').count()).toBe(0);
});

test('commands of empty pages work with the data that are there', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'zoe', token: 'zoe-secret' }] } });
  const page = await openDashboard(emulator, { hash: '#/requests' });
  const run = async () => {
    const code = page.locator('.empty-code pre');
    await code.waitFor();
    return (await promisify(execFile)('sh', ['-c', (await code.textContent()) ?? ''])).stdout;
  };

  expect(await run()).toContain('zoe');
  await page.goto(`${emulator.url}/_emulator/ui/#/time`);
  await expect.poll(() => page.locator('.empty-code pre').textContent()).toContain('-X POST');
  expect(JSON.parse(await run())).toMatchObject({ author: { username: 'zoe' } });
  expect(emulator.requests()).toMatchObject([{ status: 200 }, { status: 200, method: 'POST' }]);
});
