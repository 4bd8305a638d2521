import { addLike } from '../../fixtures/add.js';
import { exportLike } from '../../fixtures/export.js';
import { table } from './table.js';

/** Likes. They have no id of their own: it is made of those of the val and the user. */
export const likes = table({
  collection: 'likes',
  references: { user: 'userId', val: 'valId' },
  all: (state) => state.likes,
  find: (state, id) => state.likes.get(...id.split(':')),
  show: (state, like) => ({
    id: `${like.valId}:${like.userId}`,
    ...exportLike(state, like),
    userId: like.userId,
    valId: like.valId,
  }),
  put(state, fixture, now, old) {
    if (old) state.likes = state.likes.delete(old);
    const others = state.likes;
    addLike(state, fixture, now);
    return state.likes.changesSince(others).added[0];
  },
  remove(state, like) {
    state.likes = state.likes.delete(like);
  },
});
