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
  ['#/data/imports?user=ada', 'Data'],
  ['#/faults', 'Faults and limits'],
  ['#/clock', 'Clock'],
  ['#/sandboxes', 'Sandboxes'],
  ['#/api/POST/v1/vals', 'API'],
  ['#/nowhere', 'Not found'],
] as const;

describe.each([
  ['at a desk', {}],
  ['in the dark, on a phone', { width: 375, colorScheme: 'dark' }],
] as const)('%s', (_, options) => {
  test('each page is accessible, fits the window and logs no error', {
    timeout: 200_000,
  }, async () => {
    const emulator = await startUsed();
    const page = await openDashboard(emulator, options);
    const problems: unknown[] = [];
    for (const [hash, title] of [...PAGES, ['#/data/vals?at=r1', 'Data'], ['#/?at=start', 'Overview']] as const) {
      await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForTimeout(300);
      const alerts = await page.getByRole('alert').allTextContents();
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      const violations = await findViolations(page);
      if (alerts.length > 0 || overflow > 0 || violations.length > 0)
        problems.push({ hash, alerts, overflow, violations });
    }
    expect(problems).toEqual([]);
  });
});
