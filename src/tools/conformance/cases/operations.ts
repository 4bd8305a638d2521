import {
  type Case,
  chosen,
  createsVal,
  operation,
  type Row,
  recorded,
  type Sender,
  type Step,
  specified,
} from '../case.js';
import { errorBody, having, JSON_TYPE, text } from './schemas.js';
import { scopeRules } from './scopes.js';
import { addVersion, BLOB_KEY, fields, MINIMAL_EMAIL, make, storeBlobAt } from './steps.js';

/** An operation, and what a request to it needs next to its path. */
export interface Operation {
  readonly route: string;
  /** Whether it needs no token. */
  readonly isOpen?: true;
  readonly query?: string;
  readonly body?: object;
  /** Whether a name in use is a 409. */
  readonly isUnique?: true;
  /** Whether the body of a 404 is a JSON string. */
  readonly hasText404?: true;
  /** Whether it makes what it names. */
  readonly hasNo404?: true;
  /** Whether a success reaches people. */
  readonly isEmail?: true;
  /** Whether it changes nothing, although it is not a GET. */
  readonly isSelect?: true;
  /** Body of a request that writes, if it changes nothing otherwise. */
  readonly writing?: object;
  /** Query of a GET of the same path. Default: `query` */
  readonly getQuery?: string;
  /** What makes the values of its parameters. Default: the account has them */
  readonly arrange?: readonly Step[];
  /** Requests that fail, by the status, in addition to those that follow from the path. */
  readonly failing?: Readonly<Record<number, readonly Step[]>>;
  /** Whether the account may have none of what it returns: then an unknown one is requested. */
  readonly mayHaveNone?: true;
  /** Whether the response is no JSON. */
  readonly hasBytes?: true;
  /** What is a 400, if the path has no id. */
  readonly invalid?: { readonly query?: string; readonly body?: object };
}

const NO_LIMIT = { invalid: { query: '?limit=0' } };
const NO_BODY = { invalid: { body: {} } };
const NAMED = { body: fields(), ...NO_BODY };
const CREATE_TABLE = 'CREATE TABLE {new.a} (id)';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  getMe: { route: 'GET /v1/me' },
  listMyRuns: { route: 'GET /v1/me/runs', ...NO_LIMIT },
  listMyLikes: { route: 'GET /v1/me/likes', ...NO_LIMIT },
  listMyComments: { route: 'GET /v1/me/comments', ...NO_LIMIT },
  listMyReferences: { route: 'GET /v1/me/references', ...NO_LIMIT },
  listVals: { route: 'GET /v1/vals', isOpen: true, ...NO_LIMIT },
  createVal: { route: 'POST /v1/vals', isUnique: true, ...NAMED },
  upsertVal: { route: 'PUT /v1/vals', ...NAMED },
  getVal: { route: 'GET /v1/vals/{val_id}', isOpen: true },
  updateVal: { route: 'PUT /v1/vals/{val_id}', body: { readme: '# b' }, isUnique: true },
  deleteVal: { route: 'DELETE /v1/vals/{val_id}' },
  listVersions: { route: 'GET /v1/vals/{val_id}/versions', isOpen: true },
  createVersion: { route: 'POST /v1/vals/{val_id}/versions', body: { code: '3' }, isUnique: true },
  getVersion: { route: 'GET /v1/vals/{val_id}/versions/{version}', isOpen: true },
  deleteVersion: { route: 'DELETE /v1/vals/{val_id}/versions/{version}' },
  listValRuns: { route: 'GET /v1/vals/{val_id}/runs' },
  getRun: { route: 'GET /v1/runs/{run_id}' },
  cancelEvaluation: { route: 'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel', hasText404: true },
  listBlobs: { route: 'GET /v1/blob' },
  getBlob: { route: 'GET /v1/blob/{key}', hasBytes: true },
  storeBlob: { route: 'POST /v1/blob/{key}', body: { a: 1 }, hasNo404: true },
  deleteBlob: { route: 'DELETE /v1/blob/{key}' },
  sendEmail: { route: 'POST /v1/email', body: MINIMAL_EMAIL, isEmail: true, invalid: { body: { html: '' } } },
  executeSql: {
    ...{ route: 'POST /v1/sqlite/execute', body: { statement: 'SELECT 1 AS one' }, ...NO_BODY, isSelect: true },
    writing: { statement: CREATE_TABLE },
  },
  batchSql: {
    ...{ route: 'POST /v1/sqlite/batch', body: { statements: ['SELECT 1 AS one'] }, ...NO_BODY, isSelect: true },
    writing: { statements: ['SELECT 1 AS one', CREATE_TABLE] },
  },
  listTraces: { route: 'GET /v1/telemetry/traces', ...NO_LIMIT },
  listLogs: { route: 'GET /v1/telemetry/logs', ...NO_LIMIT },
  listUserVals: { route: 'GET /v1/users/{user_id}/vals', isOpen: true },
  searchVals: { route: 'GET /v1/search/vals', isOpen: true, query: '?query=e', ...NO_LIMIT },
  getUser: { route: 'GET /v1/users/{user_id}', isOpen: true },
  getAlias: { route: 'GET /v1/alias/{username}', isOpen: true },
  getValByName: { route: 'GET /v1/alias/{username}/{val_name}', isOpen: true },
};

