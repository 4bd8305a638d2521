import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { AnyDefinition } from '#engine/definition/define.js';
import { defineCollection } from '#engine/definition/define.js';
import { record } from '#engine/definition/parts.js';
import { plainCollection } from '#engine/definition/plain.js';
import { DefinitionError } from '#engine/definition/service-errors.js';
import { checkService, defineService, extend, routeOf } from '#engine/service.js';
import { asc, index } from '#engine/store/collection.js';
import { vals } from '#vals/service/index.js';
import { createEngine } from '../../src/create-engine.js';
import { todo } from './todo.js';

const users = plainCollection({
  ...{ name: 'users', adder: 'user', title: 'The users', indexes: ['token'], callers: true },
  fields: { token: Type.String() },
});
const todos = plainCollection({
  ...{ name: 'todos', adder: 'todo', title: 'The todos', indexes: ['owner'], references: { owner: 'users' } },
  fields: { owner: Type.String() },
});
const withCallers = { callers: { find: () => undefined, list: () => [] } };
const route = routeOf([users]);
const get = (path: `/${string}`, id: string, params?: ReturnType<typeof Type.Object>) =>
  route('GET', path, 'Get it', {
    id,
    auth: 'optional',
    errors: [],
    ...(params && { params }),
    handle: () => undefined,
  });

/** Defines a service as a program in JavaScript does, whose types nothing checks. */
const define = (collections: readonly AnyDefinition[], routes: Parameters<typeof defineService>[0]['routes'] = []) =>
  defineService({ name: 'todo', collections, routes });

/** Defines a route with parts that the compiler does not know. */
const wrongRoute = (method: string, path: string, wrong: object = {}) => {
  const spec = { id: 'a', auth: 'optional', errors: [], handle: () => undefined, ...wrong };
  return define([users], [Reflect.apply(route, undefined, [method, path, 'Get it', spec])]);
};
const bodyOf = (schema: object) => ({ body: Type.Object({ text: Type.Unsafe(schema) }) });

/** Defines a collection with parts that the compiler does not know. */
const plainTodos = (wrong: object) =>
  plainCollection({ name: 'todos', adder: 'todo', title: 'x', fields: { owner: Type.String() }, ...wrong });

