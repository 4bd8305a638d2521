import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { LIMITS } from '../src/api/limits.js';
import { pageUrls } from '../src/api/pagination.js';
import { getBodyLimit } from '../src/server/paths.js';
import { createEmulator, emulate } from './support/emulate.js';

/*
 * Rules that no other test covers, each broken once.
 */

const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };

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

test('assertions on a full journal parse no body', async () => {
  const emulator = await emulate(fixtures);
  for (let i = 0; i < 1_000; i++) await emulator.fetch('/v1/me/runs', { headers: ADA });
  const parse = vi.spyOn(JSON, 'parse');

  emulator.unhandled();
  emulator.expectRequest('GET /v1/me/runs', { times: 1_000, status: 200, user: 'ada' });

  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('expectations compare bodies before redaction', async () => {
  const emulator = await emulate(fixtures);
  const body = { name: 'secret', code: "const token = 'ada-token';" };
  await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body: JSON.stringify(body) });

  emulator.expectRequest('POST /v1/vals', { body });
});

test('only paths of the control API have its body limits', async () => {
  const emulator = await emulate(fixtures);
  const body = `{"users":[]}${' '.repeat(LIMITS.controlBody)}`;
  const reseed = (path: string) =>
    emulator.fetch(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });

  expect((await reseed('/_sandbox/demo/_emulator/seed')).status).toBe(204);
  expect((await reseed('/_sandbox/demo/_emulator/clock')).status).toBe(413);
  expect(getBodyLimit('/v1/vals/_emulator/x')).toBe(LIMITS.body);
  expect(getBodyLimit('/_emulator/seed')).toBe(LIMITS.seedBody);
});

test('the control API accepts the address that the emulator listens on', async () => {
  const emulator = await createEmulator({ fixtures, listen: false, host: '192.168.1.5' });

  const response = await emulator.fetch('http://192.168.1.5:4010/_emulator/state');

  expect(response.status).toBe(200);
});

test.each<[body: object, code: string, readme: string | null]>([
  [{ code: 5 }, '5', null],
  [{ code: true }, 'true', null],
  [{ code: ['x'] }, 'x', null],
  [{ code: 'x', readme: 7 }, 'x', '7'],
])('a body is coerced as by the real service: %j', async (body, code, readme) => {
  const emulator = await emulate(fixtures);

  const response = await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body: JSON.stringify(body) });

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ code, readme });
});

test('rate-limit windows are dropped when they end', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 10, window: '1m' } });
  for (let i = 0; i < 100; i++) await emulator.fetch('/v1/me', { headers: { authorization: `Bearer unknown-${i}` } });
  expect(emulator.store.state.rateLimits.size).toBe(100);

  emulator.clock.advance('2m');
  for (let i = 0; i < 100; i++) await emulator.fetch('/v1/me', { headers: ADA });

  expect(emulator.store.state.rateLimits.size).toBe(1);
});

test('a page link has the limit of its own call', () => {
  const links = { base: 'http://localhost', path: '/v1/me/runs', query: new URLSearchParams() };

  expect([pageUrls(links, 5)(0), pageUrls(links, 7)(10)]).toEqual([
    'http://localhost/v1/me/runs?limit=5&offset=0',
    'http://localhost/v1/me/runs?limit=7&offset=10',
  ]);
});

test('a request target in absolute form is routed by its path', async () => {
  const emulator = await emulate(fixtures);
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  socket.end(
    `GET ${emulator.url}/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada-token\r\nConnection: close\r\n\r\n`,
  );

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('methods of the platform read an in-process response', async () => {
  const emulator = await emulate(fixtures);
  const response = await emulator.fetch('/v1/me', { headers: ADA });

  const copy = new Response(response.clone().body, response);
  expect(await Response.prototype.text.call(copy)).toContain('"username":"ada"');
  expect(await response.clone().json()).toMatchObject({ username: 'ada' });
  expect([...response.headers.keys()]).toContain('content-type');
  expect(response.statusText).toBe('OK');
});