/** A val whose name another one has. */
const OTHER = { name: '{new.b}', code: '1' };

type Parameters = Readonly<Record<string, string>>;

const FOUND: Parameters = {
  ...{ val_id: '{val.id}', version: '{val.version}', user_id: '{me.id}', run_id: '{run.id}' },
  ...{ username: '{me.username}', val_name: '{val.name}', evaluation_id: '{unknown}', key: BLOB_KEY },
};
/** Of operations that arrange them. */
const ARRANGED: Parameters = {
  ...{ val_id: '{made.id}', branch_id: '{fork.id}', file_id: '{file.id}', org_id: '{unknown}', key: 'KEY' },
  ...{ username: '{me.username}', val_name: '{made.name}' },
};
const MADE: Parameters = { val_id: '{made.id}', version: '0', evaluation_id: '{unknown}', key: BLOB_KEY };
const UNKNOWN: Parameters = {
  ...{ val_id: '{unknown}', version: '1', user_id: '{unknown}', run_id: '{unknown}' },
  ...{ username: 'unknown_{hex}', val_name: 'hello', evaluation_id: '{unknown}', key: 'unknown_{hex}' },
  ...{ branch_id: '{unknown}', file_id: '{unknown}', org_id: '{unknown}' },
};
const INVALID: Parameters = {
  ...{ val_id: '1', version: '0', user_id: '1', run_id: '1', evaluation_id: '1', key: '{long.513}' },
  ...{ branch_id: '1', file_id: '1', org_id: '1' },
};

const ORIGIN = { 'access-control-allow-origin': '^(\\*|https://example\\.com)$' };
/** What is read is as of now. */
const NOT_CACHED = { 'cache-control': null };
const FROM_PAGE = { headers: { origin: 'https://example.com' } };
const LIKE_GET = { isLikeGet: true, body: 'none' } as const;
const getAndHead = (target: string, status = 200, as: Sender = 'me'): Step[] =>
  ['GET', 'HEAD'].map((method) => ({ send: `${method} ${target}`, as, status, ...FROM_PAGE }));
const preflight = (method: string) => ({
  origin: 'https://example.com',
  'access-control-request-method': method,
  'access-control-request-headers': REQUESTED.join(','),
});
/** The header of a preflight that lists these words. */
const allows = (what: string, ...words: readonly string[]) => ({
  [`access-control-allow-${what}`]: `^${words.map((word) => `(?=(.*[ ,])?${word}([ ,]|$))`).join('')}`,
});
/** A validation error has a code as well. */
const bodyOf = (status: number) =>
  status === 400 ? { allOf: [errorBody(status), having({ code: text })] } : errorBody(status);
/** Headers that a page may send. The SDK adds some that no other client has. */
const REQUESTED = ['authorization', 'content-type', 'x-conformance'];

