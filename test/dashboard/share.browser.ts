import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, inject, onTestFinished, test } from 'vitest';
import { call, REPORT, WORLD } from './program.js';
import { chooseItem, expectAccessible, openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

/** Drops a file on the page, as a person drags one onto it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return data; })()`,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.getByText('Drop a fixture or a session').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

/** Runs the files of a test with the vitest of this project and the package that is tested. */
function runTest(files: Readonly<Record<string, string>>) {
  const project = inject('project');
  const folder = mkdtempSync(join(project, 'written-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
  const link = join(project, 'node_modules/vitest');
  try {
    symlinkSync(vitest, link);
  } catch {
    // It is there from another test, or is a peer of the package.
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(vitest, 'vitest.mjs'), 'run', '--root', folder],
    {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, VITEST: '', NO_COLOR: '1' },
    },
  );
  return { status, output: stdout + stderr };
}

test('selected requests become a test that passes as it is, also with new ids and a fault', {
  timeout: 120_000,
}, async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  // Ids depend on what was written before.
  await call(emulator, 'POST', '/v1/vals', { body: { name: 'earlier', code: '1' } });
  const made = await call(emulator, 'POST', '/v1/vals', {
    body: { code: 'export const a = `\\n`;', privacy: 'public' },
  });
  const { id } = Object(await made.json());
  await call(emulator, 'PUT', `/v1/vals/${id}`, { body: { name: "it's" } });
  await call(emulator, 'PUT', `/v1/vals/${id}`, { body: { name: 'renamed' } });
  await call(emulator, 'GET', `/v1/vals/${id}`, { user: 'grace' });
  emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await call(emulator, 'GET', '/v1/me');
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);

  const page = await openDashboard(emulator, { hash: '#/requests' });
  await page.getByLabel('Select r2').check();
  await page.getByRole('button', { name: 'Select all 7 that match' }).click();
  await page.getByLabel('Select r1', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Turn into a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn into a test' });
  const code = (await dialog.locator('pre').textContent()) ?? '';
  await expectAccessible(page);
  expect(await dialog.locator('.reasons').count()).toBe(0);
  expect(code).toMatch(/await emulator\.fetch\(`\/v1\/vals\/\$\{id1\}`/);
  expect(code).not.toContain(id);
  expect(emulator.sandboxes()).toEqual([]);

  const passed = runTest({ 'requests.test.ts': code });
  expect(passed.output).toContain('1 passed');
  expect(passed.status).toBe(0);
  const failed = runTest({ 'requests.test.ts': code.replace("name: 'renamed',\n", "name: 'other',\n") });
  expect(failed.output).toContain('"renamed"');
  expect(failed.status).toBe(1);
});

test('a request becomes a test with its fixtures in a file, if they are long', { timeout: 120_000 }, async () => {
  const emulator = await startEmulator({ fixtures: 'busy' });
  await call(emulator, 'GET', '/v1/me/runs?limit=5', { user: emulator.users[0]?.username ?? '' });

  const page = await openDashboard(emulator, { hash: '#/requests/r1' });
  await chooseItem(page.getByRole('region', { name: 'Request r1' }), 'Turn into a test');
  const dialog = page.getByRole('dialog', { name: 'Turn into a test' });
  const fixture = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download requests.fixture.json' }).click();
  const stream = await (await fixture).createReadStream();
  const json = Buffer.concat(await stream.toArray()).toString();

  const { output, status } = runTest({
    'requests.test.ts': (await dialog.locator('pre').textContent()) ?? '',
    'requests.fixture.json': json,
  });
  expect(output).toContain('1 passed');
  expect(status).toBe(0);
});

test('a dropped fixture or session opens in a new sandbox, and another file is refused with the reason', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'GET', '/v1/me');

  const page = await openDashboard(emulator, { hash: '#/' });
  await drop(page, 'notes.txt', 'Hello');
  await page.getByText('notes.txt is neither a fixture in JSON nor a session').waitFor();
  await drop(page, 'demo.json', JSON.stringify({ users: [{ username: 7 }] }));
  await page.getByText('users[0].username').waitFor();
  expect(emulator.sandboxes()).toEqual([]);

  await drop(page, 'demo.jsonc', '{ "users": [{ "username": "eve" }], /* more later */ }');
  await page.waitForURL(/\/_sandbox\/demo-\d+\/_emulator\/ui\/$/);
  await page.getByText('eve-token').first().waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  const session = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
  await drop(page, 'bug.ndjson', session);
  await page.waitForURL(/\/_sandbox\/bug-\d+\//);
  await page.getByRole('link', { name: /^200 GET \/v1\/me/ }).waitFor();
});

test('the palette goes to pages, requests, records and actions; keys focus the search and list themselves', async () => {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'GET', '/v1/me');

  const page = await openDashboard(emulator, { hash: '#/requests' });
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const go = async (text: string) => {
    await page.keyboard.press('Control+k');
    await palette.getByRole('searchbox').fill(text);
  };
  await go('r1');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Request r1' }).waitFor();
  await go('weath');
  await palette.getByRole('button', { name: 'ada/weather' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada/weather' }).waitFor();
  await go('snapsh');
  await page.keyboard.press('Enter');
  await page.getByText('Took a snapshot.').waitFor();
  expect(emulator.snapshots()).toHaveLength(1);
  await go('time');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Time' }).waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/data/vals`);
  await page.getByRole('link', { name: 'weather', exact: true }).waitFor();
  await page.keyboard.press('/');
  await expect
    .poll(() => page.getByRole('searchbox', { name: 'Search vals' }).evaluate((input) => input.matches(':focus')))
    .toBe(true);
  await page.keyboard.press('?');
  expect(await page.getByRole('searchbox', { name: 'Search vals' }).inputValue()).toBe('?');
  await page.locator('h1').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('These keys').waitFor();
  await expectAccessible(page);
});
