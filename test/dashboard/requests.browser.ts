import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { NOW } from '../support/emulate.js';
import { REFUSED_WORLD, sendRefused } from '../support/refused.js';
import { call, REPORT, WEATHER, WORLD } from './program.js';
import { chooseItem, expectAccessible, openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const HASH = '#/requests';

const row = (page: Page, name: RegExp) => page.locator('.request-list').getByRole('link', { name });
const rows = (page: Page) => page.locator('.request-list .row');
const detail = (page: Page) => page.getByRole('region', { name: /^Request r\d+/ });
const tab = (page: Page, name: string) => detail(page).getByRole('button', { name, exact: true });
const paths = (page: Page) => page.locator('.request-list .row .mono').allTextContents();
const readClipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Waits until the list has so many rows. */
async function hasRows(page: Page, count: number): Promise<void> {
  await rows(page).nth(count).waitFor({ state: 'detached' });
  await rows(page)
    .nth(count - 1)
    .waitFor();
}

/** Starts an emulator that got six requests. */
async function startWithRequests() {
  const emulator = await startEmulator({ fixtures: WORLD });
  emulator.fail('GET /v1/me/likes', { status: 503, times: 1 });
  await call(emulator, 'GET', '/v1/me');
  await call(emulator, 'GET', '/v1/me/likes', { user: 'grace' });
  await call(emulator, 'GET', '/v1/nothing');
  await call(emulator, 'PUT', `/v1/vals/${WEATHER}`, { body: { name: 'forecast' } });
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);
  await call(emulator, 'GET', `/v1/vals/${REPORT}`);
  return emulator;
}

test('a request appears in an open list at once, and opens with its response', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });

  const page = await openDashboard(emulator, { hash: HASH });
  await page.getByText('No requests yet').waitFor();
  await call(emulator, 'POST', '/v1/vals?from=test', { body: { name: 'new', code: 'export const a = 1;\n' } });
  await row(page, /^200 POST \/v1\/vals\?from=test \+2 added ada/).click();
  await detail(page).getByText('export const a = 1;').first().waitFor();

  await tab(page, 'Request').click();
  await detail(page).getByText('"name": "new"').waitFor();
  await detail(page).getByText('Bearer ada-token').waitFor();
  await tab(page, 'Response').click();
  await detail(page).getByText('"likeCount": 0').waitFor();
  await tab(page, 'Changes').click();
  await detail(page).getByRole('link', { name: 'ada/new', exact: true }).click();
  await page.getByRole('heading', { name: /new/ }).first().waitFor();
});

test('each filter selects requests and is in the address', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: HASH });
  await hasRows(page, 6);
  const box = page.getByLabel('Filter', { exact: true });
  const expectPaths = async (filter: string, expected: readonly string[]) => {
    await box.fill(filter);
    await hasRows(page, expected.length);
    await expect.poll(() => paths(page)).toEqual(expected);
  };
  await expectPaths('GRACE', ['/v1/me/likes']);
  await expectPaths('Forecast', ['/v1/vals/ada/forecast']);
  await expectPaths('status:4xx user:ada -path:nothing', ['/v1/vals/ada/report']);
  await expectPaths('last:1h method:DELETE', ['/v1/vals/ada/report']);
  await box.fill('statu:4xx');
  await page.getByText('There is no key "statu". Did you mean "status"?').waitFor();
  await hasRows(page, 6);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const chip = (name: string) => page.getByRole('button', { name, exact: true });
  await chip('Errors 3').click();
  await hasRows(page, 3);
  await chip('Errors 3').click();
  await chip('Writes 2').click();
  await hasRows(page, 2);
  await expect.poll(() => new URL(page.url()).hash).toBe('#/requests?q=is%3Awrite');
  await page.reload();
  await hasRows(page, 2);
  await expect.poll(() => chip('Writes 2').getAttribute('aria-pressed')).toBe('true');
});

