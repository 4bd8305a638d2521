import type { Bounds } from '#engine/store/collection.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Relationship, User, Val } from '#vals/service/service.collection.js';
import { getVal, isVisible } from '#vals/vals/vals.rules.js';

export const countLikes = (state: State, val: Val): number => state.likes.range(val.id).length;

/** Lists the vals that a user likes, newest like first, without vals that have become private. */
export function* listLikedVals(state: State, user: User): Generator<Val> {
  for (const like of state.likes.by.user.range([user.id])) {
    const val = getVal(state, like);
    if (isVisible(val, user)) yield val;
  }
}

/** Lists the comments of a user, newest first, without comments on vals that have become private. */
export function* listComments(state: State, user: User, relationship: Relationship, window: Bounds) {
  for (const { comment } of state.comments.by.participant.range([user.id, relationship], window)) {
    if (isVisible(getVal(state, comment), user)) yield comment;
  }
}
