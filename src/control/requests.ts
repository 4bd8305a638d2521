import { Type } from 'typebox';
import {
  ExpectationSchema,
  expectRequest,
  parseRequestQuery,
  RequestQuery,
  resolveFilter,
} from '../journal/expectations.js';
import { RequestRecord, toRequestRecord } from '../journal/request-record.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { controlRoute } from './route.js';

/** An expectation over HTTP: the route, which is an argument of the method, is required. */
const ExpectationBody = Type.Object(
  { ...ExpectationSchema.properties, route: Type.String({ description: 'As in `POST /v1/vals`' }) },
  { title: 'Expectation', additionalProperties: false },
);

export const requestRoutes = [
  controlRoute('GET', '/_emulator/requests', 'List the last 1,000 requests to the API, newest last', {
    id: 'listRequests',
    query: RequestQuery,
    response: Type.Array(RequestRecord),
    errors: [400, 403, 409, 422],
    example: { query: { route: 'POST /v1/vals' } },
    handle: ({ sandbox, query }) => sandbox.requests(parseRequestQuery(query)),
  }),
  controlRoute('GET', '/_emulator/requests/unhandled', 'List the requests to routes that do not exist', {
    id: 'listUnhandledRequests',
    response: Type.Array(RequestRecord),
    errors: [403, 409],
    handle: ({ sandbox }) => sandbox.unhandled(),
  }),
  controlRoute('GET', '/_emulator/requests/{id}', 'Get a request of the journal', {
    id: 'getRequest',
    params: Type.Object({ id: Type.String({ description: 'Id of a request' }) }),
    response: RequestRecord,
    errors: [403, 404, 409],
    handle({ sandbox: { journal }, params: { id } }) {
      const exchange = journal.read().find(id);
      if (exchange) return toRequestRecord(exchange);
      throw new NotFoundError(`There is no request ${formatValue(id)}: the journal has the last ${journal.length}.`);
    },
  }),
  controlRoute('POST', '/_emulator/requests/expect', 'Assert that a route was called; a 422 has the near misses', {
    id: 'expectRequest',
    body: ExpectationBody,
    errors: [400, 403, 409, 422],
    example: { body: { route: 'GET /v1/me', times: 0 } },
    handle: ({ emulator: { router }, sandbox: { journal, store }, body }) =>
      expectRequest(journal.read().exchanges, resolveFilter(body, store.state, router)),
  }),
  controlRoute('DELETE', '/_emulator/requests', 'Clear the journal of requests', {
    id: 'clearRequests',
    handle: ({ sandbox }) => sandbox.clearRequests(),
  }),
];