/** The rules of all operations, for one of them. @param all the operations of the same version of the API */
function checksOf(name: string, operated: Operation, all: readonly Operation[]): Case[] {
  const { route, isOpen, query = '', body, isUnique, invalid, hasText404, hasNo404, isEmail, isSelect } = operated;
  const { arrange, failing: others = {}, getQuery = query, hasBytes, mayHaveNone, writing } = operated;
  const request = (
    parameters: Parameters,
    others: Pick<Operation, 'query' | 'body'> = { query, ...(body && { body }) },
  ) => ({
    send: route.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => parameters[parameter] ?? '') + (others.query ?? ''),
    ...(others.body && { body: others.body }),
  });
  const hasId = route.includes('_id}');
  const blobs = /(\/v\d\/blob)\/\{key\}$/.exec(route)?.[1];
  const isRead = route.startsWith('GET ');
  const hasJson = /^(?:GET|POST|PUT \/v1\/vals$|PUT \/v2\/)/.test(route) && !hasBytes;
  // A service that refuses an unknown val, or any token, changes nothing.
  const refused = { level: createsVal(route) ? 'write' : 'read' } as const;
  const unknownToken = { ...request(UNKNOWN), as: 'unknown' } as const;
  const conflict = [make(), { send: 'POST /v1/vals', body: OTHER }, request(MADE, { body: OTHER })];
  /** Requests that fail, by the status. */
  const errors: Readonly<Record<number, Step | readonly Step[]>> = {
    ...((hasId || blobs || invalid) && { 400: invalid ? request({}, invalid) : request(INVALID) }),
    401: unknownToken,
    403: { ...request(UNKNOWN), as: 'limited' },
    ...(route.includes('{') && !hasNo404 && { 404: request(UNKNOWN) }),
    ...(isUnique && { 409: conflict }),
    ...others,
  };
  const failing = Object.entries(errors).map(([status, steps]) => ({ status: Number(status), steps: [steps].flat() }));
  // A service without scopes does what it is asked.
  const scoped = isSelect ? refused : isEmail ? ({ level: 'email' } as const) : {};
  const needs = (status: number) => (status === 401 ? refused : status === 403 || isSelect ? scoped : {});
  const toPath = (parameters: Parameters) => request(parameters, {}).send.replace(/^\w+ /, '');
  const path = toPath(mayHaveNone ? UNKNOWN : arrange ? ARRANGED : FOUND);
  const hasGet = all.some((each) => each.route === route.replace(/^\w+/, 'GET'));
  const method = route.replace(/ .*/, '');
  const withOrigin = (steps: readonly Step[]): Step[] =>
    steps.map((step, i) => (i < steps.length - 1 ? step : { ...step, ...FROM_PAGE }));
  const found = !isRead && hasId ? [make(), addVersion('2')] : [];
  const stored = arrange ?? (blobs ? [storeBlobAt(blobs)('1')] : []);
  const arranged = arrange ?? [...stored, ...found];
  const parameters = mayHaveNone ? UNKNOWN : arrange ? ARRANGED : isRead ? FOUND : MADE;
  const ok = mayHaveNone ? 404 : 200;
  return operation(name, '*', [
    specified('bearer', {
      ...(!isOpen && {
        [`no-token: ${route} without a token is a 401`]: [{ ...request(UNKNOWN), as: 'anonymous' }, 401, refused],
      }),
    }),
    recorded('uuid', {
      ...(hasId && { 'no-uuid: An id that is not a UUID is a 400': [request(INVALID), 400] }),
    }),
    chosen('unknown-token', {
      [`unknown-token: ${route} with an unknown token is a 401`]: [unknownToken, 401, refused],
    }),
    ...scopeRules({
      ...{ route, unknown: request(UNKNOWN), isOpen: isOpen ?? false, level: scoped },
      read: isRead || isSelect ? [[...stored, request(parameters)], ok] : undefined,
      write: writing && request({}, { body: writing }),
    }),
    chosen(
      'error',
      Object.fromEntries(
        failing.map(({ status, steps }): [string, Row] => [
          `error-${status}: A ${status} has the keys of an error`,
          [steps, { status, body: status === 404 && hasText404 ? text : bodyOf(status) }, needs(status)],
        ]),
      ),
    ),
    chosen('headers', {
      'headers: A response has a media type and allows any origin': [
        withOrigin([...arranged, request(parameters)]),
        {
          status: mayHaveNone ? 404 : [200, 201, 202, 204],
          headers: { ...(hasJson && JSON_TYPE), ...ORIGIN, ...NOT_CACHED, location: null },
        },
        scoped,
      ],
      ...Object.fromEntries(
        failing.map(({ status, steps }): [string, Row] => [
          `headers-${status}: A ${status} is JSON and allows any origin`,
          [withOrigin(steps), { status, headers: { ...JSON_TYPE, ...ORIGIN, ...NOT_CACHED } }, needs(status)],
        ]),
      ),
    }),
    chosen('head', {
      ...(hasGet
        ? {
            'head: A HEAD has the status and headers of the GET, and no body': [
              [...stored, ...getAndHead(path + getQuery, ok)],
              LIKE_GET,
            ],
            'head-401: So has one with an unknown token': [getAndHead(toPath(UNKNOWN), 401, 'unknown'), LIKE_GET],
            ...(route.includes('{') && {
              'head-404: So has one of what does not exist': [getAndHead(toPath(UNKNOWN) + getQuery, 404), LIKE_GET],
            }),
          }
        : {
            'head: A HEAD is refused without a body': [
              [...(arrange ?? []), `HEAD ${path}`],
              { status: [404, 405, 501], body: 'none' },
            ],
          }),
      [`preflight: A preflight allows ${method} and all headers`]: [
        [...(arrange ?? []), { send: `OPTIONS ${path}`, as: 'anonymous', headers: preflight(method) }],
        {
          status: [200, 204],
          headers: { ...ORIGIN, ...allows('methods', method), ...allows('headers', ...REQUESTED) },
        },
      ],
    }),
  ]);
}

/** What holds for all operations, for each of some. */
export const casesOfOperations = (operations: Readonly<Record<string, Operation>>): Case[] =>
  Object.entries(operations).flatMap(([name, operated]) => checksOf(name, operated, Object.values(operations)));

export const operationCases: readonly Case[] = casesOfOperations(OPERATIONS);
