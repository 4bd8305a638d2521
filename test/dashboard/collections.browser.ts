import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/create-engine.js';
import { service } from '../engine/definition/bookmarks.js';
import { untyped } from '../engine/fixtures/loading.js';
import { todo } from '../engine/todo.js';
import { openDashboard, useBrowser } from './support.js';

useBrowser();

test('the page shows a collection that it has no view of by its schema', async () => {
  const fixtures = untyped({
    users: [{ username: 'ada' }, { username: 'bob' }],
    vals: [{ author: 'ada', name: 'hello', code: '1' }],
    bookmarks: [{ user: 'ada', val: 'ada/hello', note: 'Read it' }],
  });
  const emulator = await createEngine(service, { port: 0, fixtures });
  onTestFinished(() => emulator.close());
  const page = await openDashboard(emulator, { hash: '#/data/bookmarks' });

  await page.getByText('1 bookmark', { exact: true }).first().waitFor();
  await expect
    .poll(() => page.getByRole('columnheader').allTextContents())
    .toEqual(['Selected', ...['Id', 'User', 'Val', 'Note', 'Created at']]);
  await page.getByRole('button', { name: 'Add bookmark' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a bookmark' });
  await form.getByLabel('User').fill('bob');
  await form.getByLabel('Val').fill('ada/hello');
  await form.getByLabel('Note').fill('Again');
  await form.getByRole('button', { name: 'Add bookmark' }).click();
  await page.getByText('2 bookmarks', { exact: true }).first().waitFor();
  await form.waitFor({ state: 'hidden' });

  await page.getByRole('combobox', { name: 'User' }).fill('bob');
  await page.keyboard.press('Enter');
  await page.getByText('1 bookmark', { exact: true }).first().waitFor();
  await page.getByRole('table').getByRole('link', { name: 'ada/hello' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada/hello' }).waitFor();
  await page.getByText('More').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Deleted with it: 1 version, 2 bookmarks.').waitFor();
});

test('the page shows another service: its records, requests, faults and routes', async () => {
  const engine = await createEngine(todo, { port: 0 });
  onTestFinished(() => engine.close());
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  await fetch(`${engine.url}/todos`, { method: 'POST', headers, body: JSON.stringify({ title: 'Work' }) });
  const page = await openDashboard(engine, { hash: '#/' });

  await page.getByRole('link', { name: /todos/ }).first().waitFor();
  for (const [hash, text] of [
    ['#/requests', '/todos'],
    ['#/data/todos', '2 todos'],
    ['#/time', 'POST /todos'],
    ['#/faults', 'Faults'],
    ['#/clock', 'Clock'],
    ['#/api', 'Complete a todo'],
  ] as const) {
    await page.goto(`${engine.url}/_emulator/ui/${hash}`);
    await page.getByText(text).locator('visible=true').first().waitFor();
  }
});
