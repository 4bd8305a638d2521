import type { ApiRouter } from '../api/router.js';
import { nameRequest } from '../api/tool-route.js';
import { ExpectationError, NotFoundError } from '../lib/errors.js';
import { describeFirst, formatRanked, rankByDifferences, SHOWN_NEAR_MISSES, takeFirst } from '../lib/matching.js';
import { formatValue, parseBack } from '../lib/messages.js';
import { formatReasons, formatStatus, isRefused } from '../lib/reasons.js';
import { formatCount, thereWere } from '../lib/text.js';
import { sleep, systemTimers } from '../platform/system-timers.js';
import type { State } from '../state/state.js';
import { type Exchange, exchangeId } from './exchange.js';
import {
  type AnyFilter,
  type Compare,
  filterEntries,
  makeComparison,
  parseExpectation,
  parseFilter,
  parseSteps,
} from './expectations.js';
import type { Journal } from './journal.js';
import { type RequestRecord, type RequestSummary, toRequestRecord, toRequestSummary } from './request-record.js';

/** What assertions and lists of requests are about: the journal of a sandbox, and the names that they may use. */
export interface Asserted {
  readonly journal: Journal;
  readonly state: State;
  readonly router: ApiRouter;
}

/**
 * Lists the requests of the journal that match a filter, oldest first.
 * @throws OptionsError for an unknown key, route, method or user, or a wrong value; ApiError 409 without a journal
 */
export function listRequests({ journal, state, router }: Asserted, filter: unknown): RequestRecord[] {
  const criteria = parseFilter(filter, state, router);
  return filterEntries(journal.read().exchanges, criteria).map((each) => toRequestRecord(each, router));
}

/** Gets a request of the journal, by `r3` or `3`, or by `last`, `-1`, `-2` from the end. @throws NotFoundError; ApiError 409 without a journal */
export function getExchange(journal: Journal, id: string): Exchange {
  const back = parseBack(id);
  const exchange =
    back === undefined ? journal.read().find(id.replace(/^\d+$/, 'r$&')) : journal.read().exchanges.at(-back);
  if (exchange) return exchange;
  throw new NotFoundError(`There is no request ${formatValue(id)}: the journal has the last ${journal.length}.`);
}

/**
 * Asserts that a route was called, and remembers the matches for {@link expectNoOther}.
 * @returns the last match, as a promise for an expectation with an outcome or a duration
 * @throws ExpectationError with the requests that match, and the near misses with their differences
 * @throws OptionsError for an unknown key, route, method or user, or a wrong value
 */
export function expectRequest(
  { journal, state, router }: Asserted,
  expectation: unknown,
): MaybeLater<RequestRecord | undefined> {
  const { times, ...filter } = parseExpectation(expectation, state, router);
  return whenEnded(journal, [filter], times === undefined, () => {
    const entries = journal.read().exchanges;
    const matches = filterEntries(entries, filter);
    const found = matches.length;
    const last = matches.at(-1);
    if (times === undefined ? found > 0 : found === times) {
      journal.expect(matches);
      return last && toRequestRecord(last, router);
    }
    const wanted = times === undefined ? 'at least one request' : formatCount(times, 'request');
    // The others do not explain why there are too many.
    const compared = found > (times ?? found) ? matches : entries;
    throw new ExpectationError(
      `expected ${wanted} ${describeFilter(filter)}, but ${thereWere(found)} of ${entries.length} in all.\n${describeNearMisses(compared, filter, router)}`,
    );
  });
}

/**
 * Asserts that requests were received in an order, others between them allowed, and remembers them for {@link expectNoOther}.
 * @returns a promise for steps with an outcome or a duration
 * @throws ExpectationError with the first step that was not found, and its near misses
 * @throws OptionsError for a step with an unknown key, route, method or user, or a wrong value
 */
export function expectSequence({ journal, state, router }: Asserted, steps: unknown): void | Promise<void> {
  const filters = parseSteps(steps, state, router);
  return whenEnded(journal, filters, true, () => {
    const entries = journal.read().exchanges;
    const found: Exchange[] = [];
    for (const filter of filters) {
      const last = found.at(-1);
      const rest = entries.slice(last === undefined ? 0 : entries.indexOf(last) + 1);
      const [match] = takeFirst(findMatches(rest, makeComparison(filter)), 1);
      if (!match) throw new ExpectationError(describeMissingStep(entries, rest, filters, found, router));
      found.push(match);
    }
    journal.expect(found);
  });
}

/**
 * Asserts that earlier expectations have matched all requests, apart from the handshake of MCP clients.
 * @param allowed requests that are allowed as well
 * @returns a promise for requests with an outcome or a duration
 * @throws ExpectationError with the other requests
 * @throws OptionsError for a request with an unknown key, route, method or user, or a wrong value
 */
