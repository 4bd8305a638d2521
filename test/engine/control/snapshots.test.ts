import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { malformed } from '../../support/errors.js';
import { hand } from '../../support/hands.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};

const create = (emulator: Emulator, name: string) => as(emulator, 'ada').post('/v1/vals').send({ name, code: '1' });
const names = (emulator: Emulator) => emulator.state().vals.map(({ name }) => name);

describe('by the client', () => {
  test('the list of snapshots is empty at first', async () => {
    expect(await hand(await emulate(fixtures)).snapshots()).toStrictEqual([]);
  });

  test('a snapshot can be restored several times', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    expect(await control.snapshot('after one')).toBe('after one');

    for (const name of ['two', 'three', 'four']) {
      const response = await create(emulator, name);
      expect(response.status).toBe(200);
      await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`);
      expect(names(emulator)).toStrictEqual(['one', name]);
      await control.restore('after one');
      expect(names(emulator)).toStrictEqual(['hello', 'one']);
    }

    expect(await control.snapshots()).toStrictEqual([{ name: 'after one', time: NOW }]);
  });

  test('the same requests have the same responses after each restore', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    const name = await control.snapshot();
    const first = await create(emulator, 'two');

    await control.restore(name);
    await create(emulator, 'other');
    await control.restore(name);

    expect((await create(emulator, 'two')).body).toStrictEqual(first.body);
  });

  test('snapshots are listed in the order in which they are taken, with the time of the sandbox', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);

    await control.snapshot('b');
    await control.advance('1m');
    await control.snapshot('a');

    expect(await control.snapshots()).toStrictEqual([
      { name: 'b', time: NOW },
      { name: 'a', time: '2024-06-11T22:06:12.585Z' },
    ]);
  });

  test('a snapshot of the same name replaces the other, last in the list', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.snapshot('a');
    await control.snapshot('b');
    await create(emulator, 'one');
    await control.advance('1m');

    await control.snapshot('a');

    expect(await control.snapshots()).toStrictEqual([
      { name: 'b', time: NOW },
      { name: 'a', time: '2024-06-11T22:06:12.585Z' },
    ]);
    await control.restore('b');
    expect(names(emulator)).toStrictEqual(['hello']);
    await control.restore('a');
    expect(names(emulator)).toStrictEqual(['hello', 'one']);
  });

  test('a snapshot without a name gets a new one', async () => {
    const control = hand(await emulate(fixtures));

    expect(await control.snapshot()).toBe('snapshot-1');
    expect(await control.snapshot('snapshot-3')).toBe('snapshot-3');
    expect(await control.snapshot()).toBe('snapshot-4');
    await control.dropSnapshot('snapshot-1');
    expect(await control.snapshot()).toBe('snapshot-5');
    expect((await control.snapshots()).map(({ name }) => name)).toStrictEqual([
      'snapshot-3',
      'snapshot-4',
      'snapshot-5',
    ]);
  });

  test.each(['with spaces', 'a/b?c#d', '%41', 'ünïcode 🎉'])('a name may be %j', async (name) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.snapshot(name);
    await create(emulator, 'one');

    await control.restore(name);

    expect(names(emulator)).toStrictEqual(['hello']);
    await control.dropSnapshot(name);
    expect(await control.snapshots()).toStrictEqual([]);
  });

  test('reset and reseed keep snapshots', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await create(emulator, 'one');
    await control.snapshot('kept');

    await control.reset();
    expect(names(emulator)).toStrictEqual(['hello']);
    await control.reseed({ users: [{ username: 'eve' }] });
    expect(names(emulator)).toStrictEqual([]);

    expect(await control.snapshots()).toStrictEqual([{ name: 'kept', time: NOW }]);
    await control.restore('kept');
    expect(names(emulator)).toStrictEqual(['hello', 'one']);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    await control.reset();
    expect(emulator.users.map(({ username }) => username)).toStrictEqual(['eve']);
  });

  test('a restore includes clock, faults and their counters', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.freeze('2030-01-01T00:00:00Z');
    await control.fail('GET /v1/me', { status: 503, after: 1, times: 1 });
    await as(emulator, 'ada').get('/v1/me');
    const [fault] = await control.faults();
    await control.snapshot('then');
    await as(emulator, 'ada').get('/v1/me');
    await control.disarm();
    await control.fail('*', { status: 418 });
    await control.resume();

    await control.restore('then');

    expect(await control.clock()).toStrictEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    expect(await control.faults()).toStrictEqual([fault]);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(503);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    expect((await control.fail('*')).id).toBe('f2');
  });

  test.each([
    ['nothing', 'There is no snapshot "nothing".'],
    ['before-lgoin', 'There is no snapshot "before-lgoin". Did you mean "before-login"?'],
  ])('restoring the unknown snapshot %s changes nothing', async (name, message) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.snapshot('before-login');
    await create(emulator, 'one');

    await expect(control.restore(name)).rejects.toHaveProperty('message', message);

    expect(names(emulator)).toStrictEqual(['hello', 'one']);
    expect(await control.history()).toHaveLength(1);
  });
});

describe('over HTTP', () => {
  test('POST returns the snapshot as in the list', async () => {
    const emulator = await emulate(fixtures, { now: undefined });

    const { status, body } = await as(emulator).post('/_emulator/snapshots').send({ name: 'one' });

    expect(status).toBe(201);
    expect(body).toStrictEqual({ name: 'one', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    expect((await as(emulator).get('/_emulator/snapshots')).body).toStrictEqual([body]);
  });

  test('POST needs no body', async () => {
    const response = await as(await emulate(fixtures)).post('/_emulator/snapshots');

    expect(response.status).toBe(201);
    expect(response.body).toStrictEqual({ name: 'snapshot-1', time: NOW });
  });

  test.each([
    [{ name: '' }, malformed('body.name', 'found ""; expected a name.')],
    [{ name: 1 }, malformed('body.name', 'found 1; expected a name.')],
    [{ nam: 'one' }, malformed('body.nam', 'unknown key. Did you mean "name"?')],
  ])('%j returns 400', async (body, answer) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).post('/_emulator/snapshots').send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(answer);
    expect(emulator.snapshots()).toStrictEqual([]);
  });
});
