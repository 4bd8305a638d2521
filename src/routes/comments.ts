import { CommentItem, CommentQuery, commentView } from '../contract/comments.js';
import { boundsOf, page, pageOf } from '../contract/page.js';
import { route, signedIn } from '../contract/route.js';
import { commentsOf } from '../domain/comments.js';

export const commentRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/comments',
    summary: 'List comments related to the current user, either given or received',
    auth: signedIn,
    request: { query: CommentQuery },
    status: 200,
    answer: pageOf(CommentItem),
    errors: [400, 401],
    rules: {
      specified: [
        'Comments given or received, by relationship (any is a value of it), limit, offset, since and until.',
      ],
      record: [
        'relationship is any, given or received, and any by default.',
        'Given are those that the caller wrote, received those on vals that the caller wrote.',
        'since is exclusive, until inclusive.',
      ],
      chosen: [
        'The latest comes first, as in every list.',
        "A comment on one's own val is both given and received, as both are true of it, and listed once under any.",
        'Comments on a val that has become private to somebody else are not listed, since the caller may not read it.',
      ],
    },
    handle({ state, caller, query, links }) {
      const comments = commentsOf(state, caller, query.relationship, boundsOf(query));
      return page(comments, query, links, (comment) => commentView(state, comment));
    },
  }),
];
