import { Page, page, toBounds } from '../api/pagination.js';
import { route } from '../api/route.js';
import { CommentItem, CommentQuery, commentView } from '../api/schemas/comments.js';
import { listComments } from '../model/comments.js';
import { getAuthor } from '../model/users.js';
import { getVal } from '../model/vals.js';

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
