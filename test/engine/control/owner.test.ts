import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SandboxRecord } from '#engine/sandbox/sandbox-record.js';
import { connect } from '#tools/client/index.js';
import { as, createEmulator, emulate, isShared } from '../../support/emulate.js';
import { makeFolder } from '../persistence/folder.js';

const fixtures = { users: [{ username: 'ada' }], vals: [] };
const START = '2026-01-01T00:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(START) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The nodes of a shared store have the time of the store, which no test can set. */
const testOfTime = test.skipIf(isShared);

const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

testOfTime('a sandbox has its owner, and the times at which it is created and expires', async () => {
  const emulator = await emulate(fixtures, { sandboxIdle: '1h' });
  await emulator.sandbox('one', { owner: 'job-17' });
  pass(10);
  await as(emulator).post('/_emulator/sandboxes').send({ name: 'two', owner: 'ada' });
  await (await emulator.sandbox('one')).add.user({ username: 'eve' });

  const expiresAt = '2026-01-01T01:10:00.000Z';
  expect((await as(emulator).get('/_emulator/sandboxes')).body).toMatchObject([
    { name: 'one', owner: 'job-17', createdAt: START, expiresAt },
    { name: 'two', owner: 'ada', createdAt: '2026-01-01T00:10:00.000Z', expiresAt },
  ]);
});

test('a sandbox created by a request has no owner', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').get('/_sandbox/one/v1/me');

  expect(emulator.sandboxes()).toMatchObject([{ name: 'one', owner: null, expiresAt: null }]);
});

testOfTime('an existing sandbox keeps its owner, and one that is created again has none', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = await emulator.sandbox('one', { owner: 'job-17' });
  pass(1);
  await emulator.sandbox('one', { owner: 'job-18' });
  await (await emulator.sandbox('one')).reset();
  expect(emulator.sandboxes()).toMatchObject([{ owner: 'job-17', createdAt: START }]);

  await sandbox.close();
  await emulator.sandbox('one');
  expect(emulator.sandboxes()).toMatchObject([{ owner: null, createdAt: '2026-01-01T00:01:00.000Z' }]);
});

test('a fork has an owner of its own', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = await emulator.sandbox('one', { owner: 'job-17' });
  await sandbox.fork('two');
  await sandbox.fork('three', undefined, { owner: 'ada' });
  const client = connect(sandbox.url);
  await client.fork('four', undefined, { owner: 'eve' });
  await client.sandbox('five', { owner: 'job-18' });

  expect(emulator.sandboxes().map(({ name, owner }) => [name, owner])).toStrictEqual([
    ['one', 'job-17'],
    ['two', null],
    ['three', 'ada'],
    ['four', 'eve'],
    ['five', 'job-18'],
  ]);
});

test('a fork says which state it was forked from', async () => {
  const emulator = await emulate(fixtures);
  await emulator.fork('at-start');
  await as(emulator, 'ada').post('/v1/vals').send({ name: 'one', code: '1' });
  const copy = await emulator.fork('copy');
  await copy.fork('copy-of-copy');
  await emulator.fork('again', 'r1', { owner: 'ada' });
  await emulator.sandbox('new');

  const { body } = await as(emulator).get('/_emulator/sandboxes');
  expect(Object.fromEntries(body.map((each: SandboxRecord) => [each.name, each.forkedFrom]))).toStrictEqual({
    'at-start': { sandbox: '', commit: null },
    copy: { sandbox: '', commit: 'r1' },
    'copy-of-copy': { sandbox: 'copy', commit: null },
    again: { sandbox: '', commit: 'r1' },
    new: null,
  });
});

test.each(['', 'x'.repeat(101)])('an owner is 1 to 100 characters, not %j', async (owner) => {
  const emulator = await emulate(fixtures);
  const message = expect.stringContaining('expected 1 to 100 characters');

  await expect(async () => emulator.sandbox('one', { owner })).rejects.toThrow('expected 1 to 100 characters');
  await expect(async () => emulator.fork('one', undefined, { owner })).rejects.toThrow('expected 1 to 100 characters');
  for (const path of ['sandboxes', 'fork']) {
    const { status, body } = await as(emulator).post(`/_emulator/${path}`).send({ name: 'one', owner });
    expect([status, body.problems]).toStrictEqual([400, [{ path: 'body.owner', message }]]);
  }
  expect(emulator.sandboxes()).toStrictEqual([]);
  await emulator.sandbox('long', { owner: '😀'.repeat(100) });
});

test.skipIf(isShared)('owner and age are kept in a data folder', async () => {
  const data = makeFolder();
  const options = { fixtures, data, listen: false, sandboxIdle: '1h' };
  {
    await using first = await createEmulator(options);
    await (await first.sandbox('one', { keep: true, owner: 'job-17' })).snapshot();
    await first.sandbox('two', { owner: 'job-18' });
    await (await first.sandbox('three', { keep: true })).add.user({ username: 'eve' });
  }
  pass(1);
  for (const sandbox of ['one', 'three']) {
    await using again = await createEmulator(options);
    await (await again.sandbox(sandbox)).reset();
  }
  await using last = await createEmulator(options);

  expect(last.sandboxes()).toMatchObject([
    { name: 'one', owner: 'job-17', createdAt: START, expiresAt: null, kept: true },
    { name: 'three', owner: null, createdAt: START, expiresAt: null, kept: true },
  ]);
});

test.skipIf(isShared)(
  'without a shared store, a confirmation of a reset and of other seed data is optional',
  async () => {
    const emulator = await emulate(fixtures);
    const client = connect(emulator.url);

    await client.reset();
    await client.reset();
    await client.reset({ confirm: false });
    await client.reseed('empty');
    await client.reseed('empty');
    const statuses = [
      await as(emulator).post('/_emulator/reset').set('content-type', 'application/json'),
      await as(emulator).post('/_emulator/reset').send({ confirm: true }),
      await as(emulator).post('/_emulator/reset').send({ confirm: 'yes' }),
      await as(emulator).post('/_emulator/reset').send({ confirmed: true }),
      await as(emulator).put('/_emulator/seed?confirm=yes').send({ fixtures: 'empty' }),
    ].map(({ status }) => status);
    expect(statuses).toStrictEqual([200, 200, 400, 400, 400]);
  },
);
