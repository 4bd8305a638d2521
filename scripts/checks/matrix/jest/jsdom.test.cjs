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

test('fixtures can be built', async () => {
  const { createEmulator, fixture } = require('val-emulator');
  const emulator = await createEmulator({ fixtures: fixture().user('eve').val('report'), listen: false });
  expect(emulator.users).toHaveLength(1);
});
