import { Page, PagingQuery, page } from '../api/pagination.js';
import { route } from '../api/route.js';
import { BasicVal, basicValJson } from '../api/schemas/vals.js';
import { listLikedVals } from '../model/likes.js';

export const likeRoutes = [
  route('GET', '/v1/me/likes', 'List vals liked by the current user', {
    auth: 'required',
    query: PagingQuery,
    response: Page(BasicVal),
    errors: [400, 401],
    rules: {
      specification: ['Vals that the caller likes, by limit and offset.'],
      record: ['Items have the shape of vals in lists.'],
      chosen: [
        'The newest like comes first, as in feeds. Likes with the same time are sorted by the id of the val, so pages are stable.',
        'A private val of another user is not listed, since the caller may not read it.',
      ],
    },
    handle: (context) =>
      page(listLikedVals(context.state, context.caller), context.query, context.links, (val) =>
        basicValJson(context, val),
      ),
  }),
];
