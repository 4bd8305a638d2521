import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { StoredBytes } from '#engine/sandbox/stored-bytes.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { boundBytes } from '../../support/bytes.js';
import { namesOf } from '../../support/changes.js';
import { createEmulator, emulate, NOW } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };
const ADA = { authorization: 'Bearer ada-token' };
const BLOBS = z.array(z.object({ key: z.string(), size: z.number(), lastModified: z.string() }));
const ALL_BYTES = Uint8Array.from({ length: 512 }, (_, i) => i % 256);

const store = (
  emulator: Emulator,
  key: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(`${emulator.url}/v1/blob/${encodeURIComponent(key)}`, {
    method: 'POST',
    headers: { ...ADA, ...headers },
    body,
  });
const read = async (emulator: Emulator, key: string) => {
  const response = await fetch(`${emulator.url}/v1/blob/${encodeURIComponent(key)}`, { headers: ADA });
  return new Uint8Array(await response.arrayBuffer());
};

describe.each(['a socket', 'in-process fetch'])('over %s', (way) => {
  const send = (emulator: Emulator, path: string, init: RequestInit = {}) =>
    way === 'a socket'
      ? fetch(emulator.url + path, { ...init, headers: { ...ADA, ...init.headers } })
      : emulator.fetch(path, { ...init, headers: { ...ADA, ...init.headers } });

  test.each([
    ['every byte', ALL_BYTES],
    ['no byte', new Uint8Array()],
    ['text', new TextEncoder().encode('\ufeffä\r\n')],
    ['10 MB', new Uint8Array(10 * 1_048_576).fill(255)],
  ])('%s are returned as they are stored', async (_, bytes) => {
    const emulator = await emulate(fixtures);

    const stored = await send(emulator, '/v1/blob/a', { method: 'POST', body: bytes });
    const found = await send(emulator, '/v1/blob/a');

    expect([stored.status, await stored.json()]).toStrictEqual([201, 'ok']);
    expect(found.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.compare(new Uint8Array(await found.arrayBuffer()), bytes)).toBe(0);
    expect((await send(emulator, '/v1/blob/a', { method: 'HEAD' })).headers.get('content-length')).toBe(
      `${bytes.length}`,
    );
  });

  test('a body beyond 10 MB returns 413, and JSON is bytes', async () => {
    const emulator = await emulate(fixtures);

    const large = await send(emulator, '/v1/blob/a', { method: 'POST', body: new Uint8Array(10 * 1_048_576 + 1) });
    const json = await send(emulator, '/v1/blob/b', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "a":',
    });

    expect([large.status, json.status]).toStrictEqual([413, 201]);
    expect(await (await send(emulator, '/v1/blob/b')).text()).toBe('{ "a":');
  });
});

test.each(['a/b', 'ä €', '%2F', '..%', 'a?b#c;d', ' ', 'x'.repeat(512), '"\\\u0000'])(
  'a key may be %j',
  async (key) => {
    const emulator = await emulate(fixtures);

    await store(emulator, key, 'content');

    expect(Buffer.from(await read(emulator, key)).toString()).toBe('content');
    const list = await fetch(`${emulator.url}/v1/blob`, { headers: ADA });
    expect(await list.json()).toStrictEqual([{ key, size: 7, lastModified: NOW }]);
  },
);

test('a list has the keys of the caller by prefix, in their order', async () => {
  const emulator = await emulate({
    ...fixtures,
    blobs: [
      { user: 'ada', key: 'b/2', text: 'two' },
      { user: 'ada', key: 'a', json: [1, { two: 2 }] },
      { user: 'ada', key: 'b/1', base64: 'AP8=', createdAt: '2024-01-01T00:00:00Z' },
      { user: 'bob', key: 'b/3', text: ['x', 'y'] },
    ],
  });
  const list = async (query: string) =>
    BLOBS.parse(await (await fetch(`${emulator.url}/v1/blob${query}`, { headers: ADA })).json());

  expect((await list('')).map(({ key }) => key)).toStrictEqual(['a', 'b/1', 'b/2']);
  expect(await list('?prefix=b%2F')).toStrictEqual([
    { key: 'b/1', size: 2, lastModified: '2024-01-01T00:00:00.000Z' },
    { key: 'b/2', size: 3, lastModified: NOW },
  ]);
  expect(Buffer.from(await read(emulator, 'a')).toString()).toBe('[1,{"two":2}]');
});

