import type { Bounds } from '../store/collection.js';
import type { Relationship, User } from './schema.js';
import type { State } from './state.js';
import { getVal, isVisible } from './vals.js';

/** Lists the comments of a user, newest first, without comments on vals that have become private. */
export function* listComments(state: State, user: User, relationship: Relationship, window: Bounds) {
  for (const { comment } of state.comments.by.participant.range([user.id, relationship], window)) {
    if (isVisible(getVal(state, comment), user)) yield comment;
  }
}
