import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import type { EngineOptions } from '#engine/http/parse-options.js';
import { ExpectationError, FixtureError } from '#engine/lib/errors.js';
import { createEngine } from '../../src/create-engine.js';
import { createEmulator } from '../../src/emulator.js';
import { namesOf } from '../support/changes.js';
import { todo } from './todo.js';

async function start(options: EngineOptions = {}) {
  const engine = await createEngine(todo, { listen: false, ...options });
  onTestFinished(() => engine.close());
  return engine;
}
type Engine = Awaited<ReturnType<typeof start>>;
type Fetching = Pick<Engine, 'fetch'>;

async function call({ fetch }: Fetching, method: string, path: string, body?: unknown, token = 'ada-token') {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(path, {
    ...{ method, headers: { authorization: `Bearer ${token}`, ...json } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
const listTitles = async (engine: Fetching) =>
  (await call(engine, 'GET', '/todos')).body.map(({ title }: { readonly title: string }) => title);

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('its routes respond: reads, writes, 401, 404 and 400 by the schema', async () => {
  const engine = await start();

  expect(await call(engine, 'GET', '/todos')).toEqual({
    status: 200,
    body: [{ id: 't1', title: 'Rest', done: false }],
  });
  expect((await call(engine, 'POST', '/todos', { title: 'Work' })).status).toBe(201);
  expect((await call(engine, 'PUT', '/todos/t1/done')).body.done).toBe(true);
  expect((await call(engine, 'GET', '/todos', undefined, 'other')).status).toBe(401);
  expect(await call(engine, 'PUT', '/todos/none/done')).toMatchObject({ status: 404, body: { error: 'Not Found' } });
  expect((await call(engine, 'POST', '/todos', {})).body.message).toBe("body must have required property 'title'");
  expect((await call(engine, 'GET', '/v1/me')).status).toBe(404);
});

test('its fixtures have errors with their paths', async () => {
  const fixtures = {
    users: [{ id: 'ada', token: 't' }],
    todos: [
      { owner: 'adda', title: 'x' },
      { owner: 'ada', title: '' },
    ],
  };

  const error = await createEngine(todo, { listen: false, fixtures }).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(FixtureError);
  expect(error).toMatchObject({
    problems: [
      { path: 'todos[1].title', message: 'found ""; expected a title.' },
      { path: 'todos[0].owner', message: 'there is no user "adda". Did you mean "ada"?' },
    ],
  });
});

test('adders, export, reset, snapshots, rewind, forks and sandboxes work on its collections', async () => {
  const engine = await start();
  expect(engine.add.todo({ owner: 'ada', title: 'Added' })).toMatchObject({ owner: 'ada', done: false });
  engine.snapshot('added');
  await call(engine, 'POST', '/todos', { title: 'Posted' });
  const fork = engine.fork('fork');
  const other = engine.sandbox('other');

  expect(engine.state().todos.map(({ title }) => title)).toEqual(['Rest', 'Added', 'Posted']);
  engine.rewind(1);
  expect(await listTitles(engine)).toEqual(['Rest', 'Added']);
  engine.reset();
  expect(await listTitles(engine)).toEqual(['Rest']);
  engine.restore('added');
  expect(await listTitles(engine)).toEqual(['Rest', 'Added']);
  expect(await listTitles(fork)).toEqual(['Rest', 'Added', 'Posted']);
  expect(await listTitles(other)).toEqual(['Rest']);
});

test('a fault for a caller is injected, and the clock is frozen and moved', async () => {
  const engine = await start({ now: '2024-06-11T22:05:12Z' });
  engine.add.user({ id: 'bob', token: 'bob-token' });
  engine.fail('POST /todos', { user: 'bob', status: 503, times: 1 });

  expect((await call(engine, 'POST', '/todos', { title: 'a' })).status).toBe(201);
  expect((await call(engine, 'POST', '/todos', { title: 'b' }, 'bob-token')).status).toBe(503);
  expect(() => engine.fail('POST /todo')).toThrow('Did you mean "POST /todos"?');
  engine.clock.advance('1h');
  expect(engine.clock.now.toISOString()).toBe('2024-06-11T23:05:12.000Z');
});

test('the journal has its requests with their callers, and an assertion shows near misses', async () => {
  const engine = await start();
  await call(engine, 'POST', '/todos', { title: 'Work' });
  await call(engine, 'PUT', '/todos/t1/done');

  expect(engine.requests({ user: 'ada' }).map(({ route, status }) => [route, status])).toEqual([
    ['POST /todos', 201],
    ['PUT /todos/{id}/done', 200],
  ]);
  engine.expectRequest('PUT /todos/t1/done', { times: 1 });
  engine.expectSequence(['POST /todos', 'PUT /todos/{id}/done']);
  const miss = () => engine.expectRequest('POST /todos', { body: { title: 'Play' } });
  expect(miss).toThrow(ExpectationError);
  expect(miss).toThrow(/body\.title: expected "Play", found "Work"/);
});

test('a data folder keeps its records, and another service refuses it with both names', async () => {
  const data = makeFolder();
  const first = await start({ data });
  await call(first, 'POST', '/todos', { title: 'Kept' });
  await first.close();

  const again = await start({ data });
  expect(await listTitles(again)).toEqual(['Rest', 'Kept']);
  await again.close();
  await expect(createEmulator({ listen: false, data })).rejects.toThrow(
    'has data of the service "todo"; this emulator has the service "vals".',
  );
  expect(await listTitles(await start({ data }))).toEqual(['Rest', 'Kept']);
});

test('a session opens again without tokens, and another service refuses it with both names', async () => {
  const engine = await start({ fixtures: { users: [{ id: 'ada', token: 'a-very-secret-token' }] } });
  await call(engine, 'POST', '/todos', { title: 'Recorded' }, 'a-very-secret-token');
  const file = join(makeFolder(), 'bug.ndjson');
  const text = engine.session();
  writeFileSync(file, text);

  expect(text).not.toContain('a-very-secret-token');
  const opened = await start({ session: file });
  expect(await listTitles(opened)).toEqual(['Recorded']);
  expect(opened.requests().map(({ route }) => route)).toEqual(['POST /todos', 'GET /todos']);
  await expect(createEmulator({ listen: false, session: file })).rejects.toThrow(/service "todo".*service "vals"/);
});

test('the records API lists, creates, changes and deletes, with what refers to a record', async () => {
  const engine = await start();
  const path = '/_emulator/records/todos';

  expect((await call(engine, 'POST', path, { owner: 'ada', title: 'New' })).body).toMatchObject({ done: false });
  expect((await call(engine, 'PATCH', `${path}/t1`, { done: true })).body).toMatchObject({ title: 'Rest', done: true });
  expect((await call(engine, 'GET', `${path}?where={"owner":"ada"}`)).body.total).toBe(2);
  expect((await call(engine, 'GET', '/_emulator/records/users/ada')).body.related.todos.total).toBe(2);
  expect((await call(engine, 'DELETE', '/_emulator/records/users/ada')).status).toBe(204);
  expect((await call(engine, 'GET', path)).body.total).toBe(0);
  expect(engine.history().map(namesOf)).toEqual([
    [expect.stringMatching(/^\+ todo /)],
    ['todo t1: done'],
    ['- user ada'],
  ]);
});

test('the OpenAPI documents and the collections of the page describe it', async () => {
  const engine = await start();
  const api = (await call(engine, 'GET', '/_emulator/openapi.json')).body;
  const control = (await call(engine, 'GET', '/_emulator/openapi-control.json')).body;

  expect(Object.keys(api.paths)).toEqual(['/todos', '/todos/{id}/done']);
  expect(api.paths['/todos'].post.requestBody.content['application/json'].schema).toMatchObject({
    required: ['title'],
  });
  const { schema } = control.paths['/_emulator/records'].post.requestBody.content['application/json'];
  const { properties } = schema.$ref ? control.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  expect(Object.keys(properties)).toEqual(['users', 'todos']);
  expect(await call(engine, 'POST', '/_emulator/todos', { title: 'Rest' })).toMatchObject({
    status: 405,
    body: { message: expect.stringContaining('Send POST /_emulator/records with {"todos": …}') },
  });
  expect(control.paths).not.toHaveProperty('/_emulator/emails');
  expect((await call(engine, 'GET', '/_emulator/collections')).body.map(({ name }: { name: string }) => name)).toEqual([
    'users',
    'todos',
  ]);
});

test('added middleware has all paths but those of the routes', async () => {
  const engine = await start();
  engine.app.use((_request, response) => response.send('added'));
  const get = (path: string) => supertest(engine.app).get(path);

  expect((await get('/todos/t1')).status).toBe(404);
  expect((await get('/_emulator/health')).status).toBe(200);
  expect((await get('/v1/me')).text).toBe('added');
});

test('options of the vals service are unknown keys', async () => {
  await expect(
    createEngine(todo, { listen: false, ...Object.fromEntries([['defaultPrivacy', 'public']]) }),
  ).rejects.toThrow('option defaultPrivacy: unknown key');
});