test('an earlier address of a filter selects the same requests', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}?status=error&user=grace` });
  await hasRows(page, 1);
  await expect.poll(() => page.getByLabel('Filter', { exact: true }).inputValue()).toBe('user:grace status:error');
});

test('lanes select a user and a range, and their handle travels in time', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: HASH });
  await hasRows(page, 6);
  const lanes = page.getByRole('region', { name: 'Lanes' });
  await lanes.getByRole('button', { name: 'grace' }).click();
  await hasRows(page, 1);
  await lanes.getByRole('button', { name: 'grace' }).click();
  const { x = 0, y = 0, width = 0 } = (await lanes.getByRole('img').boundingBox()) ?? {};
  await page.mouse.move(x + width * 0.25, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 10);
  await page.mouse.up();
  await hasRows(page, 3);
  await expect.poll(() => page.getByLabel('Filter', { exact: true }).inputValue()).toBe('id:r2-r4');
  await page.mouse.click(x + width * 0.75, y + 10);
  await page.getByRole('region', { name: 'Request r5' }).waitFor();
  const handle = lanes.getByRole('slider', { name: 'Travel in time' });
  await handle.fill('3');
  await page.getByText('All pages show the state after r4').waitFor();
  await handle.fill('5');
  await page.getByText('All pages show').waitFor({ state: 'detached' });
});

test('copies a request as curl, fetch, expectRequest and fail', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r4` });
  const copy = async (name: string) => {
    await chooseItem(detail(page), `Copy as ${name}`, 'Copy as');
    await page.getByText('Copied.').first().waitFor();
    return readClipboard(page);
  };
  const url = `${emulator.url}/v1/vals/${WEATHER}`;
  expect(await copy('curl')).toBe(
    [
      `curl -X PUT ${url}`,
      `-H 'authorization: Bearer ada-token'`,
      `-H 'content-type: application/json'`,
      `--data-raw '{"name":"forecast"}'`,
    ].join(' \\\n  '),
  );
  expect(await copy('fetch')).toBe(
    `const response = await fetch('${url}', {
  method: 'PUT',
  headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'forecast' }),
});`,
  );
  expect(await copy('expectRequest')).toBe(
    `emulator.expectRequest('PUT /v1/vals/{val_id}', {
  times: 1,
  user: 'ada',
  status: 204,
  params: { val_id: '${WEATHER}' },
  body: { name: 'forecast' },
});`,
  );
  expect(await copy('fail')).toBe(`emulator.fail('PUT /v1/vals/{val_id}', { status: 503, times: 1, user: 'ada' });`);
});

test('sends a request again, here and in a fork of the state before it', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r5` });
  await chooseItem(detail(page), 'Send again');
  await page.getByRole('region', { name: 'Request r7' }).waitFor();
  expect(emulator.requests().at(-1)).toMatchObject({ id: 'r7', method: 'DELETE', status: 404, user: 'ada' });

  // The list moves when the new request arrives.
  await row(page, /^404 DELETE/).waitFor();
  await row(page, /^204 DELETE/).click();
  await page.getByRole('region', { name: 'Request r5' }).waitFor();
  await chooseItem(detail(page), 'Send again in a fork');
  await page.waitForURL(/_sandbox/);
  await detail(page)
    .getByRole('heading', { name: `204 DELETE /v1/vals/${REPORT}` })
    .waitFor();
  const [fork] = emulator.sandboxes();
  expect(emulator.sandbox(fork?.name).requests()).toMatchObject([{ method: 'DELETE', status: 204, user: 'ada' }]);
  expect(emulator.requests()).toHaveLength(7);
});

test('arms a fault from a request', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r6` });
  await chooseItem(detail(page), 'Arm a fault like this');
  const form = page.getByRole('form', { name: 'Arm a fault' });
  await expect.poll(() => form.getByLabel('Status').inputValue()).toBe('404');
  await form.getByLabel('Status').fill('429');
  await form.getByLabel('Times').fill('2');
  await form.getByRole('button', { name: 'Arm' }).click();
  await page.getByText('Armed the fault.').waitFor();
  expect(emulator.faults().at(-1)).toMatchObject({
    ...{ route: 'GET /v1/vals/{val_id}', status: 429, times: 2, user: 'ada' },
  });
  expect((await call(emulator, 'GET', `/v1/vals/${WEATHER}`)).status).toBe(429);
});

