import { isObject } from '#engine/lib/objects.js';
import {
  type Change,
  inBody,
  inBytes,
  inItems,
  isSuccess,
  mapObjects,
  type PlantClass,
  querying,
  without,
} from './plant-changes.js';
import type { Reply, Request } from './plants.js';

// Differences of telemetry, and of what the standard modules send and read.

type Json = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const TRACES = 'GET /v1/telemetry/traces';
const LOGS = 'GET /v1/telemetry/logs';
const BOTH = [TRACES, LOGS];

/** Changes each trace or line of a list. */
const inEach = (change: (item: Json) => Json): Change =>
  inItems((items) => items.map((item) => (isObject(item) ? change(item) : item)));
/** Changes the texts of these keys. */
const texts =
  (change: (text: string) => unknown, ...keys: readonly string[]): ((item: Json) => Json) =>
  (item) =>
    Object.fromEntries(
      Object.entries(item).map(([key, value]) => [key, keys.includes(key) && isText(value) ? change(value) : value]),
    );
const NANOSECONDS = ['startTimeUnixNano', 'endTimeUnixNano', 'timeUnixNano'];
const inAttributes = (change: (attributes: readonly unknown[]) => readonly unknown[]): Change =>
  inEach((item) => ({ ...item, attributes: Array.isArray(item.attributes) ? change(item.attributes) : [] }));
const isNamed = (attribute: unknown, key: string): boolean => isObject(attribute) && attribute.key === key;

/** Refuses requests that the standard modules send. */
const refusing =
  (status: number, isRefused: (request: Request) => boolean): Change =>
  (reply, request) =>
    isSuccess(reply) && isRefused(request) ? { ...reply, status, body: { message: 'Refused' } } : reply;
const statementOf = ({ body }: Request): unknown => (isObject(body) ? body.statement : undefined);
const argumentsOf = (request: Request): unknown => {
  const statement = statementOf(request);
  return isObject(statement) ? statement.args : undefined;
};
const inErrors =
  (path: string, change: (body: Json) => Json): Change =>
  (reply: Reply, { url: { pathname } }) =>
    !isSuccess(reply) && pathname.startsWith(path) && isObject(reply.body)
      ? { ...reply, body: change(reply.body) }
      : reply;

export const SERVICE_CLASSES: Readonly<Record<string, PlantClass>> = {
  telemetry: {
    on: BOTH,
    changes: {
      'times in milliseconds': inEach(texts((text) => text.replace(/\d{6}$/, ''), ...NANOSECONDS)),
      'times as numbers': inEach(texts(Number, ...NANOSECONDS)),
      'ids with hyphens': inEach(texts((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), 'traceId')),
      'a direction that is ignored': without('direction'),
      'the other direction by default': querying((parameters) => {
        if (!parameters.has('direction')) parameters.set('direction', 'asc');
      }),
      'a start that is ignored': without('start'),
      'an end that is ignored': without('end'),
      'a file that is ignored': without('file_id'),
      'branches that are ignored': without('branch_ids'),
      'no attribute of the val': inAttributes((attributes) => attributes.filter((each) => !isNamed(each, 'val.id'))),
      'no attribute of the source': inAttributes((attributes) =>
        attributes.filter((each) => !isNamed(each, 'run.source')),
      ),
      'versions as texts': inAttributes((attributes) =>
        attributes.map((each) =>
          isObject(each) && isObject(each.value) && 'intValue' in each.value
            ? { ...each, value: { stringValue: each.value.intValue } }
            : each,
        ),
      ),
      'no next page of the last items': inBody((body) =>
        isObject(body) && Array.isArray(body.data) && isObject(body.links) && body.data.length < 100
          ? { ...body, links: { ...body.links, next: undefined } }
          : body,
      ),
      'a next page of an empty page': inBody((body, { url: { href } }) =>
        isObject(body) && Array.isArray(body.data) && body.data.length === 0
          ? { ...body, links: { next: href, ...(isObject(body.links) ? body.links : {}) } }
          : body,
      ),
    },
  },
  traces: {
    on: [TRACES],
    changes: {
      'an order that is ignored': without('order_by'),
      'an end of null before the end': inEach(texts((end) => (end === '0' ? null : end), 'endTimeUnixNano')),
      'a failure without its code': inEach((item) => ({
        ...item,
        status: isObject(item.status) && item.status.code === 2 ? { ...item.status, code: 1 } : item.status,
      })),
      'the name of another val': inEach(texts((name) => `${name}x`, 'name')),
    },
  },
  'log lines': {
    on: [LOGS],
    changes: {
      'traces that are ignored': without('trace_ids'),
      'only the last of several traces': querying((parameters) => {
        const ids = parameters.getAll('trace_ids');
        if (ids.length < 100) parameters.set('trace_ids', ids.at(-1) ?? '');
      }),
      'severities of another program': inEach((item) => ({
        ...item,
        severityText: item.severityText === 'stderr' ? 'ERROR' : 'INFO',
      })),
      'values as JSON': inEach((item) => ({
        ...item,
        body: isObject(item.body) ? { stringValue: JSON.stringify(item.body.stringValue) } : item.body,
      })),
    },
  },
  // Only the cases of the standard modules run.
  'standard modules': {
    on: ['standard'],
    isEverywhere: true,
    changes: {
      'JSON without its media type is a 415': refusing(
        415,
        ({ headers, body }) => isObject(body) && headers.get('content-type')?.startsWith('text/') === true,
      ),
      'a statement is no text': refusing(400, (request) => isText(statementOf(request))),
      'arguments are no list': refusing(400, (request) => Array.isArray(argumentsOf(request))),
      'arguments have no names': refusing(400, (request) => isObject(argumentsOf(request))),
      'batches have no mode': refusing(400, ({ body }) => isObject(body) && 'mode' in body),
      'a batch has the last result': inBody((body) =>
        Array.isArray(body) && body.every((each) => isObject(each) && 'rows' in each) ? body.slice(-1) : body,
      ),
      'rows are objects': inBody((body) =>
        mapObjects(body, (each) => (Array.isArray(each.rows) ? { ...each, rows: each.rows.map(Object) } : each)),
      ),
      'results have no types of columns': inBody((body) => mapObjects(body, ({ columnTypes: _, ...others }) => others)),
      'errors of SQL have no code': inErrors('/v1/sqlite', ({ code: _, ...others }) => others),
      'errors of blobs have no message': inErrors('/v1/blob', ({ message: _, ...others }) => others),
      'errors of emails have no message': inErrors('/v1/email', ({ message: _, ...others }) => others),
      'bytes of blobs are a text': inBytes((bytes) => bytes.toString('utf8')),
      'lists of blobs have no time': inBody((body) => mapObjects(body, ({ lastModified: _, ...others }) => others)),
      'lists of blobs have no size': inBody((body) => mapObjects(body, ({ size: _, ...others }) => others)),
      'a missing blob is empty': (reply, { url: { pathname } }) =>
        reply.status === 404 && pathname.startsWith('/v1/blob/') ? { ...reply, status: 200, body: undefined } : reply,
      'an email is queued': inBody((body) =>
        isObject(body) && isText(body.message) ? { ...body, message: 'Email queued' } : body,
      ),
    },
  },
};
