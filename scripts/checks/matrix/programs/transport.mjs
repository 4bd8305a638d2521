import assert from 'node:assert/strict';
import { createEmulator } from 'val-emulator';
import { connect } from 'val-emulator/client';

const emulator = await createEmulator();
const headers = { authorization: 'Bearer ada-token' };

for (const [transport, get] of [
  ['HTTP', (path) => fetch(emulator.url + path, { headers })],
  ['emulator.fetch', (path) => emulator.fetch(path, { headers })],
]) {
  assert.equal((await (await get('/v1/me')).json()).username, 'ada', transport);

  // Without `times`: Deno's fetch repeats a request on a connection that it used before.
  const { id } = emulator.fail('GET /v1/me', { reset: true });
  await assert.rejects(get('/v1/me'), `${transport}: reset`);
  emulator.disarm(id);

  emulator.fail('GET /v1/me', { truncate: 10, times: 1 });
  await assert.rejects(async () => (await get('/v1/me')).text(), `${transport}: truncate`);

  assert.equal((await get('/v1/me')).status, 200, `${transport}: after the faults`);
}

const sandbox = await connect(emulator.url).sandbox('remote');
await sandbox.fail('GET /v1/me', { status: 503 });
assert.equal((await sandbox.fetch('/v1/me', { headers })).status, 503, 'client');
await sandbox.expectRequest('GET /v1/me', { times: 1 });
await assert.rejects(sandbox.expectRequest('GET /v1/me', { times: 2 }), { name: 'ExpectationError' });

await emulator.close();
await assert.rejects(fetch(`${emulator.url}/v1/me`), 'closed');
