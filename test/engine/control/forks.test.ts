import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import type { Sandbox } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';

const fixtures = {
  users: [{ username: 'ada' }],
  tokens: [{ user: 'ada', token: 'reader', scopes: ['user:read' as const] }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
};

const send = (sandbox: Pick<Sandbox, 'fetch'>, token: string, name: string) =>
  sandbox.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, code: '1' }),
  });
const added = (name: string) => ({ expect: [{ collection: 'vals', type: 'added', after: { name } }] });

describe('forks', () => {
  test.skipIf(isShared)('begin from a state, are scored against it, and closed', async () => {
    const emulator = await emulate(fixtures);
    await send(emulator, 'ada-token', 'before');
    const forks = emulator.forks(3, { prefix: 'try', from: 'r1' });
    expect(forks.map(({ name }) => name)).toEqual(['try-1', 'try-2', 'try-3']);
    await send(forks[0] ?? emulator, 'ada-token', 'one');
    await send(forks[1] ?? emulator, 'ada-token', 'two');

    const kept = emulator.scoreForks(forks, { ...added('one'), close: false });

    expect(kept).toMatchObject([
      { name: 'try-1', pass: true, score: 1 },
      { name: 'try-2', pass: false, score: 0, total: 1 },
      { name: 'try-3', pass: false, score: 0, total: 0 },
    ]);
    expect(emulator.scoreForks(forks, added('one'))).toEqual(kept);
    expect(emulator.sandboxes()).toEqual([]);
    expect(() => emulator.scoreForks(forks)).toThrow('There is no sandbox "try-1".');
  });

  test('have tokens that are valid in them only', async () => {
    const emulator = await emulate(fixtures);
    const { body } = await as(emulator).post('/_emulator/forks').send({ count: 2, tokens: true });
    const [first, second] = body.forks;
    const { token } = first.users[0];
    const me = async (url: string, bearer: string) =>
      (await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect(await me(first.url, token)).toBe(200);
    expect(await me(second.url, token)).toBe(401);
    expect(await me(emulator.url, token)).toBe(401);
    expect(await me(first.url, 'ada-token')).toBe(401);
    expect(await me(first.url, 'reader')).toBe(401);
    const { body: scored } = await as(emulator).post('/_emulator/forks/score').send({ prefix: 'fork-' });
    expect(scored).toMatchObject({ passed: 2, mean: 1, scores: [{ name: first.name }, { name: second.name }] });
  });

  test.skipIf(isShared)('have the mean of their scores over HTTP', async () => {
    const emulator = await emulate(fixtures);
    const forks = emulator.forks(4);
    await send(forks[2] ?? emulator, 'ada-token', 'one');
    const score = async (body: object) =>
      (await as(emulator).post('/_emulator/forks/score').send(body).expect(200)).body;
    expect(await score({ prefix: 'fork-', ...added('one') })).toMatchObject({ passed: 1, mean: 0.25 });
    expect(await score({ names: [] })).toEqual({ passed: 0, mean: 0, scores: [] });
  });

  test('are the same by the client', async () => {
    const emulator = await emulate(fixtures);
    const remote = connect(emulator.url);
    const forks = await remote.forks(2, { prefix: 'far' });
    const [one] = forks;
    if (one) await send(one, 'ada-token', 'one');
    const scores = await remote.scoreForks(forks, added('one'));
    expect(scores.map(({ name, score }) => [name, score])).toEqual([
      ['far-1', 1],
      ['far-2', 0],
    ]);
    expect(emulator.sandboxes()).toEqual([]);
  });

  test('are selected by a prefix without other sandboxes, and these with a state to compare with', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator).post('/_emulator/forks').send({ count: 1, prefix: 'job' });
    await as(emulator, 'ada').get('/_sandbox/job-typo/v1/me');
    const score = async (body: object) => (await as(emulator).post('/_emulator/forks/score').send(body)).body;
    const all = await score({ prefix: 'job-', before: 'commit:start', close: false });
    expect(all.scores.map(({ name }: Sandbox) => name).sort()).toEqual(['job-1', 'job-typo']);
    expect(await score({ prefix: 'job-' })).toMatchObject({ passed: 1, scores: [{ name: 'job-1', score: 1 }] });
    expect((await score({ prefix: '' })).message).toBe('body.prefix: found ""; expected at least 1 character.');
    const many = Array.from({ length: 1_001 }, () => ({ collection: 'vals' }));
    expect((await score({ prefix: 'job', expect: many })).message).toMatch(/expected at most 1000 items\.$/);
  });

  test.skipIf(isShared)('above the limit none is opened', async () => {
    const emulator = await emulate(fixtures, { maxSandboxes: 3, sandboxIdle: '1h' });
    emulator.sandbox('mine');
    const message =
      'Sandbox limit reached (maxSandboxes: 3): 1 are open, and 3 more do not fit. Close some, open fewer, or raise the limit.';
    expect(() => emulator.forks(3)).toThrow(message);
    const { status, body } = await as(emulator).post('/_emulator/forks').send({ count: 3 });
    expect({ status, message: body.message }).toEqual({ status: 503, message });
    expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['mine']);
    expect(emulator.forks(2)).toHaveLength(2);
  });

  test.skipIf(isShared)('of two requests at the same time do not close each other', async () => {
    const emulator = await emulate(fixtures, { maxSandboxes: 300, sandboxIdle: '1h' });
    const open = (prefix: string) => as(emulator).post('/_emulator/forks').send({ count: 200, prefix });
    const responses = await Promise.all([open('a'), open('b')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 503]);
    const opened = responses.find(({ status }) => status === 201)?.body.forks.map(({ name }: Sandbox) => name);
    expect(emulator.sandboxes().map(({ name }) => name)).toEqual(opened);
  });

  test.skipIf(isShared)('are closed after their time to live, also while they are used', async () => {
    const emulator = await emulate(fixtures);
    const [fork] = emulator.forks(1, { ttl: 300, prefix: 'brief' });
    expect(emulator.sandboxes()).toMatchObject([{ name: 'brief-1', expiresAt: expect.any(String) }]);
    const deadline = Date.now() + 5_000;
    const path = '/_sandbox/brief-1/v1/me';
    const get = async () =>
      (await fetch(emulator.url + path, { headers: { authorization: 'Bearer ada-token' } })).json();
    expect(await get()).toMatchObject({ username: 'ada' });
    let last: unknown;
    while (fork?.meta.closed === undefined && Date.now() < deadline) last = await get();
    expect(last).toMatchObject({
      message:
        'Sandbox "brief-1" is closed: it expired, since its time to live is over. Create it again, or use another name.',
    });
    expect(emulator.sandboxes()).toEqual([]);
  });

  test.skipIf(isShared)('are not scored after their time to live', async () => {
    const emulator = await emulate(fixtures);
    const forks = emulator.forks(1, { ttl: 1 });
    await expect.poll(() => emulator.sandboxes()).toEqual([]);
    const late = emulator.forks(1, { ttl: 1 });
    await sleep(50);
    for (const each of [forks, late]) {
      const open = emulator.forks(1);
      expect(emulator.scoreForks([...each, ...open], { expect: [{ collection: 'vals' }] })).toMatchObject([
        { pass: false, score: 0, closed: 'it expired, since its time to live is over' },
        { pass: false, score: 0, missing: [{}] },
      ]);
    }
  });

  test.skipIf(isShared)('outlive the year 9999 as if they had no time to live', async () => {
    const emulator = await emulate(fixtures);
    emulator.forks(1, { ttl: 1e300 });
    expect(emulator.sandboxes()).toMatchObject([{ name: 'fork-1', expiresAt: null }]);
  });

  test('need a number, a state, and a selection', async () => {
    const emulator = await emulate(fixtures);
    expect(() => emulator.forks(0)).toThrow('option count: found 0; expected');
    expect(() => emulator.forks(1, { ttl: 'soon' })).toThrow('option ttl: found "soon"; expected milliseconds');
    expect(() => emulator.forks(1, { from: 'nothing' })).toThrow('There is no state "nothing"');
    expect(() => emulator.forks(1, { ttl: '0s' })).toThrow('option ttl: found "0s"; expected at least 1 ms.');
    expect(() => emulator.forks(1, { prefix: 'job 7' })).toThrow('option prefix: found "job 7"; expected 1 to 50 of');
    const score = (body: object) => as(emulator).post('/_emulator/forks/score').send(body);
    expect((await score({ prefix: 'job7' })).body).toMatchObject({
      statusCode: 404,
      message: 'There is no fork whose name begins with "job7".',
    });
    await emulator.sandbox('mine');
    expect((await score({ names: ['mine'] })).body.message).toMatch(
      /^There is no state "snapshot:fork"\..* The sandbox is "mine"\.$/,
    );
    // @ts-expect-error a program without types
    expect(() => emulator.scoreForks(['fork-1'])).toThrow(
      'option forks: found ["fork-1"]; expected a list of sandboxes',
    );
    // @ts-expect-error a program without types
    expect(() => emulator.scoreForks('mine')).toThrow('option forks: found "mine"; expected a list of sandboxes.');
    const { status, body } = await score({});
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: expect.stringContaining('expected either prefix or names'),
    });
  });
});
