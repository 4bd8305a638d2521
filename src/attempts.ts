import { LIMITS } from './contract/fields.js';
import type { RequestExample, Route } from './contract/route.js';
import { runsOfVal } from './domain/runs.js';
import type { State } from './domain/state.js';
import { findUserByName } from './domain/users.js';
import { resolveVal } from './domain/vals.js';

/** A request, and how it is sent. */
export interface Attempt {
  readonly request: RequestExample;
  readonly token?: string;
  readonly type?: string;
  /** Where the emulator is, as far as the client knows. By default where all examples are. */
  readonly server?: string;
}

/** What no id is, an id of nothing, and a number of nothing. */
const WRONG_PARAMS = ['nowhere', '00000000-0000-4000-8000-000000000000', '99'];

/** Wrong queries for one route or the other. */
const WRONG_QUERIES: readonly Readonly<Record<string, string>>[] = [{ limit: '0' }, { route: 'GET /v2' }];

/** Wrong bodies for one route or the other. */
const WRONG_BODIES: readonly unknown[] = [
  {},
  [],
  { fixtures: 'nowhere' },
  { set: 'yesterday' },
  { route: 'GET /v2' },
  { before: 'r99' },
  { name: 'one-too-many' },
];

/** Requests to a route over the default fixtures: first one that is as it should be, then many that are not. */
export function* attemptsAt(route: Route<never>, state: State): Generator<Attempt> {
  const request = modelOf(route, state);
  const right: Attempt = { request, token: 'ada-token', type: 'application/json' };
  yield right;
  yield { request, type: 'application/json' };
  yield { ...right, token: 'nobody' };
  yield { ...right, server: 'http://elsewhere.example' };
  for (const name of namesIn(route.path)) {
    for (const value of WRONG_PARAMS) {
      yield { ...right, request: { ...request, params: { ...request.params, [name]: value } } };
    }
  }
  for (const wrong of route.request.query ? WRONG_QUERIES : []) {
    yield { ...right, request: { ...request, query: { ...request.query, ...wrong } } };
  }
  if (!route.request.body) return;
  for (const body of WRONG_BODIES) yield { ...right, request: { ...request, body } };
  // A name that is taken, on a request that has nothing else wrong with it.
  yield { ...right, request: { ...request, body: Object.assign({}, request.body, { name: 'hello' }) } };
  yield { ...right, type: 'text/plain' };
  yield { ...right, request: { ...request, body: { code: 'x'.repeat(LIMITS.body) } } };
}

/** A request that succeeds. */
function modelOf({ path, request, example = {} }: Route<never>, state: State): RequestExample {
  const values = valuesIn(state, path);
  const params = Object.fromEntries(namesIn(path).map((name) => [name, values[name] ?? name]));
  // A short page is example enough.
  const paging = request.query && 'offset' in request.query.shape ? { limit: '2' } : {};
  return { params, query: { ...paging, ...example.query }, body: example.body };
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** What stands for the parameters of paths. */
function valuesIn(state: State, path: string): Readonly<Record<string, string>> {
  const val = resolveVal(state, 'ada', 'logReading', findUserByName(state, 'ada'));
  return {
    user_id: val.authorId,
    username: 'ada',
    val_id: val.id,
    val_name: val.name,
    version: '0',
    run_id: runsOfVal(state, val, false, {}).first?.id ?? '',
    // Of a fault.
    id: 'f1',
    name: path.includes('/snapshots/') ? 'before' : 'demo',
  };
}
