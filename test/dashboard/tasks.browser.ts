import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { call, REPORT, WEATHER, WORLD } from './program.js';
import { openDashboard, startEmulator, useBrowser } from './support.js';

// What people open the page for, each from the overview, with its clicks and keys.

useBrowser();

/** A person who counts what a task costs. */
class Person {
  readonly page: Page;
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  /** Presses a key, or several at once. */
  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Opens the palette, which takes the focus. */
  async openPalette(): Promise<void> {
    await this.press('Control+k');
    await this.page.locator('.palette-input:focus').waitFor();
  }

  /** Pastes a text, by two keys at once. */
  async paste(text: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.insertText(text);
  }

  /** Opens a page by the navigation. */
  goTo(name: string): Promise<void> {
    return this.click(this.page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) }));
  }

  /** Opens a request of the list. */
  async openRequest(id: string): Promise<Locator> {
    await this.goTo('Requests');
    await this.click(this.page.locator(`[data-id="${id}"] a`));
    return this.page.getByRole('region', { name: `Request ${id}` });
  }

  /** Checks what the task has cost: at most four clicks. */
  hasSpent(clicks: number, keys: number): void {
    expect({ clicks: this.clicks, keys: this.keys }).toEqual({ clicks, keys });
    expect(clicks).toBeLessThanOrEqual(4);
  }
}

/** An emulator that a program has used. */
async function startUsed(): Promise<Emulator> {
  const emulator = await startEmulator({ fixtures: WORLD });
  await call(emulator, 'POST', '/v1/vals', { body: { name: 'new' } });
  await call(emulator, 'PUT', `/v1/vals/${WEATHER}`, { body: { name: 'forecast' } });
  await call(emulator, 'DELETE', `/v1/vals/${REPORT}`);
  await call(emulator, 'GET', `/v1/vals/${REPORT}`, { user: 'grace' });
  return emulator;
}

const openAs = async (emulator: Emulator) => new Person(await openDashboard(emulator));

test('who changed this val', async () => {
  const person = await openAs(await startUsed());
  await person.openPalette();
  await person.type('forecast');
  await person.press('Enter');
  await person.click(person.page.getByRole('button', { name: 'History' }));

  await person.page.getByText(`PUT /v1/vals/{val_id}`).first().waitFor();
  person.hasSpent(1, 10);
});

test('why was this a 400', async () => {
  const person = await openAs(await startUsed());
  const request = await person.openRequest('r1');

  await request.locator('.reasons').getByText(/code/).first().waitFor();
  person.hasSpent(2, 0);
});

test('the next three like this fail', async () => {
  const emulator = await startUsed();
  const person = await openAs(emulator);
  const request = await person.openRequest('r2');
  await person.click(request.locator('summary', { hasText: 'Break' }));
  await person.click(request.getByRole('button', { name: /^503/ }));

  await expect.poll(() => emulator.faults()).toMatchObject([{ route: 'PUT /v1/vals/{val_id}', status: 503, times: 3 }]);
  person.hasSpent(4, 0);
});

test('the state before and after a request', async () => {
  const person = await openAs(await startUsed());
  const request = await person.openRequest('r3');
  await request.getByText('export const report = 1;').first().waitFor();
  await person.click(request.getByRole('button', { name: 'State before' }));
  await person.goTo('Data');

  await person.page.getByRole('link', { name: 'report', exact: true }).first().waitFor();
  person.hasSpent(4, 0);
});

test('back to before a request', async () => {
  const emulator = await startUsed();
  const person = await openAs(emulator);
  const request = await person.openRequest('r3');
  await person.click(request.getByRole('button', { name: 'Rewind to before it' }));
  await person.click(person.page.getByRole('dialog').getByRole('button', { name: /^Take back/ }));

  await expect.poll(async () => (await call(emulator, 'GET', `/v1/vals/${REPORT}`)).status).toBe(200);
  person.hasSpent(4, 0);
});