test('one click breaks the next requests like one, and another click takes it back', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });
  await detail(page).locator('summary', { hasText: 'Break' }).click();
  await detail(page).getByRole('button', { name: '503 ×3' }).click();
  await page.getByText('The next 3 GET /v1/me by ada get a 503.').waitFor();
  expect(emulator.faults().at(-1)).toMatchObject({ route: 'GET /v1/me', user: 'ada', status: 503, times: 3 });
  expect((await call(emulator, 'GET', '/v1/me')).status).toBe(503);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect((await call(emulator, 'GET', '/v1/me')).status).toBe(200);
  await page.locator('[data-id="r2"] a').click();
  await detail(page).locator('summary', { hasText: 'Break' }).click();
  await expectAccessible(page);
  await detail(page).getByRole('button', { name: 'Reset ×3' }).click();
  await page.getByText('The next 3 GET /v1/me/likes by grace are reset.').waitFor();
  expect(emulator.faults().at(-1)).toMatchObject({ route: 'GET /v1/me/likes', user: 'grace', reset: true, times: 3 });
});

test('compares a request with the previous one of the same path', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'GET', `/v1/vals/${REPORT}`);
  await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { name: 'summary' } });
  await call(emulator, 'GET', `/v1/vals/${REPORT}`);

  const page = await openDashboard(emulator, { hash: `${HASH}/r3` });
  await tab(page, 'Compare').click();
  await detail(page).getByText('"name": "summary"').waitFor();
  await expectAccessible(page);
  await detail(page).getByRole('link', { name: 'r1', exact: true }).click();
  await page.getByRole('region', { name: 'Request r1' }).waitFor();
  await expect.poll(() => tab(page, 'Compare').count()).toBe(0);
});

test('requests are sent to another state, and any two are compared', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: HASH });
  await page.getByLabel('Select r5').check();
  await page.getByLabel('Select r6').check();
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog', { name: 'Compare r5 with r6' });
  await compared.getByText('response body').waitFor();
  await compared.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Select r5').uncheck();
  await page.getByRole('button', { name: 'Send again elsewhere' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send again elsewhere' });
  await dialog.getByLabel('To').selectOption('r4 PUT /v1/vals/{val_id}: a fork of the state after it');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const sides = dialog.getByRole('region', { name: 'Responses to r6' });
  await sides.getByText('"The val was not found"').waitFor();
  await sides.getByText('"name": "report"').waitFor();
  const heights = await sides.locator('.sides > *').evaluateAll((all) => all.map((each) => each.clientHeight));
  expect(Math.max(...heights)).toBeGreaterThan(Math.min(...heights));
  await expectAccessible(page);
  const [fork] = emulator.sandboxes();
  expect(emulator.sandbox(fork?.name).requests()).toMatchObject([{ method: 'GET', status: 200, user: 'ada' }]);
  expect(emulator.requests()).toHaveLength(6);
});

test('a rule of an error leads to its place in the documents', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'POST', '/v1/vals', { body: { name: 'a' } });

  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });
  const rule = detail(page).locator('.rule-list a').first();
  const text = (await rule.textContent()) ?? '';
  await rule.click();
  await page.getByRole('heading', { name: 'Create a new val' }).waitFor();
  await expect.poll(() => page.locator('.api-rules .target').textContent()).toBe(text);
});

