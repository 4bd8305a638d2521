import { expect, test } from 'vitest';
import { openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

test('the reference shows both documents', async () => {
  const emulator = await startEmulator();

  const page = await openPage(`${emulator.url}/_emulator/docs/`, { colorScheme: 'dark' });
  await page.getByRole('heading', { name: /^Vals/ }).waitFor();
  await page.locator('#operations-me-getMe').waitFor();
  await page.getByRole('link', { name: 'Control API' }).click();
  await page.locator('#operations-events-streamEvents').waitFor();

  expect(await page.getByRole('link', { name: 'Control API' }).getAttribute('aria-current')).toBe('page');
});

test('a request that is tried reaches the sandbox of the address, as its first user', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const sandbox = emulator.sandbox('one');

  const page = await openPage(`${sandbox.url}/_emulator/docs/`);
  await page.locator('#operations-me-getMe .opblock-summary-control').click();
  await page.locator('#operations-me-getMe .execute').click();
  await page.locator('#operations-me-getMe .live-responses-table').waitFor();

  expect(sandbox.requests()).toMatchObject([{ route: 'GET /v1/me', user: 'ada', status: 200 }]);
  expect(emulator.requests()).toEqual([]);
});
