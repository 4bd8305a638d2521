import { describe, expect, test } from 'vitest';
import { createEmulator, type Fixtures } from '../../../src/index.js';
import { serve, start } from './support.js';

const ADA = { authorization: 'Bearer ada-token' };
const USER = { username: 'ada', id: 'ada00000-0000-4000-8000-000000000001' };
const AT = '2024-06-01T12:00:00.000Z';

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);
/** More than a recording and a comparison keep. */
const LARGE = Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, i) => (i * 31) % 251);
const TEXT = '\ufeff{"links":{"self":"http://x/v1/me"},"mark":"\ufffd"}\r\n';
const toBytes = (text: string) => Uint8Array.from(Buffer.from(text));

const BODIES: readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ['all bytes', ALL_BYTES],
  ['JSON with links', toBytes(TEXT)],
  ['nothing', new Uint8Array()],
  ['5 MB', LARGE],
];

const store = (url: string, key: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${url}/v1/blob/${key}`, { method: 'POST', headers: ADA, body });
const read = async (url: string, path: string, headers: Record<string, string> = ADA): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(url + path, { headers })).arrayBuffer());
/** Compares bytes fast. */
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('blobs', () => {
  test.each(BODIES)('pass unchanged in both directions while they are recorded and compared: %s', async (_, bytes) => {
    await using upstream = await createEmulator({ fixtures: { users: [USER] } });
    const proxy = await start(upstream.url, { record: true, compare: true });

    expect((await store(proxy.url, 'a%2Fb', bytes)).status).toBe(201);
    const sent = await read(upstream.url, '/v1/blob/a%2Fb');
    const received = await read(proxy.url, '/v1/blob/a%2Fb');

    expect([isSame(sent, bytes), isSame(received, bytes)]).toEqual([true, true]);
    await proxy.close();
    expect(proxy.findings).toEqual([]);
  });

  test('pass unchanged from a service that says that they are JSON, links included', async () => {
    const url = await serve((request, response) => {
      const body = JSON.stringify({ links: { self: `http://${request.headers.host}/v1/me` } });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const proxy = await start(url);
    const links = async (path: string) => JSON.parse(Buffer.from(await read(proxy.url, path)).toString()).links.self;
    expect(await links('/v1/blob/a')).toBe(`${url}/v1/me`);
    expect(await links('/v1/me/runs')).toBe(`${proxy.url}/v1/me`);
  });

  test('are in a recording as text, or as their size', async () => {
    await using upstream = await createEmulator({ fixtures: { users: [USER] } });
    const proxy = await start(upstream.url, { record: true });
    for (const body of [ALL_BYTES, TEXT]) {
      await store(proxy.url, 'a', body);
      await read(proxy.url, '/v1/blob/a');
    }
    const { log } = JSON.parse([...(proxy.recording?.format() ?? [])].join(''));
    const [binaryUp, binaryDown, textUp, textDown] = log.entries;
    expect(binaryUp.request).toMatchObject({
      postData: { comment: 'skipped: 256 bytes of binary data' },
      bodySize: 256,
    });
    expect(binaryDown.response.content).toEqual({
      ...{ mimeType: 'application/octet-stream', size: 256, comment: 'skipped: 256 bytes of binary data' },
    });
    expect(textUp.request.postData.text).toBe(TEXT);
    expect(textDown.response.content).toMatchObject({ text: TEXT, size: Buffer.byteLength(TEXT) });
  });

  const blob = (key: string, content: { base64: string } | { text: string }) => ({
    ...{ user: 'ada', key, createdAt: AT, ...content },
  });
  const fixtures = (...blobs: Fixtures['blobs'] & object): Fixtures => ({ users: [USER], blobs });

  test('are compared byte by byte', async () => {
    // Both decode to the same text.
    const theirs = fixtures(blob('binary', { base64: '/w==' }), blob('same', { base64: '/wA=' }));
    const ours = fixtures(blob('binary', { base64: '/g==' }), blob('same', { base64: '/wA=' }));
    await using upstream = await createEmulator({ fixtures: theirs });
    const proxy = await start(upstream.url, { fixtures: ours, compare: true });
    for (const path of ['/v1/blob', '/v1/blob/same', '/v1/blob/binary']) await read(proxy.url, path);
    await proxy.close();
    expect(proxy.comparison.compared).toBe(3);
    expect(proxy.findings).toMatchObject([
      {
        id: 'getBlob/value/$',
        outcome: 'different',
        reason: 'The service has 1 byte of binary data; the emulator has 1 byte of binary data.',
        exchanges: [
          { response: expect.stringMatching(/^Service: 200\n(?:.+\n)+\n1 byte of binary data$/) },
          { response: expect.stringMatching(/^Emulator: 200\n/) },
        ],
      },
    ]);
  });

  test.each([
    ['{"id":"1","a":[1]}', 'JSON'],
    ['\ufeffa', 'a byte order mark'],
    ['http://one.example/v1/me', 'a link'],
  ])('have no differences with and without data: %s (%s)', async (text) => {
    await using upstream = await createEmulator({ fixtures: fixtures(blob('a', { text })) });
    for (const data of [fixtures(blob('a', { text })), undefined]) {
      const proxy = await start(upstream.url, { fixtures: data, compare: true });
      for (const path of ['/v1/blob', '/v1/blob/a', '/v1/blob/none']) await read(proxy.url, path);
      await read(proxy.url, '/v1/blob/a', {});
      await proxy.close();
      expect(proxy.findings).toEqual([]);
      expect(proxy.comparison).toEqual({ compared: 4, skipped: [] });
    }
  });

  test('are compared without their values after one was written', async () => {
    const data = fixtures(blob('a', { text: '1' }), blob('b', { text: '1' }));
    await using upstream = await createEmulator({ fixtures: data });
    const proxy = await start(upstream.url, { fixtures: data, compare: true });
    await read(proxy.url, '/v1/blob/a');
    await store(proxy.url, 'a', '22');
    await fetch(`${proxy.url}/v1/blob/b`, { method: 'DELETE', headers: ADA });
    for (const path of ['/v1/blob', '/v1/blob/a', '/v1/blob/b']) await read(proxy.url, path);
    await proxy.close();
    expect(proxy.findings).toEqual([]);
    expect(proxy.comparison).toEqual({ compared: 4, skipped: ['2 not compared: it may change something'] });
  });
});

