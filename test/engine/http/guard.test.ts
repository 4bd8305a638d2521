import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }] };
const ADA = { authorization: 'Bearer ada-token' };

/** What a browser sends for an image of another site: no Origin. */
const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

/** Sends a request with any headers, also those that fetch refuses, and returns the status. */
const send = (url: string, method: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    request(url, { method, headers, agent }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

test.each<[what: string, headers: Readonly<Record<string, string>>]>([
  ['an image of another site', IMAGE],
  ['a link of another site', { ...IMAGE, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
  ['an image of another name of this site', { ...IMAGE, 'sec-fetch-site': 'same-site' }],
  ['a form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
  ['a page whose name leads here', { host: 'evil.example:4010' }],
])('%s reaches neither the control API nor the data browser', async (_, headers) => {
  const emulator = await emulate(fixtures);

  for (const method of ['GET', 'POST']) {
    for (const path of [
      '/_emulator/db/vals',
      '/_emulator/reset',
      '/_sandbox/a/_emulator/users',
      '/_emulator/esm/import-map.json',
      '/_emulator/esm/v/ada/hello',
      '/_sandbox/a/_emulator/esm/v/std/sqlite',
      '/_emulator/nothing',
    ]) {
      expect([path, await send(`${emulator.url}${path}`, method, headers)]).toEqual([path, 403]);
    }
  }
  expect(await (await emulator.fetch('/_emulator/sandboxes')).json()).toEqual([]);
});

test.each([
  ...['localhost/evil', 'localhost#x', 'localhost?x', 'x@localhost', 'evil.example:a@localhost', 'localhost\\evil'],
  ...['local\thost', 'local%68ost', 'localhost:80/', '/localhost', '//localhost', ' ', 'localhost:', 'localhost:1:2'],
  ...['[::1]x', '[::1', 'localhost.', '127.0.0.1.evil.example', '127.0.0.1@evil.example', 'evil.example#localhost'],
])('the guard accepts as Host or Origin nothing but a name and a port: %j', async (text) => {
  const emulator = await emulate(fixtures);
  const isName = text === 'localhost:';

  expect(await send(`${emulator.url}/_emulator/users`, 'GET', { host: text })).toBe(isName ? 200 : 403);
  expect(await send(`${emulator.url}/_emulator/users`, 'GET', { origin: `http://${text}` })).toBe(isName ? 200 : 403);
});

test('images of another site, preflights and unknown tokens create no sandbox', async () => {
  const emulator = await emulate(fixtures, { maxSandboxes: 2 });

  for (let i = 0; i < 5; i++) {
    expect(await send(`${emulator.url}/_sandbox/x${i}/favicon.ico`, 'GET', IMAGE)).toBe(204);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'GET', IMAGE)).toBe(401);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'OPTIONS', IMAGE)).toBe(204);
    expect(await send(`${emulator.url}/_sandbox/x${i}/_emulator/users`, 'OPTIONS', {})).toBe(204);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'GET', { authorization: 'Bearer wrong' })).toBe(401);
  }

  expect(await (await emulator.fetch('/_emulator/sandboxes')).json()).toEqual([]);
});

test('a page that may read the control API may read its errors', async () => {
  const emulator = await emulate(fixtures);
  const origin = 'http://localhost:3000';
  const post = (body: string) =>
    emulator.fetch('/_emulator/records/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body,
    });

  const responses = [
    await post('{"username":"cleo"}'),
    await post('{"username":"ada"}'),
    await post('{'),
    await post('7'),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 422, 400, 400]);
  expect(new Set(responses.map(({ headers }) => headers.get('access-control-allow-origin')))).toEqual(
    new Set([origin]),
  );
});

test('the control API accepts the address that the emulator listens on', async () => {
  const emulator = await emulate(fixtures, { listen: false, host: '192.168.1.5' });

  const response = await emulator.fetch('http://192.168.1.5:4010/_emulator/state');

  expect(response.status).toBe(200);
});

test('a late request does not create a closed sandbox again', async () => {
  const emulator = await emulate(fixtures, { maxSandboxes: 1 });
  const sandbox = emulator.sandbox('late');
  const { fetch: fetchInside, url } = sandbox;
  await sandbox.close();

  const overHttp = await fetch(`${url}/v1/me`, { headers: ADA });
  const inProcess = await fetchInside('/v1/me', { headers: ADA });

  expect([overHttp.status, inProcess.status]).toEqual([404, 404]);
  expect(await (await emulator.fetch('/_emulator/sandboxes')).json()).toEqual([]);
  expect(emulator.sandbox('next').name).toBe('next');
});
