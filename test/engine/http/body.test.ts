import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LIMITS } from '#engine/api/limits.js';
import { getBodyLimit } from '#engine/http/paths.js';
import { emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }] };
const ADA = 'Authorization: Bearer ada-token\r\n';
const JSON_ADA = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

const DELETE = `DELETE /v1/vals/${HELLO} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${ADA}`;

test.each<[what: string, request: string, status: RegExp]>([
  ['a body shorter than its length', `${DELETE}Content-Length: 100\r\n\r\n{"a": 1}`, /^(?:HTTP\/1\.1 400 |$)/],
  ['a broken chunk', `${DELETE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /^HTTP\/1\.1 400 /],
  [
    'a body that is not gzip',
    `${DELETE}Content-Encoding: gzip\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    /^(?:HTTP\/1\.1 400 |$)/,
  ],
  [
    'a body that is too large',
    `${DELETE}Content-Length: 2000000\r\nConnection: close\r\n\r\n${' '.repeat(2_000_000)}`,
    /^(?:HTTP\/1\.1 413 |$)/,
  ],
])('a DELETE with %s deletes nothing', async (_, request, status) => {
  const emulator = await emulate(fixtures);
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1').on('error', () => {});
  socket.end(request);

  expect(await text(socket).catch(() => '')).toMatch(status);
  await sleep(50);
  expect(emulator.state().vals).toHaveLength(1);
});

test('a zipped body is expanded up to the limit of its path only', async () => {
  const emulator = await emulate(fixtures);
  const body = gzipSync(Buffer.alloc(64 * 1_048_576));
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const start = process.memoryUsage().arrayBuffers;

  const elsewhere = await fetch(`${emulator.url}/any/_emulator/seed`, { method: 'POST', headers, body });
  const refused = await fetch(`${emulator.url}/_emulator/seed`, {
    method: 'PUT',
    headers: { ...headers, origin: 'http://evil.example' },
    body,
  });
  const control = await fetch(`${emulator.url}/_emulator/faults`, { method: 'POST', headers, body });

  expect([elsewhere.status, refused.status, control.status]).toEqual([413, 403, 413]);
  expect(process.memoryUsage().arrayBuffers - start).toBeLessThan(48 * 1_048_576);
});

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[method: string, path: string, body: (value: string) => string]>([
  ['POST', '/_emulator/records/runs', (value) => `{"val":"ada/hello","returnValue":${value}}`],
  ['POST', '/_emulator/faults', (value) => `{"status":503,"body":${value}}`],
  ['POST', '/_emulator/db/runs', (value) => `{"val":"ada/hello","returnValue":${value}}`],
  ['PUT', '/_emulator/seed', (value) => `{"runs":[{"val":"ada/hello","logs":${value}}]}`],
  ['PUT', '/_emulator/clock', (value) => `{"set":${value}}`],
  ['POST', '/v1/vals', (value) => `{"code":${value}}`],
])('JSON nested thousands of levels deep returns 400: %s %s', async (method, path, body) => {
  const emulator = await emulate(fixtures);

  for (const levels of [1_500, 5_000, 100_000]) {
    const response = await emulator.fetch(path, { method, headers: JSON_ADA, body: body(nested(levels)) });
    expect([levels, response.status]).toEqual([levels, 400]);
    expect(await response.json()).toMatchObject({ message: 'Body is nested deeper than 500 levels' });
  }
});

test('only paths of the control API have its body limits', async () => {
  const emulator = await emulate(fixtures);
  const body = `{"users":[]}${' '.repeat(LIMITS.controlBody)}`;
  const reseed = (path: string) =>
    emulator.fetch(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });

  expect((await reseed('/_sandbox/demo/_emulator/seed')).status).toBe(200);
  expect((await reseed('/_sandbox/demo/_emulator/clock')).status).toBe(413);
  expect(getBodyLimit('/v1/vals/_emulator/x')).toBe(LIMITS.body);
  expect(getBodyLimit('/_emulator/seed')).toBe(LIMITS.seedBody);
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