test('a large body of an unknown caller is not read', async () => {
  const emulator = await emulate(fixtures);
  const { hostname, port } = new URL(emulator.url);
  const socket = connect(Number(port), hostname);
  const received = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));

  socket.write('POST /v1/blob/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\nabc');

  expect(await received).toMatch(/^HTTP\/1.1 401 /);
  socket.destroy();
});

test('is exported, rewound, overwritten and shown in the history and the journal', async () => {
  const emulator = await emulate(fixtures);
  await store(emulator, 'text', 'ä');
  await store(emulator, 'bytes', ALL_BYTES);
  await store(emulator, 'text', 'new');

  const exported = emulator.state({});
  expect(exported.blobs).toMatchObject([
    { user: 'ada', key: 'bytes', base64: Buffer.from(ALL_BYTES).toString('base64') },
    { user: 'ada', key: 'text', text: 'new' },
  ]);
  const copy = await emulate(exported);
  expect(copy.state({})).toStrictEqual(exported);
  expect(emulator.history().map(namesOf)).toStrictEqual([
    ['+ blob text of ada'],
    ['+ blob bytes of ada'],
    ['blob text of ada: size'],
  ]);
  expect(emulator.requests().map(({ request }) => request.body)).toStrictEqual([
    'ä',
    { base64: Buffer.from(ALL_BYTES).toString('base64') },
    'new',
  ]);
  emulator.rewind(1);
  expect(Buffer.from(await read(emulator, 'text')).toString()).toBe('ä');
  expect((await emulator.fetch('/v1/blob/text', { method: 'DELETE', headers: ADA })).status).toBe(204);
  expect((await emulator.fetch('/v1/blob/text', { headers: ADA })).status).toBe(404);
});

test('a fixture file names the file of a blob', async () => {
  const folder = folderOf({
    'users.json': [{ username: 'ada' }],
    'blobs.json': [{ user: 'ada', key: 'a', file: 'a.bin' }],
  });
  writeFileSync(join(folder, 'a.bin'), ALL_BYTES);

  const emulator = await createEmulator({ fixtures: folder, listen: false });

  const found = await emulator.fetch('/v1/blob/a', { headers: ADA });
  expect(new Uint8Array(await found.arrayBuffer())).toStrictEqual(ALL_BYTES);
  await emulator.close();
});

test.each([
  [[{ user: 'ada', key: 'a', text: 'x', base64: 'AA==' }], 'blobs[0]: expected one of text, json, base64 and file.'],
  [[{ user: 'ada', key: 'a', base64: '%' }], 'blobs[0]: base64: found other characters; expected base64.'],
  [
    [
      { user: 'ada', key: 'a' },
      { user: 'ada', key: 'a' },
    ],
    'blobs[1]: the same key as blobs[0]; expected each key once.',
  ],
])('the fixture %j is refused', async (blobs, message) => {
  await expect(createEmulator({ fixtures: { ...fixtures, blobs }, listen: false })).rejects.toThrow(message);
});