test('another request, sent to an earlier state', async () => {
  const emulator = await startUsed();
  const person = await openAs(emulator);
  await person.goTo('Requests');
  await person.click(person.page.getByLabel('Select r4'));
  await person.click(person.page.getByRole('button', { name: 'Send again elsewhere' }));
  const dialog = person.page.getByRole('dialog');
  await dialog.getByRole('option', { name: /^r2 / }).waitFor({ state: 'attached' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await person.press('Tab');
  await person.type('r2');
  await person.press('Tab');
  await person.press('Enter');

  await person.page.getByRole('region', { name: 'Responses to r4' }).getByText('"name": "report"').waitFor();
  expect(emulator.sandboxes()).toMatchObject([{ forkedFrom: { sandbox: '', commit: 'r2' }, requests: 1 }]);
  person.hasSpent(3, 5);
});

test("one user's refused requests of the last minute", async () => {
  const person = await openAs(await startUsed());
  await person.goTo('Requests');
  await person.page.getByLabel('Filter', { exact: true }).waitFor();
  await person.press('/');
  await person.type('user:grace status:4xx last:1m');

  await expect.poll(() => person.page.locator('.request-list [data-id]').count()).toBe(1);
  await person.page.locator('[data-id="r4"]').waitFor();
  person.hasSpent(1, 30);
});

test('requests become a test', async () => {
  const person = await openAs(await startUsed());
  await person.goTo('Requests');
  await person.click(person.page.getByLabel('Select r2'));
  await person.click(person.page.getByLabel('Select r4'));
  await person.click(person.page.getByRole('button', { name: 'Turn into a test' }));

  await person.page.getByRole('dialog').getByText('emulatorTest').first().waitFor();
  person.hasSpent(4, 0);
});

test('a session is saved, and opened', async () => {
  const emulator = await startUsed();
  const person = await openAs(emulator);
  await person.goTo('Sandboxes');
  const download = person.page.waitForEvent('download');
  await person.click(person.page.getByRole('button', { name: /^Session/ }));
  const file = await (await download).path();
  const chooser = person.page.waitForEvent('filechooser');
  await person.click(person.page.getByText('Open a fixture or session'));
  await (await chooser).setFiles({ name: 'bug.ndjson', mimeType: 'application/x-ndjson', buffer: readFileSync(file) });

  await person.page.waitForURL(/\/_sandbox\/bug-[^/]+\/_emulator\/ui\/$/);
  expect(emulator.sandboxes()).toMatchObject([{ requests: 4 }]);
  person.hasSpent(3, 0);
});

test('the link of an email is opened', async () => {
  const emulator = await startUsed();
  const text = `Confirm at ${emulator.url}/v1/me?code=1.`;
  emulator.add.email({ user: 'ada', to: 'grace@example.com', subject: 'Confirm', text });
  const person = await openAs(emulator);
  await person.goTo('Mail');
  await person.click(person.page.getByRole('link', { name: /Confirm/ }));
  const tab = person.page.context().waitForEvent('page');
  await person.click(person.page.locator('.mail-files').getByRole('link', { name: /code=1$/ }));

  await (await tab).waitForURL(/\/v1\/me\?code=1$/);
  person.hasSpent(3, 0);
});

describe('the database of a user', () => {
  /** Opens the database, to which two requests have written. */
  async function openDatabase() {
    const emulator = await startUsed();
    const statements = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text)', "INSERT INTO notes VALUES (1, 'milk')"];
    for (const statement of statements) await call(emulator, 'POST', '/v1/sqlite/execute', { body: { statement } });
    const person = await openAs(emulator);
    await person.openPalette();
    await person.paste('sqlite/ada');
    await person.press('Enter');
    return person;
  }

  test('a statement of SQL', async () => {
    const person = await openDatabase();
    await person.click(person.page.getByRole('textbox', { name: 'SQL statement' }));
    await person.press('Control+a');
    await person.type('SELECT * FROM notes');
    await person.press('Control+Enter');

    await person.page.getByRole('gridcell', { name: 'milk' }).waitFor();
    person.hasSpent(1, 24);
  });

  test('which request changed this row', async () => {
    const person = await openDatabase();
    await person.click(person.page.getByRole('link', { name: 'notes', exact: true }));
    await person.click(person.page.getByRole('gridcell', { name: 'milk' }));
    await person.click(person.page.getByRole('button', { name: 'Who changed the row' }));

    await person.page
      .getByRole('region', { name: /^Change by/ })
      .getByText('INSERT INTO notes')
      .waitFor();
    person.hasSpent(3, 3);
  });
});

test('a fixture of the reader is opened', async () => {
  const emulator = await startUsed();
  const person = await openAs(emulator);
  await person.goTo('Sandboxes');
  const chooser = person.page.waitForEvent('filechooser');
  await person.click(person.page.getByText('Open a fixture or session'));
  const buffer = Buffer.from(JSON.stringify({ users: [{ username: 'zoe' }] }));
  await (await chooser).setFiles({ name: 'shop.json', mimeType: 'application/json', buffer });

  await person.page.waitForURL(/\/_sandbox\/shop-[^/]+\/_emulator\/ui\/$/);
  person.hasSpent(2, 0);
});

test.each(['runs', 'comments', 'emails', 'blobs', 'versions'])('one of the %s, by its id', async (collection) => {
  const emulator = await startUsed();
  emulator.add.run({ val: 'ada/forecast' });
  emulator.add.comment({ val: 'ada/forecast', author: 'grace', comment: 'Nice' });
  emulator.add.email({ user: 'ada', to: 'grace@example.com', subject: 'Hello', text: 'Hello' });
  emulator.add.blob({ user: 'ada', key: 'a.txt', text: 'Hello' });
  const records = await fetch(`${emulator.url}/_emulator/records/${collection}`);
  const id = String(Object(await records.json()).records[0].id);
  const person = await openAs(emulator);
  await person.openPalette();
  await person.paste(id);
  await person.press('Enter');

  await person.page.waitForURL((url) => url.hash.includes(encodeURIComponent(id)));
  person.hasSpent(0, 3);
});
