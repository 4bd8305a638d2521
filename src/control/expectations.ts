import { METHODS } from 'node:http';
import { type Static, Type } from 'typebox';
import type { Route } from '../api/route.js';
import type { Router } from '../api/router.js';
import { findUserByReference, getReference } from '../fixtures/references.js';
import { ExpectationError, OptionsError, type Problem } from '../lib/errors.js';
import { describeErrors, didYouMean, formatValue, joinPath } from '../lib/messages.js';
import { isObject, type Optional, omitUndefined } from '../lib/objects.js';
import { strictObject } from '../lib/schema.js';
import { compile, type Validator } from '../lib/validator.js';
import type { State } from '../model/state.js';
import { type JournalEntry, parseBody } from './journal.js';

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
const limit = Type.Optional(Type.Integer({ minimum: 1, description: 'Only the last N requests' }));
const withBody = {
  ...criteria,
  /** Part of the JSON body: objects may have further keys, arrays and other values are equal. */
  body: Type.Optional(Type.Unknown({ description: 'Part of the JSON body' })),
};

/** The criteria of a filter over HTTP. */
export const RequestQuery = strictObject({ ...criteria, limit });
const FilterSchema = strictObject({
  ...withBody,
  /** Only the last N requests. */
  limit,
});
const ExpectationSchema = strictObject({
  ...withBody,
  /** Exact number of matches. @default at least one */
  times: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of matches. Default: at least one' })),
});
const isFilter = compile('filter', FilterSchema, 'strict');
const isExpectation = compile('expectation', ExpectationSchema, 'strict');

/** Selects requests. An absent criterion matches any. */
export interface RequestFilter extends Optional<Static<typeof FilterSchema>> {}

/** A filter and the expected number of matches. */
export interface RequestExpectation extends Optional<Omit<Static<typeof ExpectationSchema>, 'route'>> {}

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseFilter = (filter: unknown, state: State, router: ApiRouter): RequestFilter =>
  parse(isFilter, filter, state, router);

/** @throws OptionsError for an unknown key, route, method or user, or a wrong value */
export const parseExpectation = (expectation: unknown, state: State, router: ApiRouter) =>
  parse(isExpectation, expectation, state, router);

function parse<F extends RequestFilter>(validate: Validator<F>, input: unknown, state: State, router: ApiRouter): F {
  const filter = omitUndefined(input);
  if (!validate(filter)) throw new OptionsError(describeErrors(validate.errors, ''));
  const problems = validateMatcher(filter, state, router);
  if (problems.length > 0) throw new OptionsError(problems);
  const user = filter.user === undefined ? undefined : findUserByReference(state, filter.user);
  return user ? { ...filter, user: getReference(user) } : filter;
}

/** Checks that the route, the method and the user exist: a misspelt name would match nothing. */
export function validateMatcher({ route, method, user }: RequestFilter, state: State, router: ApiRouter): Problem[] {
  const problems: Problem[] = [];
  if (route !== undefined && !router.routes.some(({ name }) => name === route)) {
    problems.push({ path: 'route', message: `there is no route ${formatValue(route)}.${suggestRoute(route, router)}` });
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

/** Suggests the route of a path with or without a method, else a similar name, else lists all routes. */
function suggestRoute(text: string, router: ApiRouter): string {
  const [, method, path = ''] = /^(?:(\w+) )?(\/[^?]*)/.exec(text) ?? [];
  const methods = method === undefined ? router.routes.map((route) => route.method) : [method.toUpperCase()];
  const match = methods.map((each) => router.match(each, path)).find((found) => found !== undefined);
  if (match) return ` Did you mean ${formatValue(match.route.name)}?`;
  const names = router.routes.map(({ name }) => name);
  return didYouMean(text, names) || ` Routes: ${names.join(', ')}.`;
}

export function filterEntries(entries: readonly JournalEntry[], filter: RequestFilter): JournalEntry[] {
  // Other criteria first, since a body has to be parsed.
  const { body, ...others } = getCriteria(filter);
  const isMatch = (criteria: unknown, entry: JournalEntry) => compareEntry(criteria, entry).length === 0;
  const found = entries.filter((entry) => isMatch(others, entry) && (body === undefined || isMatch({ body }, entry)));
  return filter.limit === undefined ? found : found.slice(-filter.limit);
}

/** @throws ExpectationError with the near misses and their differences */
export function expectRequest(entries: readonly JournalEntry[], expectation: Static<typeof ExpectationSchema>): void {
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

/** Near misses that a failure shows. */
const SHOWN_NEAR_MISSES = 3;

function describeNearMisses(entries: readonly JournalEntry[], filter: RequestFilter): string {
  if (entries.length === 0) return 'No request was received.';
  const criteria = getCriteria(filter);
  const lines = entries
    .map((entry) => {
      const differences = compareEntry(criteria, entry);
      // Another route weighs more than any other difference.
      return { entry, differences, rank: differences.length + (entry.route === filter.route ? 0 : 1_000) };
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN_NEAR_MISSES)
    .map(({ entry, differences }) => {
      const { id, method, path, status, user } = entry;
      const head = `  ${id} ${method} ${path} ${status}${user === null ? '' : ` by ${user}`}`;
      return [head, ...(differences.length === 0 ? ['matches'] : differences)].join('\n      ');
    });
  return `Near misses:\n${lines.join('\n')}`;
}

/** Returns the criteria of a filter, in the order in which differences are listed. */
function getCriteria({ route, method, path, status, user, body }: RequestFilter) {
  return { route, method, path, status, user, body };
}

const compareEntry = (criteria: unknown, entry: JournalEntry): string[] =>
  listDifferences(omitUndefined(criteria), {
    ...entry,
    // Parsed only for filters with a body.
    get body() {
      return parseBody(entry.requestBody);
    },
  });

/** Lists the differences between an expected value and the one found: objects may have further keys. */
function listDifferences(wanted: unknown, found: unknown, path = ''): string[] {
  if (isObject(wanted) && isObject(found)) {
    return Object.entries(wanted).flatMap(([key, value]) => listDifferences(value, found[key], joinPath(path, key)));
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((value, i) => listDifferences(value, found[i], joinPath(path, i)));
  }
  return Object.is(wanted, found) ? [] : [`${path}: expected ${formatValue(wanted)}, found ${formatValue(found)}`];
}
