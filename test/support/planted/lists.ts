import type { Difference } from './difference.js';

/** Order, windows of time, pages and their links. */
export const lists: readonly Difference[] = [
  {
    id: 'versions-oldest-first',
    rule: 'The newest version comes first.',
    source: 'record',
    operation: 'GET /v1/vals/{val_id}/versions',
    file: 'routes/versions.ts',
    find: 'const versions = listVersions(state, getVisibleVal(state, params.val_id, caller));',
    replace: 'const versions = [...listVersions(state, getVisibleVal(state, params.val_id, caller))].reverse();',
  },
  {
    id: 'since-inclusive',
    rule: 'since is exclusive: a run that starts at that time is not in the list.',
    source: 'record',
    operation: 'GET /v1/vals/{val_id}/runs',
    file: 'routes/runs.ts',
    find: 'return runPage(context, listRunsByVal(state, val, query.error, toBounds(query)));',
    replace: `const { after, until } = toBounds(query);
      const earlier = after === undefined ? undefined : Number(after) - 1;
      return runPage(context, listRunsByVal(state, val, query.error, { after: earlier, until }));`,
  },
  {
    id: 'until-exclusive',
    rule: 'until is inclusive: a run that starts at that time is in the list.',
    source: 'record',
    operation: 'GET /v1/me/runs',
    file: 'routes/runs.ts',
    find: 'return runPage(context, listRunsByAuthor(state, caller, query.error, toBounds(query)));',
    replace: `const { after, until } = toBounds(query);
      const earlier = until === undefined ? undefined : Number(until) - 1;
      return runPage(context, listRunsByAuthor(state, caller, query.error, { after, until: earlier }));`,
  },
  {
    id: 'limit-unbounded',
    rule: 'A limit above 100 is a 400.',
    source: 'record',
    operation: 'GET /v1/users/{user_id}/vals',
    file: 'routes/vals.ts',
    find: `    params: UserPath,
    query: PagingQuery,`,
    replace: `    params: UserPath,
    query: Type.Object({ ...Paging, limit: Type.Integer({ minimum: 1, default: LIMITS.defaultPage }) }),`,
  },
  {
    id: 'links-without-parameters',
    rule: 'The links of a page keep all parameters.',
    source: 'chosen',
    operation: 'GET /v1/me/comments',
    file: 'routes/reactions.ts',
    find: 'return page(comments, query, links, (comment) =>',
    replace: 'return page(comments, query, { ...links, query: new URLSearchParams() }, (comment) =>',
  },
];
