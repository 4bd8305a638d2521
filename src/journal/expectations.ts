import { METHODS } from 'node:http';
import { type Static, Type } from 'typebox';
import type { Route } from '../api/route.js';
import type { Router } from '../api/router.js';
import { findUserByReference } from '../fixtures/references.js';
import { ExpectationError, OptionsError, type Problem } from '../lib/errors.js';
import { type Difference, findDifferences, formatDifference, takeFirst } from '../lib/matching.js';
import { describeErrors, didYouMean, formatValue } from '../lib/messages.js';
import { isAsymmetricMatcher, type Optional, omitUndefined } from '../lib/objects.js';
import { strictObject } from '../lib/schema.js';
import { parseQuery, parseTarget } from '../lib/target.js';
import { compile, type Validator } from '../lib/validator.js';
import type { State } from '../model/state.js';
import { getHandle } from '../model/users.js';
import { type Exchange, exchangeId } from './exchange.js';
import { contentCriteria, findContentDifferences, normalizeContent, RequestContent } from './request-content.js';

export type ApiRouter = Router<Route>;

const criteria = {
  /** As in `POST /v1/vals`; path parameters in braces: `GET /v1/vals/{val_id}`. */
  route: Type.Optional(Type.String({ description: 'As in `POST /v1/vals`' })),
  method: Type.Optional(Type.String({ description: 'HTTP method' })),
  /** Path and query as sent. */
  path: Type.Optional(Type.String({ description: 'Path and query as sent' })),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the response' })),
  /** Username or id of the caller. */
  user: Type.Optional(Type.String({ description: 'Username or id of the caller' })),
};
const selection = {
  /** Only requests after the one with this id; all if the id is unknown yet, since a reset starts the ids again. */
  after: Type.Optional(
    Type.String({
      pattern: '^r\\d{1,15}$',
      expected: 'an id such as "r17"',
      description: 'Only requests after the one with this id, as in `r17`',
    }),
  ),
  /** Only the last N requests. */
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Only the last N requests' })),
};
const Json = (what: string) => Type.Optional(Type.String({ description: `${what}, as JSON` }));

/** The criteria of a filter over HTTP. */
export const RequestQuery = strictObject({
  ...criteria,
  headers: Json('Some of the headers'),
  query: Json('Some of the query parameters'),
  params: Json('Some of the path parameters'),
  body: Json('Part of the JSON body'),
  ...selection,
});
const FilterSchema = strictObject({ ...criteria, ...contentCriteria, ...selection });
export const ExpectationSchema = strictObject({
  ...criteria,
  ...contentCriteria,
  /** Exact number of matches. @default at least one */
  times: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of matches. Default: at least one' })),
});
const isFilter = compile('filter', FilterSchema, 'strict');
const isExpectation = compile('expectation', ExpectationSchema, 'strict');

/** Selects requests. An absent criterion matches any. */
export interface RequestFilter extends Optional<Static<typeof FilterSchema>> {}

/** A filter and the expected number of matches. */
export interface RequestExpectation extends Optional<Omit<Static<typeof ExpectationSchema>, 'route'>> {}

/** The parts of a filter that a route may stand for. */
type RouteCriteria = Pick<RequestFilter, 'route' | 'params' | 'query'>;

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseFilter = (filter: unknown, state: State, router: ApiRouter): RequestFilter =>
  parse(isFilter, filter, state, router);

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseExpectation = (expectation: unknown, state: State, router: ApiRouter) =>
  parse(isExpectation, expectation, state, router);

function parse<F extends RequestFilter>(validate: Validator<F>, input: unknown, state: State, router: ApiRouter): F {
  const filter = omitUndefined(input);
  if (!validate(filter)) throw new OptionsError(describeErrors(validate.errors, ''));
  return resolveFilter(filter, state, router);
}

/** Resolves the names in a valid filter. @throws OptionsError for an unknown route, method or user */
export function resolveFilter<F extends RequestFilter>(filter: F, state: State, router: ApiRouter): F {
  const resolved = resolveRoute(filter, router);
  const problems = validateMatcher(resolved, state, router);
  if (problems.length > 0) throw new OptionsError(problems);
  const user = filter.user === undefined ? undefined : findUserByReference(state, filter.user);
  return { ...resolved, ...normalizeContent(resolved), ...(user && { user: getHandle(user) }) };
}

