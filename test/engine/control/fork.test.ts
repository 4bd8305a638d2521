import { describe, expect, expectTypeOf, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, NotFoundError, OptionsError, type Sandbox } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { badRequest, notFound } from '../../support/errors.js';

const fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
};

const create = async (sandbox: Pick<Sandbox, 'fetch'>, name: string) => {
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const response = await sandbox.fetch('/v1/vals', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, code: '1' }),
  });
  expect(response.status).toBe(200);
  return response.text();
};
const names = (sandbox: Pick<Sandbox, 'state'>) => sandbox.state().vals.map(({ name }) => name);
const post = (emulator: Emulator, path: string, body: object) => as(emulator).post(`/_emulator${path}`).send(body);

test('a fork has the state of its source, with an empty journal and history', async () => {
  const emulator = await emulate(fixtures);
  await create(emulator, 'one');
  await emulator.clock.set('2030-01-01T00:00:00Z');
  await emulator.fail('GET /v1/me', { status: 503 });

  const fork = await emulator.fork('copy');

  expect(fork.url).toBe(`${emulator.url}/_sandbox/copy`);
  expect(JSON.stringify(fork.state())).toBe(JSON.stringify(emulator.state()));
  expect(fork.clock.read()).toStrictEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
  expect(fork.faults()).toStrictEqual(emulator.faults());
  expect(fork.requests()).toStrictEqual([]);
  expect(fork.history()).toStrictEqual([]);
  expect(emulator.sandboxes().map(({ name }) => name)).toStrictEqual(['copy']);
});

test('writes in a fork do not change its source, nor the other way round', async () => {
  const emulator = await emulate(fixtures);
  const fork = await emulator.fork('copy');
  await create(fork, 'one');
  await fork.fail('GET /v1/me', { status: 503 });
  await create(emulator, 'two');

  expect(names(fork)).toStrictEqual(['hello', 'one']);
  expect(names(emulator)).toStrictEqual(['hello', 'two']);
  expect(emulator.faults()).toStrictEqual([]);
});

test('the same request gets the same response in a fork', async () => {
  const emulator = await emulate(fixtures);
  await create(emulator, 'one');
  const fork = await emulator.fork();

  const there = await create(fork, 'two');

  expect(there.replaceAll(`${emulator.url}/_sandbox/${fork.name}`, emulator.url)).toBe(await create(emulator, 'two'));
});

test('a fork at a commit equals a rewind of another fork, byte for byte', async () => {
  const emulator = await emulate(fixtures);
  for (const name of ['one', 'two', 'three', 'four']) await create(emulator, name);
  const states: string[] = [];
  for (const { id } of emulator.history()) {
    const fork = await emulator.fork(`at-${id}`, id);
    states.push(JSON.stringify(fork.state()));
  }

  const rewound: string[] = [];
  for (const { id } of emulator.history().toReversed()) {
    rewound.unshift(JSON.stringify(emulator.state()));
    await emulator.rewind(id);
  }

  expect(states).toStrictEqual(rewound);
  expect(new Set(states).size).toBe(4);
});

test('a fork at the start has the state before the oldest commit', async () => {
  const emulator = await emulate(fixtures);
  expect(names(await emulator.fork('empty', 'start'))).toStrictEqual(['hello']);
  for (let i = 0; i < 101; i++) await emulator.add.val({ author: 'ada', name: `v${i}`, code: '1' });

  expect(names(await emulator.fork('oldest', 'start'))).toStrictEqual(['hello']);
  expect(names(await emulator.fork('first', 'w1'))).toStrictEqual(['hello', 'v0']);
});

test('a fork resets to the seed of its source', async () => {
  const emulator = await emulate(fixtures);
  const source = await emulator.sandbox('source');
  await source.reseed({ users: [{ username: 'lin' }] });
  await source.add.user({ username: 'mia' });
  const fork = await source.fork('copy');
  expect(fork.users.map(({ username }) => username)).toStrictEqual(['lin', 'mia']);

  await fork.reset();

  expect(fork.users.map(({ username }) => username)).toStrictEqual(['lin']);
});

test('a fork without a name gets a new one, after its source', async () => {
  const emulator = await emulate(fixtures);

  expect((await emulator.fork()).name).toMatch(/^fork-\d+$/);
  const checkout = await emulator.sandbox('checkout');
  expect((await checkout.fork()).name).toMatch(/^checkout-\d+$/);
});

