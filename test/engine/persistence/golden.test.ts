import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FORMAT } from '#engine/persistence/lines.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { createEmulator } from '../../support/emulate.js';
import { NO_PROJECTS } from '../../support/no-projects.js';
import { sqlOf } from '../../support/sql.js';
import { contentsOf, create, logOf, makeFolder, namesOf, openData, send, showContents } from './folder.js';

// Files that earlier versions wrote: each later version opens them.

const GOLDEN = join(import.meta.dirname, 'golden');
/** All that a data folder, a session and fixtures can have, in format 3. */
const COMPLETE = join(GOLDEN, 'complete-3');

const AT = '2024-06-01T10:00:00.000Z';
const SEED: Fixtures = {
  users: [
    { username: 'ada', token: 'ada-token', bio: 'Countess \ud83c\udf39', tier: 'pro', email: 'ada@lovelace.example' },
    { username: 'grace', profileImageUrl: 'https://example.com/grace.png' },
    { username: null, id: '11111111-1111-4111-8111-111111111111', token: 'anonymous-token' },
  ],
  vals: [
    { author: 'ada', name: 'hello', code: 'export const hello = 3;', version: 3, privacy: 'unlisted', readme: '# Hi' },
    { author: 'grace', name: 'cobol', code: 'MOVE 1 TO X.', type: 'http', createdAt: AT },
  ],
  versions: [{ val: 'ada/hello', version: 1, code: 'export const hello = 1;', createdAt: AT }],
  runs: [
    { val: 'ada/hello', version: 1, runStartAt: AT, duration: '250ms', error: 'boom', source: 'interval' },
    { val: 'grace/cobol', runStartAt: AT, runEndAt: null, logs: [['a', 1]], returnValue: { deep: [null] }, args: [1] },
  ],
  likes: [{ user: 'grace', val: 'ada/hello', createdAt: AT }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: '\ud800 ü', createdAt: AT }],
  emails: [
    {
      ...{ user: 'ada', from: 'Ada <ada@example.com>', to: ['grace@example.com'], cc: 'c@example.com' },
      ...{ subject: 'Report', text: 'text', html: '<b>html</b>', headers: { 'x-a': '1' }, createdAt: AT },
      attachments: [{ filename: 'a.bin', base64: '/wA=', type: 'application/octet-stream', contentId: 'a' }],
    },
  ],
  blobs: [
    { user: 'ada', key: 'a/b', base64: '/wA=', createdAt: AT },
    { user: 'grace', key: '\u{1f339}', json: { ready: true }, createdAt: AT },
  ],
  sqlite: [
    {
      ...{
        user: 'ada',
        updatedAt: AT,
        sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text); CREATE INDEX t ON notes (text);',
      },
      rows: { notes: [{ id: 1, text: 'one' }] },
    },
  ],
};

const FORMATS = Array.from({ length: FORMAT - 1 }, (_, i) => `format-${i + 2}`);

/** Writes the files of this format: `GOLDEN=1 npx vitest run test/engine/persistence/golden.test.ts`. Only for a new one. */
async function writeFormat(name: string): Promise<void> {
  const folder = join(GOLDEN, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'data');
  const first = await openData(data, { fixtures: { ...SEED, sqlite: [] } });
  for (const each of ['first', 'second', 'third']) await create(first, each);
  first.snapshot('one', 'r2');
  first.snapshot('dropped', 'start');
  first.dropSnapshot('dropped');
  first.rewind(1);
  first.store.forget(1);
  first.fail('POST /v1/vals', { status: 503, times: 2, after: 5, body: { a: 1 } });
  const kept = first.sandbox('kept', { keep: true, owner: 'job 7' });
  await create(kept, 'third');
  kept.snapshot('two');
  const closed = first.sandbox('closed', { keep: true });
  await create(closed, 'lost');
  await closed.close();
  await first.close();
  const second = await openData(data);
  await send(second, 'POST', '/v1/blob/new', { posted: true });
  second.sandbox('kept').restore('two');
  await create(second.sandbox('kept'), 'fifth');
  await create(second, 'fourth');
  await second.close();
  writeFileSync(join(folder, 'session.ndjson'), second.session());
  writeFileSync(join(folder, 'expected.txt'), await readWhole(copyData(name)));
}

