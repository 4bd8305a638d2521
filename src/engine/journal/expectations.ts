import { METHODS } from 'node:http';
import { type Static, type TSchema, Type } from 'typebox';
import type { ApiRouter } from '../api/router.js';
import { findTool } from '../api/tool-route.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { type Difference, findDifferences } from '../lib/matching.js';
import { didYouMean, formatValue, joinPath } from '../lib/messages.js';
import { isAsymmetricMatcher, type Optional, omitUndefined } from '../lib/objects.js';
import { isRefused } from '../lib/reasons.js';
import { parseQuery, parseTarget } from '../lib/target.js';
import { DURATION_EXAMPLES, toMilliseconds } from '../lib/time.js';
import { parseJsonTexts } from '../schema/json-texts.js';
import { JsonText, lastOf, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile, type Validator } from '../schema/validator.js';
import { findCallerByReference, listCallers, nameCaller } from '../state/callers.js';
import type { State } from '../state/state.js';
import type { Exchange } from './exchange.js';
import { OUTCOMES } from './outcomes.js';
import {
  contentCriteria,
  findContentDifferences,
  findPartDifferences,
  findTraceId,
  normalizeContent,
  normalizeHeaders,
  Part,
  RequestContent,
  TraceId,
} from './request-content.js';
import { matchStatus, STATUS_EXAMPLES, STATUS_PATTERN } from './statuses.js';
import { listSimilarRoutes, suggestRoute } from './suggest-route.js';

const Duration = Type.Union([Type.Number({ minimum: 0 }), Type.String({ format: 'fixture-duration' })], {
  expected: `milliseconds, or a duration such as ${DURATION_EXAMPLES}`,
});
const criteria = {
  /** As in `GET /v1/me`; path parameters in braces: `GET /v1/vals/{val_id}`. */
  route: Type.Optional(Type.String({ description: 'As in `GET /v1/me`' })),
  method: Type.Optional(Type.String({ description: 'HTTP method' })),
  /** Path and query as sent. */
  path: Type.Optional(Type.String({ description: 'Path and query as sent' })),
  /** HTTP status of the response: `404`, `'4xx'`, `'404,5xx'`. */
  status: Type.Optional(
    Type.Union(
      [Type.Literal(0), Type.Integer({ minimum: 100, maximum: 999 }), Type.String({ pattern: STATUS_PATTERN })],
      { expected: STATUS_EXAMPLES, description: '`404`, `4xx`, `404,5xx`' },
    ),
  ),
  /** Whether it was refused: by its status, or as a tool call with `isError` or an error of the protocol is. */
  refused: Type.Optional(Type.Boolean()),
  /** Username or id of the caller. */
  user: Type.Optional(Type.String({ description: 'Username or id' })),
  /** How the response ended. */
  outcome: Type.Optional(
    Type.Enum([...OUTCOMES], {
      description: 'How the response ended',
    }),
  ),
  /** Trace id of the header `traceparent`. */
  trace: Type.Optional(TraceId),
};
/** The criteria that are objects. Over HTTP a list has them as JSON. */
const objectCriteria = {
  ...contentCriteria,
  /** Some of the headers of the response, by case-insensitive name. Null for a header that is absent. */
  responseHeaders: Part('Some of the response headers'),
  /** From the first byte of the request to the last byte of the response, in milliseconds or as `'2s'`. */
  duration: Type.Optional(
    strictObject(
      { min: Type.Optional(Duration), max: Type.Optional(Duration) },
      {
        minProperties: 1,
        expected: 'min, max or both',
        description: '`2s`, or milliseconds',
      },
    ),
  ),
};
const selection = {
  /** Only requests after the one with this id; all if the id is unknown yet, since a reset starts the ids again. */
  after: Type.Optional(
    Type.String({
      pattern: '^r\\d{1,15}$',
      expected: 'an id such as "r17"',
      description: 'After this request: `r17`',
    }),
  ),
  /** Only the last N requests. */
  limit: lastOf('Only the last N'),
};
const Json = (schema: TSchema) => Type.Optional(JsonText(schema));

/** The criteria of a filter over HTTP. */
export const RequestQuery = strictObject({
  ...criteria,
  refused: Type.Optional(Type.Boolean({ description: 'Also tool errors' })),
  headers: Json(objectCriteria.headers),
  query: Json(objectCriteria.query),
  params: Json(objectCriteria.params),
  body: Json(objectCriteria.body),
  responseHeaders: Json(objectCriteria.responseHeaders),
  duration: Json(objectCriteria.duration),
  ...selection,
});
const FilterSchema = strictObject({ ...criteria, ...objectCriteria, ...selection });
const StepSchema = strictObject({ ...criteria, ...objectCriteria });
export const ExpectationSchema = strictObject(
  {
    ...StepSchema.properties,
    // Without a route any request would match.
    route: Type.String({ description: 'As in `GET /v1/me`' }),
    /** Exact number of matches. @default at least one */
    times: Type.Optional(Type.Integer({ minimum: 0, description: 'Default: at least one' })),
  },
  { title: 'Expectation' },
);
const isFilter = compile(FilterSchema, 'strict');
const isExpectation = compile(ExpectationSchema, 'strict');

