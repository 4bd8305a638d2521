import { Type } from 'typebox';
import { Page, Paging, page, toBounds, Window } from '../api/pagination.js';
import { route } from '../api/route.js';
import { Id, Nullable, Timestamp } from '../api/schemas/common.js';
import { Author, authorView } from '../api/schemas/users.js';
import { record, strictObject } from '../lib/schema.js';
import { toTimestamp } from '../lib/time.js';
import { listComments } from '../model/comments.js';
import { type Comment, PRIVACIES, RELATIONSHIPS, type User, type Val } from '../model/schema.js';
import { getAuthor } from '../model/users.js';
import { getVal } from '../model/vals.js';

/** Query parameters of lists of comments. */
const CommentQuery = Type.Object({
  ...Paging,
  ...Window,
  relationship: Type.Enum([...RELATIONSHIPS], {
    default: 'any',
    description: 'Comments by the caller (given), on vals of the caller (received), or either',
  }),
});

const CommentItem = record('Comment', {
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

const commentView = (comment: Comment, author: User, val: Val, valAuthor: User) => ({
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

export const commentRoutes = [
  route('GET', '/v1/me/comments', 'List comments related to the current user, either given or received', {
    auth: 'required',
    query: CommentQuery,
    response: Page(CommentItem),
    errors: [400, 401],
    rules: {
      specification: [
        'Comments given or received, filtered by relationship (with the value any), limit, offset, since and until.',
      ],
      record: [
        'relationship is any (the default), given or received.',
        'Given comments are by the caller; received ones are on vals of the caller.',
        'since is exclusive, until inclusive.',
      ],
      chosen: [
        'The newest comes first, as in every list.',
        'A comment by the author of the val is both given and received; any lists it once.',
        'Comments on a private val of another user are not listed, since the caller may not read the val.',
      ],
    },
    handle({ state, caller, query, links, json }) {
      const comments = listComments(state, caller, query.relationship, toBounds(query));
      return page(comments, query, links, (comment) => {
        const val = getVal(state, comment);
        return json(commentView, comment, getAuthor(state, comment), val, getAuthor(state, val));
      });
    },
  }),
];
