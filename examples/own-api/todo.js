import { ApiError, defineService, drawId, plainCollection, routeOf, Type, withDefault } from 'val-emulator/engine';

const users = plainCollection({
  name: 'users',
  adder: 'user',
  title: 'The users',
  fields: { token: Type.String({ description: 'Bearer token' }) },
  indexes: ['token'],
  callers: true,
});
const todos = plainCollection({
  name: 'todos',
  adder: 'todo',
  title: 'The todos',
  fields: {
    owner: Type.String({ description: 'Id of a user' }),
    title: Type.String({ minLength: 1, expected: 'a title' }),
    done: withDefault(Type.Boolean(), false, 'Whether it is done'),
  },
  indexes: ['owner'],
  references: { owner: 'users' },
});
const collections = [users, todos];
const route = routeOf(collections);

const Todo = Type.Object({ id: Type.String(), title: Type.String(), done: Type.Boolean() });
const show = ({ id, title, done }) => ({ id, title, done });

const routes = [
  route('GET', '/todos', 'List your todos', {
    id: 'listTodos',
    auth: 'required',
    response: Type.Array(Todo),
    errors: [401],
    handle: ({ state, caller }) => Array.from(state.todos.by.owner.range([caller.id]), show),
  }),
  route('POST', '/todos', 'Add a todo', {
    id: 'createTodo',
    auth: 'required',
    body: Type.Object({ title: Type.String({ minLength: 1 }) }),
    response: Todo,
    status: 201,
    errors: [400, 401],
    handle({ state, caller, body: { title } }) {
      const todo = { id: drawId(state), owner: caller.id, title, done: false, serial: state.nextSerial++ };
      state.todos = state.todos.put(todo);
      return show(todo);
    },
  }),
  route('PUT', '/todos/{id}/done', 'Complete a todo', {
    id: 'completeTodo',
    auth: 'required',
    params: Type.Object({ id: Type.String() }),
    response: Todo,
    errors: [401, 404],
    handle({ state, caller, params: { id } }) {
      const todo = state.todos.get(id);
      if (todo?.owner !== caller.id) throw new ApiError(404, 'Todo not found');
      const done = { ...todo, done: true };
      state.todos = state.todos.put(done);
      return show(done);
    },
  }),
];

export default defineService({
  name: 'todo',
  collections,
  routes,
  datasets: {
    default: {
      users: [{ id: 'ada', token: 'ada-token' }],
      todos: [{ id: 'rest', owner: 'ada', title: 'Rest' }],
    },
  },
});
