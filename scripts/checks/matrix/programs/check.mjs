import assert from 'node:assert/strict';

/** What a program does with an emulator that it embeds. */
export async function check({ createEmulator, OptionsError }) {
  const emulator = await createEmulator({ now: '2024-06-11T22:05:12.585Z' });
  const [{ username, token }] = emulator.users;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const me = await (await fetch(`${emulator.url}/v1/me`, { headers })).json();
  assert.equal(me.username, username);

  const sql = { method: 'POST', headers, body: '{"statement":"SELECT 6 * 7"}' };
  assert.deepEqual((await (await emulator.fetch('/v1/sqlite/execute', sql)).json()).rows, [[42]]);

  const body = JSON.stringify({ name: 'counter', code: 'export const count = 1;' });
  const create = (target) => target.fetch('/v1/vals', { method: 'POST', headers, body });
  const sandbox = emulator.sandbox();
  assert.equal((await create(sandbox)).status, 200);
  assert.equal((await create(emulator)).status, 200);
  sandbox.expectRequest('POST /v1/vals', { times: 1, body: { name: 'counter' } });

  emulator.reset();
  const find = async (target) => (await target.fetch(`/v1/alias/${username}/counter`, { headers })).status;
  assert.equal(await find(emulator), 404);
  assert.equal(await find(sandbox), 200);

  for (const page of ['db/users', 'openapi.json']) {
    assert.equal((await fetch(`${emulator.url}/_emulator/${page}`)).status, 200, page);
  }
  await emulator.close();

  await assert.rejects(createEmulator({ fixtures: 'defalt' }), /Did you mean "default"\?/);
  await assert.rejects(createEmulator({ port: -1 }), OptionsError);
}
