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
    rules: {
      specified: ['Vals that the caller likes, by limit and offset.'],
      record: ['Items are vals as in every list.'],
      chosen: [
        'The latest like comes first, as feeds have it; vals liked at the same moment are in the order of their ids, so that pages are stable.',
        'A val that has become private to somebody else is not listed, since the caller may not read it.',
      ],
    },
    handle: ({ state, caller, query, links }) =>
      page(valsLikedBy(state, caller), query, links, (val) => basicValView(state, val, links)),
  }),
];
