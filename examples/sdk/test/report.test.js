import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createEmulator } from 'val-emulator';
import { deleteFile, listFiles, publishReport, readRows } from '../src/report.js';

const BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = new Uint8Array(Buffer.from(BASE64, 'base64'));
const REPORT = { name: 'may', title: 'May', rows: [{ day: 1, visits: 7 }], picture: PICTURE, to: 'grace@example.com' };

let emulator;
before(async () => {
  emulator = await createEmulator();
  process.env.VAL_TOWN_BASE_URL = emulator.url;
  process.env.VAL_TOWN_API_KEY = 'ada-token';
});
beforeEach(() => emulator.reset());
after(() => emulator.close());

test('a report is stored, with its picture byte by byte', async () => {
  await publishReport(REPORT);

  assert.deepEqual(await readRows('may'), REPORT.rows);
  assert.deepEqual(await listFiles(), [
    `reports/may/picture.png (${PICTURE.length} bytes)`,
    'reports/may/rows.json (22 bytes)',
  ]);
  const picture = emulator.exportState().blobs.find(({ key }) => key.endsWith('.png'));
  assert.equal(picture.base64, BASE64);
});

test('a report is sent', async () => {
  assert.equal(await publishReport(REPORT), 'Email accepted to be sent');

  emulator.expectEmail({ to: 'grace@example.com', subject: 'May', times: 1 });
  const [email] = emulator.emails();
  assert.equal(email.attachments[0].content, BASE64);
});

test('a file that was deleted is gone', async () => {
  await publishReport(REPORT);
  await deleteFile('may', 'picture.png');

  assert.deepEqual(await listFiles(), ['reports/may/rows.json (22 bytes)']);
});
