import { drawId, emptyState, fork } from '#engine/state/state.js';
import { type Draft, type Settings, toValsState } from '#vals/lib/state.collection.js';
import type { Run, User, Val } from '#vals/service/service.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import { createVal, deleteVal, updateVal } from '#vals/vals/vals.rules.js';
import { addVersion, deleteVersion } from '#vals/vals/versions.rules.js';

export const NOW = Date.parse('2024-06-11T22:05:12.585Z');

export const settings: Settings = { auth: 'strict', defaultPrivacy: 'private', idSeed: 'a seed' };

/** Makes a draft with some users. */
export function makeDraft(idSeed = settings.idSeed, usernames: readonly string[] = ['ada', 'bob', 'cleo']): Draft {
  const draft = toValsState(fork(emptyState({ ...settings, idSeed }, definitions)));
  for (const username of usernames) draft.users = draft.users.put(makeUser(draft, username));
  return draft;
}

const makeUser = (draft: Draft, username: string): User => ({
  id: drawId(draft),
  username,
  email: '',
  bio: null,
  profileImageUrl: null,
  tier: null,
  token: `${username}-token`,
  serial: draft.nextSerial++,
});

/** Makes a run of a val. It is not stored. */
export const makeRun = (val: Val, id: string, serial: number, runStartAt = NOW): Run => ({
  id,
  valId: val.id,
  authorId: val.authorId,
  parentId: id,
  version: 0,
  error: null,
  runStartAt,
  runEndAt: null,
  source: 'ui',
  emails: [],
  logs: [],
  returnValue: null,
  args: [],
  serial,
});

/** A random write: its kind, and two numbers that select its records. */
export type RandomWrite = readonly [kind: number, a: number, b: number];

/** Selects one of the items by a number. */
function select<T>(items: Iterable<T>, number: number): T | undefined {
  const all = [...items];
  return all[number % all.length];
}

/** One write for each kind of change that a state can have. A write without a record to change does nothing. */
const WRITES: readonly ((draft: Draft, a: number, b: number) => void)[] = [
  function createAVal(draft, a, b) {
    const author = select(draft.users, a);
    if (author) createVal(draft, author, { code: `${b}`, privacy: b % 2 ? 'public' : 'private' }, NOW);
  },
  function updateAVal(draft, a, b) {
    const val = select(draft.vals, a);
    if (val) updateVal(draft, val, { readme: `${b}` });
  },
  function addAVersion(draft, a, b) {
    const val = select(draft.vals, a);
    if (val) addVersion(draft, val, `import 'https://esm.town/v/ada/x${b}';`, NOW + b);
  },
  function deleteAVersion(draft, a, b) {
    const val = select(draft.vals, a);
    const versions = val && [...draft.versions.range(val.id)];
    const version = versions && versions.length > 1 ? select(versions, b) : undefined;
    if (val && version) deleteVersion(draft, val, version.version);
  },
  function deleteAVal(draft, a) {
    const val = select(draft.vals, a);
    if (val) deleteVal(draft, val);
  },
  function addARun(draft, a, b) {
    const val = select(draft.vals, a);
    if (val) draft.runs = draft.runs.put(makeRun(val, drawId(draft), draft.nextSerial++, NOW + b));
  },
  function like(draft, a, b) {
    const val = select(draft.vals, a);
    const user = select(draft.users, b);
    if (val && user) draft.likes = draft.likes.put({ valId: val.id, userId: user.id, createdAt: NOW + b });
  },
  function unlike(draft, a) {
    const like = select(draft.likes, a);
    if (like) draft.likes = draft.likes.delete(like);
  },
  function comment(draft, a, b) {
    const val = select(draft.vals, a);
    const author = select(draft.users, b);
    if (!val || !author) return;
    const ids = { id: drawId(draft), valId: val.id, authorId: author.id, valAuthorId: val.authorId };
    draft.comments = draft.comments.put({ ...ids, comment: `${b}`, createdAt: NOW, serial: draft.nextSerial++ });
  },
  function changeAUser(draft, a, b) {
    const user = select(draft.users, a);
    if (user) draft.users = draft.users.put({ ...user, bio: `${b}` });
  },
];
export const WRITE_KINDS = WRITES.length;

/** Applies random writes to a draft and returns it. The same writes to the same state have the same result. */
export function applyWrites(draft: Draft, writes: readonly RandomWrite[]): Draft {
  for (const [kind, a, b] of writes) WRITES[kind]?.(draft, a, b);
  return draft;
}
