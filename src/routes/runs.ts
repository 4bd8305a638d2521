import { boundsOf, page, pageOf } from '../contract/page.js';
import { route, signedIn } from '../contract/route.js';
import { BaseRun, FullRun, fullRunView, RunPath, RunQuery, runView } from '../contract/runs.js';
import { ValPath } from '../contract/vals.js';
import { findOwnRun, fromSources, runsOfAuthor, runsOfVal } from '../domain/runs.js';
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
    rules: {
      specified: ['Runs of the caller, by error, limit, offset, since and until.'],
      record: [
        'These are the runs of every val that the caller wrote.',
        'error picks failed runs (true) or successful ones (false); source picks by what started them.',
        'since is exclusive, until inclusive; both are about the start of a run.',
        'A run has the shape of 2023: later that year the service stopped answering here, and never published another.',
      ],
      chosen: [
        'The latest start comes first, as in every list.',
        'A run that no other one started is its own parent, since clients take parentId for an id in any case.',
      ],
    },
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
    rules: {
      specified: ['Runs of a val, by limit and offset, for callers with a token.'],
      record: ['error, source, since and until are taken as in the list of all runs.'],
      chosen: [
        "Runs are for the author of the val, as in the list of all runs; somebody else's val is a 404.",
        'The latest start comes first, as there.',
      ],
    },
    handle({ state, caller, params, query, links }) {
      const runs = runsOfVal(state, findOwnVal(state, params.val_id, caller), query.error, boundsOf(query));
      return page(fromSources(runs, query.source), query, links, (run) => runView(state, run));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/runs/{run_id}',
    summary: 'Get a run by id',
    companion: true,
    auth: signedIn,
    request: { params: RunPath },
    status: 200,
    answer: FullRun,
    errors: [400, 401, 404],
    rules: {
      record: ['Beside what lists show there are the emails, logs, return value and arguments of the run.'],
      chosen: ["Runs are for the author of the val, as in lists; somebody else's run is a 404."],
    },
    handle: ({ state, caller, params }) => fullRunView(state, findOwnRun(state, params.run_id, caller)),
  }),
];