test('the page of an error has its rule, its fault or the missing route', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r6` });
  await tab(page, 'Why').click();
  await detail(page).locator('.reasons').getByText('The val was not found').waitFor();
  await detail(page).getByText('specification').first().waitFor();
  await row(page, /^503/).click();
  await detail(page).getByText('The response is a fault that was injected').waitFor();
  await row(page, /nothing/).click();
  await detail(page).getByText('Route GET:/v1/nothing not found').waitFor();
});

test('a request is explained by its cause, and one whose client left has its own time', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  emulator.fail('GET /v1/me', { delay: 5_000 });
  await call(emulator, 'POST', '/v1/run/ada.report', { body: {} });
  await call(emulator, 'POST', '/v1/sqlite/execute', { body: { statement: 'SELEC 1' } });
  await emulator
    .fetch('/v1/me', { headers: { Authorization: 'Bearer ada-token' }, signal: AbortSignal.timeout(50) })
    .catch(() => undefined);

  const page = await openDashboard(emulator, { hash: HASH });
  await row(page, /^501 POST \/v1\/run\/ada\.report The emulator does not run code: .*not emulated/).click();
  await detail(page).getByText('The service has this route, and the emulator has not.').waitFor();
  await row(page, /^400 POST/).click();
  await tab(page, 'Why').click();
  await detail(page).locator('.reasons').getByText('syntax error').waitFor();
  await expect.poll(() => detail(page).getByText('does not match its schema').count()).toBe(0);
  await row(page, /aborted/).click();
  await detail(page)
    .getByText(/^\d+ ms, within a delay of 5\.0 s by a fault$/)
    .waitFor();
  await expect.poll(() => page.locator('[data-id="r3"] .badge.s2').count()).toBe(0);
});

test('an expectation without a match lists the near misses and their differences', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r4` });
  await chooseItem(page.locator('.page-header'), 'Why did nothing match?');
  const dialog = page.getByRole('dialog', { name: 'Why did nothing match?' });
  await expect.poll(() => dialog.getByLabel('Route').inputValue()).toBe('PUT /v1/vals/{val_id}');
  await dialog.getByLabel('Body as JSON').fill('{"name": ');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('expected JSON such as {"name": "report"}.').waitFor();
  await dialog.getByLabel('Body as JSON').fill('{"name": "weather"}');
  await dialog.getByRole('combobox', { name: 'User' }).fill('ada');
  await dialog.getByRole('spinbutton', { name: 'Status' }).fill('204');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('no match').waitFor();
  const miss = dialog.getByRole('listitem').filter({ hasText: `r4 PUT /v1/vals/${WEATHER} 204 by ada` });
  await miss.getByText('name').last().waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Body as JSON').fill('{"name": "forecast"}');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('The requests are as expected.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('an open list stays usable under a thousand requests per second', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });

  const page = await openDashboard(emulator, { hash: HASH });
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);
  await row(page, /DELETE/).waitFor();
  await Promise.all(
    Array.from({ length: 1_200 }, (_, i) =>
      emulator.fetch(`/v1/search/vals?query=${i}`, { headers: { Authorization: 'Bearer ada-token' } }),
    ),
  );
  expect(emulator.requests().at(-1)?.id).toBe('r1201');
  await page.getByText('The last 1,000, newest last').waitFor();
  await row(page, /query=1199 /).waitFor();
  await expect.poll(() => rows(page).count()).toBeLessThan(60);

  // Rows under the pointer stay where they are, also when the journal drops the oldest; what is new is offered.
  const list = page.getByRole('region', { name: 'Requests, oldest first' });
  await list.hover();
  const before = await page.locator('[data-id="r1201"]').boundingBox();
  await Promise.all(Array.from({ length: 300 }, () => emulator.fetch('/v1/me')));
  await page.getByRole('button', { name: '300 new' }).waitFor();
  expect(await page.locator('[data-id="r1201"]').boundingBox()).toEqual(before);
  await page.getByRole('button', { name: '300 new' }).click();
  await page.locator('[data-id="r1501"]').click();
  await page.getByRole('region', { name: 'Request r1501' }).waitFor();
});