describe('a service with a wrong definition gets an error that names it', () => {
  test.each<[problem: string, define: () => unknown, message: string]>([
    [
      'a reference to an unknown collection',
      () => define([{ ...todos, references: { owner: { to: 'user', id: String, find: () => [] } } }]),
      'service todo: collection todos.references.owner: there is no collection "user" before this one.',
    ],
    [
      'a reference to a later collection',
      () => define([todos, users]),
      'service todo: collection todos.references.owner: there is no collection "users" before this one.',
    ],
    [
      'a reference by an unknown field',
      () => define([users, { ...todos, references: { ownr: { to: 'users', id: String, find: () => [] } } }]),
      'service todo: collection todos.references.ownr: there is no such field. Did you mean "owner"?',
    ],
    ['a collection twice', () => define([users, users]), 'service todo: collection users: defined twice'],
    [
      'the name of a part of a state',
      () => define([{ ...users, name: 'clock' }]),
      'collection clock: the name is taken',
    ],
    [
      'a name with a space',
      () => define([{ ...users, name: 'my users' }]),
      'collection my users: expected a name of letters',
    ],
    [
      'an adder twice',
      () => define([users, { ...todos, adder: 'user' }]),
      'collection todos.adder: "user" is the adder of users',
    ],
    ['two collections of callers', () => define([users, { ...todos, ...withCallers }]), 'users and todos have callers'],
    [
      'an owner that is no reference',
      () => define([users, { ...todos, owner: 'user' }]),
      'collection todos.owner: found "user"; expected a reference.',
    ],
    [
      'two routes of one path',
      () =>
        define(
          [users],
          [
            get('/todos/{id}', 'a', Type.Object({ id: Type.String() })),
            get('/todos/{name}', 'b', Type.Object({ name: Type.String() })),
          ],
        ),
      'service todo: route GET /todos/{name}: matches the same requests as GET /todos/{id}; expected one of them to change.',
    ],
    [
      'one id for two routes',
      () => define([users], [get('/a', 'list'), get('/b', 'list')]),
      'route GET /b: has the id of GET /a, list',
    ],
    [
      'a parameter without a schema',
      () => define([users], [get('/todos/{id}', 'a')]),
      'route GET /todos/{id}: the schema params lacks the parameter id',
    ],
    [
      'a path of the control API',
      () => define([users], [get('/_emulator/todos', 'a')]),
      'route GET /_emulator/todos.path: found "/_emulator/todos"; expected a path such as /todos/{id}, not below /_emulator or /_sandbox.',
    ],
    [
      'an index over a field that is not there',
      () => plainTodos({ indexes: ['ownr'] }),
      'collection todos: indexes.ownr: there is no such field. Did you mean "owner"?',
    ],
    [
      'a reference without an index',
      () => plainTodos({ references: { owner: 'users' } }),
      'collection todos: references.owner: expected an index by this field.',
    ],
    [
      'callers without tokens',
      () => plainCollection({ name: 'users', adder: 'user', title: 'x', fields: {}, callers: true }),
      'collection users: callers: expected an index by the field token.',
    ],
    [
      'an index over a list',
      () => plainTodos({ fields: { tags: Type.Array(Type.String()) }, indexes: ['tags'] }),
      'collection todos: indexes.tags: expected a field with a text, a number or a boolean.',
    ],
    [
      'a reference by a number',
      () => plainTodos({ fields: { owner: Type.Integer() }, indexes: ['owner'], references: { owner: 'users' } }),
      'collection todos: references.owner: expected a field with a text, the id of a record.',
    ],
    [
      'a field that each record has',
      () => plainTodos({ fields: { serial: Type.Integer() } }),
      'collection todos: fields.serial: each record has it already; expected another name.',
    ],
    [
      'a field without a schema',
      () => plainTodos({ fields: { title: 'string' } }),
      'collection todos: fields.title: found "string"; expected a schema, as a function of Type returns it.',
    ],
    [
      'a field with a wrong schema',
      () => define([plainTodos({ fields: { title: Type.String({ pattern: '(' }) } })]),
      'service todo: collection todos.fields: expected a JSON Schema: Invalid regular expression',
    ],
    [
      'an unknown part of a collection',
      () => plainTodos({ indxes: ['owner'] }),
      'collection todos: indxes: unknown key. Did you mean "indexes"?',
    ],
    [
      'an adder with a space',
      () => define([plainTodos({ adder: 'my todo' })]),
      'service todo: collection todos.adder: found "my todo"; expected a name of letters and digits',
    ],
    ['no collections', () => Reflect.apply(defineService, undefined, [{}]), 'collections: missing; expected an array.'],
    [
      'a value that is not a collection',
      () => Reflect.apply(defineService, undefined, [{ name: 'todo', collections: [1], routes: [] }]),
      'service todo: collections[0]: found 1; expected a collection, as plainCollection returns it.',
    ],
    [
      'a name that a file cannot have',
      () => defineService({ name: 'a/b', collections: [], routes: [] }),
      'name: found "a/b"; expected a name of 1–64 of A–Z a–z 0–9 . _ -, other than vals.',
    ],
    [
      'a route of an unknown method',
      () => wrongRoute('get', '/todos'),
      'service todo: route get /todos.method: found "get"; expected "GET", "POST", "PUT", "PATCH" or "DELETE".',
    ],
    ...['/todos/:id', '/todos/', '/', '/todos/{id}.json', '/todos/{id', '/todos?a=1', '/a%20b', '//todos', 'todos'].map(
      (path): [string, () => unknown, string] => [
        `a route of the path ${path}`,
        () => wrongRoute('GET', path),
        `service todo: route GET ${path}.path: found "${path}"; expected a path such as /todos/{id}`,
      ],
    ),
    [
      'a parameter twice',
      () => wrongRoute('GET', '/a/{id}/b/{id}', { params: Type.Object({ id: Type.String() }) }),
      'route GET /a/{id}/b/{id}: the path has the parameter id twice; expected another name.',
    ],
    [
      'a schema of a parameter that the path lacks',
      () => wrongRoute('GET', '/a', { params: Type.Object({ id: Type.String() }) }),
      'route GET /a: the schema params has id, which is no parameter of the path.',
    ],
    [
      'a route without a handler',
      () => wrongRoute('GET', '/a', { handle: 1 }),
      'route GET /a.handle: expected a function.',
    ],
    [
      'a misspelt kind of authentication',
      () => wrongRoute('GET', '/a', { auth: 'requried' }),
      'route GET /a.auth: found "requried"; expected "required", "optional" or "none". Did you mean "required"?',
    ],
    [
      'a required token without callers',
      () =>
        define(
          [todos].map((each) => ({ ...each, references: {} })),
          [route('GET', '/a', 'Get it', { id: 'a', auth: 'required', errors: [], handle: () => undefined })],
        ),
      'route GET /a.auth: expected "optional": no collection has callers.',
    ],
    ['a route without errors', () => wrongRoute('GET', '/a', { errors: undefined }), 'route GET /a.errors: '],
    [
      'a collection that is not made by its function',
      () => Reflect.apply(defineService, undefined, [{ name: 'todo', collections: [{ name: 'x' }], routes: [] }]),
      'service todo: collections[0]: found {"name":"x"}; expected a collection, as plainCollection returns it.',
    ],
    [
      'a route that is not made by its function',
      () => Reflect.apply(defineService, undefined, [{ name: 'todo', collections: [], routes: [{ path: '/a' }] }]),
      'service todo: routes[0]: found {"path":"/a"}; expected a route, as a function of routeOf returns it.',
    ],
    [
      'the name of the built-in service',
      () => defineService({ name: 'vals', collections: [], routes: [] }),
      'name: found "vals"; expected a name of 1–64 of A–Z a–z 0–9 . _ -, other than vals.',
    ],
    [
      'no name',
      () => Reflect.apply(defineService, undefined, [{ collections: [], routes: [] }]),
      'service: name: missing',
    ],
    [
      'a route without a summary',
      () => Reflect.apply(route, undefined, ['GET', '/a', { id: 'a', auth: 'optional', errors: [] }]),
      'route GET /a: arguments: expected a summary, then the definition.',
    ],
    [
      'a misspelt part of a route',
      () => wrongRoute('GET', '/a', { respones: Type.String() }),
      'service todo: route GET /a.respones: unknown key. Did you mean "response"?',
    ],
    [
      'a response that is not a schema',
      () => wrongRoute('GET', '/a', { response: 'Todo' }),
      'route GET /a.response: found "Todo"; expected a schema, as a function of Type returns it.',
    ],
    [
      'a query that is not an object',
      () => wrongRoute('GET', '/a', { query: Type.String() }),
      'route GET /a.query.type: found "string"; expected "object", as Type.Object has it.',
    ],
    [
      'a GET with a body',
      () => wrongRoute('GET', '/a', { body: Type.Object({}) }),
      'route GET /a.body: a GET has no body; expected query.',
    ],
    [
      'a status as a text',
      () => wrongRoute('POST', '/a', { status: '201' }),
      'route POST /a.status: found "201"; expected 200, 201, 202 or 204.',
    ],
    ['a status that is none', () => wrongRoute('GET', '/a', { status: 299 }), 'route GET /a.status: found 299'],
    ...[
      ['type', { type: 'strnig' }, 'type must be JSONType'],
      ['format', { type: 'string', format: 'emial' }, 'unknown format "emial"'],
      ['pattern', { type: 'string', pattern: '[' }, 'Invalid regular expression'],
      ['bound', { type: 'string', minLength: 'x' }, 'minLength value must be ["number"]'],
    ].map(([keyword, schema, reason]): [string, () => unknown, string] => [
      `a body with a wrong ${keyword}`,
      () => wrongRoute('POST', '/a', bodyOf(Object(schema))),
      `service todo: route POST /a.body: expected a JSON Schema: ${reason}`,
    ]),
    [
      'an extension with a wrong reference',
      () =>
        extend(todo, {
          collections: [
            {
              ...todos,
              name: 'tasks',
              adder: 'task',
              references: { owner: { to: 'people', id: String, find: () => [] } },
            },
          ],
        }),
      'service todo: collection tasks.references.owner',
    ],
  ])('%s', (_, wrong, message) => {
    expect(wrong).toThrow(DefinitionError);
    expect(wrong).toThrow(message);
  });

  test.each([
    [
      'a misspelt index of a reference',
      () => plainTodos({ indexes: ['ownr'], references: { owner: 'users' } }),
      'collection todos: indexes.ownr: there is no such field. Did you mean "owner"?',
    ],
    [
      'an adder twice',
      () => define([users, { ...todos, adder: 'user' }]),
      'service todo: collection todos.adder: "user" is the adder of users; expected another one.',
    ],
    [
      'a status as a text',
      () => wrongRoute('POST', '/a', { status: '201' }),
      'service todo: route POST /a.status: found "201"; expected 200, 201, 202 or 204.',
    ],
  ])('%s is one problem', (_, wrong, message) => {
    expect(wrong).toThrow(new RegExp(`^${message.replaceAll(/[.?]/g, '\\$&')}$`));
  });

  test.each([undefined, { name: 'todo', collections: [], routes: [] }])(
    'createEngine of %j, which is no service',
    async (service) => {
      await expect(Reflect.apply(createEngine, undefined, [service])).rejects.toThrow(
        /^createEngine: service: found .*; expected a service, as defineService of this package returns it\.$/,
      );
    },
  );

  test('an index whose key no record has, by the first record', async () => {
    const notes = defineCollection(
      {
        ...{ name: 'notes', title: 'Notes', adder: 'note', schema: record('A note', { id: Type.String() }) },
        identity: index<{ id: string; text?: string }>(asc(({ id }) => id)),
        indexes: { text: index<{ id: string; text?: string }>(asc((note) => note.text ?? Object(undefined).text)) },
      },
      { references: {}, build: (_builder, { record }) => record, write: (_names, note) => note, display: () => 'note' },
    );
    const service = defineService({ name: 'notes', collections: [notes], routes: [] });

    const message =
      'collection notes: indexes.text: its key 1 is undefined for the record "n1"; expected a text, a number or a boolean.';

    await expect(createEngine(service, { listen: false, fixtures: { notes: [{ id: 'n1' }] } })).rejects.toThrow(
      message,
    );
    const engine = await createEngine(service, { listen: false });
    expect(() => engine.add.note({ id: 'n1' })).toThrow(message);
    expect(engine.state()).toMatchObject({ notes: [] });
    expect(() => notes.collect([]).put({ id: 'n1' })).toThrow(message);
  });

  test('the services of this package have none', () => {
    expect(checkService(vals)).toBe(vals);
    expect(checkService(todo)).toBe(todo);
  });
});
