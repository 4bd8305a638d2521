import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import type { Fixtures } from '../../../src/index.js';
import { namesOf } from '../../support/changes.js';
import { as, emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1', privacy: 'public' }],
};

/** An emulator in which ada/hello was updated, liked, renamed and deleted. */
async function changeHello() {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' }).expect(200);
  emulator.add.like({ user: 'bob', val: 'ada/hello' });
  await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'welcome', readme: 'Hi' }).expect(204);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);
  return emulator;
}

describe('the names of the changes of a commit', () => {
  test('have the changed fields of a val, and a sign for added and removed records', async () => {
    const emulator = await changeHello();
    expect(emulator.history().map(namesOf)).toStrictEqual([
      ['ada/hello: code'],
      ['+ bob likes ada/hello'],
      ['ada/welcome: name, readme'],
      ['- ada/welcome'],
    ]);
  });

  test('have the word version for a version with the same code', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '1' });
    expect(emulator.history().map(namesOf)).toStrictEqual([['ada/hello: version']]);
  });

  test('have the word content for changed bytes of the same size and time', async () => {
    const emulator = await emulate({
      users: [{ username: 'ada' }],
      sqlite: [{ user: 'ada', sql: 'CREATE TABLE t (a)' }],
    });
    const insert = (value: string) =>
      as(emulator, 'ada')
        .post('/v1/sqlite/execute')
        .send({ statement: `INSERT INTO t VALUES (${value})` })
        .expect(200);
    await insert('1');
    emulator.clock.advance('1h');
    await insert('zeroblob(10000)');
    expect(emulator.history().map(namesOf)).toStrictEqual([
      ['database of ada: content'],
      ['database of ada: size, content'],
    ]);
  });

  test('are ten at most', async () => {
    const emulator = await emulate(fixtures);
    emulator.add.run(Array.from({ length: 20 }, () => ({ val: 'ada/hello' })));
    const history = emulator.history();
    expect(history.map(namesOf)).toStrictEqual([Array.from({ length: 10 }, () => '+ run of ada/hello')]);
    expect(history).toMatchObject([{ total: 20, counts: { runs: { added: 20, changed: 0, removed: 0 } } }]);
  });
});

describe('the history of a record', () => {
  test('has the commits that changed it, with their users and the record before and after', async () => {
    const emulator = await changeHello();
    const history = emulator.history({ record: `vals/${HELLO}` });
    expect(history).toMatchObject([
      { id: 'r1', user: 'ada', changes: [{ fields: ['code'], before: { code: '1' }, after: { code: '2' } }] },
      { id: 'r2', user: 'ada', changes: [{ name: 'ada/welcome', type: 'changed', fields: ['name', 'readme'] }] },
      { id: 'r3', user: 'ada', changes: [{ type: 'removed', before: { name: 'welcome' }, after: null }] },
    ]);
    expect(history.map(({ changes }) => changes.length)).toStrictEqual([1, 1, 1]);
  });

  test.each(['ada/hello', 'ada/welcome', `vals/${HELLO.toUpperCase()}`])(
    'finds a deleted val as %s',
    async (record) => {
      const emulator = await changeHello();
      expect(emulator.history({ record }).map(({ id }) => id)).toStrictEqual(['r1', 'r2', 'r3']);
    },
  );

  test('has a user without the token', async () => {
    const emulator = await emulate(fixtures);
    emulator.add.user({ username: 'eve' });
    const [entry] = emulator.history({ record: 'eve' });
    expect(entry).toMatchObject({ user: null, changes: [{ before: null, after: { username: 'eve' } }] });
    expect(entry?.changes[0]?.after).not.toHaveProperty('token');
  });

  test('is the same over HTTP and for a remote sandbox', async () => {
    const emulator = await changeHello();
    const history = emulator.history({ record: 'ada/hello' });
    const response = await request(emulator.app).get('/_emulator/history').query({ record: 'ada/hello' }).expect(200);
    expect(response.body).toStrictEqual(JSON.parse(JSON.stringify(history)));
    const remote = connect(emulator.url);
    expect(await remote.history({ record: 'ada/hello' })).toStrictEqual(response.body);
  });

  test('of an unknown record returns 404 with the ways to name one', async () => {
    const emulator = await emulate(fixtures);
    const { body } = await request(emulator.app).get('/_emulator/history?record=ada/none').expect(404);
    expect(body.message).toBe(
      'There is no record "ada/none" in the history: use a collection and an id, as in users/<id>, or a name as fixtures have it.',
    );
  });
});
