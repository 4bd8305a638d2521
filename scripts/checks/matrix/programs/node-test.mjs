import assert from 'node:assert/strict';
import { test } from 'val-emulator/node-test';

test('has a sandbox of its own', async ({ emulator }) => {
  const response = await fetch(`${emulator.url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });

  assert.equal(response.status, 200);
  emulator.expectRequest('GET /v1/me', { times: 1 });
});
