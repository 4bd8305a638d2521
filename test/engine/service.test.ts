import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { AnyDefinition } from '#engine/definition/define.js';
import { defineCollection } from '#engine/definition/define.js';
import { record } from '#engine/definition/parts.js';
import { plainCollection } from '#engine/definition/plain.js';
import { DefinitionError } from '#engine/lib/errors.js';
import { checkService, defineService, extend, isService, routeOf } from '#engine/service.js';
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
      'route GET /_emulator/todos: expected a path',
    ],
    [
      'a collection whose control route exists',
      () => define([{ ...users, name: 'snapshots' }]),
      'route POST /_emulator/snapshots: matches the same requests as POST /_emulator/snapshots',
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

    await expect(createEngine(service, { listen: false, fixtures: { notes: [{ id: 'n1' }] } })).rejects.toThrow(message);
    const engine = await createEngine(service, { listen: false });
    expect(() => engine.add.note({ id: 'n1' })).toThrow(message);
    expect(engine.exportState()).toMatchObject({ notes: [] });
    expect(() => notes.collect([]).put({ id: 'n1' })).toThrow(message);
  });

  test('the services of this package have none', () => {
    expect(checkService(vals)).toBe(vals);
    expect(checkService(todo)).toBe(todo);
  });
});

test('a service is told from other values', () => {
  expect([vals, todo].every(isService)).toBe(true);
  expect([undefined, 1, {}, { definitions: { all: [{ collect: () => [] }] } }].some(isService)).toBe(false);
});
