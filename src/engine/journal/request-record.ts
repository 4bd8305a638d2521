import { type Static, Type } from 'typebox';
import type { ApiRouter } from '../api/router.js';
import { parseRows, RowChanges } from '../api/row-changes.js';
import { findTool, readArguments } from '../api/tool-route.js';
import { isObject } from '../lib/objects.js';
import { toTimestamp } from '../lib/time.js';
import { Nullable, Timestamp } from '../schema/common.js';
import { mapOf, record } from '../schema/schema.js';
import { type Exchange, exchangeId } from './exchange.js';
import { explain, explanationFields } from './explanation.js';
import { OUTCOMES } from './outcomes.js';
import { findProgram, findTraceId, parseBody, RequestContent } from './request-content.js';

const Body = Type.Unknown({
  description: 'Parsed JSON, other text, bytes that are not UTF-8 as `{ base64 }`, cut to 64 KB; null for none',
});
const Texts = mapOf(Type.String());

const summaryFields = {
  id: Type.String({ description: 'Unique within the sandbox' }),
  time: Timestamp,
  duration: Nullable(
    Type.Number({
      description: 'Milliseconds from the first byte of the request to the last byte of the response; null until then',
    }),
  ),
  outcome: Nullable(
    Type.Enum([...OUTCOMES], {
      description:
        'How the response ended: sent, aborted by the client, reset or truncated by a fault; null until then, and for a request to another node of the cluster',
    }),
  ),
  route: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String({ description: 'Path and query as sent' }),
  user: Nullable(Type.String()),
  program: Nullable(Type.String({ description: 'What sent it, as in `curl/8.5.0`, by `User-Agent`; null for none' })),
  status: Type.Integer({
    description: '0 for a connection that was reset; 200 with a message for a tool call that was refused',
  }),
  fault: Nullable(Type.String()),
  arguments: Type.Optional(
    Type.String({ description: 'Arguments of a call of a tool as JSON, cut to 200 characters; absent for others' }),
  ),
  commit: Nullable(
    Type.String({
      description:
        'Id of the last commit of the history when the response was ready: its own if it wrote; null for a write that was refused',
    }),
  ),
  ...explanationFields,
};

const requestSummary = record('RequestSummary', summaryFields);
/** A request of the journal without headers and bodies. */
export interface RequestSummary extends Static<typeof requestSummary> {}
export const RequestSummary = Type.Unsafe<RequestSummary>(requestSummary);

const requestRecord = record('RecordedRequest', {
  ...summaryFields,
  delay: Type.Number({ description: 'Milliseconds by which a fault delayed the response' }),
  params: Texts,
  query: mapOf(Type.Union([Type.String(), Type.Array(Type.String())]), {
    description: 'Parsed query; a list for a repeated parameter',
  }),
  request: record('RecordedMessage', { headers: Texts, body: Body }),
  response: record('RecordedResponse', { headers: Texts, body: Body }),
  rows: Type.Array(RowChanges, { description: 'The rows that it has changed, of records that are databases' }),
  trace: Nullable(Type.String({ description: 'Trace id of the header `traceparent`; null for none' })),
  error: Nullable(Type.String({ description: 'Stack of an internal error of the emulator' })),
});
/** A request to the API and its response. */
export interface RequestRecord extends Static<typeof requestRecord> {}
export const RequestRecord = Type.Unsafe<RequestRecord>(requestRecord);

export const toRequestSummary = (exchange: Exchange, router: ApiRouter): RequestSummary => {
  const { at, duration, outcome, route, method, target: path, user, status, fault, commit } = exchange;
  const id = exchangeId(exchange);
  const call = findArguments(exchange);
  return {
    ...{ id, time: toTimestamp(at), duration, outcome, route, method, path, user, status, fault, commit },
    program: findProgram(exchange.headers),
    ...explain(exchange, router),
    ...(call !== undefined && { arguments: call }),
  };
};

/** Characters of arguments in a summary. */
const MAX_ARGUMENTS = 200;

/** Writes the arguments of a call of a tool. Undefined for another request, and for one whose body is not recorded whole. */
function findArguments(exchange: Exchange): string | undefined {
  if (findTool(exchange.route) === undefined) return undefined;
  const { body } = new RequestContent(exchange);
  return isObject(body) ? JSON.stringify(readArguments(body)).slice(0, MAX_ARGUMENTS) : undefined;
}

export function toRequestRecord(exchange: Exchange, router: ApiRouter): RequestRecord {
  const { delay, responseHeaders, responseBody, error } = exchange;
  const rows = parseRows(exchange.rows);
  const { headers, params, query, body } = new RequestContent(exchange);
  const request = { headers, body };
  const response = { headers: { ...responseHeaders }, body: parseBody(responseBody) };
  const trace = findTraceId(exchange.headers);
  return { ...toRequestSummary(exchange, router), delay, params, query, request, response, rows, trace, error };
}
