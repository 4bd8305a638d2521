import { describe, expect, test } from 'vitest';
import { type Emulator, type Fixtures, NotFoundError } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { malformed } from '../../support/errors.js';
import { hand } from '../../support/hands.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const OTHER = '07e30000-0000-4000-8000-000000000002';
const RUN1 = '41000000-0000-4000-8000-000000000001';
const RUN2 = '42000000-0000-4000-8000-000000000002';
const COMMENT = 'c0000000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA },
    { username: 'bob', id: BOB },
  ],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: 'two' },
    { author: 'bob', name: 'other', id: OTHER, code: "import 'https://esm.town/v/ada/hello';" },
  ],
  versions: [
    { val: 'ada/hello', code: 'zero' },
    { val: 'ada/hello', code: 'one' },
  ],
  runs: [{ val: 'ada/hello', id: RUN1 }, { val: 'ada/hello', id: RUN2 }, { val: 'bob/other' }],
  likes: [
    { user: 'bob', val: 'ada/hello' },
    { user: 'ada', val: 'ada/hello' },
    { user: 'ada', val: 'bob/other' },
  ],
  comments: [{ author: 'bob', val: 'ada/hello', comment: 'Nice', id: COMMENT }],
};

const added = { added: 1, changed: 0, removed: 0 };

const create = (emulator: Emulator, name: string) => as(emulator, 'ada').post('/v1/vals').send({ name, code: '1' });

