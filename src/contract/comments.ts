import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import { type Comment, RELATIONSHIPS } from '../domain/comments.js';
import type { State } from '../domain/state.js';
import { authorOf } from '../domain/users.js';
import { PRIVACIES, valOf } from '../domain/vals.js';
import { named } from './components.js';
import { Json } from './json.js';
import { eachUser, eachVal, kept } from './kept.js';
import { Paging, Window } from './page.js';
import { Author, authorView } from './users.js';

/** Query parameters of lists of comments. */
export const CommentQuery = Paging.extend(Window.shape).extend({
  relationship: z
    .enum(RELATIONSHIPS)
    .default('any')
    .describe('Comments that the caller wrote (given), on vals of the caller (received), or either'),
});

export const CommentItem = named(
  'Comment',
  z.strictObject({
    comment: z.string().describe('Markdown'),
    id: z.guid(),
    createdAt: z.iso.datetime(),
    author: Author,
    val: z.strictObject({
      name: z.string(),
      id: z.guid(),
      version: z.int().min(0),
      privacy: z.enum(PRIVACIES),
      author: Author.nullable(),
    }),
  }),
);

/** A comment in a list. */
export const commentView = kept(
  [eachVal, eachUser],
  (state: State, comment: Comment) => {
    const val = valOf(state, comment);
    return [authorOf(state, comment), val, authorOf(state, val)] as const;
  },
  (comment, author, val, valAuthor) =>
    Json.of({
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
    }),
);
