import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../src/index.js';
import { call, WORLD } from './program.js';
import { expectAccessible, openDashboard, openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

test('the base URL redirects a browser to the dashboard', async () => {
  const emulator = await startEmulator();
  const page = await openPage(emulator.url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => page.url()).toBe(`${emulator.url}/_emulator/ui/`);
});

test('the keyboard reaches every page, and one key the content', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);

  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to the content' });
  await expect.poll(() => skip.evaluate((button) => button.matches(':focus'))).toBe(true);
  const titles: (string | null)[] = [];
  const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
  for (const link of links) {
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    titles.push(await page.getByRole('heading', { level: 1 }).textContent());
  }
  expect(titles).toEqual([
    'Overview',
    'Requests',
    'Time',
    'Data',
    'Mail',
    'Faults and limits',
    'Clock',
    'Sandboxes',
    'API',
  ]);
  await expect.poll(() => page.locator('main').evaluate((main) => main.matches(':focus'))).toBe(true);
});

test('lists the pages in a menu on a phone', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { width: 375 });

  const link = page.getByRole('link', { name: 'Clock' });
  await expect.poll(() => link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
  await expect.poll(() => link.isVisible()).toBe(false);
});

test('remembers the chosen colors', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);
  await page.getByRole('button', { name: 'Use dark colors' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Use light colors' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test('switches the sandbox and stays on the page', async () => {
  const emulator = await startEmulator();
  await emulator.sandbox('checkout').fetch('/v1/me');
  const page = await openDashboard(emulator, { hash: '#/clock' });
  await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('checkout');
  await page.waitForURL(`${emulator.url}/_sandbox/checkout/_emulator/ui/#/clock`);
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
});

test('an unused sandbox links to sandboxes with requests', async () => {
  const emulator = await startEmulator();
  await emulator.sandbox('checkout').fetch('/v1/me');
  emulator.sandbox('idle');
  const page = await openDashboard(emulator, { hash: '#/requests' });
  await page.getByText('Other sandboxes have received requests: checkout (1).').waitFor();
  await page.getByRole('link', { name: 'checkout' }).click();
  await page.waitForURL(`${emulator.url}/_sandbox/checkout/_emulator/ui/#/requests`);
  await page.getByText('1, newest last').waitFor();
});

test('the back button returns from an earlier state to the previous page', async () => {
  const emulator = await startEmulator();
  emulator.add.user({ username: 'eve' });
  const page = await openDashboard(emulator, { hash: '#/data/users?at=start' });
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByRole('link', { name: 'eve' }).waitFor();
  await page.goBack();
  await page.getByText('All pages show the state').waitFor();
});

test('reports a closed sandbox, and creates it again', async () => {
  const emulator = await startEmulator();
  const sandbox = emulator.sandbox('checkout');
  const page = await openDashboard(emulator, { sandbox: 'checkout' });

  sandbox.close();
  await page.getByText('Sandbox "checkout" is closed.').first().waitFor();
  expect(emulator.sandboxes()).toEqual([]);
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['checkout']);
});

test('does not create a sandbox by showing its page', async () => {
  const emulator = await startEmulator();
  const page = await openPage(`${emulator.url}/_sandbox/nosuch/_emulator/ui/`);

  await page.getByText('There is no sandbox "nosuch".').waitFor();
  expect(emulator.sandboxes()).toEqual([]);
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['nosuch']);
});

test('works where a host application mounts the emulator', async () => {
  const emulator = await startEmulator({ listen: false });
  const server = createServer(express().use('/fake', emulator.app)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  const page = await openDashboard({ url: `http://127.0.0.1:${portOf(server)}/fake` });

  await page.getByText('31').first().waitFor();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: 'askTheGarden' }).click();
  await page.getByRole('heading', { name: 'radia/askTheGarden' }).waitFor();
});

test('says that nothing was received only once it has asked', async () => {
  const emulator = await startEmulator();
  const page = await openPage('about:blank', {}, emulator.url);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/_emulator/requests/summary', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`${emulator.url}/_emulator/ui/#/requests`);
  await page.getByText('Loading…').waitFor();
  await page.getByText('Connecting', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('No requests yet').count()).toBe(0);
  answer();
  await page.getByText('No requests yet').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});

describe('one connection of a browser', () => {
  const OPEN_AT_ONCE = 10;

  test('is enough for ten tabs and a page of the user', async () => {
    const emulator = await startEmulator();
    const first = await openDashboard(emulator, { hash: '#/requests' });
    const tabs = [first];
    while (tabs.length < OPEN_AT_ONCE) {
      const tab = await first.context().newPage();
      await tab.goto(`${emulator.url}/_sandbox/s${tabs.length % 3}/_emulator/ui/#/requests`);
      tabs.push(tab);
    }
    for (const name of ['s0', 's1', 's2']) emulator.sandbox(name);
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor();
    const frontEnd = await first.context().newPage();
    await frontEnd.goto(`${emulator.url}/v1/nowhere`);
    expect(await frontEnd.evaluate('fetch("/v1/users/x").then(({ status }) => status)')).toBe(400);

    for (const name of ['s0', 's1', 's2']) await emulator.sandbox(name).fetch('/v1/me');
    for (const tab of tabs.slice(1)) await tab.getByText('1, newest last').waitFor();
    // A tab that is closed leaves the others their events.
    await tabs[1]?.close();
    for (const name of ['s0', 's1', 's2']) await emulator.sandbox(name).fetch('/v1/me');
    for (const tab of tabs.slice(2)) await tab.getByText('2, newest last').waitFor();
  });

  test('is that of the visible tab in a browser without shared workers', async () => {
    const emulator = await startEmulator();
    const page = await openPage('about:blank', {}, emulator.url);
    await page.addInitScript({
      content: `delete window.SharedWorker;
        Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true });
        window.setHidden = (hidden) => {
          window.isHidden = hidden;
          document.dispatchEvent(new Event('visibilitychange'));
        };`,
    });
    await page.goto(`${emulator.url}/_emulator/ui/#/requests`);
    await page.getByText('No requests yet').waitFor();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/_emulator/events'));
    await page.evaluate('setHidden(true)');
    await ended;
    await emulator.fetch('/v1/me');
    await page.waitForTimeout(500);
    await expect.poll(() => page.getByText('No requests yet').count()).toBe(1);
    await page.evaluate('setHidden(false)');
    await page.getByText('1, newest last').waitFor();
  });
});

