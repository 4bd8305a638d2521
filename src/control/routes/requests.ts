import { Type } from 'typebox';
import { RequestQuery } from '../expectations.js';
import { RequestRecord } from '../journal.js';
import { controlRoute } from '../route.js';

export const requestRoutes = [
  controlRoute('GET', '/_emulator/requests', 'List the last 1,000 requests to the API, newest last', {
    query: RequestQuery,
    response: Type.Array(RequestRecord),
    errors: [400, 403, 422],
    example: { query: { route: 'POST /v1/vals' } },
    handle: ({ sandbox, query }) => sandbox.requests(query),
  }),
  controlRoute('DELETE', '/_emulator/requests', 'Clear the journal of requests', {
    handle: ({ sandbox }) => sandbox.clearRequests(),
  }),
];
