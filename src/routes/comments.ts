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
    handle({ state, caller, query, links }) {
      const comments = commentsOf(state, caller, query.relationship, boundsOf(query));
      return page(comments, query, links, (comment) => commentView(state, comment));
    },
  }),
];
