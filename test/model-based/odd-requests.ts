import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { Emulator } from '../../src/index.js';

/* Requests of any kind, odd ones among them, for what has to hold whatever is sent. */

type Body = () => NonNullable<RequestInit['body']>;
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}
interface Case {
  readonly fault: Parameters<Emulator['fail']>[1];
  readonly requests: readonly Sent[];
}
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const weighted = <T>(...arbitraries: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const method = weighted(
  [6, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE')],
  [1, fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'get', 'post', 'PURGE')],
);
const path = weighted(
  [8, fc.constantFrom('/v1/me', '/v1/vals', '/v1/vals/', '/v1/me/runs', '/v1/me/likes', '/v1/search/vals')],
  [
    6,
    fc
      .tuple(fc.integer({ min: 9, max: 17 }), fc.constantFrom('', '/', '/versions', '/versions/0', '/runs'))
      .map(([n, rest]) => `/v1/vals/${id(n)}${rest}`),
  ],
  [
    2,
    fc.constantFrom(
      '/v1/alias/ada/ALPHA',
      '/v1/alias/@Grace',
      '/v1/alias/%40grace/b%65ta',
      '/v1/alias/%C3%A9',
      '/v1/alias/é',
    ),
  ],
  [
    2,
    fc.constantFrom(
      '/',
      '',
      '//',
      '//v1/me',
      '/v1//me',
      '/v1/./me',
      '/v1/x/../me',
      '/v1/me%2Fruns',
      '/V1/me',
      '/v1/me;a',
      '/v1/blob/x',
    ),
  ],
  [
    1,
    fc.constantFrom(
      '/v1/alias/%',
      '/v1/alias/%ff',
      '/v1/alias/%00',
      '/v1/alias/a%20b',
      '/v1/alias/a+b',
      '/v1/alias/a\\b',
      "/v1/alias/'|^",
    ),
  ],
  [1, fc.webPath({ size: 'small' })],
  [
    2,
    fc.constantFrom(
      '/_sandbox/one/v1/me',
      '/_sandbox/one',
      '/_sandbox/a%20b/v1/me',
      '/_sandbox//v1/me',
      '/_sandbox/..x/v1/vals',
    ),
  ],
  [
    1,
    fc.constantFrom(
      '/_emulator/state',
      '/_emulator/users',
      '/_emulator/none',
      '/_emulator',
      '/_emulator/clock',
      '/_sandbox/one/_emulator/history',
    ),
  ],
);
const query = weighted(
  [4, fc.constant('')],
  [
    4,
    fc.constantFrom(
      '?limit=2&offset=1',
      '?limit=0',
      '?limit=1&limit=2',
      '?query=dice',
      '?query=%F0%9F%8E%B2',
      '?since=2024-06-11T21:40:00%2B00:00',
    ),
  ],
  [
    1,
    fc.constantFrom('?', '??', '?=', '?&&', '?limit', '?limit=%', '?query=a?b=c', '?query=é', '?query=a#b', '?x=%zz'),
  ],
  [1, fc.webQueryParameters({ size: 'small' }).map((text) => `?${text}`)],
);
const TEXT = 'export const café = "🎲";';
const code = JSON.stringify({ code: TEXT, privacy: 'public' });
const named = JSON.stringify({ code: TEXT, name: 'epsilon' });
const body: fc.Arbitrary<Body | undefined> = weighted<Body | undefined>(
  [3, fc.constant(undefined)],
  [
    6,
    fc.constantFrom<Body>(
      () => code,
      () => named,
    ),
  ],
  [
    2,
    fc.constantFrom<Body>(
      () => '',
      () => '{',
      () => 'null',
      () => '{}',
      () => ' ',
      () => '"\ud800"',
      () => '[1,2]',
    ),
  ],
  [
    1,
    fc.uint8Array({ maxLength: 40 }).map(
      (bytes): Body =>
        () =>
          new Uint8Array(bytes),
    ),
  ],
  [
    1,
    fc.constantFrom<Body>(
      () => Buffer.from(code),
      () => new Blob([code]),
      () => new Blob([code], { type: 'application/json' }),
    ),
  ],
  [
    1,
    fc.constantFrom<Body>(
      () => new URLSearchParams({ code: 'x' }),
      () => new Blob([code]).stream(),
      () => new TextEncoder().encode(code).buffer,
      () => new DataView(new TextEncoder().encode(named).buffer),
      () => {
        const form = new FormData();
        form.set('code', TEXT);
        return form;
      },
      () => `\uFEFF${code}`,
      () => '\uFEFF',
    ),
  ],
);
const huge = fc.constantFrom(1_048_560, 1_048_600).map(
  (length): Body =>
    () =>
      JSON.stringify({ code: 'x'.repeat(length - 11) }),
);
/** Bodies with a Content-Encoding: right ones, and one that is not what it says. */
const encoded = fc.constantFrom<readonly [string, Body]>(
  ['gzip', () => gzipSync(code)],
  ['deflate', () => deflateSync(code)],
  ['br', () => brotliCompressSync(code)],
  ['GZIP', () => gzipSync(code)],
  ['identity', () => code],
  ['rot13', () => code],
  ['gzip', () => code],
  ['gzip', () => gzipSync(code).subarray(0, 30)],
  ['gzip', () => gzipSync(' '.repeat(2_000_000))],
);
const EXTRA: Readonly<Record<string, readonly string[]>> = {
  'x-emulator-sandbox': ['two', 'a b', ''],
  'x-forwarded-proto': ['https', 'ftp', 'https, http'],
  'x-forwarded-host': ['vals.example.test', 'a b', 'one.test, two.test', '[::1]:80'],
  'x-forwarded-prefix': ['/outer', '/outer/', 'outer', '/a b'],
  'access-control-request-headers': ['authorization', 'x-one, x-two'],
  origin: ['http://localhost:3000', 'https://example.com', 'null'],
  'if-none-match': ['*'],
  range: ['bytes=0-3'],
  'x-forwarded-port': ['8443', '443', 'x'],
  forwarded: ['proto=https;host=vals.example.test', 'host="a b"', 'for=1.2.3.4'],
  accept: ['text/html', '*/*'],
};
const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .tuple(
    weighted<Record<string, string>>(
      [
        8,
        fc
          .constantFrom('Bearer ada-token', 'Bearer a token with spaces', 'bearer linus-token')
          .map((authorization) => ({ authorization })),
      ],
      [
        1,
        fc
          .constantFrom('Bearer', 'Bearer ', 'Basic eA==', 'Bearer caf\u00e9', 'Bearer  ada-token ', 'ada-token')
          .map((authorization) => ({ authorization })),
      ],
      [1, fc.constant({})],
    ),
    weighted<Record<string, string>>(
      [4, fc.constant({ 'content-type': 'application/json' })],
      [
        1,
        fc
          .constantFrom(
            'application/json; charset=utf-8',
            'application/ld+json',
            'text/plain',
            'application/JSON',
            'json',
            '',
          )
          .map((type) => ({ 'content-type': type })),
      ],
      [1, fc.constant({})],
    ),
    fc
      .array(
        fc.oneof(
          ...Object.entries(EXTRA).map(([name, values]) =>
            fc.constantFrom(...values).map((value) => ({ [name]: value })),
          ),
        ),
        {
          maxLength: 2,
        },
      )
      .map((extra): Record<string, string> => Object.assign({}, ...extra)),
  )
  .map((parts) => Object.assign({}, ...parts));
const sent: fc.Arbitrary<Sent> = fc
  .tuple(method, path, query, headers, weighted([60, body], [1, huge]), fc.option(encoded, { freq: 15 }))
  .map(([verb, where, search, given, text, coded]) => ({
    method: verb,
    target: where + search,
    headers: coded ? { ...given, 'content-encoding': coded[0] } : given,
    body: coded ? coded[1] : text,
  }));
const fault: fc.Arbitrary<Case['fault'] | undefined> = weighted<Case['fault'] | undefined>(
  [8, fc.constant(undefined)],
  [
    1,
    fc.constantFrom<Case['fault']>(
      { status: 503 },
      { status: 418, body: 'é' },
      { status: 204 },
      { headers: { 'x-why': 'a fault' } },
    ),
  ],
  [1, fc.constantFrom<Case['fault']>({ reset: true }, { truncate: 10 }, { truncate: 0 }, { delay: 1 })],
);
export const cases = fc.record({ fault, requests: fc.array(sent, { minLength: 1, maxLength: 5, size: 'max' }) });