test('an email and SQL reach the service once, when the program sends them, and a comparison sends none', async () => {
  const received: string[] = [];
  await using upstream = await createEmulator({
    fixtures: { users: [USER] },
    onRequest: ({ method, target }) => void received.push(`${method} ${target}`),
  });
  const proxy = await start(upstream.url, { compare: true, record: true });
  const email = { to: 'grace@example.com', attachments: [{ filename: 'a', content: 'AP8=' }] };
  const body = JSON.stringify(email);
  const response = await fetch(`${proxy.url}/v1/email`, { method: 'POST', headers: ADA, body });
  expect(response.status).toBe(202);
  const sql = JSON.stringify({ statements: ['CREATE TABLE notes (text)', 'SELECT 1'] });
  expect((await fetch(`${proxy.url}/v1/sqlite/batch`, { method: 'POST', headers: ADA, body: sql })).status).toBe(200);
  await read(proxy.url, '/v1/blob');
  await proxy.close();
  // The comparison asks for the user of the token, and for nothing else.
  expect(received).toEqual(['POST /v1/email', 'POST /v1/sqlite/batch', 'GET /v1/blob', 'GET /v1/me']);
  expect(upstream.emails()).toMatchObject([
    { to: [{ email: 'grace@example.com' }], attachments: [{ filename: 'a', content: 'AP8=' }] },
  ]);
  expect(proxy.comparison).toEqual({ compared: 1, skipped: ['2 not compared: it may change something'] });
});
