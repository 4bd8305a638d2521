// Makes the pictures of the dashboard in docs/images: npm run docs:screens [name…]

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { buildIfStale } from './build.js';

buildIfStale();
const { createEmulator } = await import('../dist/lib/index.js');

const FOLDER = join(import.meta.dirname, '../docs/images');
const NOW = '2024-06-11T22:05:12.000Z';

/** Each picture: the page that it shows, and what is done there first. */
const SCREENS = {
  overview: { hash: '#/' },
  requests: { hash: '#/requests/r14' },
  time: { hash: '#/time' },
  'time-travel': { hash: '#/data/vals?at=r4' },
  data: { hash: '#/data/vals' },
  val: { hash: '#/data/vals?q=dailyReport', click: ['dailyReport'] },
  faults: { hash: '#/faults' },
  clock: { hash: '#/clock' },
  sandboxes: { hash: '#/sandboxes' },
  api: { hash: '#/api/POST/v1/vals' },
  phone: { hash: '#/requests', width: 390 },
  test: { hash: '#/requests', check: ['Select r4', 'Select r6', 'Select r7'], press: 'Turn into a test' },
  dark: { hash: '#/requests/r14', dark: true },
};

const chosen = process.argv.slice(2);
const names = chosen.length > 0 ? chosen : Object.keys(SCREENS);
const executablePath =
  process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
const emulator = await createEmulator({ port: 0, now: NOW });
try {
  mkdirSync(FOLDER, { recursive: true });
  await prepare();
  for (const name of names) await shoot(name);
} finally {
  await browser.close();
  await emulator.close();
}

/** Sends what a program under test might send. */
async function prepare() {
  const [ada, grace] = emulator.users;
  const send = async (method, path, { user = ada, body, headers } = {}) => {
    emulator.clock.advance(740);
    return emulator.fetch(path, {
      method,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
  };
  const code = "export const report = () => fetch('https://example.com/report.json');";
  await send('GET', '/v1/me');
  await send('GET', '/v1/me/runs?limit=20');
  await send('GET', '/v1/search/vals?query=weather');
  const { id } = await (await send('POST', '/v1/vals', { body: { name: 'report', code, privacy: 'public' } })).json();
  await send('POST', '/v1/vals', { body: { name: 'report', code } });
  await send('POST', `/v1/vals/${id}/versions`, { body: { code: `${code}\nexport const retries = 3;` } });
  await send('PUT', `/v1/vals/${id}`, { body: { name: 'dailyReport' } });
  await send('GET', `/v1/vals/${id}`, { user: grace });
  await send('DELETE', `/v1/vals/${id}`, { user: grace });
  emulator.fail('POST /v1/vals', { status: 503, times: 2, headers: { 'retry-after': '2' } });
  emulator.fail('GET /v1/me/runs', { delay: 2_000, rate: 0.1 });
  await send('POST', '/v1/vals', { body: { name: 'backup', code: 'export const backup = 1;' } });
  await send('GET', '/v1/nowhere');
  await send('GET', '/v1/vals/not-a-uuid');
  emulator.add.run({ val: 'ada/hello', error: 'TypeError: Failed to fetch' });
  await send('POST', `/v1/vals/${id}/versions`, { body: { code: `${code}\nexport const retries = 5;` } });
  await send('PUT', `/v1/vals/${id}`, { body: { readme: '# Daily report\n\nFetches the report once a day.\n' } });
  emulator.snapshot('before checkout');
  for (const name of ['checkout', 'signup-test-1', 'signup-test-2']) await emulator.sandbox(name).fetch('/v1/me');
}

async function shoot(name) {
  const screen = SCREENS[name];
  if (!screen) throw new Error(`There is no picture ${name}: ${Object.keys(SCREENS).join(', ')}`);
  const { hash, width = 1280, dark = false, click = [], check = [], press } = screen;
  const page = await browser.newPage({ viewport: { width, height: 820 }, colorScheme: dark ? 'dark' : 'light' });
  await page.goto(`${emulator.url}/_emulator/ui/${hash}`);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  for (const text of click) await page.getByRole('link', { name: text, exact: true }).first().click();
  for (const label of check) await page.getByLabel(label, { exact: true }).check();
  if (press) await page.getByRole('button', { name: press }).click();
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
  console.log(`docs/images/${name}.png`);
}