test('the end of the list is followed, but not while a reader has scrolled up', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const send = (count: number) => Promise.all(Array.from({ length: count }, () => emulator.fetch('/v1/me')));
  await send(60);

  const page = await openDashboard(emulator, { hash: HASH });
  await page.locator('[data-id="r60"]').waitFor();
  await send(1);
  await page.locator('[data-id="r61"]').waitFor();
  await page.getByRole('region', { name: 'Requests, oldest first' }).hover();
  await page.mouse.wheel(0, -5_000);
  await page.locator('[data-id="r1"]').waitFor();
  await page.mouse.move(5, 5);
  await send(2);
  await page.getByRole('button', { name: '2 new' }).waitFor();
  await page.locator('[data-id="r1"]').waitFor();
  await page.getByRole('button', { name: '2 new' }).click();
  await page.locator('[data-id="r63"]').waitFor();
});

test('a path has names in place of ids, and the id on hover', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r4` });
  await row(page, /^204 PUT \/v1\/vals\/ada\/forecast/).waitFor();
  const name = page.locator('[data-id="r5"] .path-name');
  await expect.poll(() => name.textContent()).toBe('ada/report');
  await expect.poll(() => name.getAttribute('title')).toBe(REPORT);
});

test('the list is cleared, and a reset empties it', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: HASH });
  await hasRows(page, 6);
  await chooseItem(page.locator('.page-header'), 'Clear');
  await page.getByText('No requests yet').waitFor();
  expect(emulator.requests()).toEqual([]);
  await call(emulator, 'GET', '/v1/me');
  await row(page, /GET \/v1\/me /).click();
  await detail(page).getByText('"username": "ada"').waitFor();
  emulator.reset();
  await page.getByText('No requests yet').waitFor();
  await detail(page)
    .getByText(/^The journal has no request r\d+$/)
    .waitFor();
  await call(emulator, 'GET', '/v1/me/likes');
  await row(page, /GET \/v1\/me\/likes /).click();
  await page.getByRole('region', { name: 'Request r1' }).getByRole('heading', { name: '/v1/me/likes' }).waitFor();
});

test('the page reports a restart of the emulator and reconnects', async () => {
  const emulator = await startWithRequests();
  const port = Number(new URL(emulator.url).port);

  const page = await openDashboard(emulator, { hash: HASH, isInterrupted: true });
  await hasRows(page, 6);
  await emulator.close();
  await page.getByText(`No emulator responds at http://127.0.0.1:${port}.`).waitFor();
  await page.getByText('Disconnected', { exact: true }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(6);
  await expectAccessible(page);

  const next = await startEmulator({ fixtures: WORLD, port });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('No emulator responds').waitFor({ state: 'detached' });
  await page.getByText('No requests yet').waitFor();
  await call(next, 'DELETE', `/v1/vals/${WEATHER}`);
  await row(page, /^204 DELETE/).click();
  await detail(page).getByRole('link', { name: 'ada/weather', exact: true }).waitFor();
});

test('the page of a request begins with the reason that every reader of the journal is told', async () => {
  const emulator = await startEmulator({ fixtures: REFUSED_WORLD, now: NOW });
  const reasons = await sendRefused(emulator);

  // From the first on: the list shows the newest, and has only the rows near those in view.
  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });
  for (const [i, why] of reasons.entries()) {
    if (why === '') continue;
    await page.locator(`[data-id="r${i + 1}"] a`).click();
    const opened = page.getByRole('region', { name: new RegExp(`^Request r${i + 1}\\b`) });
    for (const part of why.split(' - ')) await opened.getByText(part).first().waitFor();
  }
  await tab(page, 'Response').click();
  await detail(page).getByRole('heading', { name: 'Headers' }).waitFor();
});

