// Rules that the compiler checks: `npx tsc` fails when one of these lines compiles.

import { Type } from 'typebox';
import { createStore, drawId, emptyState } from '#engine/state/state.js';
import { initialContents } from '#engine/store/store.js';
import type { RemoteSandbox } from '#tools/client/index.js';
import { route } from '#vals/lib/route.schema.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { User, Val } from '#vals/service/service.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import type { RouteReference } from '#vals/service/service.routes.js';
import { createVal } from '#vals/vals/vals.rules.js';
import type { Sandbox } from '../src/index.js';

const common = {
  id: 'handleThings',
  description: 'Handles all things.',
  rules: { specification: ['All of them.'] },
  auth: 'required',
  errors: [],
} as const;
const Result = Type.Object({ id: Type.String() });

export function readersCannotWrite(state: State, val: Val): void {
  // @ts-expect-error a state has no setters
  state.vals = state.vals.put(val);
  // @ts-expect-error nor has its clock
  state.clock.offset = 1;
  // @ts-expect-error nor have its settings
  state.settings.idSeed = 'another seed';
  // @ts-expect-error nor has the list of faults
  state.faults.push();
  // @ts-expect-error nor has a record
  val.name = 'renamed';
  // @ts-expect-error nor has a version
  val.latest.code = '1';
  // @ts-expect-error only a draft draws ids
  drawId(state);
  // @ts-expect-error only a draft draws random numbers
  drawNumber(state);
}

export function committedStatesCannotBeWritten(): void {
  const store = createStore(
    initialContents(emptyState({ auth: 'strict', defaultPrivacy: 'private', idSeed: '0' }, definitions)),
  );
  // @ts-expect-error the current state has no setters
  store.state.nextSerial = 1;
  const transaction = store.begin();
  // @ts-expect-error what a transaction shows to readers has none
  transaction.state.nextSerial = 1;
  // @ts-expect-error what it began with has none
  transaction.base.nextSerial = 1;
  transaction.draft.nextSerial = 1;
  store.commit(transaction);
  // @ts-expect-error the states in the history have none
  for (const { before } of store.history) before.nextSerial = 1;
  // @ts-expect-error the states of snapshots have none
  for (const { state } of store.snapshots) state.nextSerial = 1;
  store.update((draft) => {
    draft.nextSerial = 1;
  });
}

export const rulesThatWriteNeedADraft = (state: State, draft: Draft, author: User) => [
  // @ts-expect-error a state is not a draft
  createVal(state, author, { code: '1' }, 0),
  createVal(draft, author, { code: '1' }, 0),
  // A draft is a state.
  ((read: State) => read)(draft),
];

export const getHandlers = [
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    // @ts-expect-error a GET handler cannot draw an id
    handle: ({ state }) => ({ id: drawId(state) }),
  }),
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    handle({ state, caller }) {
      // @ts-expect-error a GET handler cannot write
      state.nextSerial = 1;
      return { id: caller.id };
    },
  }),
];

export const writingHandlers = (['POST', 'PUT', 'DELETE'] as const).map((method) =>
  route(method, '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    handle({ state }) {
      state.nextSerial++;
      return { id: drawId(state) };
    },
  }),
);

const idView = ({ id }: User) => ({ id });
const serialView = ({ serial }: User) => ({ id: serial });

export const responses = [
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    handle: ({ caller }) => ({ id: caller.id }),
  }),
  // @ts-expect-error a number in the place of a string
  route('GET', '/v1/things', 'Handle things', { ...common, response: Result, handle: () => ({ id: 1 }) }),
  // @ts-expect-error a key is missing
  route('GET', '/v1/things', 'Handle things', { ...common, response: Result, handle: () => ({}) }),
  // @ts-expect-error no response
  route('POST', '/v1/things', 'Handle things', { ...common, response: Result, handle: () => undefined }),
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    handle: (context) => context.json(idView, context.caller, context, () => []),
  }),
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    response: Result,
    // @ts-expect-error the JSON text of another type
    handle: (context) => context.json(serialView, context.caller, context, () => []),
  }),
  // @ts-expect-error a response where there is none
  route('DELETE', '/v1/things', 'Handle things', { ...common, handle: () => ({ id: '1' }) }),
  route('DELETE', '/v1/things', 'Handle things', { ...common, handle: () => undefined }),
];

