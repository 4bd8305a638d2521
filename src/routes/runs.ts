import { boundsOf, page, pageOf } from '../contract/page.js';
import { route, signedIn } from '../contract/route.js';
import { BaseRun, RunQuery, runView } from '../contract/runs.js';
import { ValPath } from '../contract/vals.js';
import { fromSources, runsOfAuthor, runsOfVal } from '../domain/runs.js';
import { findOwnVal } from '../domain/vals.js';

export const runRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/runs',
    summary: 'List runs of the current user',
    auth: signedIn,
    request: { query: RunQuery },
    status: 200,
    answer: pageOf(BaseRun),
    errors: [400, 401],
    handle({ state, caller, query, links }) {
      const runs = runsOfAuthor(state, caller, query.error, boundsOf(query));
      return page(fromSources(runs, query.source), query, links, (run) => runView(state, run));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/vals/{val_id}/runs',
    summary: 'List runs of a val',
    auth: signedIn,
    request: { params: ValPath, query: RunQuery },
    status: 200,
    answer: pageOf(BaseRun),
    errors: [400, 401, 404],
    handle({ state, caller, params, query, links }) {
      const runs = runsOfVal(state, findOwnVal(state, params.val_id, caller), query.error, boundsOf(query));
      return page(fromSources(runs, query.source), query, links, (run) => runView(state, run));
    },
  }),
];
