import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Emulator, Fixtures } from '../../src/index.js';
import { findViolations, openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const SITE = 'b4a7c500-0000-4000-8000-000000000001';
const FIXTURES: Fixtures = {
  users: [{ username: 'ada' }],
  projects: [
    {
      ...{ owner: 'ada', name: 'site', id: SITE },
      env: { API_KEY: 's3cret' },
    },
  ],
  commits: [
    {
      branch: 'ada/site@main',
      files: { 'main.ts': 'one\ntwo\nthree\n', 'old.ts': 'gone', 'src/team.ts': 'export {};' },
    },
    { branch: 'ada/site@main', files: { 'main.ts': 'one\n2\nthree\n', 'old.ts': null, 'src/lib/new.ts': 'new text' } },
  ],
  branches: [{ project: 'ada/site', name: 'draft', version: 1 }],
};

async function idOf({ url }: Emulator, name: string): Promise<string> {
  const where = encodeURIComponent(JSON.stringify({ name }));
  const response = await fetch(`${url}/_emulator/records/branches?where=${where}`);
  const { records } = z.object({ records: z.array(z.object({ id: z.string() })) }).parse(await response.json());
  return records[0]?.id ?? '';
}

test('a project shows the tree of a branch, the text of a file, and the difference of two versions', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openDashboard(emulator, { hash: `#/data/projects/${SITE}` });
  await page.getByRole('heading', { level: 1, name: 'ada/site' }).waitFor();

  const tree = page.getByRole('navigation', { name: 'Files' });
  await tree.getByRole('button', { name: 'main.ts' }).waitFor();
  await expect.poll(() => tree.getByRole('button').allTextContents()).toEqual(['main.ts', 'new.ts', 'team.ts']);
  await expect.poll(() => tree.getByText('/').allTextContents()).toEqual(['src/', 'lib/']);
  await page.getByText('one\n2\nthree').waitFor();
  await tree.getByRole('button', { name: 'new.ts' }).click();
  const text = page.getByRole('region', { name: 'src/lib/new.ts' });
  await text.getByText('new text').waitFor();
  await text.getByText('type: script').waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByLabel('Version').selectOption('1');
  await tree.getByRole('button', { name: 'old.ts' }).click();
  await page.getByRole('region', { name: 'old.ts' }).getByText('gone').waitFor();
  await page.getByLabel('Version').selectOption('0');
  await page.getByText('This version has no files').waitFor();
  await page.getByLabel('Branch').selectOption('draft');
  await page.getByText('3 files').waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/data/projects/${SITE}?tab=versions`);
  const main = page.getByRole('region', { name: 'main.ts' });
  await main.waitFor();
  const cells = async (kind: string) => await main.locator(`tr.${kind} code`).allTextContents();
  expect([await cells('same'), await cells('removed'), await cells('added')]).toEqual([
    ['one', 'three'],
    ['two'],
    ['2'],
  ]);
  await expect.poll(() => main.locator('tr.added td.number').allTextContents()).toEqual(['', '2']);
  await page.getByRole('region', { name: 'old.ts' }).getByText('removed').waitFor();
  await page.getByRole('region', { name: 'src/lib/new.ts' }).getByText('added').waitFor();
  await page.locator('.compare-bar select').nth(1).selectOption('2');
  await page.getByText('Both have the same files.').waitFor();
  await page.getByRole('table', { name: 'Versions' }).getByRole('link').first().waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test('branches and commits are called so, and a commit shows what it changed', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openDashboard(emulator, { hash: '#/data/branches' });
  await page.getByText('2 branches', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Add branch' }).waitFor();
  await page.getByRole('table').getByRole('link', { name: 'draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada/site@draft' }).waitFor();
  await page.getByRole('link', { name: 'Branches', exact: true }).first().waitFor();

  await page.goto(`${emulator.url}/_emulator/ui/#/data/commits/${await idOf(emulator, 'main')}:2`);
  await page.getByRole('heading', { level: 1, name: 'ada/site@main version 2' }).waitFor();
  await page.getByRole('region', { name: 'main.ts' }).locator('tr.added').getByText('2').first().waitFor();
});

test('the history of a branch shows changed files by line', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  emulator.add.commit({ branch: 'ada/site@main', files: { 'main.ts': 'one\n<script>alert(1)</script>\nthree\n' } });
  const page = await openDashboard(emulator, { hash: `#/data/branches/${await idOf(emulator, 'main')}?tab=history` });
  const file = page.getByRole('region', { name: 'main.ts' });
  await file.waitFor();
  await expect.poll(() => file.locator('tr.added code').allTextContents()).toEqual(['<script>alert(1)</script>']);

  await page.goto(`${emulator.url}/_emulator/ui/#/time`);
  await page.getByRole('region', { name: 'main.ts' }).locator('tr.removed').getByText('2').first().waitFor();
});
