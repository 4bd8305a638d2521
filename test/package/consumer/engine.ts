import {
  ApiError,
  createEngine,
  defineService,
  drawId,
  key,
  plainCollection,
  routeOf,
  type Static,
  Type,
  withDefault,
} from 'val-emulator/engine';

const users = plainCollection({
  ...{ name: 'users', adder: 'user', title: 'The users', callers: true, indexes: ['token'] },
  fields: { token: key(Type.String(), 'Bearer token') },
});
const todos = plainCollection({
  ...{ name: 'todos', adder: 'todo', title: 'The todos', indexes: ['owner'], references: { owner: 'users' } },
  fields: {
    owner: key(Type.String(), 'Id of a user'),
    title: key(Type.String({ minLength: 1, expected: 'a title' }), 'What to do'),
    done: withDefault(Type.Boolean(), false, 'Whether it is done'),
  },
});
const collections = [users, todos] as const;
const route = routeOf(collections);

const Todo = Type.Object({ id: Type.String(), title: Type.String(), done: Type.Boolean() });
const show = ({ id, title, done }: Static<typeof Todo>) => ({ id, title, done });
const Path = Type.Object({ id: Type.String() });
const list = route('GET', '/todos', 'List your todos', {
  ...{ id: 'listTodos', auth: 'required', response: Type.Array(Todo), errors: [401] },
  handle: ({ state, caller }) => Array.from(state.todos.by.owner.range([caller.id]), show),
});
const create = route('POST', '/todos', 'Add a todo', {
  ...{ id: 'createTodo', auth: 'required', response: Todo, status: 201, errors: [400, 401] },
  body: Type.Object({ title: Type.String({ minLength: 1 }) }),
  handle({ state, caller, body: { title } }) {
    const todo = { id: drawId(state), owner: caller.id, title, done: false, serial: state.nextSerial++ };
    state.todos = state.todos.put(todo);
    return show(todo);
  },
});
const complete = route('PUT', '/todos/{id}/done', 'Complete a todo', {
  ...{ id: 'completeTodo', auth: 'required', params: Path, response: Todo, errors: [401, 404] },
  handle({ state, caller, params: { id } }) {
    const todo = state.todos.get(id);
    if (todo?.owner !== caller.id) throw new ApiError(404, 'Todo not found');
    const done = { ...todo, done: true };
    state.todos = state.todos.put(done);
    return show(done);
  },
});

export const todo = defineService({
  ...{ name: 'todo', collections, routes: [list, create, complete] },
  datasets: {
    default: { users: [{ id: 'ada', token: 'ada-token' }], todos: [{ id: 't1', owner: 'ada', title: 'Rest' }] },
  },
});

export async function useEngine(): Promise<string[]> {
  const engine = await createEngine(todo);
  const added = engine.add.todo({ owner: 'ada', title: 'Work' });
  // @ts-expect-error a misspelt key
  engine.add.todo({ owner: 'ada', titel: 'Work' });
  // @ts-expect-error an unknown collection
  engine.add.task({});
  return [...engine.state().todos.map(({ title }) => title), added.title];
}
