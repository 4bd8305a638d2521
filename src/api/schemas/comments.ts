import { Type } from 'typebox';
import { record, strictObject } from '../../lib/schema.js';
import { toTimestamp } from '../../lib/time.js';
import { type Comment, PRIVACIES, RELATIONSHIPS, type User, type Val } from '../../model/schema.js';
import { Paging, Window } from '../pagination.js';
import { Id, Nullable, Timestamp } from './common.js';
import { Author, authorView } from './users.js';

/** Query parameters of lists of comments. */
export const CommentQuery = Type.Object({
  ...Paging,
  ...Window,
  relationship: Type.Enum([...RELATIONSHIPS], {
    default: 'any',
    description: 'Comments by the caller (given), on vals of the caller (received), or either',
  }),
});

export const CommentItem = record('Comment', {
  comment: Type.String({ description: 'Markdown' }),
  id: Id,
  createdAt: Timestamp,
  author: Author,
  val: strictObject({
    name: Type.String(),
    id: Id,
    version: Type.Integer({ minimum: 0 }),
    privacy: Type.Enum([...PRIVACIES]),
    author: Nullable(Author),
  }),
});

export const commentView = (comment: Comment, author: User, val: Val, valAuthor: User) => ({
  comment: comment.comment,
  id: comment.id,
  createdAt: toTimestamp(comment.createdAt),
  author: authorView(author),
  val: {
    name: val.name,
    id: val.id,
    version: val.latest.version,
    privacy: val.privacy,
    author: authorView(valAuthor),
  },
});
