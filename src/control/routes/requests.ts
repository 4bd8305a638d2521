import { Type } from 'typebox';
import { ExpectationSchema, parseRequestQuery, RequestQuery } from '../../journal/expectations.js';
import { RequestRecord, toRequestRecord } from '../../journal/request-record.js';
import { NotFoundError } from '../../lib/errors.js';
import { formatValue } from '../../lib/messages.js';
import { strictObject } from '../../lib/schema.js';
import { FaultRecord, FaultSchema, listFaults } from '../../sandbox/faults.js';
import { At, getStateAt, HistoryEntry } from '../../sandbox/history.js';
import { RateLimitSchema, RateLimitStatus } from '../../sandbox/rate-limit.js';
import { controlRoute } from '../route.js';

const RewindBody = strictObject(
  {
    steps: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of commits to take back' })),
    before: Type.Optional(Type.String({ description: 'Id of the first commit to take back' })),
  },
  { title: 'Rewind', minProperties: 1, maxProperties: 1, expected: 'exactly one of steps and before' },
);

/** An expectation over HTTP: the route, which is an argument of the method, is required. */
const ExpectationBody = Type.Object(
  { ...ExpectationSchema.properties, route: Type.String({ description: 'As in `POST /v1/vals`' }) },
  { title: 'Expectation', additionalProperties: false },
);

/** The routes of requests: their journal, their commits and the faults to inject. */
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
    handle: ({ sandbox, body: { route, ...expectation } }) => sandbox.expectRequest(route, expectation),
  }),
  controlRoute('DELETE', '/_emulator/requests', 'Clear the journal of requests', {
    id: 'clearRequests',
    handle: ({ sandbox }) => sandbox.clearRequests(),
  }),
  controlRoute('GET', '/_emulator/history', 'List the last 100 commits, newest last, with what they changed', {
    id: 'listHistory',
    response: Type.Array(HistoryEntry),
    handle: ({ sandbox }) => sandbox.history(),
  }),
  controlRoute('POST', '/_emulator/rewind', 'Take back commits', {
    id: 'rewind',
    body: RewindBody,
    errors: [400, 403, 404],
    example: { body: { before: 'r1' } },
    handle: ({ sandbox, body }) => sandbox.rewind(body.steps ?? body.before ?? 0),
  }),
  controlRoute('GET', '/_emulator/rate-limit', 'Read the rate limit, with the requests that are counted', {
    id: 'getRateLimit',
    response: RateLimitStatus,
    handle: ({ sandbox }) => sandbox.rateLimit.read(),
  }),
  controlRoute('PUT', '/_emulator/rate-limit', 'Set the rate limit, or switch it off', {
    id: 'setRateLimit',
    body: RateLimitSchema,
    response: RateLimitStatus,
    errors: [400, 403, 422],
    example: { body: { limit: 100, window: '1m' } },
    handle: ({ sandbox, body }) => sandbox.rateLimit.set(body),
  }),
  controlRoute('GET', '/_emulator/faults', 'List the armed faults with their counters, now or after a commit', {
    id: 'listFaults',
    query: strictObject({ at: At }),
    response: Type.Array(FaultRecord),
    errors: [400, 403, 404],
    handle: ({ sandbox, query: { at } }) => listFaults(getStateAt(sandbox.store, at).state),
  }),
  controlRoute('POST', '/_emulator/faults', 'Arm a fault', {
    id: 'armFault',
    body: FaultSchema,
    status: 201,
    response: FaultRecord,
    errors: [400, 403, 422],
    example: { body: { route: 'POST /v1/vals', status: 503, times: 2 } },
    handle: ({ sandbox, body }) => sandbox.arm(body),
  }),
  controlRoute('DELETE', '/_emulator/faults', 'Disarm every fault', {
    id: 'disarmAllFaults',
    handle: ({ sandbox }) => sandbox.disarm(),
  }),
  controlRoute('DELETE', '/_emulator/faults/{id}', 'Disarm a fault', {
    id: 'disarmFault',
    params: Type.Object({ id: Type.String({ description: 'Id of a fault' }) }),
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.disarm(params.id),
  }),
];
