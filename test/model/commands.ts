import * as fc from 'fast-check';
import type { Operation } from './control.js';
import type { Json } from './records.js';
import { anyRequest, code, goodName, hugeRequest } from './requests.js';
import { START, USERNAMES } from './seed.js';
import type { Way, Who, World } from './world.js';

/** One step for both. What it sends depends on what there is, so that the world has the log of it. */
class Command implements fc.AsyncCommand<object, World> {
  readonly #act: (world: World) => Promise<string>;

  constructor(act: (world: World) => Promise<string>) {
    this.#act = act;
  }

  check = () => true;

  async run(_: object, world: World): Promise<void> {
    world.log.push(await this.#act(world));
  }

  toString = () => 'step';
}

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** Mostly the default sandbox, so that writes meet. */
const box = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('one', 'two') },
);
const way = fc.constantFrom<Way>('own fetch', 'own fetch', 'prefix', 'header', 'another origin');
const who = fc.oneof(
  { weight: 16, arbitrary: fc.nat(3) },
  { weight: 3, arbitrary: fc.record({ further: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.constantFrom<Who>(4, 5, 'none', 'none', 'unknown', 'basic', 'lower case') },
);
const over = fc.constantFrom<'http' | 'method'>('http', 'method');
const request = fc.tuple(box, way, who, anyRequest).map(([...args]) => new Command((world) => world.request(...args)));
const huge = fc.tuple(box, way, who, hugeRequest).map(([...args]) => new Command((world) => world.request(...args)));

// The control plane.

const ago = fc.constantFrom('-0s', '-1m', '-90s', '-2h', new Date(START).toISOString());
const userRef = fc.constantFrom<string>(...USERNAMES, 'ADA', id(4), id(2), 'nobody', 'hopper');
const valRef = fc.oneof(
  fc.tuple(fc.constantFrom<string>(...USERNAMES, 'ADA', id(4)), goodName).map(([user, name]) => `${user}/${name}`),
  fc.integer({ min: 10, max: 17 }).map(id),
);
const record = <T extends Json>(
  needed: { [K in keyof T]: fc.Arbitrary<T[K]> },
  more: Record<string, fc.Arbitrary<unknown>>,
) => fc.tuple(fc.record(needed), fc.record(more, { requiredKeys: [] })).map(([a, b]): Json => ({ ...b, ...a }));
const post = (path: string, bodies: fc.Arbitrary<Json>) =>
  bodies.map((body): Operation => ({ method: 'POST', path, body }));

const added: fc.Arbitrary<Operation> = fc.oneof(
  post(
    'users',
    record({ username: fc.constantFrom('hopper', 'HOPPER', 'turing', 'ada', 'a b') }, { bio: fc.constant('Hi') }),
  ),
  post('users', record({ username: fc.constant(null) }, { id: fc.integer({ min: 4, max: 6 }).map(id) })),
  post(
    'tokens',
    fc.record({
      user: userRef,
      token: fc.constantFrom('ada reads', 'ada-token', 'fresh-1', 'fresh-2'),
      scopes: fc.constantFrom(['val:write'], ['user:read', 'val_r'], ['sqlite:write', 'email:write'], ['blob_rw'], []),
    }),
  ),
  post(
    'vals',
    record(
      { author: userRef, name: goodName, code },
      {
        createdAt: ago,
        privacy: fc.constantFrom('public', 'unlisted', 'private'),
        type: fc.constant('interval'),
        version: fc.nat(3),
      },
    ),
  ),
  post(
    'runs',
    record(
      { val: valRef },
      {
        runStartAt: ago,
        error: fc.constantFrom('boom', { message: 'boom' }),
        source: fc.constantFrom('api', 'email'),
        duration: fc.constant('2s'),
      },
    ),
  ),
  post('likes', record({ user: userRef, val: valRef }, { createdAt: ago })),
  post('comments', record({ author: userRef, val: valRef, comment: fc.constant('Nice') }, { createdAt: ago })),
);
const clock: fc.Arbitrary<Operation> = fc
  .constantFrom<Json>(
    { advance: '1s' },
    { advance: '1m' },
    { advance: 1 },
    { advance: '1d' },
    { advance: -1 },
    { advance: 'soon' },
    { set: '2024-06-11T22:05:12.585Z' },
    { set: '2024-06-11T22:00:00Z' },
    { freeze: true },
    { freeze: '2024-06-11T22:06:00Z' },
    { freeze: 'later' },
  )
  .map((body) => ({ method: 'PUT', path: 'clock', body }));
const FAULT_ROUTES = [
  'POST /v1/vals',
  'PUT /v1/vals',
  'POST /v1/vals/{val_id}/versions',
  'GET /v1/vals/{val_id}',
  'GET /nowhere',
];
const fault = post(
  'faults',
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...FAULT_ROUTES).map((route): Json => ({ route })) },
        { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'DELETE').map((method): Json => ({ method })) },
        { weight: 2, arbitrary: userRef.map((user): Json => ({ user })) },
        { weight: 2, arbitrary: fc.nat(2).map((after): Json => ({ after })) },
        {
          weight: 1,
          arbitrary: fc.record({ route: fc.constantFrom(...FAULT_ROUTES), user: userRef, after: fc.nat(1) }),
        },
      ),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom<Json>(
        {},
        { status: 503 },
        { status: 429, headers: { 'Retry-After': '1' } },
        { status: 418, body: { short: true } },
        { headers: { 'x-why': 'a fault' } },
        { delay: 0 },
        { reset: true },
      ),
    )
    .map(([target, times, effect]) => ({ ...target, times, ...effect })),
);
const named = (method: string, ...paths: string[]) =>
  fc.constantFrom(...paths).map((path): Operation => ({ method, path }));
