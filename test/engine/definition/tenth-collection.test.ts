import { describe, expect, onTestFinished, test } from 'vitest';
import { fixturesSchema } from '#engine/fixtures/json-schema.js';
import type { EngineOptions } from '#engine/http/parse-options.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { createEngine } from '../../../src/create-engine.js';
import { createEmulator } from '../../../src/emulator.js';
import { namesOf } from '../../support/changes.js';
import { folderOf, untyped } from '../fixtures/loading.js';
import { bookmarksOf, service, serviceWithFiles } from './bookmarks.js';

const ID = 'b7f5b3a0-0000-4000-8000-000000000001';
const FIXTURES = untyped({
  users: [{ username: 'ada', token: 'ada-token' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', code: '1' },
    { author: 'ada', name: 'other', code: '2' },
  ],
  bookmarks: [{ id: ID, user: 'ada', val: 'ada/hello', note: 'Read it', createdAt: '2024-06-11T22:05:12.000Z' }],
});
const READ = { id: ID, user: 'ada', val: 'ada/hello', note: 'Read it', createdAt: '2024-06-11T22:05:12.000Z' };

async function start(options: EngineOptions = {}) {
  const emulator = await createEngine(service, {
    listen: false,
    ...(options.data || options.session ? {} : { fixtures: FIXTURES }),
    ...options,
  });
  onTestFinished(() => emulator.close());
  return emulator;
}

async function call(emulator: Awaited<ReturnType<typeof start>>, method: string, path: string, body?: unknown) {
  const headers = {
    authorization: 'Bearer ada-token',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await emulator.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('fixtures and their export have the collection', async () => {
  const emulator = await start();
  expect(emulator.state()).toHaveProperty('bookmarks', [READ]);
  expect(emulator.state({ brief: true })).toHaveProperty('bookmarks', [READ]);
  const again = await start({ fixtures: untyped(emulator.state()) });
  expect(again.state()).toEqual(emulator.state());
});

test('errors of its fixtures have a path', async () => {
  const wrong = [{ user: 'ada', val: 'ada/hallo', note: 7 }, { user: 'eve', val: 'ada/hello' }, { val: 'ada/hello' }];
  const fixtures = untyped({ ...FIXTURES, bookmarks: wrong });
  await expect(start({ fixtures })).rejects.toMatchObject({
    problems: [
      { path: 'bookmarks[0].note' },
      { path: 'bookmarks[2].user', message: expect.stringContaining('missing') },
      { path: 'bookmarks[1].user', message: expect.stringContaining('there is no user "eve"') },
      { path: 'bookmarks[0].val', message: expect.stringContaining('there is no val "ada/hallo"') },
    ],
  });
});

test('the JSON Schema of fixtures has it', () => {
  expect(fixturesSchema(service.definitions)).toHaveProperty('properties.bookmarks.description', 'The bookmarks');
});

test('its route has validation, authorization and the journal', async () => {
  const emulator = await start();
  expect(await call(emulator, 'GET', '/v1/me/bookmarks')).toEqual({ status: 200, body: [{ note: 'Read it' }] });
  expect((await call(emulator, 'GET', '/v1/me/bookmarks?limit=0')).status).toBe(400);
  expect((await emulator.fetch('/v1/me/bookmarks')).status).toBe(401);
  expect(emulator.requests().map((request) => request.route)).toEqual(Array(3).fill('GET /v1/me/bookmarks'));
});

describe('records', () => {
  const PATH = '/_emulator/records/bookmarks';

  test('are added, read, changed, replaced and deleted', async () => {
    const emulator = await start();
    const added = await call(emulator, 'POST', PATH, { user: 'bob', val: 'ada/other' });
    expect(added).toMatchObject({ status: 201, body: { user: 'bob', val: 'ada/other', note: '' } });
    expect(await call(emulator, 'GET', `${PATH}?where={"user":"ada"}`)).toMatchObject({
      body: { total: 1, records: [READ] },
    });
    const path = `${PATH}/${ID}`;
    expect(await call(emulator, 'PATCH', path, { note: 'Done' })).toMatchObject({ body: { ...READ, note: 'Done' } });
    const replaced = { user: 'bob', val: 'ada/hello', createdAt: READ.createdAt };
    expect(await call(emulator, 'PUT', path, replaced)).toMatchObject({ body: { ...READ, user: 'bob', note: '' } });
    expect((await call(emulator, 'GET', path)).body.related).toMatchObject({
      user: { collection: 'users', total: 1 },
      val: { collection: 'vals', total: 1, records: [{ name: 'hello' }] },
    });
    expect((await call(emulator, 'DELETE', path)).status).toBe(204);
    expect((await call(emulator, 'GET', path)).status).toBe(404);
  });

  test('follow the name of a val', async () => {
    const emulator = await start();
    const list = async () => (await call(emulator, 'GET', `${PATH}?q=hello`)).body.total;
    expect(await list()).toBe(1);
    const [hello] = toValsState(emulator.store.state).vals;
    await call(emulator, 'PATCH', `/_emulator/records/vals/${hello?.id}`, { name: 'renamed' });
    expect(await list()).toBe(0);
  });

  test('are deleted with their val', async () => {
    const emulator = await start();
    const [hello] = toValsState(emulator.store.state).vals;
    expect((await call(emulator, 'GET', `/_emulator/records/vals/${hello?.id}`)).body.related).toMatchObject({
      bookmarks: { collection: 'bookmarks', total: 1 },
    });
    expect((await call(emulator, 'DELETE', `/v1/vals/${hello?.id}`)).status).toBe(204);
    expect(bookmarksOf(emulator.store.state)).toEqual([]);
    emulator.rewind(1);
    expect(bookmarksOf(emulator.store.state)).toHaveLength(1);
  });

  test('are read by json-server', async () => {
    const emulator = await start({ listen: true, port: 0 });
    const read = async (path: string): Promise<unknown> => (await fetch(`${emulator.url}/_emulator/db${path}`)).json();
    expect(await read('')).toHaveProperty('bookmarks', `${emulator.url}/_emulator/db/bookmarks`);
    expect(await read('/bookmarks?note=Read%20it')).toMatchObject([READ]);
    expect(await read('/bookmarks?_expand=val')).toMatchObject([{ val: { name: 'hello' } }]);
  });
});

test('adders, histories and exports of some records know it', async () => {
  const emulator = await start();
  const add: unknown = Reflect.get(emulator.add, 'bookmark');
  if (typeof add !== 'function') throw new Error('no adder');
  expect(add({ user: 'bob', val: 'ada/hello', note: 'Later' })).toMatchObject({ user: 'bob', note: 'Later' });
  const added = await call(emulator, 'POST', '/_emulator/records', { bookmarks: { user: 'bob', val: 'ada/other' } });
  expect(added.status).toBe(201);
  const several = await call(emulator, 'POST', '/_emulator/records', {
    bookmarks: [{ user: 'ada', val: 'ada/other' }],
  });
  expect(several).toMatchObject({ status: 201, body: { bookmarks: [{ user: 'ada' }] } });
  expect(emulator.history().map(namesOf)).toEqual([
    ['+ bookmark of ada/hello by bob'],
    ['+ bookmark of ada/other by bob'],
    ['+ bookmark of ada/other by ada'],
  ]);
  const [commit] = emulator.history({ record: `bookmarks/${added.body.bookmarks.id}` });
  expect(commit?.changes).toMatchObject([{ before: null, after: { user: 'bob', val: 'ada/other' } }]);
  expect((await call(emulator, 'GET', '/_emulator/history/w1')).body.changes).toMatchObject([
    { collection: 'bookmarks' },
  ]);
  const exported = await call(emulator, 'POST', '/_emulator/export', { bookmarks: [ID] });
  expect(exported.body).toMatchObject({
    users: [{ username: 'ada' }],
    vals: [{ name: 'hello' }],
    bookmarks: [{ id: ID }],
  });
});

test('differences, commits and the page have the fields of its files', async () => {
  const emulator = await createEngine(serviceWithFiles, { listen: false, fixtures: FIXTURES });
  onTestFinished(() => emulator.close());
  emulator.snapshot('before');
  const path = `/_emulator/records/bookmarks/${ID}`;
  await call(emulator, 'PATCH', path, { note: 'Read it again' });
  const subject = { collection: 'bookmarks', id: ID, name: 'bookmark of ada/hello by ada' };
  expect(emulator.diff('snapshot:before').changes).toEqual([
    { ...subject, type: 'changed', before: { note: 'Read it' }, after: { note: 'Read it again' } },
    {
      ...subject,
      ...{ file: 'note.txt', type: 'changed' },
      before: { long: false, text: 'Read it' },
      after: { long: true, text: 'Read it again' },
    },
  ]);
  const lines = expect.stringMatching(/^-Read it\n.*\n\+Read it again$/m);
  expect((await call(emulator, 'GET', '/_emulator/history/w1')).body.changes).toMatchObject([
    { fields: ['note'], lines: { 'files/note.txt': lines } },
  ]);
  expect((await call(emulator, 'GET', `${path}/files?path=note.txt`)).body).toEqual([
    { id: ID, path: 'note.txt', fields: { long: true }, size: 13, text: 'Read it again' },
  ]);
});

test('a data folder has it over a restart, and is refused without it', async () => {
  const data = folderOf({});
  const first = await start({ data, fixtures: FIXTURES });
  await call(first, 'POST', '/_emulator/records/bookmarks', { user: 'bob', val: 'ada/other' });
  const before = first.state();
  await first.close();
  const second = await start({ data });
  expect(second.state()).toEqual(before);
  await second.close();
  await expect(createEmulator({ listen: false, data })).rejects.toThrow(
    /ndjson has records of the collection "bookmarks", which this emulator does not know\. Open it with/,
  );
});

test('a session has it, and is refused without it', async () => {
  const emulator = await start();
  const session = `${folderOf({ 'a.session': emulator.session() })}/a.session`;
  expect(bookmarksOf((await start({ session })).store.state)).toHaveLength(1);
  await expect(createEmulator({ listen: false, session })).rejects.toThrow(
    /^\S*a\.session has records of the collection "bookmarks"/,
  );
});
