import { describe, expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { readJson } from '../../support/read-json.js';

const HELLO = '00000000-0000-4000-8000-000000000001';
const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1', id: HELLO }] };
const CODE = 'export const café = "🎲";';
const json = JSON.stringify({ code: CODE });

/** The bodies that fetch accepts; a new one for each use, since a stream can be read once. */
const BODIES: readonly (readonly [what: string, make: () => NonNullable<RequestInit['body']>])[] = [
  ['text', () => json],
  ['a Blob', () => new Blob([json], { type: 'application/json' })],
  ['a Blob without a type', () => new Blob([json])],
  ['a Uint8Array', () => new TextEncoder().encode(json)],
  ['an ArrayBuffer', () => new TextEncoder().encode(json).buffer],
  ['a DataView', () => new DataView(new TextEncoder().encode(json).buffer)],
  ['a stream', () => new Blob([json]).stream()],
  ['a stream in pieces', () => new Blob([json]).stream().pipeThrough(new TransformStream())],
  ['text with a byte order mark', () => `\uFEFF${json}`],
];

describe.each(BODIES)('a body that is %s', (_what, make) => {
  const init = () => ({ method: 'POST', headers: JSON_ADA, body: make(), duplex: 'half' as const });

  test('arrives in a Request passed to emulator.fetch', async () => {
    const emulator = await emulate(fixtures);

    const response = await emulator.fetch(new Request(`${emulator.url}/v1/vals`, init()));

    expect(response.status).toBe(200);
    expect(await readJson(response)).toMatchObject({ code: CODE });
  });

  test('arrives by emulator.fetch(url, request)', async () => {
    const emulator = await emulate(fixtures);
    const request = () => new Request('http://elsewhere.test/', init());

    const response = await emulator.fetch('/v1/vals', request());
    const overHttp = await fetch(`${emulator.url}/v1/vals`, request());

    expect([response.status, overHttp.status]).toEqual([200, 200]);
    expect(await readJson(response)).toMatchObject({ code: CODE });
  });
});

test.each<[what: string, target: string, init: RequestInit & { duplex?: 'half' }]>([
  ['a GET with a body', '/v1/me', { body: 'x' }],
  ['a GET with an empty body', '/v1/me', { body: '' }],
  ['a HEAD with a body', '/v1/me', { method: 'HEAD', body: 'x' }],
  ['a method with a space', '/v1/me', { method: 'A B' }],
  ['TRACE', '/v1/me', { method: 'TRACE' }],
  ['a header with a line break', '/v1/me', { headers: { 'x-one': 'a\nb' } }],
  ['a name of a header with a space', '/v1/me', { headers: { 'x one': 'a' } }],
])('the in-process fetch rejects a request that fetch rejects: %s', async (_what, target, init) => {
  const emulator = await emulate(fixtures);

  const overHttp = await fetch(emulator.url + target, init).catch(String);
  const inProcess = await emulator.fetch(target, init).catch(String);

  expect(inProcess).toMatch(/^TypeError: /);
  expect(inProcess).toBe(overHttp);
  expect(emulator.requests()).toEqual([]);
});

test('the in-process fetch rejects a URL with credentials, and a stream without duplex', async () => {
  const emulator = await emulate(fixtures);
  const body = new Blob([json]).stream();

  await expect(emulator.fetch('http://ada:secret@localhost/v1/me')).rejects.toThrow('credentials');
  await expect(emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body })).rejects.toThrow('duplex');
});

test.each<[encoding: string, charset: string, status: number]>([
  ['latin1', 'iso-8859-1', 400],
  ['utf16le', 'utf-16', 400],
  ['utf8', 'utf-8', 200],
  ['utf8', '"UTF8"', 200],
])('a body in %s with the charset %s returns %i', async (encoding, charset, status) => {
  const emulator = await emulate(fixtures);
  const isEncoding = Buffer.isEncoding(encoding);
  const body = new Uint8Array(Buffer.from(JSON.stringify({ code: 'é' }), isEncoding ? encoding : 'utf8'));
  const init = { method: 'POST', headers: { ...ADA, 'content-type': `application/json; charset=${charset}` }, body };

  for (const response of [await emulator.fetch('/v1/vals', init), await fetch(`${emulator.url}/v1/vals`, init)]) {
    expect(response.status).toBe(status);
    if (status === 200) expect(await readJson(response)).toMatchObject({ code: 'é' });
  }
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
