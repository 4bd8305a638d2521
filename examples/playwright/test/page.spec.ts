import { join } from 'node:path';
import { expect, test } from 'val-emulator/playwright';

test.beforeEach(async ({ page, baseURL, emulator }) => {
  // In place of a web server. What the page asks the API is answered by the test's own sandbox.
  await page.route(`${baseURL}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join('site', pathname === '/' ? 'index.html' : pathname) });
  });
  // The page's time stands still, and moves on when a test says so.
  await page.clock.install({ time: '2024-06-11T22:05:00Z' });
  await page.clock.pauseAt('2024-06-11T22:05:01Z');
  // Somebody who likes nothing yet.
  const { token } = emulator.add.user({ username: 'eve' });
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
});

test('saves a val', async ({ page, emulator }) => {
  await page.goto('/');
  await page.getByLabel('Name').fill('counter');
  await page.getByLabel('Code').fill('export const count = 1; // ± €');
  await page.getByRole('button', { name: 'Save' }).click();

  await expect(page.getByRole('status')).toHaveText('Saved counter, version 0');
  const body = { name: 'counter', code: 'export const count = 1; // ± €' };
  expect(emulator).toHaveReceived('PUT /v1/vals', { times: 1, body });
  expect(emulator).toHaveNoUnhandledRequests();
});

test('shows liked vals page by page', async ({ page, emulator }) => {
  const names = Array.from({ length: 45 }, (_, index) => `val${index + 1}`);
  for (const [index, name] of names.entries()) {
    emulator.add.val({ author: 'ada', name, code: '1' });
    emulator.add.like({ user: 'eve', val: `ada/${name}`, createdAt: `-${index + 1}m` });
  }
  const more = page.getByRole('button', { name: 'More' });

  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveText(names.slice(0, 20));
  await more.click();
  await expect(page.getByRole('listitem')).toHaveText(names.slice(0, 40));
  await more.click();
  await expect(page.getByRole('listitem')).toHaveText(names);

  await expect(more).toBeHidden();
  expect(emulator).toHaveReceived('GET /v1/me/likes', { times: 3 });
});

test('waits until the service is back', async ({ page, emulator }) => {
  emulator.fail('GET /v1/me/likes', { status: 503, times: 1 });
  emulator.add.like({ user: 'eve', val: 'ada/hello' });

  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText('The service is busy. Trying again in 1 s');
  await page.clock.runFor('01');

  await expect(page.getByRole('listitem')).toHaveText(['hello']);
  await expect(page.getByRole('status')).toBeEmpty();
});

test('waits for the time of Retry-After', async ({ page, emulator }) => {
  // A page of another origin sees such a header only if the API lets it.
  const headers = { 'Retry-After': '30', 'Access-Control-Expose-Headers': 'Retry-After' };
  emulator.fail('GET /v1/me/likes', { status: 429, headers, times: 1 });
  emulator.add.like({ user: 'eve', val: 'ada/hello' });

  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText('The service is busy. Trying again in 30 s');
  expect(emulator).toHaveReceived('GET /v1/me/likes', { times: 1 });
  await page.clock.runFor('30');

  await expect(page.getByRole('listitem')).toHaveText(['hello']);
  expect(emulator).toHaveReceived('GET /v1/me/likes', { times: 2 });
});

test('shows the error, and tries again on a click', async ({ page, emulator }) => {
  emulator.fail('GET /v1/me/likes', { status: 500, times: 1 });
  emulator.add.like({ user: 'eve', val: 'ada/hello' });

  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText('That did not work: Internal Server Error');
  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByRole('listitem')).toHaveText(['hello']);
});

test('shows that the connection is broken', async ({ page, emulator }) => {
  emulator.fail('GET /v1/me/likes', { reset: true });

  await page.goto('/');

  await expect(page.getByRole('status')).toHaveText('That did not work: Failed to fetch');
});

test("does not show another user's private val", async ({ page, emulator }) => {
  const diary = emulator.add.val({ author: 'grace', name: 'diary', code: "'secret'", privacy: 'private' });
  const own = emulator.add.val({ author: 'eve', name: 'diary', code: "'mine'", privacy: 'private' });

  await page.goto('/');
  await page.getByLabel('Id').fill(diary.id);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('status')).toHaveText('There is no such val');
  await page.getByLabel('Id').fill(own.id);
  await page.getByRole('button', { name: 'Open' }).click();

  await expect(page.getByRole('status')).toHaveText("'mine'");
});

test('the test itself reaches the same sandbox over HTTP', async ({ page, emulator, request }) => {
  const headers = { authorization: 'Bearer eve-token' };
  const data = { name: 'fromTheTest', code: "'made by the test'" };
  const { id } = await (await request.post(`${emulator.url}/v1/vals`, { headers, data })).json();

  await page.goto('/');
  await page.getByLabel('Id').fill(id);
  await page.getByRole('button', { name: 'Open' }).click();

  await expect(page.getByRole('status')).toHaveText("'made by the test'");
});
