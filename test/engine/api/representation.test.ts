import { describe, expect, test } from 'vitest';
import { isKnown, Representation } from '#engine/api/representation.js';
import { BYTES } from '#engine/api/route.js';
import { defineService, routeOf } from '#engine/service.js';
import { createEngine } from '../../../src/create-engine.js';

const BYTE = new Uint8Array([104, 105]);
const TIME = Date.parse('2024-06-11T22:05:12.585Z');
const SAME = 'Tue, 11 Jun 2024 22:05:12 GMT';
const EARLIER = 'Tue, 11 Jun 2024 22:05:11 GMT';

const ask = (headers: Readonly<Record<string, string>>) => {
  try {
    return isKnown(new Representation(BYTE, 'abc', TIME), (name) => headers[name]) ? 304 : 200;
  } catch (error) {
    return Object(error).status;
  }
};

test.each([
  [200, {}],
  [304, { 'if-none-match': '"abc"' }],
  [304, { 'if-none-match': '*' }],
  [304, { 'if-none-match': 'W/"abc"' }],
  [304, { 'if-none-match': '"x", "abc"' }],
  [200, { 'if-none-match': '"x"' }],
  [200, { 'if-none-match': 'abc' }],
  [200, { 'if-match': '"abc"' }],
  [200, { 'if-match': ' * ' }],
  [412, { 'if-match': '"x"' }],
  [412, { 'if-match': 'W/"abc"' }],
  [304, { 'if-modified-since': SAME }],
  [200, { 'if-modified-since': EARLIER }],
  [200, { 'if-modified-since': 'yesterday' }],
  [200, { 'if-modified-since': '2024-06-12T00:00:00Z' }],
  [200, { 'if-unmodified-since': SAME }],
  [412, { 'if-unmodified-since': EARLIER }],
  [200, { 'if-unmodified-since': 'yesterday' }],
  // A tag comes before a time.
  [200, { 'if-none-match': '"x"', 'if-modified-since': SAME }],
  [200, { 'if-match': '"abc"', 'if-unmodified-since': EARLIER }],
  [412, { 'if-match': '"x"', 'if-none-match': '"abc"' }],
  [304, { 'if-match': '"abc"', 'if-none-match': '"abc"' }],
])('is a %s for %j', (status, headers) => {
  expect(ask(headers)).toBe(status);
});

describe('a route of another service', () => {
  const route = routeOf([]);
  const service = defineService({
    name: 'greetings',
    collections: [],
    routes: [
      route('GET', '/greeting', 'Get the greeting', {
        id: 'getGreeting',
        auth: 'optional',
        response: BYTES,
        mediaType: 'application/octet-stream',
        isConditional: true,
        errors: [],
        handle: () => new Representation(BYTE, 'abc', TIME),
      }),
    ],
  });

  test('sends the bytes with tag and time, and neither bytes nor type with a 304', async () => {
    await using emulator = await createEngine(service);
    const get = (headers: Record<string, string>) => emulator.fetch('/greeting', { headers });

    const found = await get({});
    const known = await get({ 'if-none-match': '"abc"' });
    const failed = await get({ 'if-match': '"x"' });

    expect([found.status, await found.text()]).toStrictEqual([200, 'hi']);
    expect([known.status, await known.text(), known.headers.get('content-type')]).toStrictEqual([304, '', null]);
    for (const { headers } of [found, known])
      expect([headers.get('etag'), headers.get('last-modified')]).toStrictEqual(['"abc"', SAME]);
    expect(await failed.json()).toStrictEqual({
      message: 'Precondition Failed',
      error: 'Precondition Failed',
      statusCode: 412,
    });
  });

  test('is described with its conditions and headers', async () => {
    await using emulator = await createEngine(service);
    const document: unknown = await (await emulator.fetch('/_emulator/openapi.json')).json();

    expect(document).toMatchObject({
      paths: {
        '/greeting': {
          get: {
            parameters: [
              { name: 'if-match', in: 'header', required: false },
              { name: 'if-none-match' },
              { name: 'if-modified-since' },
              { name: 'if-unmodified-since' },
            ],
            responses: { 200: { headers: { etag: {}, 'last-modified': {} } }, 304: {}, 412: {} },
          },
        },
      },
    });
  });
});