describe('by the client', () => {
  const entry = (id: string, request: string, counts: object, change: object) => ({
    ...{ id, request, user: id.startsWith('r') ? 'ada' : null, time: NOW },
    ...{ total: Object.keys(counts).length, counts, changes: [{ type: 'added', ...change }] },
  });

  const of = (collection: string, id: string, name: string) => ({ collection, id, name });

  test('is empty at first', async () => {
    expect(await hand(await emulate(fixtures)).history()).toStrictEqual([]);
  });

  test('creating a val adds it and its first version', async () => {
    const emulator = await emulate(fixtures);
    const { id } = (await create(emulator, 'fresh')).body;

    expect(await hand(emulator).history()).toStrictEqual([
      entry('r1', 'POST /v1/vals', { vals: added, versions: added }, of('vals', id, 'ada/fresh')),
    ]);
  });

  test('a deleted val removes its records, and no others', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`);

    const history = await hand(emulator).history();

    const removed = (count: number) => ({ added: 0, changed: 0, removed: count });
    expect(history).toMatchObject([
      {
        ...{ id: 'r1', request: 'DELETE /v1/vals/{val_id}', total: 9 },
        counts: { vals: removed(1), versions: removed(3), runs: removed(2), likes: removed(2), comments: removed(1) },
        changes: [{ collection: 'vals', id: HELLO, name: 'ada/hello', type: 'removed' }],
      },
    ]);
    const { body } = await as(emulator).get('/_emulator/history/r1');
    expect(body.changes.map(({ id }: { id: string }) => id).sort()).toStrictEqual(
      [
        ...[HELLO, `${HELLO}:0`, `${HELLO}:1`, `${HELLO}:2`, RUN1, RUN2],
        ...[`${HELLO}:${ADA}`, `${HELLO}:${BOB}`, COMMENT],
      ].sort(),
    );
  });

  test('has records added by the control API, with separate ids', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await as(emulator, 'ada').get('/v1/me');
    const id = 'eee00000-0000-4000-8000-000000000001';
    await control.add('users', { username: 'eve', id });
    await control.add('vals', { author: 'eve', name: 'fresh', code: '1', version: 4, id });
    await create(emulator, 'fresh');
    await control.add('runs', { val: 'eve/fresh', id });
    await control.add('likes', { user: 'eve', val: 'ada/hello' });
    await control.add('comments', { author: 'eve', val: 'ada/hello', comment: 'Hi', id });

    const [made] = (await control.history()).filter((write) => write.id === 'r2');
    expect(await control.history()).toStrictEqual([
      entry('w1', 'POST /_emulator/records', { users: added }, of('users', id, 'eve')),
      entry('w2', 'POST /_emulator/records', { vals: added, versions: added }, of('vals', id, 'eve/fresh')),
      made,
      entry('w3', 'POST /_emulator/records', { runs: added }, of('runs', id, 'run of eve/fresh')),
      entry('w4', 'POST /_emulator/records', { likes: added }, of('likes', `${HELLO}:${id}`, 'eve likes ada/hello')),
      entry('w5', 'POST /_emulator/records', { comments: added }, of('comments', id, expect.any(String))),
    ]);
  });

  test('excludes reads and failed writes', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await as(emulator, 'ada').get('/v1/me');
    expect((await create(emulator, 'HELLO')).status).toBe(409);
    expect((await create(emulator, 'not-a-name')).status).toBe(400);
    expect((await as(emulator).delete(`/v1/vals/${HELLO}`)).status).toBe(401);
    expect((await as(emulator, 'bob').delete(`/v1/vals/${HELLO}`)).status).toBe(404);
    expect((await as(emulator, 'bob').delete(`/v1/vals/${OTHER}/versions/0`)).status).toBe(400);
    await expect(control.add('users', { username: 'ada' })).rejects.toThrow();
    await expect(control.reseed({ users: 1 })).rejects.toThrow();

    expect(await control.history()).toStrictEqual([]);
  });

  test('rewinds by a number of steps', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    const states = [emulator.state()];
    for (const name of ['one', 'two', 'three']) {
      await create(emulator, name);
      states.push(emulator.state());
    }

    await control.rewind(1);
    expect(emulator.state()).toStrictEqual(states[2]);
    expect((await control.history()).map(({ id }) => id)).toStrictEqual(['r1', 'r2']);

    await control.rewind(2);
    expect(emulator.state()).toStrictEqual(states[0]);
    expect(await control.history()).toStrictEqual([]);
  });

  test('rewinds before the request of an id', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    const before = emulator.state();
    await as(emulator, 'ada').get('/v1/me');
    await create(emulator, 'two');
    await create(emulator, 'three');

    await control.rewind('r3');

    expect(emulator.state()).toStrictEqual(before);
    expect((await control.history()).map(({ id }) => id)).toStrictEqual(['r1']);
  });

  test('the same request has the same response after a rewind', async () => {
    const emulator = await emulate(fixtures, { rateLimit: { limit: 10, window: '1m' } });
    const control = hand(emulator);
    await control.fail('POST /v1/vals', { delay: 1, after: 1, times: 1 });
    await create(emulator, 'one');
    const first = await create(emulator, 'two');

    await control.rewind('r2');
    const again = await create(emulator, 'two');

    expect(again.body).toStrictEqual(first.body);
    expect(again.headers).toStrictEqual(first.headers);
    expect((await control.history()).map(({ id }) => id)).toStrictEqual(['r1', 'r3']);
    expect(await control.faults()).toMatchObject([{ seen: 2, hits: 1 }]);
  });

  test('a rewind restores clock and faults', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.fail('GET /v1/me', { status: 503 });
    await create(emulator, 'one');
    await control.disarm();
    await control.advance('1d');
    await create(emulator, 'two');

    await control.rewind(2);

    expect(await control.clock()).toStrictEqual({ now: NOW, frozen: true });
    expect((await control.faults()).map(({ route }) => route)).toStrictEqual(['GET /v1/me']);
  });

  test('a rewind keeps settings that changed between two commits', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    await control.fail('GET /v1/me', { status: 503 });
    await control.advance('1d');
    await create(emulator, 'two');

    await control.rewind(1);

    expect(await control.clock()).toStrictEqual({ now: '2024-06-12T22:05:12.585Z', frozen: true });
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(503);
  });

  test.each<[number | string, string]>([
    [3, 'Cannot take back 3 commits: the history has the last 2.'],
    ['r2', 'There is no commit "r2": the history has the last 2. The last one before it is r1.'],
    ['', 'There is no commit "": the history has the last 2.'],
  ])('rewinding to %j is refused', async (to, message) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    await as(emulator, 'ada').get('/v1/me');
    await create(emulator, 'two');
    const before = emulator.state();

    await expect(control.rewind(to)).rejects.toHaveProperty('message', message);

    expect(emulator.state()).toStrictEqual(before);
    expect(await control.history()).toHaveLength(2);
  });

  test('reset and restore clear it', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.snapshot('start');
    await create(emulator, 'one');
    await control.restore('start');
    expect(await control.history()).toStrictEqual([]);

    await create(emulator, 'one');
    await control.reset();
    expect(await control.history()).toStrictEqual([]);

    await control.add('users', { username: 'eve' });
    expect((await control.history()).map(({ id }) => id)).toStrictEqual(['w1']);
  });
});

test('a list has the last 100 commits, and all can be taken back', async () => {
  const emulator = await emulate(fixtures, { listen: false });
  for (let i = 0; i < 102; i++) await emulator.add.run({ val: 'ada/hello' });

  const history = emulator.history();

  expect(history).toHaveLength(100);
  expect(history.map(({ id }) => id).slice(0, 2)).toStrictEqual(['w3', 'w4']);
  expect(history.at(-1)?.id).toBe('w102');
  expect(() => emulator.rewind('w103')).toThrow(
    new NotFoundError('There is no commit "w103": the history has the last 102. The last one before it is w102.'),
  );
  expect(() => emulator.rewind(103)).toThrow(
    new NotFoundError('Cannot take back 103 commits: the history has the last 102.'),
  );
  await emulator.rewind('w2');
  expect(emulator.state().runs).toHaveLength(3 + 1);
  await emulator.rewind(1);
  expect(emulator.state().runs).toHaveLength(3);
  expect(emulator.history()).toStrictEqual([]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is an invalid number of steps', async (steps) => {
  const emulator = await emulate(fixtures, { listen: false });
  for (let i = 0; i < 3; i++) await emulator.add.run({ val: 'ada/hello' });

  expect(() => emulator.rewind(steps)).toThrow(`Cannot take back ${steps} commits: the history has the last 3.`);

  expect(emulator.history()).toHaveLength(3);
});

describe('POST /_emulator/rewind', () => {
  const expected = 'expected exactly one of steps and before.';

  test.each([
    [{}, malformed('body', `found {}; ${expected}`)],
    [{ steps: 1, before: 'r1' }, malformed('body', `found {"steps":1,"before":"r1"}; ${expected}`)],
    [{ steps: 0 }, malformed('body.steps', 'found 0; expected at least 1.')],
    [{ steps: '1' }, malformed('body.steps', 'found "1"; expected a whole number.')],
    [{ to: 'r1' }, malformed('body.to', 'unknown key. Known keys: steps, before.')],
  ])('%j returns 400', async (body, answer) => {
    const response = await as(await emulate(fixtures))
      .post('/_emulator/rewind')
      .send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(answer);
  });
});