export const origins = [
  // @ts-expect-error a route of the specification without what the specification says
  route('DELETE', '/v1/things', 'Handle things', { ...common, rules: { chosen: ['All.'] }, handle: () => undefined }),
  // @ts-expect-error an unofficial route without its record
  route('DELETE', '/v1/things', 'Handle things', { ...common, unofficial: true, handle: () => undefined }),
  route('DELETE', '/v1/things', 'Handle things', {
    ...common,
    unofficial: true,
    rules: { record: ['A published client calls it.'] },
    handle: () => undefined,
  }),
];

export const requests = [
  route('POST', '/v1/things', 'Handle things', {
    ...common,
    params: Type.Object({ val_id: Type.String() }),
    query: Type.Object({ limit: Type.Integer() }),
    body: Type.Object({ code: Type.String(), name: Type.Optional(Type.String()) }),
    response: Type.Object({ id: Type.String(), limit: Type.Integer(), code: Type.String(), name: Type.String() }),
    handle: ({ params, query, body }) => ({
      id: params.val_id,
      limit: query.limit,
      code: body.code,
      name: body.name ?? '',
    }),
  }),
  route('POST', '/v1/things', 'Handle things', {
    ...common,
    params: Type.Object({ val_id: Type.String() }),
    response: Result,
    // @ts-expect-error the path has another parameter
    handle: ({ params }) => ({ id: params.run_id }),
  }),
  route('GET', '/v1/things', 'Handle things', {
    ...common,
    auth: 'optional',
    response: Result,
    // @ts-expect-error without a token there is no caller
    handle: ({ caller }) => ({ id: caller.id }),
  }),
];

export async function routesAreChecked(sandbox: Sandbox, remote: RemoteSandbox, id: string, text: string) {
  const routes: RouteReference[] = [
    'GET /v1/me',
    'GET /v1/vals/{val_id}',
    'GET /v1/vals/123',
    `GET /v1/vals/${id}/runs`,
  ];
  sandbox.expectSequence([...routes, { route: 'GET /v1/search/vals?limit=2' }, { status: 404 }]);
  sandbox.fail('*');
  // @ts-expect-error a misspelt route
  sandbox.fail('GET /v1/mee');
  // @ts-expect-error a misspelt method
  sandbox.expectRequest('GTE /v1/me');
  // @ts-expect-error any route, where one is expected
  sandbox.expectRequest('*');
  // @ts-expect-error any text
  sandbox.requests({ route: text });
  // @ts-expect-error a misspelt route in a sequence
  sandbox.expectSequence(['GET /v1/me', 'POST /v1/val']);
  // @ts-expect-error a misspelt route among those that are allowed
  await remote.expectNoOther([{ route: 'POST /v1/val' }]);
  // @ts-expect-error a misspelt outcome
  await remote.expectRequest('GET /v1/me', { outcome: 'send' });
}

export function assertionsAboutTheEndArePromises(sandbox: Sandbox) {
  const later: Promise<unknown>[] = [
    sandbox.expectRequest('GET /v1/me', { outcome: 'sent' }),
    sandbox.expectSequence(['GET /v1/me', { duration: { max: '2s' } }]),
    sandbox.expectNoOther([{ outcome: 'sent' }]),
  ];
  // @ts-expect-error an assertion about requests alone is not one
  later.push(sandbox.expectRequest('GET /v1/me', { status: 200 }));
  // @ts-expect-error nor is a sequence without an end
  later.push(sandbox.expectSequence(['GET /v1/me', { status: 200 }]));
  return later;
}