test('shows the contents of a request as text, not as markup', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const script = '<script>document.title = "broken"</script>';
  const image = '<img src=x onerror=\'document.title = "broken"\'>';
  await call(emulator, 'GET', `/v1/search/vals?query=${script}${image}`, { headers: { 'X-Test': script } });
  await call(emulator, 'GET', `/v1/${image}`);
  await call(emulator, 'PUT', `/v1/vals/${REPORT}`, { body: { readme: `${script}\n${image}` } });
  await call(emulator, 'POST', '/v1/vals', { body: { name: image, code: script } });

  const page = await openDashboard(emulator, { hash: HASH });
  for (const [id, first] of Object.entries({ r1: 'Request', r2: 'Why', r3: 'Changes', r4: 'Why' })) {
    await page.locator(`[data-id="${id}"] a`).click();
    await page.getByRole('region', { name: `Request ${id}` }).waitFor();
    for (const name of [first, 'Request', 'Response']) await tab(page, name).click();
    await expect.poll(() => page.locator('main img, main script').count()).toBe(0);
  }
  await row(page, /^204 PUT/).click();
  await tab(page, 'Changes').click();
  await detail(page).getByRole('table', { name: 'Changed lines' }).getByText(script).waitFor();
  await page.locator('[data-id="r1"] a').click();
  await tab(page, 'Request').click();
  await detail(page).getByText(script, { exact: true }).waitFor();
  await expect
    .poll(() => page.title())
    .toMatch(/^401 GET \/v1\/search\/vals\?query=.* r1 – val-emulator$|^200 GET .* r1 – val-emulator$/);
});

test('the list works by keyboard', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: HASH });
  await hasRows(page, 6);
  await page.keyboard.press('j');
  await page.locator('[data-id="r6"] a:focus').waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowUp');
  await page.locator('[data-id="r4"] a:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-id="r5"] a:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Request r5' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Request r6' }).waitFor();
  await page.keyboard.press('Escape');
  await detail(page).waitFor({ state: 'detached' });
  await page.locator('[data-id="r6"] a:focus').waitFor();
});