describe('a browser on another machine', () => {
  const [address] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map((each) => each.address);
  const TOKEN = 'a-long-secret';

  /** Starts an emulator, and returns it with its URL for other machines. */
  async function startForOthers(options: EmulatorOptions = {}) {
    const emulator = await startEmulator({ host: '0.0.0.0', allowedHosts: [address ?? ''], ...options });
    return { emulator, url: `http://${address}:${new URL(emulator.url).port}` };
  }

  test.skipIf(address === undefined)('signs in with the control token, and out', async () => {
    const { emulator, url } = await startForOthers({ controlToken: TOKEN });
    const page = await openPage(url, { blocks: /^request to |CORS policy|ERR_FAILED/ });
    const token = page.getByLabel('Control token');
    await token.fill('another-secret');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the control token of the emulator.').waitFor();
    await expectAccessible(page);
    await token.fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${url}/_emulator/ui/`);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });
    expect(cookie?.value).not.toContain(TOKEN);

    emulator.add.user({ username: 'eve' });
    await page.getByText('eve-token').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Sandboxes' }).click();
    await page.getByRole('button', { name: /^Session/ }).click();
    expect((await download).suggestedFilename()).toBe('session.ndjson');

    emulator.add.email({ user: 'eve', to: 'ada@example.com', subject: 'Hello', html: '<p>From eve</p>' });
    await page.goto(`${url}/_emulator/ui/#/mail`);
    await page.getByRole('link', { name: /Hello/ }).click();
    await page.frameLocator('iframe').getByText('From eve').waitFor();
    const sent = await fetch(`${emulator.url}/v1/me`, { headers: { authorization: 'Bearer eve-token' } });
    expect(sent.status).toBe(200);
    await page.goto(`${url}/_emulator/ui/#/requests`);
    await page.getByRole('checkbox', { name: 'Select r1' }).check();
    await page.getByRole('button', { name: 'Turn into a test' }).click();
    await page.getByText("'/v1/me'").first().waitFor();
    await page.keyboard.press('Escape');

    // The cookie is sent for a page of another port as well, since that is the same site.
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('Other'));
    server.listen(0, '0.0.0.0');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const other = await page.context().newPage();
    await other.goto(`http://${address}:${portOf(server)}/`);
    await other.evaluate(
      `Promise.allSettled([{ mode: 'no-cors' }, {}, { headers: { 'x-emulator-page': '1' } }].map((each) =>
        fetch('${url}/_emulator/reset', { method: 'POST', credentials: 'include', ...each })))`,
    );
    await other.setContent(`<form method="post" action="${url}/_emulator/reset"><button>Reset</button></form>`);
    await other.getByRole('button').click();
    await other.getByText('X-Emulator-Page').waitFor();
    await other.close();
    expect(emulator.users.map(({ username }) => username)).toContain('eve');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await token.waitFor();
  });

  test.skipIf(address === undefined)('learns how it would be let in', async () => {
    const { url } = await startForOthers();
    const page = await openPage(`${url}/_emulator/ui/`);

    await page.getByText(`The control API does not accept requests from ${address}.`).waitFor();
    await page.getByText('start the emulator with --control-token SECRET').waitFor();
  });

  test.skipIf(address === undefined)('copies without the clipboard that only secure pages have', async () => {
    const { url } = await startForOthers({ controlFrom: [`${address}/32`] });
    const page = await openDashboard({ url });
    expect(await page.evaluate('navigator.clipboard')).toBeUndefined();
    await page.getByRole('button', { name: 'Copy the token of ada' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const field = page.getByRole('searchbox').or(page.getByRole('textbox'));
    await page.keyboard.press('Control+k');
    await field.first().focus();
    await page.keyboard.press('Control+v');
    await expect.poll(() => field.first().inputValue()).toBe('ada-token');
  });
});

test('a browser that denies storage and shared workers has all pages', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  const page = await openDashboard(emulator);
  const deny = `{ get() { throw new DOMException('denied', 'SecurityError'); } }`;
  await page.addInitScript({
    content: `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, ${deny});
      window.SharedWorker = class { constructor() { throw new DOMException('denied', 'SecurityError'); } };`,
  });
  await page.goto(`${emulator.url}/_emulator/ui/#/requests`);
  await page.reload();

  await page.getByText('No requests yet').waitFor();
  await call(emulator, 'GET', '/v1/me');
  await page.locator('[data-id="r1"]').waitFor();
  await page.getByRole('button', { name: 'Use dark colors' }).click();
  await page.getByRole('button', { name: 'Use light colors' }).waitFor();
});
