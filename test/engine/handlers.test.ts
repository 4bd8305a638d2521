import { Type } from 'typebox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { plainCollection } from '#engine/definition/plain.js';
import type { EngineOptions } from '#engine/http/parse-options.js';
import { ApiError } from '#engine/lib/errors.js';
import type { OnError } from '#engine/options/callbacks.js';
import { defineService, routeOf } from '#engine/service.js';
import { createEngine } from '../../src/create-engine.js';

const users = plainCollection({ name: 'users', adder: 'user', title: 'The users', fields: {} });
const todos = plainCollection({
  ...{ name: 'todos', adder: 'todo', title: 'The todos', indexes: ['owner'], references: { owner: 'users' } },
  fields: {
    owner: Type.String(),
    title: Type.String({ minLength: 1, expected: 'a title' }),
    tags: Type.Optional(Type.Array(Type.String())),
  },
});
const FIXTURES = { users: [{ id: 'ada' }], todos: [{ id: 't1', owner: 'ada', title: 'Rest', tags: ['a'] }] };
const VALID = { id: 't2', owner: 'ada', title: 'Work', serial: 9 };

/** A handler of a program in JavaScript, whose types nothing checks: hence the one `any`. */
// biome-ignore lint/suspicious/noExplicitAny: a program in JavaScript has no types
type Handler = (context: any) => unknown;

/** Starts a service whose only route has this handler, and calls it. */
async function run(
  handle: Handler,
  method: 'GET' | 'POST' = 'POST',
  spec: object = { response: Type.Unknown() },
  options?: EngineOptions,
) {
  const errors: string[] = [];
  const route = Reflect.apply(routeOf([users, todos]), undefined, [
    ...[method, '/run', 'Run it'],
    { id: 'run', auth: 'optional', errors: [], handle, ...spec },
  ]);
  const service = defineService({ name: 'todo', collections: [users, todos], routes: [route] });
  const onError = (error: unknown) => void errors.push(String(error));
  const engine = await createEngine(service, { listen: false, fixtures: FIXTURES, ...(options ?? { onError }) });
  onTestFinished(() => engine.close());
  const { status } = await engine.fetch('/run', { method });
  return { engine, status, errors };
}

test.each<[title: string, handle: Handler, message: string]>([
  [
    'an array in place of a collection',
    ({ state }) => {
      state.todos = [VALID];
    },
    'TypeError: state.todos: found [{"id":"t2","owner":"ada","title":"Work","serial":9}]; expected the collection',
  ],
  [
    'undefined in place of a collection',
    ({ state }) => {
      state.todos = undefined;
    },
    'TypeError: state.todos: found undefined; expected the collection',
  ],
  [
    'another collection',
    ({ state }) => {
      state.todos = state.users;
    },
    'TypeError: state.todos: found another collection; expected the collection, as its put and delete return it.',
  ],
  [
    'a collection under an unknown name',
    ({ state }) => {
      state.todoz = state.todos.put(VALID);
    },
    'TypeError: Cannot add property todoz, object is not extensible',
  ],
  [
    'another part of the state',
    ({ state }) => {
      state.settings = {};
    },
    'TypeError: state.settings: a handler cannot change it: only collections and nextSerial.',
  ],
  [
    'a serial that is no number',
    ({ state }) => {
      state.nextSerial += 'x';
    },
    'TypeError: state.nextSerial: found "2x"; expected a whole number.',
  ],
  [
    'a change of a record in place',
    ({ state }) => {
      state.todos.get('t1').title = 'Changed';
    },
    "TypeError: Cannot assign to read only property 'title'",
  ],
  [
    'a change of a list of a record in place',
    ({ state }) => state.todos.get('t1').tags.push('b'),
    'TypeError: Cannot add property 1, object is not extensible',
  ],
  [
    'a change of a record after it was put',
    ({ state }) => {
      const record = { ...VALID };
      state.todos = state.todos.put(record);
      record.title = '';
    },
    "TypeError: Cannot assign to read only property 'title'",
  ],
  [
    'the deletion of an id',
    ({ state }) => {
      state.todos = state.todos.delete('t1');
    },
    'TypeError: delete takes a record, as get and by.NAME return it; found "t1".',
  ],
  [
    'the deletion of no record',
    ({ state }) => {
      state.todos = state.todos.delete(state.todos.get('none'));
    },
    'TypeError: delete takes a record, as get and by.NAME return it; found undefined.',
  ],
  [
    'a text that is put',
    ({ state }) => {
      state.todos = state.todos.put('t2');
    },
    'TypeError: put takes a record, as get and by.NAME return it; found "t2".',
  ],
  [
    'a record without an id and a serial',
    ({ state }) => {
      state.todos = state.todos.put({ owner: 'ada', title: 'Work' });
    },
    'TypeError: state.todos[""].id: missing; put it.\nstate.todos[""].serial: found undefined; expected state.nextSerial++.',
  ],
  [
    'a record that its schema refuses',
    ({ state }) => {
      state.todos = state.todos.put({ ...VALID, title: '', titel: 'Work' });
    },
    'state.todos["t2"].title: found ""; expected a title.',
  ],
  [
    'a reference to an unknown record',
    ({ state }) => {
      state.todos = state.todos.put({ ...VALID, owner: 'adda' });
    },
    'TypeError: state.todos["t2"].owner: there is no record "adda" in users. Did you mean "ada"?',
  ],
  [
    'a deletion that leaves a reference',
    ({ state }) => {
      state.users = state.users.delete(state.users.get('ada'));
    },
    'TypeError: state.users["ada"]: deleted, but todos["t1"] refers to it; delete that as well.',
  ],
  [
    'a deletion that leaves one of two references',
    ({ state }) => {
      state.todos = state.todos.put(VALID).delete(state.todos.get('t1'));
      state.users = state.users.delete(state.users.get('ada'));
    },
    'TypeError: state.users["ada"]: deleted, but todos["t2"] refers to it; delete that as well.',
  ],
  [
    'an error response with the status of a success',
    () => {
      throw new ApiError(200, 'Done');
    },
    'TypeError: ApiError: found the status 200; expected 400 to 599.',
  ],
  [
    'a promise',
    async ({ state }) => {
      state.todos = state.todos.put(VALID);
    },
    'TypeError: POST /run: handle returned a promise; a handler is synchronous.',
  ],
  [
    'a promise that is rejected',
    async ({ state }) => {
      state.todos = state.todos.put(VALID);
      throw new Error('late');
    },
    'TypeError: POST /run: handle returned a promise; a handler is synchronous.',
  ],
])('a handler gets a 500 that says why, and nothing has changed: %s', async (_, handle, message) => {
  const { engine, status, errors } = await run(handle);

  expect(status).toBe(500);
  expect(errors).toEqual([expect.stringContaining(message)]);
  expect(engine.state()).toMatchObject(FIXTURES);
  expect(engine.history()).toEqual([]);
  engine.reset();
  expect(engine.state()).toMatchObject(FIXTURES);
});