export function expectNoOther({ journal, state, router }: Asserted, allowed: unknown = []): void | Promise<void> {
  const filters = parseSteps(allowed, state, router, 'allowed');
  return whenEnded(journal, filters, false, () => {
    const entries = journal.read().exchanges;
    const known = new Set(filters.flatMap((filter) => filterEntries(entries, filter)));
    const others = entries.filter(
      (entry) => !known.has(entry) && !journal.isExpected(entry) && !isHandshake(entry, router),
    );
    if (others.length === 0) return;
    const lines = describeFirst(others, SHOWN_OTHERS, describeWith(router));
    const count = `${thereWere(others.length)} of ${entries.length} in all`;
    throw new ExpectationError([`expected no other requests, but ${count}:`, ...lines].join('\n'));
  });
}

/** The client of a tool server sends such a request for the protocol: a message without a call, or a method that the server lacks. */
const isHandshake = (entry: Exchange, { handshake }: ApiRouter): boolean =>
  handshake.includes(entry.route ?? '') && !isRefused(entry);

type MaybeLater<T> = T | Promise<T>;

/** Milliseconds that an assertion waits for responses to end, and between two checks. */
const WAIT_MS = 1_000;
const INTERVAL_MS = 10;

/**
 * Runs an assertion: at once, or once the responses have ended to which its criteria of outcome and duration refer.
 * @param isLasting whether later requests cannot make it fail
 */
function whenEnded<T>(
  journal: Journal,
  filters: readonly AnyFilter[],
  isLasting: boolean,
  assert: () => T,
): MaybeLater<T> {
  const others = filters
    .filter(({ outcome, duration }) => outcome !== undefined || duration !== undefined)
    .map((filter) => ({ ...filter, outcome: undefined, duration: undefined }));
  if (others.length === 0) return assert();
  const isOpen = () =>
    others.some((filter) => filterEntries(journal.read().exchanges, filter).some(({ outcome }) => outcome === null));
  return assertLater(assert, isLasting, isOpen);
}

async function assertLater<T>(assert: () => T, isLasting: boolean, isOpen: () => boolean): Promise<T> {
  for (let waited = 0; waited < WAIT_MS && isOpen(); waited += INTERVAL_MS) {
    if (isLasting && holds(assert)) break;
    // Responses over a socket end in real time.
    await sleep(systemTimers, INTERVAL_MS);
  }
  return assert();
}

function holds(assert: () => unknown): boolean {
  try {
    assert();
    return true;
  } catch (error) {
    if (error instanceof ExpectationError) return false;
    throw error;
  }
}

const describeFilter = ({ route, ...others }: AnyFilter): string =>
  [route ?? 'to any route', ...Object.entries(others).map(([key, value]) => `with ${key} ${formatValue(value)}`)].join(
    ' ',
  );

/** Describes a request in a line, with what explains its response: `  r4 GET /v1/me 401 (Unauthorized - the request has no token)`. */
export function describeRequest({ id, user, ...request }: RequestSummary): string {
  const reasons = formatReasons(request);
  return `  ${id} ${nameRequest(request)} ${formatStatus(request)}${user === null ? '' : ` by ${user}`}${reasons && ` (${reasons})`}`;
}

const describeWith = (router: ApiRouter) => (entry: Exchange) => describeRequest(toRequestSummary(entry, router));

const SHOWN_OTHERS = 20;

function* findMatches(entries: readonly Exchange[], compare: Compare): Generator<Exchange, void> {
  for (const entry of entries) if (compare(entry).next().done) yield entry;
}

/** @param rest the entries after the last step that was found */
function describeMissingStep(
  entries: readonly Exchange[],
  rest: readonly Exchange[],
  filters: readonly AnyFilter[],
  found: readonly Exchange[],
  router: ApiRouter,
): string {
  const describeEntry = describeWith(router);
  const filter = filters[found.length] ?? {};
  const last = found.at(-1);
  const position = last ? ` after ${exchangeId(last)}` : '';
  const early = filterEntries(entries.slice(0, entries.length - rest.length), filter).filter(
    (entry) => !found.includes(entry),
  );
  return [
    `expected ${formatCount(filters.length, 'request')} in this order, but number ${found.length + 1} was not received${position}: ${describeFilter(filter)}`,
    ...(last ? ['Received in order:', ...found.map(describeEntry)] : []),
    ...(early.length > 0 ? ['Received too early:', ...early.slice(-SHOWN_NEAR_MISSES).map(describeEntry)] : []),
    describeNearMisses(rest, filter, router, position),
  ].join('\n');
}

function describeNearMisses(entries: readonly Exchange[], filter: AnyFilter, router: ApiRouter, position = ''): string {
  if (entries.length === 0) return `No request was received${position}.`;
  const compare = makeComparison(filter);
  const rank = (isOfRoute: boolean) =>
    rankByDifferences(
      entries.filter(({ route }) => (route === filter.route) === isOfRoute),
      compare,
    );
  const ranked = rank(true);
  // Another route weighs more than any other difference.
  if (ranked.filter(({ differences }) => differences.length > 0).length < SHOWN_NEAR_MISSES)
    ranked.push(...rank(false));
  return formatRanked(ranked, describeWith(router));
}
