import { addComment } from '../../fixtures/add.js';
import { exportComment, inOrder } from '../../fixtures/export.js';
import { table } from './table.js';

export const comments = table({
  collection: 'comments',
  references: { author: 'userId', val: 'valId' },
  all: (state) => inOrder(state.comments),
  find: (state, id) => state.comments.get(id),
  show: (state, comment) => ({ ...exportComment(state, comment), userId: comment.authorId, valId: comment.valId }),
  put(state, fixture, now, old) {
    if (old) state.comments = state.comments.delete(old);
    const { id } = addComment(state, fixture, now);
    const comment = state.comments.get(id);
    if (old && comment) state.comments = state.comments.put({ ...comment, serial: old.serial });
    return comment;
  },
  remove(state, comment) {
    state.comments = state.comments.delete(comment);
  },
});
