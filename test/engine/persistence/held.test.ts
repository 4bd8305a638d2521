import { expect, test, vi } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { createEmulator, NOW } from '../../support/emulate.js';
import { waitFor } from '../../support/wait.js';
import { create, FIXTURES, failDisk, holdSyncs, makeFolder, namesOf, openData, send } from './folder.js';

const LATER = '2031-05-05T05:05:05.000Z';
/** As the header Date has it. */
const toDate = (time: string) => new Date(time).toUTCString();

/** The changes of everything that a read takes from the state, each with the status of its response. */
const CHANGES = [
  ['POST', '/_emulator/records/comments', { author: 'ada', val: 'ada/hello', comment: 'shown too early' }, 201],
  ['PUT', '/_emulator/clock', { freeze: LATER }, 200],
  ['PUT', '/_emulator/rate-limit', { limit: 1_000, window: '1h' }, 200],
  ['POST', '/_emulator/records/users', { username: 'grace', token: 'grace-token' }, 201],
  ['POST', '/_emulator/faults', { route: 'GET /v1/me', status: 418 }, 201],
  ['PATCH', '/_emulator/db/vals', { name: 'renamed' }, 200],
] as const;

/** Lets no sync end, and waits until one has begun. */
async function hold(begin: () => Promise<unknown>) {
  const syncs = await holdSyncs();
  const done = begin();
  await waitFor(() => expect(syncs.spy).toHaveBeenCalled());
  return { ...syncs, done };
}

/** What two clients can read: data, caller, clock, settings and faults. */
async function look(emulator: Emulator) {
  const get = async (path: string, user: string) => {
    const { status, headers } = await emulator.fetch(path, { headers: { authorization: `Bearer ${user}-token` } });
    return [status, headers.get('date'), headers.get('x-ratelimit-limit')];
  };
  const { id } = JSON.parse((await send(emulator, 'GET', '/v1/alias/ada')).text);
  const { data } = JSON.parse((await send(emulator, 'GET', `/v1/users/${id}/vals`)).text);
  const vals = data.map(({ name }: { readonly name: string }) => name);
  const comments = JSON.parse((await send(emulator, 'GET', '/v1/me/comments?relationship=any')).text).data.length;
  return { vals, comments, ada: await get('/v1/me', 'ada'), grace: await get('/v1/me', 'grace') };
}

test('neither a control change nor the writes before it can be read until they are synced', async () => {
  const emulator = await openData(makeFolder());
  const before = await look(emulator);
  expect(before).toMatchObject({ vals: ['hello'], comments: 0, ada: [200, expect.anything(), null] });
  expect(before.grace[0]).toBe(401);
  const id = emulator.state().vals[0]?.id;
  const { release, done } = await hold(() => create(emulator, 'second'));
  let responses = 0;
  const changing = CHANGES.map(async ([method, path, body, status]) => {
    const target = method === 'PATCH' ? `${path}/${id}` : path;
    const response = await send(emulator, method, target, body);
    responses++;
    expect([method, path, response.status]).toEqual([method, path, status]);
  });
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await look(emulator)).toEqual(before);
  }
  expect(responses).toBe(0);
  release();
  await Promise.all([done, ...changing]);
  const after = await look(emulator);
  expect(after).toEqual({
    vals: ['second', 'renamed'],
    comments: 1,
    ada: [418, toDate(LATER), '1000'],
    grace: [418, toDate(LATER), '1000'],
  });
});

test('each control change can be read after its own sync, in order with the writes before it', async () => {
  const emulator = await openData(makeFolder());
  const { spy, step, done } = await hold(() => create(emulator, 'second'));
  // They are in the next group of lines.
  const later = Promise.all([
    send(emulator, 'PUT', '/_emulator/clock', { freeze: LATER }),
    create(emulator, 'third'),
    send(emulator, 'POST', '/_emulator/records/users', { username: 'grace', token: 'grace-token' }),
  ]);
  step();
  await done;
  await waitFor(() => expect(spy).toHaveBeenCalledTimes(2));
  const { vals, ada, grace } = await look(emulator);
  expect([vals, ada[1], grace[0]]).toEqual([['second', 'hello'], toDate(NOW), 401]);
  step();
  await later;
  const after = await look(emulator);
  expect([after.vals, after.ada[1], after.grace[0]]).toEqual([['third', 'second', 'hello'], toDate(LATER), 200]);
});

test('a reset, a rewind and a restore wait for their sync', async () => {
  const emulator = await openData(makeFolder());
  await create(emulator, 'second');
  emulator.snapshot('two');
  await create(emulator, 'third');
  await emulator.saved();
  for (const [path, body, names] of [
    ['/_emulator/rewind', { steps: 1 }, ['second', 'hello']],
    ['/_emulator/snapshots/two/restore', undefined, ['second', 'hello']],
    ['/_emulator/reset', undefined, ['hello']],
  ] as const) {
    const { vals } = await look(emulator);
    const { release, done } = await hold(() => send(emulator, 'POST', path, body));
    expect((await look(emulator)).vals).toEqual(vals);
    release();
    await done;
    expect((await look(emulator)).vals).toEqual(names);
    vi.restoreAllMocks();
  }
});

