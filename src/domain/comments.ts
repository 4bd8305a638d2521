import type { Instant } from './clock.js';
import { asc, type Bounds, by, byEach, Collection, desc, type Source } from './collection.js';
import type { State } from './state.js';
import type { User } from './users.js';
import { isVisible, valOf } from './vals.js';

export interface Comment {
  readonly id: string;
  readonly authorId: string;
  readonly valId: string;
  /** The author of the val, who receives the comment. */
  readonly valAuthorId: string;
  /** Markdown. */
  readonly comment: string;
  readonly createdAt: Instant;
  /** Position in the order of writing: tells comments of the same instant apart. */
  readonly serial: number;
}

/** How a user is related to a comment: wrote it, got it on an own val, or either. */
export const RELATIONSHIPS = ['any', 'received', 'given'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

interface Part {
  readonly relationship: Relationship;
  readonly userId: string;
  readonly comment: Comment;
}

/** A comment on a val of one's own is given and received, and once in `any`. */
const partsIn = (comment: Comment): Part[] => [
  { relationship: 'given', userId: comment.authorId, comment },
  { relationship: 'received', userId: comment.valAuthorId, comment },
  ...[...new Set([comment.authorId, comment.valAuthorId])].map((userId) => ({
    relationship: 'any' as const,
    userId,
    comment,
  })),
];

export const commentCollection = (comments: Source<Comment>) =>
  Collection.from(
    by<Comment>(asc((comment) => comment.id)),
    {
      val: by<Comment>(
        asc((comment) => comment.valId),
        asc((comment) => comment.serial),
      ),
      part: byEach(
        partsIn,
        asc((part) => part.userId),
        asc((part) => part.relationship),
        desc((part) => part.comment.createdAt),
        desc((part) => part.comment.serial),
      ),
    },
    comments,
  );
export type Comments = ReturnType<typeof commentCollection>;

/** The user's comments, newest first, without those on vals that were made private to the user since. */
export function* commentsOf(state: State, user: User, relationship: Relationship, window: Bounds): Generator<Comment> {
  for (const { comment } of state.comments.by.part.range([user.id, relationship], window)) {
    if (isVisible(valOf(state, comment), user)) yield comment;
  }
}
