import assert from 'node:assert/strict';
import { test } from 'val-emulator/node-test';
import { USED, use } from './use.cjs';

test('has a sandbox', async ({ emulator }) => {
  assert.deepEqual(await use(emulator), USED);
  emulator.expectRequest('GET /v1/me', { times: 1 });
});