const snapshotName = fc.constantFrom('one', 'a b');
const state: fc.Arbitrary<Operation> = fc.oneof(
  named('GET', 'state', 'users', 'clock', 'faults', 'snapshots', 'history', 'requests'),
  post(
    'snapshots',
    snapshotName.map((name) => ({ name })),
  ),
  named('POST', 'snapshots/one/restore', 'snapshots/a%20b/restore', 'snapshots/none/restore'),
  named('DELETE', 'snapshots/one', 'snapshots/none', 'faults', 'faults', 'faults/f1', 'faults/f99'),
  post(
    'rewind',
    fc.oneof(
      fc.integer({ min: 1, max: 4 }).map((steps) => ({ steps })),
      fc.nat(30).map((n) => ({ before: `r${n}` })),
    ),
  ),
);
const operation = fc.oneof(
  { weight: 8, arbitrary: added },
  { weight: 3, arbitrary: clock },
  { weight: 2, arbitrary: fault },
  { weight: 6, arbitrary: state },
);
const control = fc.tuple(box, over, operation).map(([...args]) => new Command((world) => world.control(...args)));
/** Without its method, whose name is about to change. */
const rare = fc.tuple(box, fc.constantFrom('reset', 'requests', 'reseed', 'close', 'list')).map(
  ([name, what]) =>
    new Command((world) => {
      if (what === 'reset') return world.control(name, 'method', { method: 'POST', path: 'reset' });
      if (what === 'requests') return world.control(name, 'http', { method: 'DELETE', path: 'requests' });
      if (what === 'reseed') return world.reseed(name, START);
      return what === 'close' && name !== '' ? world.close(name) : world.listSandboxes();
    }),
);
const again = box.map((name) => new Command((world) => world.again(name)));

/** Sequences of everything that can be done to an emulator. */
export const commands = (most: number, replayPath: string | undefined) =>
  fc.commands<object, World, false>(
    [
      ...Array(24).fill(request),
      ...Array(6).fill(control),
      again,
      rare,
      fc.oneof({ weight: 1, arbitrary: huge }, { weight: 19, arbitrary: request }),
    ],
    { maxCommands: most, size: 'max', ...(replayPath !== undefined && { replayPath }) },
  );
