import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createEmulator } from 'val-emulator';
import { listFailures } from '../src/monitor.js';

const FIXTURES = {
  users: [{ username: 'ada' }],
  vals: ['backup', 'daily'].map((name) => ({ author: 'ada', name, code: '1' })),
  runs: [
    { val: 'ada/backup', runStartAt: '-2h', error: { message: 'disk full' } },
    { val: 'ada/backup', runStartAt: '-20m', error: { message: 'no network' }, logs: ['connect', { attempt: 2 }] },
    { val: 'ada/daily', runStartAt: '-10m', logs: ['sent 3'] },
    { val: 'ada/daily', runStartAt: '-5m', error: { message: 'no recipient' } },
  ],
};

/** @type {import('val-emulator').Emulator} */
let emulator;
before(async () => {
  emulator = await createEmulator({ fixtures: FIXTURES });
  process.env.VAL_TOWN_BASE_URL = emulator.url;
  process.env.VAL_TOWN_API_KEY = 'ada-token';
});
after(() => emulator.close());

/** @param {number} minutes */
const ago = (minutes) => new Date(emulator.clock.now.getTime() - minutes * 60_000);

test('failed runs are listed with what they logged, the latest first', async () => {
  assert.deepEqual(await listFailures(ago(60)), [
    { name: 'daily', message: 'no recipient', logs: [] },
    { name: 'backup', message: 'no network', logs: ['connect', '{"attempt":2}'] },
  ]);
});

test('without a failed run, no logs are read', async () => {
  emulator.clearRequests();

  assert.deepEqual(await listFailures(ago(1)), []);
  emulator.expectRequest('GET /v1/telemetry/logs', { times: 0 });
});
