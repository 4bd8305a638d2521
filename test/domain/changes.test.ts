import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Changes, changesBetween } from '../../src/domain/changes.js';
import { State } from '../../src/domain/state.js';
import { createVal, deleteVal, updateVal } from '../../src/domain/vals.js';
import { addVersion, deleteVersion } from '../../src/domain/versions.js';

const NOW = Date.parse('2024-06-11T22:05:12.585Z');

function newState(): State {
  const state = new State({ auth: 'strict', defaultPrivacy: 'private', idSeed: 'changes' });
  for (const username of ['ada', 'bob', 'cleo']) {
    const id = state.newId();
    const serial = state.newSerial();
    const rest = { email: '', bio: null, profileImageUrl: null, tier: null, token: username };
    state.users = state.users.put({ id, username, serial, ...rest });
  }
  return state;
}

/** One of several, chosen by a number. */
const nth = <T>(items: Iterable<T>, place: number): T | undefined => {
  const all = [...items];
  return all[place % all.length];
};

/** A change to a state, made of what numbers choose among all that is possible in it. */
type Write = (state: State, a: number, b: number) => void;

const WRITES: readonly Write[] = [
  function create(state, a, b) {
    const author = nth(state.users, a);
    if (author) createVal(state, author, { code: `${b}`, privacy: b % 2 ? 'public' : 'private' }, NOW);
  },
  function change(state, a, b) {
    const val = nth(state.vals, a);
    if (val) updateVal(state, val, { readme: `${b}` });
  },
  function write(state, a, b) {
    const val = nth(state.vals, a);
    if (val) addVersion(state, val, `import 'https://esm.town/v/ada/x${b}';`, NOW + b);
  },
  function unwrite(state, a, b) {
    const val = nth(state.vals, a);
    const versions = val && [...state.versions.range(val.id)];
    const version = versions && versions.length > 1 ? nth(versions, b) : undefined;
    if (val && version) deleteVersion(state, val, version.version);
  },
  function remove(state, a) {
    const val = nth(state.vals, a);
    if (val) deleteVal(state, val);
  },
  function run(state, a, b) {
    const val = nth(state.vals, a);
    if (!val) return;
    const id = state.newId();
    const serial = state.newSerial();
    const facts = { version: 0, error: null, source: 'ui' as const, emails: [], logs: [], returnValue: null, args: [] };
    const times = { runStartAt: NOW + b, runEndAt: null };
    const run = { id, valId: val.id, authorId: val.authorId, parentId: id, serial, ...facts, ...times };
    state.runs = state.runs.put(run);
  },
  function like(state, a, b) {
    const val = nth(state.vals, a);
    const user = nth(state.users, b);
    if (val && user) state.likes = state.likes.put({ valId: val.id, userId: user.id, createdAt: NOW + b });
  },
  function unlike(state, a) {
    const like = nth(state.likes, a);
    if (like) state.likes = state.likes.delete(like);
  },
  function comment(state, a, b) {
    const val = nth(state.vals, a);
    const author = nth(state.users, b);
    if (!val || !author) return;
    const ids = { id: state.newId(), valId: val.id, authorId: author.id, valAuthorId: val.authorId };
    state.comments = state.comments.put({ ...ids, comment: `${b}`, createdAt: NOW, serial: state.newSerial() });
  },
  function rename(state, a, b) {
    const user = nth(state.users, a);
    if (user) state.users = state.users.put({ ...user, bio: `${b}` });
  },
];

/** All records of a state by collection and identity. */
const recordsOf = ({ users, vals, versions, runs, likes, comments }: State): Record<string, Map<string, unknown>> => ({
  users: new Map([...users].map((user) => [user.id, user])),
  vals: new Map([...vals].map((val) => [val.id, val])),
  versions: new Map([...versions].map((version) => [`${version.valId}/${version.version}`, version])),
  runs: new Map([...runs].map((run) => [run.id, run])),
  likes: new Map([...likes].map((like) => [`${like.userId}/${like.valId}`, like])),
  comments: new Map([...comments].map((comment) => [comment.id, comment])),
});

/** The same by looking at every record. */
function plainChanges(before: State, after: State): Changes {
  const earlier = recordsOf(before);
  const changes = Object.entries(recordsOf(after)).map(([name, now]) => {
    const then = earlier[name] ?? new Map<string, unknown>();
    const added = [...now.keys()].filter((id) => !then.has(id)).sort();
    const changed = [...now.keys()].filter((id) => then.has(id) && then.get(id) !== now.get(id)).sort();
    const removed = [...then.keys()].filter((id) => !now.has(id)).sort();
    return [name, { added, changed, removed }] as const;
  });
  return Object.fromEntries(
    changes.filter(([, { added, changed, removed }]) => added.length + changed.length + removed.length > 0),
  );
}

/** In an order that does not matter. */
const sorted = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, { added, changed, removed }]) => [
      name,
      { added: [...added].sort(), changed: [...changed].sort(), removed: [...removed].sort() },
    ]),
  );

const writes = (size: { minLength?: number; maxLength: number }) =>
  fc.array(fc.tuple(fc.nat(WRITES.length - 1), fc.nat(1_000), fc.nat(1_000)), size);

function write(state: State, script: readonly (readonly [number, number, number])[]): State {
  for (const [kind, a, b] of script) WRITES[kind]?.(state, a, b);
  return state;
}

test('nothing has changed between a state and its fork', () => {
  const state = write(newState(), [
    [0, 0, 0],
    [0, 1, 1],
  ]);

  expect(changesBetween(state, state.fork())).toStrictEqual({});
});

test('what random writes changed is what a look at every record finds', () => {
  const collections = new Set<string>();
  fc.assert(
    fc.property(writes({ maxLength: 60 }), writes({ maxLength: 20 }), (earlier, later) => {
      const before = write(newState(), earlier);
      const after = write(before.fork(), later);

      const changes = changesBetween(before, after);

      expect(sorted(changes)).toStrictEqual(plainChanges(before, after));
      for (const name of Object.keys(changes)) collections.add(name);
    }),
    { numRuns: 300, seed: 17 },
  );
  expect([...collections].sort()).toStrictEqual(['comments', 'likes', 'runs', 'users', 'vals', 'versions']);
});

test('also between two states of which neither came from the other', () => {
  fc.assert(
    fc.property(writes({ maxLength: 40 }), writes({ maxLength: 15 }), writes({ maxLength: 15 }), (common, one, two) => {
      const origin = write(newState(), common);
      const left = write(origin.fork(), one);
      const right = write(origin.fork(), two);

      expect(sorted(changesBetween(left, right))).toStrictEqual(plainChanges(left, right));
    }),
    { numRuns: 200, seed: 18 },
  );
});

test('telling the changes of one write is quick, however many records there are', () => {
  const before = newState();
  const author = nth(before.users, 0);
  if (!author) throw new Error('no author');
  for (let i = 0; i < 20_000; i++) createVal(before, author, { name: `val${i}`, code: '1' }, NOW);
  const after = write(before.fork(), [[0, 0, 0]]);

  const start = performance.now();
  for (let i = 0; i < 100; i++) changesBetween(before, after);

  // Milliseconds; a look at every record would take a hundred times as long.
  expect(performance.now() - start).toBeLessThan(500);
});
