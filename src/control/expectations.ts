import { type Static, Type } from 'typebox';
import { findUserByReference, getReference } from '../fixtures/references.js';
import { ExpectationError, OptionsError } from '../lib/errors.js';
import { describeErrors, formatValue, joinPath } from '../lib/messages.js';
import { isObject, omitUndefined } from '../lib/objects.js';
import { strictObject } from '../lib/schema.js';
import { compile, type Validator } from '../lib/validator.js';
import type { State } from '../model/state.js';
import { type JournalEntry, parseBody } from './journal.js';
import { type ApiRouter, validateMatcher } from './request-matcher.js';

const criteria = {
  route: Type.Optional(Type.String({ description: 'As in `POST /v1/vals`' })),
  method: Type.Optional(Type.String({ description: 'HTTP method' })),
  path: Type.Optional(Type.String({ description: 'Path and query as sent' })),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the response' })),
  user: Type.Optional(Type.String({ description: 'Username or id of the caller' })),
};
/** Objects may have further keys, arrays and other values are equal. */
const body = Type.Optional(Type.Unknown({ description: 'Part of the JSON body' }));
const limit = Type.Optional(Type.Integer({ minimum: 1, description: 'Only the last N requests' }));
const times = Type.Optional(Type.Integer({ minimum: 0, description: 'Number of matches. Default: at least one' }));

/** The criteria of a filter over HTTP. */
export const RequestQuery = strictObject({ ...criteria, limit });
const FilterSchema = strictObject({ ...criteria, body, limit });
const ExpectationSchema = strictObject({ ...criteria, body, times });
const isFilter = compile('filter', FilterSchema, 'strict');
const isExpectation = compile('expectation', ExpectationSchema, 'strict');

/** Selects requests. An absent criterion matches any. */
export interface RequestFilter {
  /** As in `POST /v1/vals`; path parameters in braces: `GET /v1/vals/{val_id}`. */
  readonly route?: string | undefined;
  readonly method?: string | undefined;
  /** Path and query as sent. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** Username or id of the caller. */
  readonly user?: string | undefined;
  /** Part of the JSON body: objects may have further keys, arrays and other values are equal. */
  readonly body?: unknown;
  /** Only the last N requests. */
  readonly limit?: number | undefined;
}

/** A filter and the expected number of matches. */
export interface RequestExpectation extends Omit<RequestFilter, 'route' | 'limit'> {
  /** Exact number of matches. @default at least one */
  readonly times?: number | undefined;
}

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

/** Returns the matching entries, oldest first. */
export function filterEntries(entries: readonly JournalEntry[], filter: RequestFilter): JournalEntry[] {
  // Other criteria first, since a body has to be parsed.
  const { body, ...others } = getCriteria(filter);
  const found = entries.filter(
    (entry) =>
      compareEntry(others, entry).length === 0 && (body === undefined || compareEntry({ body }, entry).length === 0),
  );
  return filter.limit === undefined ? found : found.slice(-filter.limit);
}

/** @throws ExpectationError with the near misses and their differences */
export function expectRequest(
  entries: readonly JournalEntry[],
  { times, ...filter }: Static<typeof ExpectationSchema>,
): void {
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
const getCriteria = ({ route, method, path, status, user, body }: RequestFilter) => ({
  route,
  method,
  path,
  status,
  user,
  body,
});

/** Lists the differences between criteria and an entry. */
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