/** Reads a filter of a URL, whose values are texts. @throws OptionsError for a value that is not JSON */
export function parseRequestQuery({
  headers,
  query,
  params,
  body,
  ...others
}: Static<typeof RequestQuery>): RequestFilter {
  const problems: Problem[] = [];
  const parsed = Object.entries({ headers, query, params, body }).map(([path, text]) => {
    try {
      return [path, text && JSON.parse(text)];
    } catch {
      problems.push({ path, message: `found ${formatValue(text)}; expected JSON such as {"name":"report"}.` });
      return [path, undefined];
    }
  });
  if (problems.length > 0) throw new OptionsError(problems);
  return { ...others, ...Object.fromEntries(parsed) };
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

/** Checks that the route, the method and the user exist: a misspelt name would match nothing. */
export function validateMatcher(
  { route, method, user }: Pick<RequestFilter, 'route' | 'method' | 'user'>,
  state: State,
  router: ApiRouter,
): Problem[] {
  const problems: Problem[] = [];
  if (route !== undefined && !router.routes.some(({ name }) => name === route)) {
    const hint = suggestRoute(route, router) || `Routes: ${router.routes.map(({ name }) => name).join(', ')}.`;
    problems.push({ path: 'route', message: `there is no route ${formatValue(route)}. ${hint}` });
  }
  if (method !== undefined && !METHODS.includes(method)) {
    const hint = didYouMean(method, METHODS);
    problems.push({ path: 'method', message: `there is no method ${formatValue(method)}.${hint}` });
  } else if (method !== undefined && route?.startsWith(`${method === 'HEAD' ? 'GET' : method} `) === false) {
    problems.push({ path: 'method', message: `found ${formatValue(method)}; the route ${route} has another one.` });
  }
  if (user !== undefined && !findUserByReference(state, user)) {
    const usernames = [...state.users].flatMap(({ username }) => username ?? []);
    const hint = didYouMean(user, usernames);
    problems.push({ path: 'user', message: `there is no user ${formatValue(user)}.${hint}` });
  }
  return problems;
}

/** Suggests the route of a path with or without a method, else a similar name: `Did you mean "GET /v1/me"?` */
export function suggestRoute(text: string, router: ApiRouter): string {
  const [, method, path = ''] = /^(?:(\w+) )?(\/[^?]*)/.exec(text) ?? [];
  const methods = method === undefined ? router.routes.map((route) => route.method) : [method.toUpperCase()];
  const match = methods.map((each) => router.match(each, path)).find((found) => found !== undefined);
  const names = router.routes.map(({ name }) => name);
  return match ? `Did you mean ${formatValue(match.route.name)}?` : didYouMean(text, names).trim();
}

export function filterEntries(entries: readonly Exchange[], filter: RequestFilter): Exchange[] {
  const compare = makeComparison(filter);
  const first = countAfter(entries, filter.after);
  const found = entries.filter((entry, i) => i >= first && compare(entry).next().done);
  return filter.limit === undefined ? found : found.slice(-filter.limit);
}

/** @throws ExpectationError with the near misses and their differences */
export function expectRequest(entries: readonly Exchange[], expectation: Static<typeof ExpectationSchema>): void {
  const { times, ...filter } = expectation;
  const found = filterEntries(entries, filter).length;
  if (times === undefined ? found > 0 : found === times) return;
  const wanted = times === undefined ? 'at least one request' : `${times} ${times === 1 ? 'request' : 'requests'}`;
  throw new ExpectationError(
    `expected ${wanted} ${describeFilter(filter)}, but there ${found === 1 ? 'was' : 'were'} ${found} of ${entries.length} in all.\n${describeNearMisses(entries, filter)}`,
  );
}

const describeFilter = ({ route, ...others }: RequestFilter): string =>
  [route, ...Object.entries(others).map(([key, value]) => `with ${key} ${formatValue(value)}`)].join(' ');

/** Near misses that a failure shows, and the differences of each. */
const SHOWN_NEAR_MISSES = 3;
const MAX_DIFFERENCES = 20;

function describeNearMisses(entries: readonly Exchange[], filter: RequestFilter): string {
  if (entries.length === 0) return 'No request was received.';
  const compare = makeComparison(filter);
  const ofRoute = entries.filter(({ route }) => route === filter.route);
  const lines = [ofRoute, entries.filter(({ route }) => route !== filter.route)]
    // Another route weighs more than any other difference.
    .flatMap((group, i) => (i > 0 && ofRoute.length >= SHOWN_NEAR_MISSES ? [] : rank(group, compare)))
    .slice(0, SHOWN_NEAR_MISSES)
    .map(({ entry, differences }) => {
      const { method, target, status, user } = entry;
      const head = `  ${exchangeId(entry)} ${method} ${target} ${status}${user === null ? '' : ` by ${user}`}`;
      const rest = differences.length === MAX_DIFFERENCES ? ['and perhaps others'] : [];
      const list = [...differences.map(formatDifference), ...rest];
      return [head, ...(list.length === 0 ? ['matches'] : list)].join('\n      ');
    });
  return `Near misses:\n${lines.join('\n')}`;
}

/** Sorts entries by the number of their first differences. */
const rank = (entries: readonly Exchange[], compare: ReturnType<typeof makeComparison>) =>
  entries
    .map((entry) => ({ entry, differences: takeFirst(compare(entry), MAX_DIFFERENCES) }))
    .sort((a, b) => a.differences.length - b.differences.length);

/** Returns what finds the differences of an entry: content last, since it has to be parsed. */
function makeComparison(filter: RequestFilter) {
  const { route, method, path, status, user } = filter;
  const criteria = omitUndefined({ route, method, path, status, user });
  const keys = new Map<object, readonly string[]>();
  return function* compare(entry: Exchange): Generator<Difference, void> {
    yield* findDifferences(criteria, { ...entry, path: entry.target });
    yield* findContentDifferences(filter, new RequestContent(entry), keys);
  };
}

/** Counts the first entries, up to the one with an id. */
function countAfter(entries: readonly Exchange[], id: string | undefined): number {
  const last = entries.at(-1);
  const number = Number(id?.slice(1));
  if (id === undefined || !last || number > last.number) return 0;
  return entries.filter((entry) => entry.number <= number).length;
}
