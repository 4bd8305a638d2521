import { Paging, page, pageOf } from '../contract/page.js';
import { route, signedIn } from '../contract/route.js';
import { BasicVal, basicValView } from '../contract/vals.js';
import { valsLikedBy } from '../domain/likes.js';

export const likeRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/likes',
    summary: 'List vals liked by the current user',
    auth: signedIn,
    request: { query: Paging },
    status: 200,
    answer: pageOf(BasicVal),
    errors: [400, 401],
    handle: ({ state, caller, query, links }) =>
      page(valsLikedBy(state, caller), query, links, (val) => basicValView(state, val, links)),
  }),
];
