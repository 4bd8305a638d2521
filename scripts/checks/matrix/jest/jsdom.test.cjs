/** @jest-environment jsdom */
const { expect, test } = require('val-emulator/jest');

const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

test("emulator.fetch needs no classes of Jest's jsdom, which has none", async ({ emulator }) => {
  expect(typeof Request).toBe('undefined');
  const body = JSON.stringify({ name: 'counter', code: '1' });

  const response = await emulator.fetch('/v1/vals', { method: 'POST', headers, body });

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ name: 'counter', version: 0 });
});

test('faults reach jsdom too', async ({ emulator }) => {
  emulator.fail('GET /v1/me', { truncate: 5, times: 1 });
  emulator.fail('GET /v1/me', { reset: true, times: 1 });

  const response = await emulator.fetch('/v1/me', { headers });
  await expect(response.text()).rejects.toThrow('terminated');
  await expect(emulator.fetch('/v1/me', { headers })).rejects.toThrow('fetch failed');
});

test('a page reaches the address of the emulator', async ({ emulator }) => {
  const request = new XMLHttpRequest();
  request.open('GET', `${emulator.url}/v1/me`);
  request.setRequestHeader('authorization', 'Bearer ada-token');
  await new Promise((resolve) => {
    request.onloadend = resolve;
    request.send();
  });

  expect(JSON.parse(request.responseText)).toMatchObject({ username: 'ada' });
});

test('a statement of SQL runs', async ({ emulator }) => {
  emulator.add.sqlite({ user: 'ada', sql: 'CREATE TABLE t AS SELECT 42 AS n' });
  const sql = { method: 'POST', headers, body: `{"statement":"SELECT n, trim('-a', '-') FROM t"}` };
  expect(await (await emulator.fetch('/v1/sqlite/execute', sql)).json()).toMatchObject({ rows: [[42, 'a']] });
});

test('a blob is stored, in-process and over HTTP', async ({ emulator }) => {
  emulator.add.blob({ user: 'ada', key: 'text', text: 'Hello' });
  expect(await (await emulator.fetch('/v1/blob/text', { headers })).text()).toBe('Hello');

  const request = new XMLHttpRequest();
  request.open('POST', `${emulator.url}/v1/blob/bytes`);
  request.setRequestHeader('authorization', 'Bearer ada-token');
  await new Promise((resolve) => {
    request.onloadend = resolve;
    request.send(Uint8Array.of(0, 255));
  });
  const body = await (await emulator.fetch('/v1/blob/bytes', { headers })).arrayBuffer();
  expect([...new Uint8Array(body)]).toEqual([0, 255]);
  expect(emulator.state().blobs).toMatchObject([{ base64: 'AP8=' }, { text: 'Hello' }]);
});

test('fixtures can be an object', async () => {
  const { createEmulator } = require('val-emulator');
  const emulator = await createEmulator({ fixtures: { users: [{ username: 'eve' }] }, listen: false });
  expect(emulator.users).toHaveLength(1);
});
