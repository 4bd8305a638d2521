import { exportComment, exportLike, exportRun, exportUser, sortBySerial } from '../fixtures/export.js';
import { addComment, addLike, addRun, addUser } from '../fixtures/insert.js';
import type { CollectionName } from '../fixtures/schema.js';
import { deleteVal } from '../model/vals.js';
import { createAdapter, type Fixture, type ResourceAdapter } from './resource-adapter.js';
import { vals } from './vals.js';
import { versions } from './versions.js';

/** Users, without their tokens. A token can be written; a user that is written without one keeps its token. */
const users = createAdapter({
  collection: 'users',
  references: {},
  list: (state) => state.users.by.serial.range(),
  find: (state, id) => state.users.get(id),
  toRow(_state, user) {
    const { token: _, ...row } = exportUser(user);
    return row;
  },
  put(draft, fixture, now, old) {
    if (old) draft.users = draft.users.delete(old);
    const { id } = addUser(draft, old ? { token: old.token, ...fixture } : fixture, now);
    return draft.users.get(id);
  },
  remove(draft, user) {
    for (const val of draft.vals.by.author.range([user.id])) deleteVal(draft, val);
    for (const like of draft.likes.by.user.range([user.id])) draft.likes = draft.likes.delete(like);
    for (const { comment } of draft.comments.by.participant.range([user.id, 'given'])) {
      draft.comments = draft.comments.delete(comment);
    }
    draft.faults = draft.faults.filter(({ userId }) => userId !== user.id);
    draft.users = draft.users.delete(user);
  },
});

const runs = createAdapter({
  collection: 'runs',
  references: { val: 'valId' },
  list: (state) => sortBySerial(state.runs),
  find: (state, id) => state.runs.get(id),
  toRow: (state, run) => ({ ...exportRun(state, run), valId: run.valId }),
  put(draft, fixture, now, old) {
    if (old) draft.runs = draft.runs.delete(old);
    const { id } = addRun(draft, old ? dropOldEnd(fixture, exportRun(draft, old)) : fixture, now);
    return draft.runs.get(id);
  },
  remove(draft, run) {
    draft.runs = draft.runs.delete(run);
  },
});

/** Drops the end of a run that is given a duration: the end follows from it. */
function dropOldEnd(fixture: Fixture, old: Fixture): Fixture {
  const { runEndAt, ...rest } = fixture;
  return rest.duration !== undefined && runEndAt === old.runEndAt ? rest : fixture;
}

/** Likes. Their id consists of the ids of val and user. */
const likes = createAdapter({
  collection: 'likes',
  references: { user: 'userId', val: 'valId' },
  list: (state) => state.likes,
  find: (state, id) => state.likes.get(...id.split(':')),
  toRow: (state, like) => ({
    id: `${like.valId}:${like.userId}`,
    ...exportLike(state, like),
    userId: like.userId,
    valId: like.valId,
  }),
  put(draft, fixture, now, old) {
    if (old) draft.likes = draft.likes.delete(old);
    const others = draft.likes;
    addLike(draft, fixture, now);
    return draft.likes.diff(others).added[0];
  },
  remove(draft, like) {
    draft.likes = draft.likes.delete(like);
  },
});

const comments = createAdapter({
  collection: 'comments',
  references: { author: 'userId', val: 'valId' },
  list: (state) => sortBySerial(state.comments),
  find: (state, id) => state.comments.get(id),
  toRow: (state, comment) => ({ ...exportComment(state, comment), userId: comment.authorId, valId: comment.valId }),
  put(draft, fixture, now, old) {
    if (old) draft.comments = draft.comments.delete(old);
    const { id } = addComment(draft, fixture, now);
    return draft.comments.get(id);
  },
  remove(draft, comment) {
    draft.comments = draft.comments.delete(comment);
  },
});

export const adapters: Readonly<Record<CollectionName, ResourceAdapter>> = {
  users,
  vals,
  versions,
  runs,
  likes,
  comments,
};
