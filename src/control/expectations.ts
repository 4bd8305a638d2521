import * as z from 'zod';
import type { Route } from '../contract/route.js';
import type { State } from '../domain/state.js';
import { userRef } from '../fixtures/export.js';
import { findUserByRef } from '../fixtures/find.js';
import { explain, OptionsError, show } from '../fixtures/problems.js';
import type { RequestRecord } from './journal.js';
import { problemsOfTarget } from './target.js';

/** Which requests are meant. What is left out matches any. */
export interface RequestFilter {
  /** As in `POST /v1/vals`; braces around path parameters: `GET /v1/vals/{val_id}`. */
  readonly route?: string | undefined;
  readonly method?: string | undefined;
  /** Path and query as sent. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** Username or id of the caller. */
  readonly user?: string | undefined;
  /** What the JSON body holds among other things: objects may have further keys, arrays and values are equal. */
  readonly body?: unknown;
  /** Only the last so many. */
  readonly limit?: number | undefined;
}

/** A filter, and how often it is to match. */
export interface RequestExpectation extends Omit<RequestFilter, 'route' | 'limit'> {
  /** Exactly so often. @default at least once */
  readonly times?: number | undefined;
}

/** A journal that does not hold what was expected of it. */
export class ExpectationError extends Error {
  override name = 'ExpectationError';
}

const Filter = z.strictObject({
  route: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().optional(),
  user: z.string().optional(),
  body: z.unknown().optional(),
  limit: z.int().min(1).optional(),
});
const Expectation = Filter.omit({ limit: true }).extend({ times: z.int().min(0).optional() });

/**
 * A filter or an expectation whose names are those of what there is: nothing matches a misspelt one, which would look
 * like an answer.
 * @throws OptionsError with everything that is wrong
 */
function check<F extends RequestFilter>(
  schema: z.ZodObject & z.ZodType<F>,
  filter: unknown,
  state: State,
  routes: readonly Route[],
): F {
  const parsed = schema.safeParse(filter, { reportInput: true });
  if (!parsed.success) throw new OptionsError(explain(parsed.error, '', Object.keys(schema.shape)));
  const problems = problemsOfTarget(parsed.data, state, routes);
  if (problems.length > 0) throw new OptionsError(problems);
  const user = parsed.data.user === undefined ? undefined : findUserByRef(state, parsed.data.user);
  return user ? { ...parsed.data, user: userRef(user) } : parsed.data;
}

/** @throws OptionsError for a key, route, method or user that does not exist, or a wrong value */
export const checkFilter = (filter: unknown, state: State, routes: readonly Route[]): RequestFilter =>
  check(Filter, filter, state, routes);

/** The same for an expectation. */
export const checkExpectation = (expectation: unknown, state: State, routes: readonly Route[]) =>
  check(Expectation, expectation, state, routes);

/** The requests that match, oldest first. */
export function filterRequests(requests: readonly RequestRecord[], filter: RequestFilter): RequestRecord[] {
  const found = requests.filter((request) => differences(request, filter).length === 0);
  return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit));
}

/** How many of the nearest requests a failure shows. */
const SHOWN = 3;

/** @throws ExpectationError that shows the nearest requests and how they differ */
export function expectRequest(
  requests: readonly RequestRecord[],
  { times, ...filter }: ReturnType<typeof checkExpectation>,
): void {
  const found = filterRequests(requests, filter).length;
  if (times === undefined ? found > 0 : found === times) return;
  const wanted = times === undefined ? 'at least one request' : `${times} ${times === 1 ? 'request' : 'requests'}`;
  throw new ExpectationError(
    `expected ${wanted} ${inWords(filter)}, but there ${found === 1 ? 'was' : 'were'} ${found} of ${requests.length} in all.\n${nearest(requests, filter)}`,
  );
}

function inWords({ route, ...rest }: RequestFilter): string {
  const facts = Object.entries(rest).filter(([, value]) => value !== undefined);
  return [route, ...facts.map(([key, value]) => `with ${key} ${show(value)}`)].join(' ');
}

function nearest(requests: readonly RequestRecord[], filter: RequestFilter): string {
  if (requests.length === 0) return 'No request was received.';
  const ranked = requests
    .map((request) => ({
      request,
      differs: differences(request, filter),
      elsewhere: request.route === filter.route ? 0 : 1,
    }))
    // Another route is further away than any other body.
    .sort((a, b) => a.elsewhere - b.elsewhere || a.differs.length - b.differs.length);
  const lines = ranked.slice(0, SHOWN).map(({ request, differs }) => {
    const { id, method, path, status, user } = request;
    const head = `  ${id} ${method} ${path} ${status}${user === null ? '' : ` by ${user}`}`;
    return [head, ...(differs.length === 0 ? ['matches'] : differs)].join('\n      ');
  });
  return `The nearest requests:\n${lines.join('\n')}`;
}

/** How a request differs from what is meant; empty when it is meant. */
function differences(request: RequestRecord, filter: RequestFilter): string[] {
  const { route, method, path, status, user, body } = filter;
  const wanted = { route, method, path, status, user };
  const found: Record<string, unknown> = { ...request };
  return [
    ...Object.entries(wanted)
      .filter(([key, value]) => value !== undefined && found[key] !== value)
      .map(([key, value]) => `${key}: expected ${show(value)}, found ${show(found[key])}`),
    ...(body === undefined ? [] : bodyDifferences(body, request.request.body, 'body')),
  ];
}

function bodyDifferences(wanted: unknown, found: unknown, place: string): string[] {
  if (isObject(wanted) && isObject(found)) {
    return Object.entries(wanted).flatMap(([key, value]) => bodyDifferences(value, found[key], `${place}.${key}`));
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((value, index) => bodyDifferences(value, found[index], `${place}[${index}]`));
  }
  return Object.is(wanted, found) ? [] : [`${place}: expected ${show(wanted)}, found ${show(found)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
