import { expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { NO_PROJECTS } from '../../support/no-projects.js';

const uuid = (number: number) => `cccccccc-0000-4000-8000-${String(number).padStart(12, '0')}`;

const fixtures = {
  users: [{ username: 'ada', token: 'S3CRET' }, { username: 'bob' }, { username: 'cleo' }, { username: 'unused' }],
  vals: [
    { author: 'ada', name: 'hello', code: '3', version: 2, createdAt: '2024-06-01T00:00:00Z' },
    { author: 'bob', name: 'other', code: '1', createdAt: '2024-06-01T00:00:00Z' },
  ],
  versions: [
    { val: 'ada/hello', version: 0, code: '1', createdAt: '2024-06-01T00:00:00Z' },
    { val: 'ada/hello', version: 1, code: '2', createdAt: '2024-06-01T00:00:00Z' },
  ],
  runs: [
    { val: 'bob/other', id: uuid(1), runStartAt: '2024-06-02T00:00:00Z' },
    { val: 'ada/hello', id: uuid(2), runStartAt: '2024-06-02T00:00:00Z', version: 1, parentId: uuid(1), error: 'boom' },
  ],
  likes: [{ user: 'cleo', val: 'bob/other', createdAt: '2024-06-02T00:00:00Z' }],
  comments: [{ author: 'cleo', val: 'ada/hello', id: uuid(3), comment: 'Good', createdAt: '2024-06-02T00:00:00Z' }],
};

const post = (emulator: Emulator, body: object) => as(emulator).post('/_emulator/export').send(body);

/** Loads exported fixtures into another emulator. */
async function load(exported: object) {
  await using other = await createEmulator({ listen: false, fixtures: exported });
  return other.state();
}

test('a run is exported with its val, its version, its parent and their authors, and loads by itself', async () => {
  const emulator = await emulate(fixtures);
  const all = emulator.state();

  const { body, status } = await post(emulator, { runs: [uuid(2)] });

  expect(status).toBe(200);
  expect(body).toStrictEqual({
    users: [{ username: 'ada' }, { username: 'bob' }],
    tokens: [],
    ...NO_PROJECTS,
    vals: [
      { author: 'ada', name: 'hello', code: '3', createdAt: '2024-06-01T00:00:00.000Z' },
      { author: 'bob', name: 'other', code: '1', createdAt: '2024-06-01T00:00:00.000Z' },
    ],
    versions: [{ val: 'ada/hello', code: '2', version: 1 }],
    runs: [
      { val: 'bob/other', runStartAt: '2024-06-02T00:00:00.000Z', id: uuid(1) },
      {
        val: 'ada/hello',
        runStartAt: '2024-06-02T00:00:00.000Z',
        error: 'boom',
        version: 1,
        parentId: uuid(1),
        id: uuid(2),
      },
    ],
    likes: [],
    comments: [],
    emails: [],
    blobs: [],
    sqlite: [],
  });
  const loaded = await load(body);
  expect(loaded.runs).toStrictEqual(all.runs);
  expect(loaded.vals).toStrictEqual(all.vals);
});

test('every record of a collection is exported with what it refers to, and loads by itself', async () => {
  const emulator = await emulate(fixtures);
  const all = emulator.state();
  const { body: versions } = await as(emulator).get('/_emulator/records/versions');
  const { body: likes } = await as(emulator).get('/_emulator/records/likes');
  const names = ({ users, vals }: typeof all) => [
    ...users.map(({ username }) => username),
    ...vals.map(({ name }) => name),
  ];
  const exported = async (selection: object) => load((await post(emulator, selection).expect(200)).body);

  expect(names(await exported({ users: [all.users[2]?.id] }))).toStrictEqual(['cleo']);
  expect(names(await exported({ vals: [all.vals[1]?.id] }))).toStrictEqual(['bob', 'other']);
  expect(names(await exported({ comments: [uuid(3)] }))).toStrictEqual(['ada', 'cleo', 'hello']);
  const like = await exported({ likes: [likes.records[0].id] });
  expect([...names(like), ...like.likes]).toStrictEqual(['bob', 'cleo', 'other', ...all.likes]);
  const whole = await exported({ versions: versions.records.map(({ id }: { id: string }) => id) });
  expect(whole.versions).toStrictEqual(all.versions);
  expect(whole.vals).toStrictEqual(all.vals);
});

test('an export has no token', async () => {
  const emulator = await emulate(fixtures);

  expect((await post(emulator, { users: [emulator.users[0]?.id] })).text).not.toContain('S3CRET');
});

test('an export with at has the records of that time', async () => {
  const emulator = await emulate(fixtures);
  const id = emulator.state().vals[1]?.id;
  await as(emulator, 'bob').delete(`/v1/vals/${id}`).expect(204);

  expect((await post(emulator, { vals: [id] })).status).toBe(422);
  expect((await post(emulator, { vals: [id], at: 'start' })).body.vals).toHaveLength(1);
  expect((await post(emulator, { vals: [id], at: 'r9' })).status).toBe(404);
});

test('unknown ids and keys are refused with their paths', async () => {
  const emulator = await emulate(fixtures);

  const unknown = await post(emulator, { runs: [uuid(1), uuid(9)], likes: [emulator.state().vals[1]?.id] });
  const misspelt = await post(emulator, { run: [] });
  const empty = await post(emulator, {});

  expect(unknown.status).toBe(422);
  expect(unknown.body.problems).toStrictEqual([
    { path: 'runs[1]', message: `there is no record "${uuid(9)}" in runs.` },
    { path: 'likes[0]', message: `there is no record "${emulator.state().vals[1]?.id}" in likes.` },
  ]);
  expect(misspelt.body.problems).toStrictEqual([{ path: 'body.run', message: 'unknown key. Did you mean "runs"?' }]);
  expect(empty.status).toBe(200);
  expect(empty.body.users).toStrictEqual([]);
});

test('an export of more than 10,000 ids is refused, with the request that exports all records', async () => {
  const emulator = await emulate(fixtures);
  const vals = Array(10_001).fill('x');

  const { status, body } = await as(emulator).post('/_emulator/export').send({ vals });

  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('expected a list of at most 10000 ids; GET /_emulator/state exports all records'),
  ]);
});