/** A filter whose route any text may name. */
export type AnyFilter = Optional<Static<typeof FilterSchema>>;

interface WithRoute<R extends string> {
  /** As in `GET /v1/me`; path parameters in braces, or real ids. */
  readonly route?: R | undefined;
}

/** Selects requests. An absent criterion matches any. */
export interface RequestFilter<R extends string = string> extends WithRoute<R>, Omit<AnyFilter, 'route'> {}

/** A filter and the expected number of matches. */
export interface RequestExpectation extends Optional<Omit<Static<typeof ExpectationSchema>, 'route'>> {}

/** A request of a sequence: its route, or several criteria. */
export type RequestStep<R extends string = string> = R | RequestStepCriteria<R>;
interface RequestStepCriteria<R extends string>
  extends WithRoute<R>,
    Optional<Omit<Static<typeof StepSchema>, 'route'>> {}

/** Criteria that are known once a response has ended. An assertion with one of them returns a promise. */
export type EndCriteria =
  | { readonly outcome: NonNullable<RequestFilter['outcome']> }
  | { readonly duration: NonNullable<RequestFilter['duration']> };

/** The parts of a filter that a route may stand for. */
type RouteCriteria = Pick<AnyFilter, 'route' | 'params' | 'query'>;

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseFilter = (filter: unknown, state: State, router: ApiRouter): AnyFilter =>
  parse(isFilter, filter, state, router);

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseExpectation = (expectation: unknown, state: State, router: ApiRouter) =>
  parse(isExpectation, expectation, state, router);

/** Requests of a sequence, and those that are expected among others. */
const MAX_STEPS = 100;
const STEPS = `a list of at most ${MAX_STEPS} requests, such as ["GET /v1/me", { method: "POST", status: 201 }]`;
export const Steps = (description: string) =>
  Type.Array(Type.Union([Type.String(), Type.Unsafe<Optional<Static<typeof StepSchema>>>(StepSchema)]), {
    maxItems: MAX_STEPS,
    expected: STEPS,
    description,
  });
const isSteps = compile(Steps(''), 'strict');

/**
 * Parses a list of requests: routes and criteria.
 * @param name of the list in messages
 * @throws OptionsError for wrong values, with their indexes
 */
export function parseSteps(list: unknown, state: State, router: ApiRouter, name = 'steps'): AnyFilter[] {
  if (list === undefined) throw new OptionsError([{ path: name, message: `missing; expected ${STEPS}.` }]);
  const steps = Array.isArray(list) ? list.map(omitUndefined) : list;
  if (!isSteps(steps)) throw new OptionsError(describeErrors(isSteps.errors, name));
  const filters = steps.map((step) => (typeof step === 'string' ? { route: step } : step));
  return filters.map((filter, i) => resolve(filter, state, router, `${name}[${i}]`));
}

function parse<F extends AnyFilter>(validate: Validator<F>, input: unknown, state: State, router: ApiRouter): F {
  const filter = omitUndefined(input);
  if (!validate(filter)) throw new OptionsError(describeErrors(validate.errors, ''));
  return resolve(filter, state, router);
}

/** Resolves the names of a filter. @param path of the filter in messages. @throws OptionsError for a name that is unknown */
function resolve<F extends AnyFilter>(filter: F, state: State, router: ApiRouter, path = ''): F {
  const resolved = resolveRoute(filter, router);
  const problems = [...validateMatcher(resolved, state, router), ...validateDuration(filter)];
  if (problems.length > 0)
    throw new OptionsError(problems.map((each) => ({ ...each, path: joinPath(path, each.path) })));
  const user = filter.user === undefined ? undefined : findCallerByReference(state, filter.user);
  const { responseHeaders } = filter;
  return {
    ...resolved,
    ...normalizeContent(resolved),
    ...(responseHeaders && { responseHeaders: normalizeHeaders(responseHeaders) }),
    ...(user && { user: nameCaller(state, user) }),
  };
}

const parseRange = ({ min = 0, max = Number.POSITIVE_INFINITY }: AnyFilter['duration'] = {}) =>
  [toMilliseconds(min) ?? 0, toMilliseconds(max) ?? 0] as const;

function validateDuration({ duration }: AnyFilter): Problem[] {
  const [min, max] = parseRange(duration);
  const message = `found ${formatValue(duration)}; expected max to be min or more.`;
  return min > max ? [{ path: 'duration', message }] : [];
}