test('shows an earlier state with a request, without buttons that write', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r5?at=r4` });
  await detail(page).getByText('Go back to now to send it again here or to arm a fault.').waitFor();
  await detail(page).getByRole('link', { name: 'ada/report', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send again', exact: true }).count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Clear', exact: true }).count()).toBe(0);
  await expect
    .poll(() => detail(page).getByRole('button', { name: 'State before' }).getAttribute('aria-pressed'))
    .toBe('true');
  await page.getByRole('button', { name: 'Back to now' }).click();

  // A removed record opens as of before its removal.
  await detail(page).getByRole('link', { name: 'ada/report', exact: true }).click();
  await page.getByText('All pages show the state after r4').waitFor();
  await page.getByText('export const report = 1;').waitFor();
});

test('scrolls the list to the open request', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await Promise.all(Array.from({ length: 40 }, () => emulator.fetch('/v1/me')));

  const page = await openDashboard(emulator, { hash: `${HASH}/r10` });
  await detail(page).waitFor();
  await page.locator('[data-id="r10"]').waitFor();
  const box = await page.locator('[data-id="r10"]').boundingBox();
  expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThanOrEqual(820);
});

test('the page of requests is accessible in light and dark, and fits a phone', async () => {
  const emulator = await startWithRequests();

  const page = await openDashboard(emulator, { hash: `${HASH}/r5` });
  await detail(page).getByText('export const report = 1;').first().waitFor();
  await expectAccessible(page);
  await tab(page, 'Request').click();
  await expectAccessible(page);

  const dark = await openDashboard(emulator, { hash: `${HASH}/r6?at=r4`, colorScheme: 'dark' });
  await tab(dark, 'Why').click();
  await detail(dark).locator('.reasons').getByText('The val was not found').waitFor();
  await expectAccessible(dark);

  const phone = await openDashboard(emulator, { hash: HASH, width: 375 });
  await hasRows(phone, 6);
  await expectAccessible(phone);
  await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBe(375);
  await row(phone, /^204 DELETE/).click();
  await detail(phone).getByText('export const report = 1;').first().waitFor();
  await expectAccessible(phone);
  await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBe(375);
  await detail(phone).getByRole('button', { name: 'Close' }).click();
  await hasRows(phone, 6);
});

test('a call of a tool has its name and its arguments', async () => {
  const emulator = await startEmulator({ fixtures: { ...WORLD, projects: [{ owner: 'ada', name: 'site' }] } });
  const args = { val: 'ada/site', path: 'main.ts', content: 'export const a = 1;\n' };
  await call(emulator, 'POST', '/v3/mcp', {
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_file', arguments: args } },
  });

  const page = await openDashboard(emulator, { hash: HASH });
  await row(page, /^200 tool create_file \{"val":"ada\/site","path":"main\.ts"/).click();
  await detail(page).getByRole('heading', { name: '200 tool create_file' }).waitFor();
  await tab(page, 'Request').click();
  await detail(page).getByRole('heading', { name: 'Arguments' }).waitFor();
  await detail(page).getByText('"path": "main.ts"').first().waitFor();
});

test('a refused call of a tool is an error everywhere: list, filter, lanes, detail, overview', async () => {
  const emulator = await startEmulator({ fixtures: { ...WORLD, projects: [{ owner: 'ada', name: 'site' }] } });
  const callTool = (name: string, args: object) =>
    call(emulator, 'POST', '/v3/mcp', {
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  await callTool('create_file', { val: 'ada/site', path: 'main.ts', content: '1' });
  await callTool('read_file', { val: 'ada/site', path: 'nothing.ts' });

  const page = await openDashboard(emulator, { hash: HASH });
  await row(page, /^200 error tool read_file/).waitFor();
  expect(await row(page, /^200 error tool create_file/).count()).toBe(0);
  await row(page, /read_file.*File not found/).waitFor();
  expect(await page.locator('.lane-dots.refused, .lane-dots.failed').count()).toBeGreaterThan(0);
  await page.getByLabel('Filter', { exact: true }).fill('is:error');
  await hasRows(page, 1);
  await row(page, /read_file/).click();
  await tab(page, 'Why').waitFor();
  await detail(page).getByText('File not found').first().waitFor();
  await expectAccessible(page);

  await page.goto(`${emulator.url}/_emulator/ui/`);
  await page.locator('main').getByText('File not found').first().waitFor();
});

test('the page of a tool call has the rows that its statement changed', async () => {
  const emulator = await startEmulator({ fixtures: { ...WORLD, projects: [{ owner: 'ada', name: 'site' }] } });
  const callTool = (sql: string) =>
    call(emulator, 'POST', '/v3/mcp', {
      headers: { Accept: 'application/json, text/event-stream' },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'sqlite_execute', arguments: { database: { type: 'val', val: 'ada/site' }, sql } },
      },
    });
  await callTool('CREATE TABLE t (a, b)');
  await callTool('INSERT INTO t VALUES (1, 2)');

  const page = await openDashboard(emulator, { hash: `${HASH}/r2` });
  await page
    .getByRole('region', { name: /^Rows of sqlite/ })
    .getByText('INSERT INTO t')
    .waitFor();
});

test('the calls of an agent read as a conversation with their effects', async () => {
  const emulator = await startEmulator({ fixtures: { ...WORLD, projects: [{ owner: 'ada', name: 'site' }] } });
  const callTool = (name: string, args: object) =>
    call(emulator, 'POST', '/v3/mcp', {
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  await callTool('create_file', { val: 'ada/site', path: 'main.ts', content: 'export const a = 1;' });
  await callTool('read_file', { val: 'ada/site', path: 'nothing.ts' });
  await call(emulator, 'GET', '/v1/me');

  const page = await openDashboard(emulator, { hash: HASH });
  await page.getByLabel('Filter', { exact: true }).fill('-tool:none');
  await page.getByRole('button', { name: 'Conversation' }).click();
  const turns = page.getByRole('list', { name: 'Conversation, oldest first' }).locator('.turn');
  await expect.poll(() => turns.count()).toBe(2);
  const [created, read] = [turns.nth(0), turns.nth(1)];
  await created.getByRole('heading', { name: 'create_file' }).waitFor();
  await created.getByText('"path": "main.ts"').first().waitFor();
  await expect.poll(() => created.locator('.turn-effect').textContent()).toMatch(/^Changed .*commits.*ada\/site/);
  await read.getByRole('heading', { name: 'read_file' }).waitFor();
  await expect.poll(() => read.locator('.turn-response .code code').textContent()).toBe('File not found');
  await expect.poll(() => read.getByText('Changed').count()).toBe(0);
  await expectAccessible(page);

  await created.getByRole('link', { name: 'r1' }).click();
  await detail(page).getByRole('heading', { name: '200 tool create_file' }).waitFor();
  await page.goBack();
  await expect.poll(() => turns.count()).toBe(2);
});

test('a slow response gets its duration when it ends, in the list and on its page', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator, { hash: HASH });
  emulator.fail('GET /v1/me', { delay: 3_000, times: 1 });

  const response = call(emulator, 'GET', '/v1/me');
  await row(page, /\bopen\b/).click();
  await detail(page).getByText('open, within a delay of 3.0 s by a fault').waitFor();
  // Another page connects anew for both.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await response;
  await detail(page)
    .getByText(/^3\.0 s, of which/)
    .waitFor();
  await detail(other)
    .getByText(/^3\.0 s, of which/)
    .waitFor();
  await detail(page).getByRole('button', { name: 'Close' }).click();
  await row(page, /\b3\.0 s\b/).waitFor();
});

test('after a reset no request is checked, and the request of the address is shown once it is received', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'GET', '/v1/me');
  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });
  await page.getByRole('checkbox', { name: 'Select r1' }).check();
  await page.getByText('Selected: 1').waitFor();

  emulator.reset();
  await detail(page).getByText('The journal has no request r1').waitFor();
  await call(emulator, 'GET', '/v1/alias/constructor');
  await detail(page).getByRole('heading', { name: '/v1/alias/constructor' }).waitFor();
  await row(page, /\/v1\/alias\/constructor/).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select r1' }).isChecked()).toBe(false);
  expect(await page.getByText('Selected: 1').count()).toBe(0);
});

test.each([
  ['bytes', Buffer.from([0xff, 0xfe, 0, 1]), '4 bytes'],
  ['a text of JSON', Buffer.from('"hello"'), 'hello'],
  ['JSON that names bytes', Buffer.from('{"base64":"no bytes!"}'), '"no bytes!"'],
])('a body of %s is shown, and sent again as it was', async (_, body, shown) => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/octet-stream' };
  await fetch(`${emulator.url}/v1/blob/key`, { method: 'POST', headers, body });
  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });

  await tab(page, 'Request').click();
  await detail(page).getByText(shown).first().waitFor();
  await chooseItem(detail(page), 'Send again');
  await page.getByRole('region', { name: 'Request r2' }).waitFor();
  const stored = await fetch(`${emulator.url}/v1/blob/key`, { headers });
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(body);

  await chooseItem(detail(page), 'Copy as curl', 'Copy as');
  await expect
    .poll(() => readClipboard(page))
    .toContain(body[0] === 0xff ? 'echo //4AAQ== | base64 -d | curl -X POST' : `--data-raw '${body}'`);
});

test('Undo of a fault of before a reset leaves the fault that has its id now', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'GET', '/v1/me');
  const page = await openDashboard(emulator, { hash: `${HASH}/r1` });
  await detail(page).locator('summary', { hasText: 'Break' }).click();
  await detail(page)
    .getByRole('button', { name: /^503 ×3/ })
    .click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();

  emulator.reset();
  emulator.fail('POST /v1/vals', { status: 500 });
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  // Time for a request that takes back the fault.
  await page.waitForTimeout(500);
  expect(emulator.faults()).toMatchObject([{ id: 'f1', route: 'POST /v1/vals' }]);
});
