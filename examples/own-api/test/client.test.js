import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createEngine } from 'val-emulator/engine';
import { Todos } from '../src/client.js';
import todo from '../todo.js';

let engine;
let client;
before(async () => {
  engine = await createEngine(todo);
  client = new Todos(engine.url, 'ada-token');
});
beforeEach(() => engine.reset());
after(() => engine.close());

test('adds a todo, and completes it', async () => {
  const { id } = await client.add('Work');
  await client.complete(id);

  assert.deepEqual(await client.list(), [
    { id: 'rest', title: 'Rest', done: false },
    { id, title: 'Work', done: true },
  ]);
  engine.expectSequence(['POST /todos', 'PUT /todos/{id}/done']);
});

test('sends a request again while the service is unavailable', async () => {
  engine.fail('POST /todos', { status: 503, times: 2 });

  await client.add('Work');

  assert.deepEqual(
    engine.requests().map(({ status }) => status),
    [503, 503, 201],
  );
});

test('does not complete the todo of another user', async () => {
  engine.add.user({ id: 'grace', token: 'grace-token' });
  const { id } = engine.add.todo({ owner: 'grace', title: 'Hers' });

  await assert.rejects(client.complete(id), /returned 404/);
});
