import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createEmulator } from 'val-emulator';
import { countVisits, deleteFile, listFiles, publishReport, readRows, recordVisits } from '../src/report.js';

const BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = new Uint8Array(Buffer.from(BASE64, 'base64'));
const REPORT = { name: 'may', title: 'May', picture: PICTURE, to: 'grace@example.com' };

/** @type {import('val-emulator').Emulator} */
let emulator;
before(async () => {
  emulator = await createEmulator();
  process.env.VAL_TOWN_BASE_URL = emulator.url;
  process.env.VAL_TOWN_API_KEY = 'ada-token';
});
beforeEach(async () => {
  emulator.reset();
  await recordVisits(Array(7).fill({ month: 'may', day: 1 }));
});
after(() => emulator.close());

test('visits are counted by day', async () => {
  await recordVisits([
    { month: 'may', day: 3 },
    { month: 'june', day: 3 },
  ]);

  assert.deepEqual(await countVisits('may'), [
    { day: 1, visits: 7 },
    { day: 3, visits: 1 },
  ]);
});

test('visits are stored as a whole or not at all', async () => {
  const wrong = { month: 'may', day: null };
  await assert.rejects(recordVisits([{ month: 'may', day: 2 }, wrong]), /NOT NULL constraint failed: visits.day/);

  assert.deepEqual(await countVisits('may'), [{ day: 1, visits: 7 }]);
});

test('a report is stored, with its picture byte by byte', async () => {
  await publishReport(REPORT);

  assert.deepEqual(await readRows('may'), [{ day: 1, visits: 7 }]);
  assert.deepEqual(await listFiles(), [
    `reports/may/picture.png (${PICTURE.length} bytes)`,
    'reports/may/rows.json (22 bytes)',
  ]);
  const picture = emulator.state().blobs.find(({ key }) => key.endsWith('.png'));
  assert.ok(picture && 'base64' in picture);
  assert.equal(picture.base64, BASE64);
});

test('a report is sent', async () => {
  assert.equal(await publishReport(REPORT), 'Email accepted to be sent');

  emulator.expectEmail({ to: 'grace@example.com', subject: 'May', times: 1 });
  const [email] = emulator.emails();
  assert.equal(email?.attachments[0]?.content, BASE64);
});

test('a deleted file cannot be read', async () => {
  await publishReport(REPORT);
  await deleteFile('may', 'picture.png');

  assert.deepEqual(await listFiles(), ['reports/may/rows.json (22 bytes)']);
});
