import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }] };
/** Some 40 kB. */
const LARGE = '/_emulator/collections';
/** A few hundred bytes. */
const SMALL = '/_emulator/clock';

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends a request, and returns its response as it was on the wire. */
async function send(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Received> {
  const sent = request(url, { method, headers }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('no response');
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

describe('a large response of the control API', () => {
  test.each([
    ['gzip', true],
    ['GZIP', true],
    ['br;q=1.0, gzip;q=0.5', true],
    ['gzip, deflate, br', true],
    ['br', false],
    ['br, gzip;q=0', false],
    ['identity', false],
    ['', false],
    ['xgzip', false],
  ])('to a client that accepts %j is compressed: %s', async (accepted, isCompressed) => {
    const { url } = await emulate(fixtures);
    const plain = await send(url + LARGE);
    const { status, headers, bytes } = await send(url + LARGE, { 'accept-encoding': accepted });

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      vary: 'Accept-Encoding',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    });
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect((isCompressed ? gunzipSync(bytes) : bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length < plain.bytes.length / 5).toBe(isCompressed);
    expect(headers.etag).toBe(plain.headers.etag);
  });

  test.each(['identity', 'gzip'])('to HEAD has the headers of GET, for a client that accepts %s', async (accepted) => {
    const { url } = await emulate(fixtures);
    const get = await send(url + LARGE, { 'accept-encoding': accepted });
    const head = await send(url + LARGE, { 'accept-encoding': accepted }, 'HEAD');

    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    expect({ ...head.headers, date: '' }).toStrictEqual({ ...get.headers, date: '' });
  });

  test('is a 304 for a client that has it, until it changes', async () => {
    const emulator = await emulate({ users: Array.from({ length: 40 }, (_, n) => ({ username: `user${n}` })) });
    const url = `${emulator.url}/_emulator/users`;
    const first = await send(url, { 'accept-encoding': 'gzip' });
    const tag = String(first.headers.etag);

    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, bytes } = await send(url, { 'if-none-match': known }, method);
        expect([status, bytes.length]).toEqual([304, 0]);
        expect(headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' });
        expect(headers).not.toHaveProperty('content-encoding');
      }
    }
    expect((await send(url, { 'if-none-match': 'W/"other"' })).status).toBe(200);

    emulator.add.user({ username: 'ada' });
    const changed = await send(url, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(tag);
  });

  test('names both headers on which it depends, for a page of another origin', async () => {
    const { url } = await emulate(fixtures);
    const { headers } = await send(url + LARGE, { 'accept-encoding': 'gzip', origin: 'http://localhost:5173' });

    expect(headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      vary: 'Origin, Accept-Encoding',
    });
  });

  test('is compressed after a POST, without a tag', async () => {
    const { url } = await emulate(fixtures);
    const users = Array.from({ length: 40 }, (_, n) => ({ username: `user${n}` }));
    const sent = request(`${url}/_emulator/records`, {
      method: 'POST',
      headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
    }).end(JSON.stringify({ users }));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const text = response ? gunzipSync(await buffer(response)).toString() : '';

    expect(response?.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(response?.headers).not.toHaveProperty('etag');
    expect(JSON.parse(text).users).toHaveLength(40);
  });
});

test('a small response is sent as it is', async () => {
  const { url } = await emulate(fixtures);
  const { headers, bytes } = await send(url + SMALL, { 'accept-encoding': 'gzip' });

  expect(bytes.length).toBeLessThan(1_024);
  for (const name of ['content-encoding', 'etag', 'vary', 'cache-control']) expect(headers).not.toHaveProperty(name);
});

test('events are not compressed', async () => {
  const { url } = await emulate(fixtures);
  const sent = request(`${url}/_emulator/events`, { headers: { 'accept-encoding': 'gzip' } }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const [first] = response ? await once(response, 'data') : [];
  sent.destroy();

  expect(response?.headers).not.toHaveProperty('content-encoding');
  expect(String(first)).toMatch(/^(?:event|id|retry|:|data)/);
});

test('in-process, a response is a text', async () => {
  const emulator = await emulate(fixtures, { listen: false });
  const response = await emulator.fetch(LARGE, { headers: { 'accept-encoding': 'gzip' } });

  expect(response.headers.has('content-encoding')).toBe(false);
  expect(await response.json()).toBeInstanceOf(Array);
});
