import { afterEach, expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { connectAgent } from './agent.js';

/** What a task may take. */
const MAX_CALLS = 10;
const MAX_TOKENS = 4_000;

let used = { calls: 0, tokens: 0 };
afterEach(() => {
  expect(used.calls).toBeGreaterThan(0);
  expect(used.calls).toBeLessThanOrEqual(MAX_CALLS);
  expect(used.tokens).toBeLessThanOrEqual(MAX_TOKENS);
});

async function begin() {
  const emulator = await emulate({ users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] });
  const agent = await connectAgent(emulator);
  used = agent.used;
  return { emulator, ...agent };
}

/** Sends a request as a program under test does. */
const send = (emulator: Emulator, method: string, path: string, body?: object, sandbox = '') =>
  fetch(`${emulator.url}${sandbox && `/_sandbox/${sandbox}`}/v1${path}`, {
    method,
    headers: { authorization: 'Bearer ada-token', ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  });

test('adds two users with a private val each', async () => {
  const { emulator, call } = await begin();
  const added = await call('add', {
    users: [{ username: 'grace' }, { username: 'mary' }],
    vals: ['grace', 'mary'].map((author) => ({ author, name: 'draft', code: '2', privacy: 'private' })),
  });
  expect(added.vals).toMatchObject([
    { author: 'grace', privacy: 'private' },
    { author: 'mary', privacy: 'private' },
  ]);
  expect((await call('users')).items.at(-1)).toMatchObject({ username: 'mary', token: 'mary-token' });
  expect(emulator.history()).toHaveLength(1);
});

test('gives a program a blob to read, and an email to find', async () => {
  const { emulator, call } = await begin();
  await call('add', {
    blobs: [{ user: 'ada', key: 'report.json', json: { ready: true } }],
    emails: [{ user: 'ada', to: 'grace@example.com', subject: 'The report' }],
  });
  expect(await (await send(emulator, 'GET', '/blob/report.json')).json()).toEqual({ ready: true });
  const { records } = await call('records', { collection: 'emails' });
  expect(records).toMatchObject([{ subject: 'The report', to: ['grace@example.com'] }]);
});

test('finds the reason of a 400', async () => {
  const { emulator, call } = await begin();
  await send(emulator, 'POST', '/vals', { nam: 'x' });
  const { items } = await call('requests', { status: 400 });
  const { request, response } = await call('request', { id: items[0].id });
  expect(request.body).toEqual({ nam: 'x' });
  expect(response.body.message).toBe("body must have required property 'code'");
});

test('injects a 429 twice, after which requests succeed', async () => {
  const { emulator, call } = await begin();
  await call('fail', { route: 'GET /v1/me', status: 429, times: 2, headers: { 'retry-after': '1' } });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await send(emulator, 'GET', '/me')).status);
  expect(statuses).toEqual([429, 429, 200]);
});

test('makes a client time out, and finds its disconnection', async () => {
  const { emulator, call } = await begin();
  await call('fail', { route: 'GET /v1/me', delay: 5_000 });
  const sent = fetch(`${emulator.url}/v1/me`, { signal: AbortSignal.timeout(50) });
  await expect(sent).rejects.toThrow(/timeout/i);
  await expect.poll(async () => (await call('requests')).items[0].outcome).toBe('aborted');
  expect(await call('disarm')).toEqual({ ok: true });
});

test('finds the request that deletes a val, and takes it back', async () => {
  const { emulator, call } = await begin();
  const [val] = (await call('records', { collection: 'vals' })).records;
  await send(emulator, 'DELETE', `/vals/${val.id}`);
  const [deletion] = (await call('history', { record: `vals/${val.id}` })).items;
  expect(deletion).toMatchObject({ id: 'r1', request: 'DELETE /v1/vals/{val_id}' });
  await call('rewind', { before: deletion.id });
  expect((await send(emulator, 'GET', `/vals/${val.id}`)).status).toBe(200);
});

test('forks before a request, and compares the requests that follow', async () => {
  const { emulator, call } = await begin();
  await send(emulator, 'POST', '/vals', { name: 'first', code: '1' });
  await send(emulator, 'POST', '/vals', { name: 'second', code: '2' });
  const fork = await call('fork', { name: 'other', at: 'r1' });
  expect(fork.url).toBe(`${emulator.url}/_sandbox/other`);
  await send(emulator, 'POST', '/vals', { name: 'third', code: '3' }, 'other');
  const list = async (sandbox?: string) => {
    const { records } = await call('records', { collection: 'vals', sort: 'name', ...(sandbox && { sandbox }) });
    return records.map((record: { name: string }) => record.name);
  };
  expect(await list()).toEqual(['first', 'hello', 'second']);
  expect(await list('other')).toEqual(['first', 'hello', 'third']);
});

test('expects three requests in order', async () => {
  const { emulator, call } = await begin();
  await send(emulator, 'GET', '/me');
  await send(emulator, 'POST', '/vals', { name: 'first', code: '1' });
  await send(emulator, 'GET', '/me/likes');
  const steps = ['GET /v1/me', 'POST /v1/vals', 'GET /v1/me/likes'].map((route) => ({ route }));
  expect(await call('expect_sequence', { steps })).toEqual({ ok: true });
  expect(await call('expect_sequence', { steps: steps.toReversed() })).toMatch(/^expected/);
  expect(await call('expect_request', { route: 'POST /v1/vals', body: { name: 'frist' } })).toMatch(
    /body.name: expected "frist", found "first"/,
  );
});

test('reads a session file of a failure', async () => {
  const { emulator, client, call } = await begin();
  await send(emulator, 'POST', '/vals', { nam: 'x' });
  await call('status');
  const { contents } = await client.readResource({ uri: 'emulator://session' });
  const [session] = contents;
  expect(session).toMatchObject({ mimeType: 'application/x-ndjson', text: expect.stringContaining('"nam') });
});
