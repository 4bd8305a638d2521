import { type Static, Type } from 'typebox';
import { expectNoOther, expectRequest, expectSequence } from '../journal/assertions.js';
import {
  ExpectationSchema,
  filterEntries,
  MAX_STEPS,
  parseFilter,
  parseRequestQuery,
  RequestQuery,
  StepSchema,
} from '../journal/expectations.js';
import { RequestRecord, toRequestRecord } from '../journal/request-record.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { Optional } from '../lib/objects.js';
import { strictObject } from '../lib/schema.js';
import { controlRoute } from './route.js';

/** An expectation over HTTP: the route, which is an argument of the method, is required. */
const ExpectationBody = strictObject(
  { ...ExpectationSchema.properties, route: Type.String({ description: 'As in `POST /v1/vals`' }) },
  { title: 'Expectation' },
);
const Steps = (description: string) =>
  Type.Array(Type.Unsafe<Optional<Static<typeof StepSchema>>>(StepSchema), { maxItems: MAX_STEPS, description });

export const requestRoutes = [
  controlRoute('GET', '/_emulator/requests', 'List the last 1,000 requests to the API, newest last', {
    id: 'listRequests',
    query: RequestQuery,
    response: Type.Array(RequestRecord),
    errors: [400, 403, 409, 422],
    example: { query: { route: 'POST /v1/vals' } },
    handle({ sandbox: { asserted }, query }) {
      const filter = parseFilter(parseRequestQuery(query), asserted.state, asserted.router);
      return filterEntries(asserted.journal.read().exchanges, filter).map(toRequestRecord);
    },
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
    handle: ({ sandbox, body }) => expectRequest(sandbox.asserted, body),
  }),
  controlRoute(
    'POST',
    '/_emulator/requests/expect-sequence',
    'Assert the order of requests; a 422 has the missing one',
    {
      id: 'expectSequence',
      body: strictObject(
        { steps: Steps('Requests in their order; others may lie between them') },
        { title: 'Sequence' },
      ),
      errors: [400, 403, 409, 422],
      example: { body: { steps: [{ route: 'POST /v1/vals' }] } },
      handle: ({ sandbox, body }) => expectSequence(sandbox.asserted, body.steps),
    },
  ),
  controlRoute('POST', '/_emulator/requests/expect-no-other', 'Assert that expectations matched all requests', {
    id: 'expectNoOther',
    body: strictObject(
      { allowed: Type.Optional(Steps('Requests that are allowed as well')) },
      { title: 'NoOther', default: {} },
    ),
    errors: [400, 403, 409, 422],
    example: { body: { allowed: [{ route: 'POST /v1/vals' }] } },
    handle: ({ sandbox, body }) => expectNoOther(sandbox.asserted, body.allowed ?? []),
  }),
  controlRoute('DELETE', '/_emulator/requests', 'Clear the journal of requests', {
    id: 'clearRequests',
    handle: ({ sandbox }) => sandbox.clearRequests(),
  }),
];