test('a generated dataset can be read once it is synced', async () => {
  const emulator = await openData(makeFolder());
  const { release, done } = await hold(() =>
    send(emulator, 'PUT', '/_emulator/seed', { generate: { users: 2, vals: 3, runs: 4 } }),
  );
  expect((await look(emulator)).vals).toEqual(['hello']);
  release();
  await done;
  expect((await send(emulator, 'GET', '/v1/me')).status).toBe(401);
  // A method resolves once the data are kept.
  await emulator.reseed({ generate: { users: 1, vals: 1, runs: 1, seed: 2 } });
  const [user] = emulator.users;
  const headers = { authorization: `Bearer ${user?.token}` };
  expect((await emulator.fetch('/v1/me', { headers })).status).toBe(200);
});

test('counters of faults and of the rate limit are exact while a change waits', async () => {
  const emulator = await openData(makeFolder(), { rateLimit: { limit: 20, window: '1h' } });
  emulator.fail('GET /v1/me', { status: 418, times: 3 });
  await emulator.saved();
  const { release, done } = await hold(() => create(emulator, 'second'));
  // One fault is disarmed, and another one of the same route armed: neither is known yet.
  const changing = [
    send(emulator, 'DELETE', '/_emulator/faults/f1'),
    send(emulator, 'POST', '/_emulator/faults', { route: 'GET /v1/me', status: 503, times: 2 }),
  ];
  const statuses: number[] = [];
  for (let i = 0; i < 2; i++) statuses.push((await send(emulator, 'GET', '/v1/me')).status);
  release();
  await Promise.all([done, ...changing]);
  for (let i = 0; i < 3; i++) statuses.push((await send(emulator, 'GET', '/v1/me')).status);
  expect(statuses).toEqual([418, 418, 503, 503, 200]);
  expect(emulator.faults()).toMatchObject([{ seen: 2, hits: 2, remaining: 0 }]);
  expect(emulator.rateLimit.read().windows).toMatchObject([{ requests: 6 }]);
});

test('an error about an unsynced change waits for its sync', async () => {
  const emulator = await openData(makeFolder());
  const id = emulator.state().vals[0]?.id;
  const { release, done } = await hold(() => send(emulator, 'DELETE', `/v1/vals/${id}`));
  const errors: number[] = [];
  const waiting = [
    send(emulator, 'PUT', `/v1/vals/${id}`, { name: 'other' }),
    send(emulator, 'GET', `/_emulator/records/vals/${id}`),
  ].map(async (response) => errors.push((await response).status));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(errors).toEqual([]);
  expect((await send(emulator, 'GET', `/v1/vals/${id}`)).status).toBe(200);
  release();
  await Promise.all([done, ...waiting]);
  expect(errors).toEqual([404, 404]);
});

test('a commit is an event once it is synced', async () => {
  const emulator = await openData(makeFolder());
  const { body } = await emulator.fetch('/_emulator/events');
  if (!body) throw new Error('there is a body');
  let text = '';
  const reading = (async () => {
    for await (const chunk of body) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  const { release, done } = await hold(() => create(emulator, 'second'));
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(text).toContain('event: clock');
  expect(text).not.toContain('event: commit');
  release();
  await done;
  await waitFor(() => expect(text).toContain('event: commit'));
  await emulator.close();
  await reading;
});

test('a change of a method can be read at once, with all changes that wait before it', async () => {
  const emulator = await openData(makeFolder());
  const { release, done } = await hold(() => create(emulator, 'second'));
  emulator.add.user({ username: 'grace', token: 'grace-token' });
  const { vals, grace } = await look(emulator);
  expect(vals).toEqual(['second', 'hello']);
  expect(grace[0]).toBe(200);
  release();
  await done;
});

test('a control change that fails is taken back with the writes before it', async () => {
  const emulator = await openData(makeFolder(), { onDataError: () => {} });
  const before = await look(emulator);
  await failDisk('datasync', 'EIO');
  const responses = await Promise.all([
    create(emulator, 'second'),
    send(emulator, 'PUT', '/_emulator/clock', { freeze: LATER }),
    send(emulator, 'POST', '/_emulator/records/users', { username: 'grace', token: 'grace-token' }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await look(emulator)).toEqual(before);
  expect(namesOf(emulator)).toEqual(['hello']);
});

test('in memory every change can be read at once, and no response waits', async () => {
  await using emulator = await createEmulator({ fixtures: FIXTURES, listen: false });
  const { store } = emulator;
  const { committed } = store;
  emulator.fail('GET /v1/me');
  expect(store.committed).not.toBe(committed);
  expect(store.committed.state).toBe(store.state);
  expect(store.waiting).toBeUndefined();
});
