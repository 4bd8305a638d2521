import { onTestFinished, test } from 'vitest';
import type { EngineOptions } from '#engine/server/parse-options.js';
import { createEngine } from '../../src/create-engine.js';
import { todo } from './todo.js';

async function start(options: EngineOptions = {}) {
  const engine = await createEngine(todo, { listen: false, ...options });
  onTestFinished(() => engine.close());
  return engine;
}
type Engine = Awaited<ReturnType<typeof start>>;

async function call(
  { fetch }: Pick<Engine, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
  token = 'ada-token',
) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
const titles = async (engine: Pick<Engine, 'fetch'>) =>
  (await call(engine, 'GET', '/todos')).body.map(({ title }: { title: string }) => title);

test('x', async () => {
  const engine = await start();
  console.log(
    await call(engine, 'GET', '/todos'),
    await call(engine, 'POST', '/todos', { title: 'Work' }),
    await titles(engine),
  );
  console.log(
    await call(engine, 'GET', '/todos', undefined, 'nope'),
    await call(engine, 'PUT', '/todos/zz/done'),
    await call(engine, 'POST', '/todos', {}),
  );
  console.log(JSON.stringify(engine.requests().map((r) => [r.route, r.user, r.status])));
  console.log(engine.add.todo({ owner: 'ada', title: 'Added' }), engine.users, engine.exportState());
  console.log(
    await call(engine, 'GET', '/_emulator/records/todos'),
    await call(engine, 'GET', '/_emulator/collections'),
    engine.history(),
  );
  console.log(await call(engine, 'GET', '/_emulator/summary'));
  try {
    engine.add.todo({ owner: 'adda', title: '' });
  } catch (e) {
    console.log(e);
  }
  try {
    await start({ fixtures: { todos: [{ owner: 'ada', title: 'x', don: 1 }] } });
  } catch (e) {
    console.log(e);
  }
  console.log(await call(engine, 'GET', '/_emulator/db/todos'));
});