test('bytes that a history, a snapshot or a sandbox has count once, and too many return 507', async () => {
  const emulator = await emulate(fixtures);
  const bytes = new StoredBytes(
    () => [emulator, ...emulator.sandboxes().map(({ name }) => emulator.sandbox(name))],
    2_500,
  );
  const add = (key: string, size: number) => {
    const before = emulator.store.state;
    emulator.add.blob({ user: 'ada', key, text: 'x'.repeat(size) });
    bytes.assertRoom(before, emulator.store.state);
  };

  add('a', 1_000);
  emulator.snapshot('s');
  emulator.fork('copy');
  emulator.reset();
  add('b', 1_000);
  expect(() => add('c', 1_000)).toThrow(
    'The bytes of all records have at most 0.0 MB in memory, and 0.0 MB more have no room. The sandbox "" has',
  );
  emulator.dropSnapshot('s');
  emulator.sandbox('copy').close();
  emulator.reset();
  expect(() => add('d', 1_000)).not.toThrow();
});

describe('to make room, the oldest commits go', () => {
  const write = ({ fetch }: Pick<Emulator, 'fetch'>, size: number, key = 'a') =>
    fetch(`/v1/blob/${key}`, { method: 'POST', headers: ADA, body: new Uint8Array(size) });
  const idsOf = (sandbox: Pick<Emulator, 'history'>) => sandbox.history({ limit: 5_000 }).map(({ id }) => id);

  test('of a sandbox: the last ones can be read and taken back', async () => {
    const emulator = await emulate(fixtures);
    boundBytes(emulator, 256_000);
    for (let i = 1; i <= 300; i++) expect((await write(emulator, 1_000)).status).toBe(201);

    const ids = idsOf(emulator);
    expect(ids.length).toBeGreaterThan(230);
    expect(ids).toStrictEqual(Array.from(ids, (_, i) => `r${301 - ids.length + i}`));
    expect(() => emulator.rewind('r1')).toThrow('There is no commit "r1"');
    emulator.snapshot('oldest', 'start');
    emulator.rewind(ids[0] ?? '');
    expect((await read(emulator, 'a')).length).toBe(1_000);
    expect(idsOf(emulator)).toStrictEqual([]);
  });

  test('of all sandboxes, and commits without bytes stay if no later one has bytes', async () => {
    const emulator = await emulate(fixtures);
    const [one, two] = [emulator.sandbox('one'), emulator.sandbox('two')];
    boundBytes(emulator, 20_000);
    for (let i = 0; i < 60; i++) emulator.add.val({ author: 'ada', name: `v${i}`, code: '1' });
    for (let i = 0; i < 12; i++) expect((await write(one, 1_000)).status).toBe(201);
    for (let i = 0; i < 12; i++) expect((await write(two, 1_000)).status).toBe(201);

    expect(idsOf(emulator)).toHaveLength(60);
    expect([idsOf(one).at(-1), idsOf(two).at(-1)]).toStrictEqual(['r12', 'r12']);
    const held = idsOf(one).length + idsOf(two).length;
    expect([held >= 15, held < 24]).toStrictEqual([true, true]);
    expect(Math.abs(idsOf(one).length - idsOf(two).length)).toBeLessThan(5);
  });

  test('and none goes if the current records and snapshots alone have no room', async () => {
    const emulator = await emulate(fixtures);
    boundBytes(emulator, 10_000);
    await write(emulator, 3_000);
    await write(emulator, 3_000);
    emulator.snapshot('s');
    await write(emulator, 2_000);
    const before = idsOf(emulator);

    const full = await write(emulator, 6_000, 'b');

    expect([full.status, await full.json()]).toMatchObject([
      507,
      {
        message:
          'The bytes of all records have at most 0.0 MB in memory, and 0.0 MB more have no room. The sandbox "" has 0.0 MB, of which 0.0 MB are in its snapshots only. Delete records with bytes, drop snapshots, or reset or close sandboxes.',
      },
    ]);
    expect(idsOf(emulator)).toStrictEqual(before);
    expect((await write(emulator, 4_000, 'b')).status).toBe(201);
    // What r3 replaced is in the snapshot, so it needs no room.
    expect(idsOf(emulator)).toStrictEqual(['r3', 'r5']);
  });
});