/** Copies a folder, since to open it changes it. */
function copyData(name: string): string {
  const data = join(makeFolder(), 'data');
  // The clock of a sandbox continues after the last sign of use.
  cpSync(join(GOLDEN, name, 'data'), data, { recursive: true, preserveTimestamps: true });
  return data;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

async function openSession(name: string): Promise<Emulator> {
  const opened = await createEmulator({ session: join(GOLDEN, name, 'session.ndjson'), listen: false });
  onTestFinished(() => opened.close());
  return opened;
}

const listRequests = (sandbox: Pick<Emulator, 'requests'>) =>
  sandbox.requests().map(({ id, method, path, status, commit }) => [id, method, path, status, commit].join(' '));

const VAL_ID = '/v1/vals/9a293e20-5a30-5ca8-88d4-f92c1a3fa788';
const REQUESTS = [
  'r1 POST /v1/vals 200 r1',
  'r2 POST /v1/vals 200 r2',
  `r3 DELETE ${VAL_ID} 204 r3`,
  'r4 POST /v1/sqlite/batch 200 r4',
  'r5 POST /v1/sqlite/batch 200 r5',
  'r6 POST /v1/blob/new 201 r6',
  'r7 POST /v1/email 202 r7',
  'r8 GET /v1/me 200 r7',
  'r9 GET /v1/nothing 404 r7',
  'r10 POST /v1/vals 200 r10',
];
const NAMES = ['cobol', 'first', 'fourth', 'hello', 'second'];

/** Checks the default sandbox, whose data a session has as well. */
async function expectComplete(emulator: Emulator): Promise<void> {
  expect(namesOf(emulator)).toEqual(NAMES);
  expect(emulator.clock.read()).toEqual({ now: '2024-06-11T23:05:12.585Z', frozen: true });
  expect(emulator.snapshots()).toEqual([{ name: 'one', time: '2024-06-11T22:05:12.585Z' }]);
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'r2', 'r4', 'r5', 'r6', 'r7', 'r10']);
  expect(listRequests(emulator)).toEqual(REQUESTS);
  expect(emulator.faults()).toMatchObject([
    { id: 'f1', route: 'POST /v1/vals', status: 503, after: 5, times: 2, body: { a: 1 }, seen: 1, hits: 0 },
    { id: 'f2', route: null, delay: [1, 2], rate: 0.5, seed: 's', user: 'grace', match: { query: { a: '1' } } },
  ]);
  const { settings, rateLimits } = emulator.store.state;
  expect(settings).toMatchObject({ defaultPrivacy: 'private', rateLimit: { limit: 50, window: 3_600_000 } });
  expect([...rateLimits]).toMatchObject([{ start: Date.parse('2024-06-11T23:05:12.585Z'), requests: 7 }]);
  const { emails, blobs, runs, comments } = emulator.state();
  expect(emails).toMatchObject([
    { subject: 'Report', cc: ['c@example.com'], attachments: [{ filename: 'a.bin', base64: '/wA=', contentId: 'a' }] },
    { subject: 'Sent', text: 'now', createdAt: '2024-06-11T23:05:12.585Z' },
  ]);
  expect(blobs).toMatchObject([
    { user: 'grace', key: '\u{1f339}', text: '{"ready":true}' },
    { user: 'ada', key: 'a/b', base64: '/wA=' },
    { user: 'ada', key: 'new', text: '{"posted":true}' },
  ]);
  expect(runs).toMatchObject([
    { val: 'ada/hello', version: 1, error: 'boom', source: 'interval' },
    { val: 'grace/cobol', runEndAt: null, logs: [['a', 1]], returnValue: { deep: [null] }, args: [1] },
  ]);
  expect(comments).toMatchObject([{ author: 'grace', comment: '\ud800 ü', createdAt: AT }]);
  const queries = ['SELECT * FROM notes INDEXED BY t ORDER BY text', 'SELECT a, hex(b) FROM later'];
  expect(await sqlOf(emulator).all(...queries)).toEqual([
    [
      [1, 'one'],
      [2, 'two'],
    ],
    [['9007199254740993', 'FF00']],
  ]);
  // A state within the history, the oldest one, the snapshot and the seed data.
  emulator.rewind('r7');
  expect(namesOf(emulator)).toEqual(['cobol', 'first', 'hello', 'second']);
  emulator.rewind(5);
  expect(namesOf(emulator)).toEqual(['cobol', 'hello']);
  emulator.restore('one');
  expect(namesOf(emulator)).toEqual(['cobol', 'first', 'hello']);
  emulator.reset();
  expect(namesOf(emulator)).toEqual(['cobol', 'hello']);
  expect(await sqlOf(emulator).rows('SELECT * FROM notes')).toEqual([[1, 'one']]);
}

