import { createServer } from 'node:http';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { openDashboard, openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

test('the base URL redirects a browser to the dashboard', async () => {
  const emulator = await startEmulator();
  const page = await openPage(emulator.url);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${emulator.url}/_emulator/ui/`);
});

test('the keyboard reaches every page, and one key the content', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);

  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to the content' });
  expect(await skip.evaluate((button) => button.matches(':focus'))).toBe(true);
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
  expect(await page.locator('main').evaluate((main) => main.matches(':focus'))).toBe(true);
});

test('lists the pages in a menu on a phone', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator, { width: 375 });

  const link = page.getByRole('link', { name: 'Clock' });
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
  expect(await link.isVisible()).toBe(false);
});

test('remembers the chosen colors', async () => {
  const emulator = await startEmulator();
  const page = await openDashboard(emulator);
  await page.getByRole('button', { name: 'Use dark colors' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Use light colors' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
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
  await page.getByRole('button', { name: 'Create it again' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['checkout']);
});

test('does not create a sandbox by showing its page', async () => {
  const emulator = await startEmulator();
  const page = await openPage(`${emulator.url}/_sandbox/nosuch/_emulator/ui/`);

  await page.getByText('There is no sandbox nosuch.').waitFor();
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
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const page = await openDashboard({ url: `http://127.0.0.1:${port}/fake` });

  await page.getByText('31').first().waitFor();
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: 'askTheGarden' }).click();
  await page.getByRole('heading', { name: 'radia/askTheGarden' }).waitFor();
});
