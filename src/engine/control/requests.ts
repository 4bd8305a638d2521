import { type Static, Type } from 'typebox';
import type { ApiRouter } from '../api/router.js';
import { expectNoOther, expectRequest, expectSequence, getExchange, listRequests } from '../journal/assertions.js';
import { DROPPED } from '../journal/bodies.js';
import { type Exchange, exchangeId } from '../journal/exchange.js';
import { ExpectationSchema, parseRequestQuery, RequestQuery, Steps } from '../journal/expectations.js';
import { JOURNAL_LENGTH } from '../journal/journal.js';
import { RequestRecord, RequestSummary, toRequestRecord, toRequestSummary } from '../journal/request-record.js';
import { toBodyText } from '../lib/base64.js';
import { type Steps as InSteps, inSteps } from '../lib/steps.js';
import { NewTest, WrittenTest } from '../sandbox/make-test.js';
import { explainRequest, RequestExplanation } from '../sandbox/request-explanation.js';
import { Nullable } from '../schema/common.js';
import { record, strictObject } from '../schema/schema.js';
import { controlRoute, forPage } from './route.js';

const requestsSummary = record('RequestsSummary', {
  bodiesSince: Nullable(
    Type.String({ description: 'Id of the first request after the last whose body was dropped; null if none was' }),
  ),
  requests: Type.Array(RequestSummary),
});
export interface RequestsSummary extends Static<typeof requestsSummary> {}
const RequestsSummary = Type.Unsafe<RequestsSummary>(requestsSummary);

const har = record('Har', {
  log: Type.Object({ version: Type.String(), creator: Type.Object({}), entries: Type.Array(Type.Object({})) }),
});
/** A recording of HTTP traffic, in the format of browsers. */
export interface Har extends Static<typeof har> {}
export const Har = Type.Unsafe<Har>(har);

/** Summarizes the last requests with a text in id, path, user or a body, ignoring case. */
function* summarizeRequests(
  exchanges: readonly Exchange[],
  router: ApiRouter,
  q: string,
  limit: number,
): InSteps<RequestsSummary> {
  const text = q.toLowerCase();
  const isDropped = ({ requestBody, responseBody }: Exchange) => requestBody === DROPPED || responseBody === DROPPED;
  const includesText = ({ target, user, requestBody, responseBody }: Exchange) =>
    [target, user, toBodyText(requestBody), toBodyText(responseBody)].some((part) =>
      part?.toLowerCase().includes(text),
    );
  const dropped = exchanges.findLast(isDropped);
  const requests: Static<typeof RequestSummary>[] = [];
  yield* inSteps(text === '' ? exchanges.slice(-limit) : exchanges, (exchange) => {
    const isFound = text === '' || exchangeId(exchange) === text || includesText(exchange);
    if (isFound) requests.push(toRequestSummary(exchange, router));
  });
  return { bodiesSince: dropped ? `r${dropped.number + 1}` : null, requests: requests.slice(-limit) };
}

const RequestPath = Type.Object({ id: Type.String({ description: '`r3` or `last`' }) });

export const requestRoutes = [
  controlRoute('GET', '/_emulator/requests', 'List the last 1,000 requests, newest last', {
    id: 'listRequests',
    tool: 'requests',
    query: RequestQuery,
    response: Type.Array(RequestRecord),
    errors: [400, 403, 409, 422],
    example: { query: { route: 'GET /v1/me' } },
    handle: ({ sandbox, query }) => listRequests(sandbox.asserted, parseRequestQuery(query)),
  }),
  forPage(
    controlRoute(
      'GET',
      '/_emulator/requests/summary',
      'Summarize the requests of the journal, newest last, without their bodies',
      {
        id: 'summarizeRequests',
        query: strictObject({
          q: Type.Optional(
            Type.String({
              description:
                'Only the request with this id, and those with the text in path, user or a body, ignoring case',
            }),
          ),
          limit: RequestQuery.properties.limit,
        }),
        response: RequestsSummary,
        errors: [400, 403, 409],
        example: { query: { q: 'report' } },
        handle: ({ emulator: { router }, sandbox: { journal }, query: { q = '', limit = JOURNAL_LENGTH } }) =>
          summarizeRequests(journal.read().exchanges, router, q, limit),
      },
    ),
  ),
  controlRoute('GET', '/_emulator/requests.har', 'Export the journal as HAR 1.2, without tokens', {
    id: 'exportHar',
    description: 'For the network panel of a browser, and for tools that read HAR.',
    response: Har,
    async handle({ sandbox, request: { base }, emulator: { router } }) {
      const { formatHar } = await import('../session/har.js');
      return formatHar(sandbox, base, router);
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
    tool: 'request',
    params: RequestPath,
    response: RequestRecord,
    errors: [403, 404, 409],
    handle: ({ emulator: { router }, sandbox: { journal }, params: { id } }) =>
      toRequestRecord(getExchange(journal, id), router),
  }),
  controlRoute('GET', '/_emulator/requests/{id}/explanation', 'Explain a response: its reason, and what to change', {
    id: 'explain',
    tool: 'explain',
    params: RequestPath,
    response: RequestExplanation,
    errors: [403, 404, 409],
    handle: ({ sandbox, params: { id } }) => explainRequest(sandbox.asserted, sandbox.store, id),
  }),
  controlRoute('POST', '/_emulator/requests/expect', 'Assert that a route was called; a 422 has the near misses', {
    id: 'expectRequest',
    body: ExpectationSchema,
    errors: [400, 403, 409, 422],
    example: { body: { route: 'GET /v1/me', times: 1 } },
    async handle({ sandbox, body }) {
      await expectRequest(sandbox.asserted, body);
    },
  }),
  controlRoute(
    'POST',
    '/_emulator/requests/expect-sequence',
    'Assert the order of requests; a 422 has the missing one',
    {
      id: 'expectSequence',
      body: strictObject({ steps: Steps('`GET /v1/me`, or criteria; others may lie between') }, { title: 'Sequence' }),
      errors: [400, 403, 409, 422],
      example: { body: { steps: [{ method: 'POST' }, 'GET /v1/me'] } },
      handle: ({ sandbox, body }) => expectSequence(sandbox.asserted, body.steps),
    },
  ),
  controlRoute('POST', '/_emulator/requests/expect-no-other', 'Assert that expectations matched all requests', {
    id: 'expectNoOther',
    body: strictObject(
      { allowed: Type.Optional(Steps('Also allowed: `GET /v1/me`, or criteria')) },
      { title: 'NoOther', default: {} },
    ),
    errors: [400, 403, 409, 422],
    example: { body: { allowed: ['GET /v1/me', { method: 'POST' }] } },
    handle: ({ sandbox, body }) => expectNoOther(sandbox.asserted, body.allowed),
  }),
  controlRoute('POST', '/_emulator/requests/test', 'Write a test of recorded requests', {
    id: 'makeTest',
    tool: 'make_test',
    hints: ['readOnly'],
    description: 'It passes unchanged, with the data that the requests found. Secrets are withheld, as in a session.',
    body: NewTest,
    response: WrittenTest,
    errors: [400, 403, 404, 409],
    example: { body: { requests: ['last'], runner: 'node' } },
    handle: ({ sandbox, body: { requests, ...options } }) => sandbox.makeTest(requests, options),
  }),
  controlRoute('DELETE', '/_emulator/requests', 'Clear the journal of requests', {
    id: 'clearRequests',
    handle: ({ sandbox }) => sandbox.clearRequests(),
  }),
];