describe('what version 0.2.0 has written opens with all that it has', () => {
  // What that version did not have is empty.
  const none = { tokens: [], ...NO_PROJECTS };
  const written = Object.assign(none, readJson(join(COMPLETE, 'fixtures.json')));

  test('a data folder with a journal and a kept sandbox', async () => {
    const data = copyData('complete-3');
    const emulator = await openData(data, { keepJournal: true });
    expect(emulator.data).toMatchObject({ isOpened: true, torn: 0, seed: { fingerprint: '0ebf595daeb462f4' } });
    expect(emulator.state()).toEqual(written);
    const kept = emulator.sandbox('kept');
    const expectKept = () => {
      expect(namesOf(kept)).toEqual(['cobol', 'fifth', 'hello', 'third']);
      expect(kept.meta).toMatchObject({ origin: { owner: 'job 7', createdAt: 1795660688269 } });
    };
    expectKept();
    expect(kept.store.state.clock).toEqual({ offset: 97795310444 });
    expect(kept.snapshots()).toEqual([{ name: 'two', time: '2024-06-11T22:05:12.585Z' }]);
    expect(listRequests(kept)).toEqual(['r1 POST /v1/vals 200 r1']);
    expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['kept']);
    await expectComplete(emulator);
    expectKept();
    kept.restore('two');
    expect(namesOf(kept)).toEqual(['cobol', 'hello', 'third']);
    kept.reset();
    expect(namesOf(kept)).toEqual([]);
  });

  test('a session', async () => expectComplete(await openSession('complete-3')));

  test.each(['fixtures.json', 'fixtures'])('fixtures: %s', async (name) => {
    const fixtures = join(COMPLETE, name);
    const emulator = await createEmulator({ fixtures, now: '2024-06-11T23:05:12.585Z', listen: false });
    onTestFinished(() => emulator.close());
    expect(emulator.state()).toEqual(written);
    const [row] = await sqlOf(emulator).rows('SELECT id, text FROM notes WHERE id = 2');
    expect(row).toEqual([2, 'two']);
  });
});

async function readWhole(data: string): Promise<string> {
  const emulator = await openData(data);
  const text = `${contentsOf(emulator)}\n${showContents(emulator.sandbox('kept').store.contents)}\n`;
  await emulator.close();
  return text;
}

test.each(FORMATS)('a folder and a session of %s open, the folder twice', async (format) => {
  if (process.env.GOLDEN && format === FORMATS.at(-1)) await writeFormat(format);
  const header = `"format":${format.slice('format-'.length)}`;
  const data = copyData(format);
  expect(readFileSync(logOf(data), 'utf8')).toContain(header);
  const expected = readFileSync(join(GOLDEN, format, 'expected.txt'), 'utf8');
  expect(await readWhole(data)).toBe(expected);
  expect(readFileSync(logOf(data), 'utf8')).toContain(`"format":${FORMAT}`);
  expect(await readWhole(data)).toBe(expected);
  expect(readFileSync(join(GOLDEN, format, 'session.ndjson'), 'utf8')).toContain(header);
  const opened = await openSession(format);
  expect(namesOf(opened)).toEqual(expect.arrayContaining(['first', 'fourth', 'hello']));
  expect(opened.requests()).not.toEqual([]);
  expect(opened.snapshots().map(({ name }) => name)).toEqual(['one']);
});

test('each format has its files', () => {
  expect(readdirSync(GOLDEN)).toEqual(['complete-3', ...FORMATS]);
});
