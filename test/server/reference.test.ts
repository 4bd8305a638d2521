import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { copyReference } from '../../scripts/reference.js';
import * as packages from '../../src/lib/package.js';
import { emulate } from '../support/emulate.js';

vi.mock(import('../../src/lib/package.js'), async (original) => {
  const { packageFile, ...others } = await original();
  return { ...others, packageFile: vi.fn(packageFile) };
});

const folder = mkdtempSync(join(tmpdir(), 'reference-'));
let browser: Browser;

beforeAll(async () => {
  copyReference(join(folder, 'dist/reference'));
  const packageFile = vi.mocked(packages.packageFile);
  const original = packageFile.getMockImplementation();
  packageFile.mockImplementation((path) =>
    path.startsWith('dist/') || !original ? pathToFileURL(join(folder, path)) : original(path),
  );
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}, 60_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page, and collects what a strict policy or a machine without network would refuse. */
async function open(url: string, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ colorScheme });
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(url).host) {
      problems.push(`foreign: ${request.url()}`);
    }
  });
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  await page.waitForSelector('.opblock');
  return { page, problems };
}

test('the reference shows both documents, and obeys its content security policy', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });

  const { page, problems } = await open(`${emulator.url}/_emulator/docs/`, 'dark');
  expect(await page.textContent('.info .title')).toContain('Vals');
  expect(await page.evaluate('document.documentElement.className')).toBe('dark-mode');
  await page.click('text=Control API');
  await page.waitForSelector('[data-path="/_emulator/events"], #operations-events-streamEvents');
  expect(await page.getAttribute('[data-document="openapi-control.json"]', 'aria-current')).toBe('page');

  expect(problems).toEqual([]);
}, 60_000);

test('a request that is tried reaches the sandbox of the address, as its first user', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const sandbox = emulator.sandbox('one');

  const { page, problems } = await open(`${sandbox.url}/_emulator/docs/`);
  await page.click('#operations-me-getMe .opblock-summary-control');
  await page.click('#operations-me-getMe .execute');
  await page.waitForSelector('#operations-me-getMe .live-responses-table');

  expect(sandbox.requests()).toMatchObject([{ route: 'GET /v1/me', user: 'ada', status: 200 }]);
  expect(emulator.requests()).toEqual([]);
  expect(problems).toEqual([]);
}, 60_000);
