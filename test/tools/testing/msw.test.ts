import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { handlers } from '#tools/testing/msw.js';
import { createEmulator, type Emulator } from '../../../src/index.js';

const API = 'https://api.example.test';
let emulator: Emulator;
const server = setupServer();

beforeAll(async () => {
  emulator = await createEmulator({ listen: false });
  server.listen({ onUnhandledRequest: 'error' });
});
afterAll(() => server.close());

const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

test('the emulator responds to calls of the API, with links to the API', async () => {
  server.use(...handlers(emulator, API));

  const response = await fetch(`${API}/v1/me/runs?limit=1`, { headers });

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    links: { self: `${API}/v1/me/runs?limit=1&offset=0`, next: `${API}/v1/me/runs?limit=1&offset=1` },
  });
});

test('without an address, the emulator responds to calls of the service', async () => {
  server.use(...handlers(emulator));

  const response = await fetch('https://api.val.town/v1/me', { headers });

  expect(await response.json()).toMatchObject({
    username: 'ada',
    links: { self: expect.stringMatching('^https://api.val.town/v1/users/') },
  });
});

test('an API below a path keeps it in its links', async () => {
  server.use(...handlers(emulator, `${API}/fake/`));

  const response = await fetch(`${API}/fake/v1/me`, { headers });

  expect(await response.json()).toMatchObject({ links: { self: expect.stringMatching(`^${API}/fake/v1/users/`) } });
});

test('bodies arrive, and each sandbox is its own', async () => {
  const sandbox = emulator.sandbox('msw');
  server.use(...handlers(sandbox, API));
  const body = JSON.stringify({ name: 'fromAfar', code: '1' });

  expect((await fetch(`${API}/v1/vals`, { method: 'POST', headers, body })).status).toBe(200);

  sandbox.expectRequest('POST /v1/vals', { times: 1, body: { name: 'fromAfar' } });
  expect(emulator.requests({ route: 'POST /v1/vals' })).toEqual([]);
});

test('a fault that resets the connection fails the fetch', async () => {
  const sandbox = emulator.sandbox('broken');
  sandbox.fail('GET /v1/me', { reset: true });
  server.use(...handlers(sandbox, API));

  await expect(fetch(`${API}/v1/me`, { headers })).rejects.toThrow(TypeError);
});

test.each(['api.example.test', 'localhost:3000', ''])('refuses an API at %j', (apiUrl) => {
  expect(() => handlers(emulator, apiUrl)).toThrow(
    `apiUrl: found "${apiUrl}"; expected a base URL such as "https://api.example.com".`,
  );
});

test('a sandbox of a running emulator responds to calls of the API', async () => {
  await using running = await createEmulator();
  server.use(...handlers(connect(running.sandbox('page').url), `${API}/fake`));

  const response = await fetch(`${API}/fake/v1/me/runs?limit=1`, { headers });

  expect(await response.json()).toMatchObject({ links: { self: `${API}/fake/v1/me/runs?limit=1&offset=0` } });
  expect(running.sandbox('page').requests()).toHaveLength(1);
  expect(running.requests()).toEqual([]);
});

test('handles only requests below the address of the API', async () => {
  const sandbox = emulator.sandbox('below');
  server.resetHandlers(...handlers(sandbox, `${API}/api.v1`));

  expect((await fetch(`${API}/api.v1/v1/me`, { headers })).status).toBe(200);
  await expect(fetch(`${API}/api-v1/v1/me`)).rejects.toThrow();
  expect(sandbox.requests()).toHaveLength(1);
});
