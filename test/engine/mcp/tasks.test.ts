import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { connectAgent } from './agent.js';

/*
 * Tasks that an agent was given, as it did them: the calls of each, and what it took from their results.
 */

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

test('why was r3 refused?', async () => {
  const { emulator, call } = await begin();
  await send(emulator, 'POST', '/vals', { name: 'first', code: '1' });
  await send(emulator, 'GET', '/me');
  await send(emulator, 'POST', '/vals', { name: 'second', cod: '2' });

  expect(await call('explain', { id: 'r3' })).toEqual({
    id: 'r3',
    summary: 'r3 POST /v1/vals was refused with 400.',
    message: "body must have required property 'code'",
    suggestion: 'Found "cod" in the body. Did you mean "code"?',
    reason: null,
    accepted: {
      id: 'r1',
      route: 'POST /v1/vals',
      method: 'POST',
      path: '/v1/vals',
      status: 200,
      differences: [
        'body.code: r1 sent "1", r3 nothing',
        'body.name: r1 sent "first", r3 "second"',
        'body.cod: r1 sent nothing, r3 "2"',
      ],
    },
    change: 'Found "cod" in the body. Did you mean "code"?',
  });
  expect(used.tokens).toBeLessThan(300);
  expect(await call('explain', { id: 4 })).toBe('There is no request "4": the journal has the last 3.');
});

test('hints name tools, not control routes', async () => {
  const { emulator, call } = await begin();
  await fetch(`${emulator.url}/v1/me`);
  await send(emulator, 'DELETE', '/blob/none');
  emulator.fail('GET /v1/me', { status: 503 });
  await send(emulator, 'GET', '/me');
  const changes = [];
  for (const id of ['r1', 'r2', 'r3']) changes.push((await call('explain', { id })).change);
  expect(changes).toEqual([
    'the tool users lists the tokens',
    'Use the id of a record that exists, or add the record: the tool add.',
    'Disarm the fault: the tool disarm.',
  ]);
  expect((await call('request', { id: 'r1' })).suggestion).toBe('the tool users lists the tokens');
});