test('a handler deletes a record with all that refer to it, in any order', async () => {
  for (const isLast of [false, true]) {
    const { engine, status } = await run(({ state }) => {
      const todo = state.todos.get('t1');
      if (!isLast) state.todos = state.todos.delete(todo);
      state.users = state.users.delete(state.users.get('ada'));
      if (isLast) state.todos = state.todos.delete(todo);
    });

    expect(status).toBe(200);
    const exported = engine.state();
    expect(exported.todos).toEqual([]);
    expect(() => engine.reseed(exported)).not.toThrow();
  }
});

test('the handler of a GET gets a state that throws when it is written to', async () => {
  const { engine, status, errors } = await run(({ state }) => {
    state.todos = state.todos.put(VALID);
  }, 'GET');

  expect(status).toBe(500);
  expect(errors).toEqual([expect.stringContaining("Cannot assign to read only property 'todos'")]);
  expect(engine.state().todos).toHaveLength(1);
  expect(engine.sandbox('other').state().todos).toHaveLength(1);
});

test('a value of a route without a response is an error', async () => {
  const { errors } = await run(() => ({ id: 't1' }), 'POST', {});

  expect(errors).toEqual([
    'TypeError: POST /run: handle returned a value, and the route has no response; expected one of them to change.',
  ]);
});

test('an undefined id and an undefined key find no record', async () => {
  const found: unknown[] = [];
  await run(({ state }) => {
    found.push(state.todos.get(undefined), state.todos.by.owner.range([undefined]).length);
  });

  expect(found).toEqual([undefined, 0]);
});

test('an export is a copy, which its reader may change', async () => {
  const { engine } = await run(({ state }) => {
    state.todos = state.todos.put(VALID);
  });
  const [first] = engine.state().todos;
  first?.tags?.push('mine');

  expect(first?.tags).toEqual(['a', 'mine']);
  expect(engine.state().todos.map(({ id, tags }) => [id, tags])).toEqual([
    ['t1', ['a']],
    ['t2', undefined],
  ]);
});

test('an error of a handler is printed with its stack, and not as one of val-emulator', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  function explode() {
    throw new Error('boom');
  }
  const { engine, status } = await run(explode, 'GET', { response: Type.Unknown() }, {});

  expect(status).toBe(500);
  expect(engine.requests()[0]?.error).toMatch(/^Error: boom\n +at .*explode/);
  const [[text = ''] = []] = printed.mock.calls;
  expect(text).toMatch(
    /^val-emulator: error in the handler of GET \/run of the service todo\nError: boom\n +at .*explode/,
  );
  expect(text).not.toContain('report');
});

test('a value that JSON cannot write is an error of the handler', async () => {
  const handlers: unknown[] = [];
  const onError: OnError = (_error, { handler }) => handlers.push(handler);
  await run(() => ({ count: 1n }), 'POST', { response: Type.Unknown() }, { onError });

  expect(handlers).toEqual(['POST /run of the service todo']);
});

test('a body with a default may be absent', async () => {
  const bodies: unknown[] = [];
  const body = Type.Object({ tag: Type.String({ default: 'none' }) }, { default: { tag: 'all' } });
  const spec = { body, response: Type.Unknown() };

  const { engine, status } = await run((context) => bodies.push(context.body), 'POST', spec);
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"tag":"work"}' };
  const { status: second } = await engine.fetch('/run', sent);

  expect([status, second]).toEqual([200, 200]);
  expect(bodies).toEqual([{ tag: 'all' }, { tag: 'work' }]);
});
