import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
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
  await page.getByText('Drop a fixture, a folder of fixtures or a session').waitFor();
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

test('selected requests become a test that passes as it is, also with new ids and a fault', async () => {
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
  await expect.poll(() => dialog.locator('.reasons').count()).toBe(0);
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

test('a request becomes a test with its fixtures in a file, if they are long', async () => {
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
  const problems = async () => {
    const dialog = page.getByRole('dialog', { name: /was not opened$/ });
    const texts = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: 'Close' }).click();
    return texts;
  };
  await page.getByText('not valid JSON: found "Hello"; expected a value').waitFor();
  expect(await problems()).toEqual([expect.stringMatching(/^notes\.txt line 1, column 1: not valid JSON/)]);
  await drop(page, 'demo.json', JSON.stringify({ users: [{ username: 7 }, { username: 'a', id: 8 }] }));
  await page.getByText('demo.json users[0].username').waitFor();
  await expectAccessible(page);
  expect(await problems()).toEqual([
    expect.stringMatching(/^demo\.json users\[0\]\.username: /),
    expect.stringMatching(/^demo\.json users\[1\]\.id: /),
  ]);
  expect(emulator.sandboxes()).toEqual([]);

  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'users.json'), '[{ "username": "zoe" }]');
  writeFileSync(join(folder, 'vals.json'), '[{ "author": "zoe", "name": 1, "code": "1" }]');
  writeFileSync(join(folder, 'README.md'), '# Shop');
  await page.getByRole('link', { name: 'Sandboxes' }).click();
  await page.getByLabel('Open a folder').setInputFiles(folder);
  await page.getByText('vals.json [0].name').waitFor();
  expect(await problems()).toHaveLength(1);
  writeFileSync(join(folder, 'vals.json'), '[{ "author": "zoe", "name": "cart", "code": "1" }]');
  await page.getByLabel('Open a folder').setInputFiles(folder);
  await page.waitForURL(/\/_sandbox\/shop-[^/]+\/_emulator\/ui\/$/);
  await page.getByText('zoe-token').first().waitFor();
  await page.goto(`${emulator.url}/_emulator/ui/#/`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await drop(page, 'demo.jsonc', '{ "users": [{ "username": "eve" }], /* more later */ }');
  await page.waitForURL(/\/_sandbox\/demo-\d+\/_emulator\/ui\/$/);
  await page.getByText('eve-token').first().waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/sandboxes`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Session/ }).click();
  const session = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
  await drop(page, 'bug.ndjson', session);
  await page.waitForURL(/\/_sandbox\/bug-\d+\//);
  await page.getByRole('link', { name: /^200 GET \/v1\/me/ }).waitFor();
});
