import { deleteVal } from '../../domain/vals.js';
import { addUser } from '../../fixtures/add.js';
import { exportUser } from '../../fixtures/export.js';
import { withoutToken } from '../tokens.js';
import { table } from './table.js';

/** Users, without their tokens. A token can be given all the same; a user that is written without one keeps its own. */
export const users = table({
  collection: 'users',
  references: {},
  all: (state) => state.users.by.serial.range(),
  find: (state, id) => state.users.get(id),
  show: (_state, user) => withoutToken(exportUser(user)),
  put(state, fixture, now, old) {
    if (old) state.users = state.users.delete(old);
    const { id } = addUser(state, old ? { token: old.token, ...fixture } : fixture, now);
    const user = state.users.get(id);
    if (old && user) state.users = state.users.put({ ...user, serial: old.serial });
    return user;
  },
  remove(state, user) {
    for (const val of state.vals.by.author.range([user.id])) deleteVal(state, val);
    for (const like of state.likes.by.user.range([user.id])) state.likes = state.likes.delete(like);
    for (const { comment } of state.comments.by.part.range([user.id, 'given'])) {
      state.comments = state.comments.delete(comment);
    }
    state.faults = state.faults.filter(({ userId }) => userId !== user.id);
    state.users = state.users.delete(user);
  },
});