/** Reads a filter of a URL, whose values are texts. @throws OptionsError for a value that is not JSON */
export function parseRequestQuery({
  headers,
  query,
  params,
  body,
  responseHeaders,
  duration,
  ...others
}: Static<typeof RequestQuery>): unknown {
  return { ...others, ...parseJsonTexts({ headers, query, params, body, responseHeaders, duration }) };
}

/** Reads a route with real ids, `GET /v1/vals/<uuid>?a=1`, as the name of the route with params and query. */
export function resolveRoute<F extends RouteCriteria>(filter: F, router: ApiRouter): F {
  const [, method = '', target = ''] = /^([A-Z]+) (\/.*)$/.exec(filter.route ?? '') ?? [];
  const { path, query } = parseTarget(target);
  const match = router.match(method, path);
  if (!match || match.route.method !== method || match.route.name === filter.route) return filter;
  // Of ids that the route does not allow, a suggestion says more.
  const hasValidParams = match.route.validators.params?.({ ...match.params }) ?? true;
  if (!hasValidParams) return filter;
  const merge = (key: 'params' | 'query', read: RouteCriteria['params']) =>
    isAsymmetricMatcher(filter[key]) || Object.keys(read ?? {}).length === 0
      ? {}
      : { [key]: { ...read, ...filter[key] } };
  const { name } = match.route;
  return { ...filter, route: name, ...merge('params', match.params), ...merge('query', parseQuery(query)) };
}

/**
 * Checks that the route, the method and the user exist: a misspelt name would match nothing.
 * @param any what to do for any route
 */
export function validateMatcher(
  { route, method, user }: Pick<AnyFilter, 'route' | 'method' | 'user'>,
  state: State,
  router: ApiRouter,
  any = 'leave it out',
): Problem[] {
  const problems: Problem[] = [];
  if (route !== undefined && !router.names.includes(route)) {
    const hint =
      suggestRoute(route, router) || `${listSimilarRoutes(route, router)} For any route ${any}; the method narrows it.`;
    problems.push({ path: 'route', message: `there is no route ${formatValue(route)}. ${hint}` });
  }
  if (method !== undefined && !METHODS.includes(method)) {
    const hint = didYouMean(method, METHODS);
    problems.push({ path: 'method', message: `there is no method ${formatValue(method)}.${hint}` });
  } else if (method !== undefined && route !== undefined && hasOtherMethod(route, method)) {
    problems.push({ path: 'method', message: `found ${formatValue(method)}; the route ${route} has another one.` });
  }
  if (user !== undefined && !findCallerByReference(state, user)) {
    const names = [...listCallers(state)].map((caller) => nameCaller(state, caller));
    const hint = didYouMean(user, names);
    problems.push({ path: 'user', message: `there is no user ${formatValue(user)}.${hint}` });
  }
  return problems;
}

/** A tool has no method in its name. */
const hasOtherMethod = (route: string, method: string): boolean =>
  findTool(route) === undefined && !route.startsWith(`${method === 'HEAD' ? 'GET' : method} `);

/** Finds how an entry differs from a filter, one by one: content last, since it has to be parsed. */
export type Compare = (entry: Exchange) => Generator<Difference, void>;

export function makeComparison(filter: AnyFilter): Compare {
  const { route, method, path, status, refused, user, outcome, trace, duration, responseHeaders } = filter;
  const criteria = omitUndefined({ route, method, path, user, outcome, trace });
  const isWanted = status === undefined ? undefined : matchStatus(status);
  const [min, max] = parseRange(duration);
  const keys = new Map<object, readonly string[]>();
  return function* compare(entry) {
    yield* findDifferences(criteria, { ...entry, path: entry.target, trace: trace && findTraceId(entry.headers) });
    if (isWanted?.(entry.status) === false) yield { path: 'status', wanted: status, found: entry.status };
    if (refused !== undefined && isRefused(entry) !== refused)
      yield { path: 'refused', wanted: refused, found: !refused };
    const isInRange = entry.duration !== null && !(entry.duration < min || entry.duration > max);
    if (duration && !isInRange) yield { path: 'duration', wanted: duration, found: entry.duration };
    yield* findPartDifferences('responseHeaders', responseHeaders, entry.responseHeaders);
    yield* findContentDifferences(filter, new RequestContent(entry), keys);
  };
}

export function filterEntries(entries: readonly Exchange[], filter: AnyFilter): Exchange[] {
  const compare = makeComparison(filter);
  const first = countAfter(entries, filter.after);
  const found = entries.filter((entry, i) => i >= first && compare(entry).next().done);
  return filter.limit === undefined ? found : found.slice(-filter.limit);
}

/** Counts the first entries, up to the one with an id. */
function countAfter(entries: readonly Exchange[], id: string | undefined): number {
  const number = Number(id?.slice(1));
  if (id === undefined || number > (entries.at(-1)?.number ?? 0)) return 0;
  return entries.filter((entry) => entry.number <= number).length;
}
