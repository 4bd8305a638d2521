import { expect, test } from 'vitest';
import { openDashboard, openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

test('the page lists the operations of both APIs with their summaries', async () => {
  const emulator = await startEmulator();

  const page = await openPage(`${emulator.url}/_emulator/ui/#/api`, { colorScheme: 'dark' });
  const operations = page.getByRole('navigation', { name: 'Operations' });
  await operations.getByText('Get profile information for the current user').waitFor();
  await operations.getByRole('link', { name: 'Control API' }).click();
  await operations.getByText('Go back to the seed data').waitFor();

  await expect.poll(() => page.url()).toBe(`${emulator.url}/_emulator/ui/#/api/control`);
});

test('an operation has the fields of its body and of its response, with descriptions', async () => {
  const emulator = await startEmulator();

  const page = await openDashboard(emulator, { hash: '#/api/POST/v1/vals' });
  const body = page.getByRole('region', { name: 'Fields of the body' });
  const response = page.getByRole('region', { name: 'Fields of the response' });

  await body.getByRole('row', { name: /^code required/ }).waitFor();
  await response.getByRole('row', { name: /^author\.username/ }).waitFor();
  await expect.poll(() => body.getByRole('row', { name: /^name/ }).textContent()).toContain('Unique');
});

test('a tried request reaches the sandbox of the address as its first user', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const sandbox = emulator.sandbox('one');

  const page = await openDashboard(emulator, { sandbox: 'one', hash: '#/api/GET/v1/me' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('region', { name: 'Response' }).getByText('ada@example.com').waitFor();

  expect(sandbox.requests()).toMatchObject([{ route: 'GET /v1/me', user: 'ada', status: 200 }]);
  expect(emulator.requests()).toEqual([]);
});

test('an operation of the control API is tried without a user', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  emulator.add.user({ username: 'bob' });

  const page = await openDashboard(emulator, { hash: '#/api/control/POST/_emulator/reset' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('region', { name: 'Response' }).getByText('OK', { exact: true }).waitFor();

  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
  await expect.poll(() => page.getByLabel('As user').count()).toBe(0);
});

test('a stream of events cannot be tried', async () => {
  const emulator = await startEmulator();

  const page = await openDashboard(emulator, { hash: '#/api/control/GET/_emulator/events' });
  await page.getByRole('heading', { name: 'Responses', exact: true }).waitFor();

  await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
});

test('a tried request is found among those that others send at the same time', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }, { username: 'bob' }] } });
  const page = await openDashboard(emulator, { hash: '#/api/GET/v1/me' });
  await page.route('**/v1/me', async (route) => {
    await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer bob-token' } });
    await route.continue();
  });

  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Request r2' }).click();
  await page.getByRole('region', { name: 'Request r2' }).getByText('by ada').waitFor();
});
