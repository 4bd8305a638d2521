import type { Instant } from './clock.js';
import { asc, by, Collection, desc, type Source } from './collection.js';
import type { State } from './state.js';
import type { User } from './users.js';
import { isVisible, type Val, valOf } from './vals.js';

/** That a user likes a val: at most once. */
export interface Like {
  readonly valId: string;
  readonly userId: string;
  readonly createdAt: Instant;
}

export const likeCollection = (likes: Source<Like>) =>
  Collection.from(
    by<Like>(
      asc((like) => like.valId),
      asc((like) => like.userId),
    ),
    {
      user: by<Like>(
        asc((like) => like.userId),
        desc((like) => like.createdAt),
        asc((like) => like.valId),
      ),
    },
    likes,
  );
export type Likes = ReturnType<typeof likeCollection>;

export const countLikes = (state: State, val: Val): number => state.likes.range(val.id).length;

/** The vals that the user likes, most recently liked first, without those that were made private since. */
export function* valsLikedBy(state: State, user: User): Generator<Val> {
  for (const like of state.likes.by.user.range([user.id])) {
    const val = valOf(state, like);
    if (isVisible(val, user)) yield val;
  }
}