test('seed two users and a private val, and find it', async () => {
  const { emulator, call } = await begin();
  const fixtures = {
    users: [{ username: 'grace' }, { username: 'mary' }],
    vals: [{ author: 'mary', name: 'draft', code: 'export const draft = 2;', privacy: 'private' }],
  };
  expect(await call('seed', { fixtures })).toMatchObject({ counts: { vals: { added: 1 } } });
  expect((await call('users')).items.map(({ token }: { token: string }) => token)).toEqual([
    'grace-token',
    'mary-token',
  ]);
  const { total, records } = await call('records', { collection: 'vals', where: { privacy: 'private' } });
  expect({ total, records }).toMatchObject({ total: 1, records: [{ author: 'mary', name: 'draft' }] });
  const read = (token: string) =>
    emulator.fetch(`/v1/vals/${records[0].id}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await read('mary-token')).status).toBe(200);
  expect((await read('grace-token')).status).toBe(404);
});

test('find the email that a run has sent', async () => {
  const { emulator, call } = await begin();
  for (const name of ['daily', 'weekly', 'yearly'])
    await send(emulator, 'POST', '/email', {
      to: 'grace@example.com',
      subject: `The ${name} report`,
      text: `All ${name} runs succeeded.`,
      html: `<p>${'All runs succeeded. '.repeat(200)}</p>`,
      attachments: [{ filename: `${name}.csv`, content: Buffer.from('a,b\n'.repeat(3_000)).toString('base64') }],
    });

  const { items } = await call('emails', { subject: 'The weekly report' });
  expect(items).toMatchObject([
    {
      user: 'ada',
      to: [{ email: 'grace@example.com' }],
      text: 'All weekly runs succeeded.',
      attachments: [{ filename: 'weekly.csv', size: 12_000 }],
    },
  ]);
});

test('make the next POST fail, and prove that the program retries', async () => {
  const { emulator, call } = await begin();
  const fault = { route: 'POST /v1/vals', status: 503, times: 1, headers: { 'retry-after': '1' } };
  expect(await call('fail', fault)).toMatchObject({ id: 'f1', remaining: 1 });
  const create = () => send(emulator, 'POST', '/vals', { name: 'retried', code: '1' });
  if (!(await create()).ok) await create();

  const steps = [{ route: 'POST /v1/vals', status: 503 }, 'POST /v1/vals'];
  expect(await call('expect', { steps })).toEqual({ ok: true });
  expect(await call('expect', { steps: [{ route: 'POST /v1/vals', body: { name: 'retried' } }], times: 2 })).toEqual({
    ok: true,
  });
  expect((await call('explain', { id: 'r1' })).summary).toBe('r1 POST /v1/vals got the fault f1: 503.');
  expect((await call('explain', { id: 'r2' })).summary).toBe(
    'r2 POST /v1/vals succeeded with 200. It changed: + ada/retried.',
  );
});

test('read the rows that an UPDATE has changed, before and after it', async () => {
  const { emulator, call } = await begin();
  const todos = Array.from({ length: 40 }, (_, id) => ({ id, title: `Task ${id}`, done: 0 }));
  await call('add', {
    sqlite: [{ user: 'ada', sql: 'CREATE TABLE todos (id INTEGER, title, done)', rows: { todos } }],
  });
  await send(emulator, 'POST', '/sqlite/execute', { statement: 'UPDATE todos SET done = 1 WHERE id > 37' });

  const { items } = await call('history');
  expect(items.at(-1)).toMatchObject({ id: 'r1', request: 'POST /v1/sqlite/execute' });
  const read = async (at: string) =>
    (await call('rows', { id: 'ada', sql: 'SELECT id, title FROM todos WHERE done = 1', at })).rows;
  expect(await read(items.at(-2).id)).toEqual([]);
  expect(await read('r1')).toEqual([
    [38, 'Task 38'],
    [39, 'Task 39'],
  ]);
  expect(await call('rows', { id: 'ada', sql: 'DELETE FROM todos' })).toContain('attempt to write a readonly database');
});

test('explain the rate limit', async () => {
  const { emulator, call } = await begin();
  emulator.rateLimit.set({ limit: 1, window: '1h' });
  expect((await send(emulator, 'GET', '/me')).status).toBe(200);
  expect((await send(emulator, 'GET', '/me')).status).toBe(429);
  expect(await call('explain', { id: 'r2' })).toMatchObject({
    message: 'Rate limit exceeded, retry in 1 hour',
    reason: 'the rate limit of ada is 1 request in 1h',
    change: 'Wait as the header Retry-After says, or change the limit: PUT /_emulator/rate-limit.',
  });
  emulator.rateLimit.set({ limit: null });
  expect((await send(emulator, 'GET', '/me')).status).toBe(200);
});

test('go back to the state before a deletion', async () => {
  const { emulator, call } = await begin();
  const [val] = (await call('records', { collection: 'vals' })).records;
  await send(emulator, 'DELETE', `/vals/${val.id}`);
  const [deletion] = (await call('history', { record: `vals/${val.id}` })).items;
  expect(deletion).toMatchObject({
    id: 'r1',
    request: 'DELETE /v1/vals/{val_id}',
    changes: [{ type: 'removed', name: 'ada/hello' }],
  });
  await call('rewind', { before: deletion.id });
  expect((await send(emulator, 'GET', `/vals/${val.id}`)).status).toBe(200);
});

test('save the session of a failure to a file', async () => {
  const { emulator, call } = await begin();
  await call('seed', { generate: { users: 3 } });
  const { items } = await call('users');
  const headers = { authorization: `Bearer ${items[0].token}`, 'content-type': 'application/json' };
  await emulator.fetch('/v1/vals', { method: 'POST', headers, body: '{"nam":"x"}' });
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));

  const { path, bytes } = await call('save_session', { path: join(folder, 'failure.ndjson') });
  expect(bytes).toBeGreaterThan(100_000);
  const session = readFileSync(path, 'utf8');
  expect(session.trimEnd().split('\n').at(-1)).toContain('"nam');
});
