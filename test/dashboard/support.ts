import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/index.js';
import { PATIENCE } from '../support/patience.js';

const executablePath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

let browser: Browser | undefined;

/** Starts Chromium for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    // No sandbox of the operating system: containers do not allow one.
    browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/** Starts an emulator of the installed package. */
export async function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const entry = createRequire(join(inject('project'), 'package.json')).resolve('val-emulator');
  const { createEmulator }: typeof import('../../src/index.js') = await import(pathToFileURL(entry).href);
  const emulator = await createEmulator({ port: 0, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

interface OpenOptions {
  /** Address within the dashboard: `#/requests`. */
  readonly hash?: string;
  readonly sandbox?: string;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Whether the emulator is closed meanwhile: the browser reports connections that fail. */
  readonly isInterrupted?: boolean;
  /** Complaints that the browser must have, such as of what it blocks. */
  readonly blocks?: RegExp;
}

/** Opens a window that records what the browser complains of; at the end of the test there must be nothing. */
async function watch(origin: string, options: OpenOptions): Promise<BrowserContext> {
  const { width = 1280, colorScheme = 'light', isInterrupted = false, blocks } = options;
  if (!browser) throw new Error('call useBrowser() at the top of the file');
  const context = await browser.newContext({
    viewport: { width, height: 820 },
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  const complaints: string[] = [];
  await context.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('CSP: ' + violatedDirective + ' ' + blockedURI));`,
  });
  context.on('console', (message) => {
    // The browser itself reports responses with an error status; pages show them.
    const isResponse = /Failed to load resource: the server responded/.test(message.text());
    const isLost = isInterrupted && /net::ERR_/.test(message.text());
    if (message.type() === 'error' && !isResponse && !isLost) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(?:http|ws)/.test(url.protocol) && url.origin !== origin) complaints.push(`request to ${url.href}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints.filter((text) => !blocks?.test(text))).toEqual([]);
    if (blocks) expect(complaints.some((text) => blocks.test(text))).toBe(true);
  });
  return context;
}

/**
 * Opens a page of the emulator, and fails the test for errors, CSP violations and requests to other hosts.
 * @param origin of the only host, if the test goes there later
 */
export async function openPage(
  url: string,
  options: Omit<OpenOptions, 'hash' | 'sandbox'> = {},
  origin = url,
): Promise<Page> {
  const context = await watch(new URL(origin).origin, options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(url);
  return page;
}

/** Opens the dashboard as a person would. */
export async function openDashboard(emulator: Pick<Emulator, 'url'>, options: OpenOptions = {}): Promise<Page> {
  const { hash = '', sandbox, ...window } = options;
  const base = sandbox === undefined ? emulator.url : `${emulator.url}/_sandbox/${sandbox}`;
  const page = await openPage(`${base}/_emulator/ui/${hash}`, window);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  return page;
}

/** Opens a menu, and chooses an item of it. */
export async function chooseItem(within: Page | Locator, name: string, menu = 'More'): Promise<void> {
  await within.locator('summary', { hasText: menu }).click();
  await within.getByRole('button', { name, exact: true }).click();
}

/** Replaces the text of an editor. */
export async function fillEditor(editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await editor.page().keyboard.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}

/** Reads the text of an editor, also the lines that are not in view. */
export async function readEditor(editor: Locator): Promise<string> {
  await editor.focus();
  await editor.page().keyboard.press('ControlOrMeta+a');
  await editor.page().keyboard.press('ControlOrMeta+c');
  return await editor.page().evaluate<string>('navigator.clipboard.readText()');
}

/** Runs axe on a page, and describes what it finds. In a frame without scripts axe does not end: Chromium runs no timers there. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .exclude('iframe[sandbox]:not([sandbox~=allow-scripts])')
    .options({ rules: { 'target-size': { enabled: true } } })
    .analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join(' | ')}`,
  );
}

/** Checks that axe finds no violation on a page. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}