test('a fork can have the name of a closed sandbox', async () => {
  const emulator = await emulate(fixtures);
  await (await emulator.sandbox('copy')).close();

  await create(await emulator.fork('copy'), 'one');

  expect(names(await emulator.sandbox('copy'))).toStrictEqual(['hello', 'one']);
});

describe('over HTTP', () => {
  test('a fork of the sandbox of the request returns 201 with name and url', async () => {
    const emulator = await emulate(fixtures);
    await create(emulator, 'one');
    await (await emulator.sandbox('source')).add.val({ author: 'ada', name: 'two', code: '1' });

    const response = await as(emulator).post('/_sandbox/source/_emulator/fork').send({ name: 'copy' });

    expect(response.status).toBe(201);
    expect(response.body).toStrictEqual({ name: 'copy', url: `${emulator.url}/_sandbox/copy` });
    expect(names(await emulator.sandbox('copy'))).toStrictEqual(['hello', 'two']);
  });

  test('the body is optional', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).post('/_emulator/fork');

    expect(response.status).toBe(201);
    expect(response.body.name).toMatch(/^fork-\d+$/);
  });

  test('an existing name, an unknown commit and an invalid name create nothing', async () => {
    const emulator = await emulate(fixtures);
    await emulator.sandbox('taken');

    const taken = await post(emulator, '/fork', { name: 'taken' });
    const unknown = await post(emulator, '/fork', { name: 'copy', at: 'r9' });
    const invalid = await post(emulator, '/fork', { name: 'a b' });
    const misspelt = await post(emulator, '/fork', { nam: 'copy' });

    const message = 'there is a sandbox "taken" already; expected a new name, or none for a generated one.';
    expect(taken.status).toBe(422);
    expect(taken.body).toMatchObject({ message: `option name: ${message}`, problems: [{ path: 'name', message }] });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toStrictEqual(notFound('There is no commit "r9": nothing was written yet.'));
    expect(invalid.body).toStrictEqual(
      badRequest('Invalid sandbox name "a b": use 1–64 of A–Z a–z 0–9 . _ -, not only dots'),
    );
    expect(misspelt.body.message).toBe('body.nam: unknown key. Did you mean "name"?');
    expect(emulator.sandboxes().map(({ name }) => name)).toStrictEqual(['taken']);
  });

  test('at the limit of sandboxes a fork returns 503', async () => {
    const emulator = await emulate(fixtures, { maxSandboxes: 1 });
    await emulator.sandbox('one');

    expect((await post(emulator, '/fork', { name: 'two' })).status).toBe(503);
  });
});

test.skipIf(isShared)('a fork by a method throws for an existing name and an unknown commit', async () => {
  const emulator = await emulate(fixtures);
  await emulator.sandbox('taken');

  expect(() => emulator.fork('taken')).toThrow(OptionsError);
  expect(() => emulator.fork('copy', 'r9')).toThrow(NotFoundError);
});

test('a client forks and takes snapshots of past states', async () => {
  const emulator = await emulate(fixtures);
  const remote = connect(emulator.url);
  await create(emulator, 'one');
  await create(emulator, 'two');

  const fork = await remote.fork('copy', 'r1');
  await remote.snapshot('after one', 'r1');
  await remote.restore('after one');

  expectTypeOf(fork).toExtend<{ readonly url: string }>();
  expect(fork.url).toBe(`${emulator.url}/_sandbox/copy`);
  expect((await fork.state()).vals.map(({ name }) => name)).toStrictEqual(['hello', 'one']);
  expect(names(emulator)).toStrictEqual(['hello', 'one']);
});

test('a snapshot of a past state can be restored, also after a rewind of its commit', async () => {
  const emulator = await emulate(fixtures);
  await create(emulator, 'one');
  await create(emulator, 'two');

  await emulator.snapshot('start', 'start');
  const response = await post(emulator, '/snapshots', { name: 'one', at: 'r1' });
  await emulator.rewind('r1');

  expect(response.status).toBe(201);
  await emulator.restore('one');
  expect(names(emulator)).toStrictEqual(['hello', 'one']);
  await emulator.restore('start');
  expect(names(emulator)).toStrictEqual(['hello']);
});

test('a snapshot of an unknown commit returns 404', async () => {
  const emulator = await emulate(fixtures);
  await create(emulator, 'one');

  const response = await post(emulator, '/snapshots', { name: 'one', at: 'r9' });

  expect(response.body).toStrictEqual(
    notFound('There is no commit "r9": the history has the last 1. The last one before it is r1.'),
  );
  expect(emulator.snapshots()).toStrictEqual([]);
});
