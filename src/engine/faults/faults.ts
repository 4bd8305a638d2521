import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Static, Type } from 'typebox';
import { LIMITS } from '../api/limits.js';
import type { ApiRouter } from '../api/router.js';
import { findEnd } from '../clock/clock.state.js';
import type { Caller } from '../definition/define.js';
import type { Exchange } from '../journal/exchange.js';
import { resolveRoute, validateMatcher } from '../journal/expectations.js';
import { ContentSchema, findContentDifferences, normalizeContent, RequestContent } from '../journal/request-content.js';
import { FaultError, NotFoundError, type Problem, reasonFor } from '../lib/errors.js';
import { hashToUnitInterval } from '../lib/ids.js';
import { formatValue } from '../lib/messages.js';
import { omitUndefined } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { DURATION_EXAMPLES, DURATION_PATTERN, TOO_FAR, toMilliseconds, toTimestamp } from '../lib/time.js';
import { Nullable } from '../schema/common.js';
import { mapOf, record } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import { findCallerByReference, nameCallerOf } from '../state/callers.js';
import type { ContentCriteria } from '../state/content-criteria.js';
import type { Draft, State, StateStore } from '../state/state.js';
import { isDelay, isLasting, isSendable, MAX_DELAY_MS } from './bounds.js';
import type { Fault } from './faults.state.js';

const DELAY = 'a duration such as "5s" or milliseconds, at most 600000, or [minimum, maximum]';
const Milliseconds = Type.Number({ minimum: 0, maximum: MAX_DELAY_MS });
const Delay = Type.Union([Milliseconds, Type.String({ pattern: `^${DURATION_PATTERN}$` })]);

/** How long a fault lasts. */
export const FaultDuration = Type.Union(
  [Type.Number({ exclusiveMinimum: 0 }), Type.String({ pattern: `^${DURATION_PATTERN}$` })],
  {
    expected: `a duration such as ${DURATION_EXAMPLES}, or milliseconds, above 0`,
    description: '`30s`, or milliseconds, until it ends',
  },
);

export const FaultSchema = record('NewFault', {
  route: Type.Optional(Type.String({ description: '`GET /v1/me`, or `*`. Default: any' })),
  method: Type.Optional(Type.String({ description: 'HTTP method' })),
  user: Type.Optional(Type.String({ description: 'Username or id' })),
  /** Part of what the request sends: `{ body: { name: 'report' } }`. */
  match: Type.Optional(Type.Unsafe<ContentCriteria>(ContentSchema)),
  status: Type.Optional(
    Type.Integer({
      minimum: 200,
      maximum: 599,
      description: 'Default: 500; with delay, truncate or reset, the true one',
    }),
  ),
  times: Type.Optional(Type.Integer({ minimum: 1, description: 'Requests that get it. Default: all' })),
  for: Type.Optional(FaultDuration),
  after: Type.Integer({ minimum: 0, default: 0, description: 'Requests to pass first' }),
  headers: Type.Optional(
    mapOf(Type.Union([Type.String(), Type.Number()], { expected: 'a string or a number' }), {
      description: 'Headers to add',
    }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'Default: the error body of the API' })),
  delay: Type.Optional(
    Type.Union([Delay, Type.Tuple([Delay, Delay])], {
      expected: DELAY,
      description: '`5s`, or milliseconds, or a range of two',
    }),
  ),
  rate: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Fraction that gets it',
  }),
  seed: Type.Union([Type.Integer(), Type.String()], {
    expected: 'a whole number or a string',
    default: '0',
    description: 'Selects other requests',
  }),
  reset: Type.Optional(Type.Literal(true, { expected: 'true', description: 'Reset the connection' })),
  truncate: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes of the body to send' })),
});
type FaultInput = Static<typeof FaultSchema>;
export type FaultOptions = Partial<Omit<FaultInput, 'route'>>;

const isFault = compile(FaultSchema, 'strict');

const faultRecord = record('Fault', {
  id: Type.String(),
  route: Nullable(Type.String()),
  method: Nullable(Type.String()),
  user: Nullable(Type.String()),
  match: Type.Unsafe<ContentCriteria | null>(Nullable(ContentSchema)),
  status: Nullable(Type.Integer()),
  times: Nullable(Type.Integer()),
  after: Type.Integer(),
  headers: Nullable(mapOf(Type.String())),
  body: Type.Unknown(),
  delay: Type.Union([Type.Number(), Type.Tuple([Milliseconds, Milliseconds]), Type.Null()], {
    description: 'Milliseconds',
  }),
  rate: Type.Number(),
  seed: Type.String(),
  reset: Type.Boolean(),
  truncate: Nullable(Type.Integer()),
  until: Nullable(Type.String({ format: 'date-time', description: 'When it ends; null for no end' })),
  seen: Type.Integer({ description: 'Number of matching requests so far' }),
  hits: Type.Integer({ description: 'Number of requests that got the fault so far' }),
  remaining: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Number of requests that still get the fault; null for no limit',
  }),
});
export interface FaultRecord extends Static<typeof faultRecord> {}
export const FaultRecord = Type.Unsafe<FaultRecord>(faultRecord);

/** Parses the fields of a fault. @throws FaultError for a wrong value */
export function parseFault(options: unknown): FaultInput {
  const input = omitUndefined(options);
  if (isFault(input)) return input;
  throw new FaultError(describeErrors(isFault.errors, ''));
}

/**
 * Arms a fault.
 * @throws FaultError for a wrong value, one that no server can send, or an unknown route or user
 */
export function armFault(store: StateStore, options: unknown, router: ApiRouter, now: Instant): FaultRecord {
  const input = parseFault(options);
  return store.update((draft) => addFault(draft, input, router, now));
}

/** @throws FaultError as {@link armFault} does */
export function addFault(draft: Draft, input: FaultInput, router: ApiRouter, now: Instant): FaultRecord {
  const named = input.route === '*' ? undefined : input.route;
  const { route, ...match } = resolveRoute<ContentCriteria & { readonly route?: string | undefined }>(
    { ...input.match, route: named },
    router,
  );
  const method = input.method?.toUpperCase();
  const problems = [
    ...validateMatcher({ ...input, route, method }, draft, router, 'use "*"'),
    ...validateDetails(input),
  ];
  if (method === 'OPTIONS') {
    problems.push({ path: 'method', message: 'found "OPTIONS"; expected another method: preflights get no faults.' });
  }
  if (draft.faults.length >= LIMITS.faults) {
    const message = `${LIMITS.faults} faults are armed; expected fewer. Disarm some first.`;
    problems.push({ path: 'limit', message });
  }
  if (problems.length > 0) throw new FaultError(problems);
  const { user, headers, seed } = input;
  const changesTransport = input.delay !== undefined || input.truncate !== undefined || input.reset === true;
  const changesResponse = input.body !== undefined || headers !== undefined;
  const until = input.for === undefined ? undefined : findEnd(now, toMilliseconds(input.for) ?? 0);
  const fault: Fault = {
    id: `f${++draft.faultCount}`,
    route: route ?? null,
    method: method ?? null,
    userId: (user === undefined ? undefined : findCallerByReference(draft, user)?.id) ?? null,
    match: Object.keys(match).length === 0 ? null : normalizeContent(match),
    after: input.after,
    times: input.times ?? null,
    rate: input.rate,
    seed: String(seed),
    status: input.status ?? (changesTransport && !changesResponse ? null : 500),
    headers: headers ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) : null,
    body: input.body,
    delay: input.delay === undefined ? null : parseDelay(input.delay),
    reset: input.reset ?? false,
    truncate: input.truncate ?? null,
    ...(until !== undefined && { until }),
    seen: 0,
    hits: 0,
  };
  draft.faults = [...draft.faults, fault];
  return toFaultRecord(draft, fault);
}

/** Converts the delay of a valid fault to milliseconds. */
function parseDelay(delay: FaultInput['delay'] = 0): number | [number, number] {
  const convert = (each: string | number) => toMilliseconds(each) ?? 0;
  return Array.isArray(delay) ? [convert(delay[0]), convert(delay[1])] : convert(delay);
}

/** Headers that describe the message itself and are set by the server. Source: RFC 9110, RFC 9112. */
const FRAMING_HEADERS = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

/** Checks what JSON Schema cannot describe. */
function validateDetails({ headers = {}, delay, status, for: duration }: FaultInput): Problem[] {
  const problems = Object.entries(headers).flatMap(([name, value]) => findHeaderProblem(name, String(value)) ?? []);
  const parsed = parseDelay(delay);
  const [minimum, maximum] = Array.isArray(parsed) ? parsed : [parsed, parsed];
  if (!isDelay(minimum, maximum)) {
    const expected = maximum > MAX_DELAY_MS ? DELAY : 'the minimum before the maximum';
    problems.push({ path: 'delay', message: `found ${formatValue(delay)}; expected ${expected}.` });
  }
  const time = duration === undefined ? undefined : toMilliseconds(duration);
  if (time !== undefined && !isLasting(time)) {
    const expected = time > 0 ? TOO_FAR : 'more than 0';
    problems.push({ path: 'for', message: `found ${formatValue(duration)}; expected ${expected}.` });
  }
  if (status !== undefined && !isSendable(status)) {
    const message = `found ${status}; expected another status, since ${status} allows no response body.`;
    problems.push({ path: 'status', message });
  }
  return problems;
}

/** Finds what would make the server refuse to send a header. */
function findHeaderProblem(name: string, value: string): Problem | undefined {
  const problem = (message: string) => ({ path: 'headers', message });
  if (FRAMING_HEADERS.includes(name.toLowerCase())) {
    const expected = 'a header that the server does not set: use truncate, delay or reset';
    return problem(`found ${formatValue(name)}; expected ${expected}.`);
  }
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch (error) {
    return problem(reasonFor(error));
  }
}

/** Disarms one fault, or all. @throws NotFoundError */
export function disarmFaults(draft: Draft, id?: string): void {
  if (id !== undefined && !draft.faults.some((fault) => fault.id === id)) {
    const ids = draft.faults.map((fault) => fault.id);
    throw new NotFoundError(`There is no fault ${formatValue(id)}. Armed: ${ids.join(', ') || 'none'}.`);
  }
  draft.faults = id === undefined ? [] : draft.faults.filter((fault) => fault.id !== id);
}

/** A fault to inject into a response, with its delay in milliseconds. */
export interface InjectedFault extends Pick<Fault, 'id' | 'status' | 'headers' | 'body' | 'reset' | 'truncate'> {
  readonly delay: number;
}

/** What a transport does for a fault: it delays the response, resets the connection, or cuts the body. */
export type TransportFault = Pick<InjectedFault, 'delay' | 'reset' | 'truncate'>;

/**
 * Finds the fault to inject. Faults are tried in order; each matching one counts the request until one is injected.
 * Faults that have ended are disarmed.
 * @param armed the faults that the request sees; their counters are in the draft. Default: all of the draft
 */
export function matchFault(
  draft: Draft,
  exchange: Exchange,
  caller: Caller | undefined,
  armed = draft.faults,
): InjectedFault | undefined {
  const content = new RequestContent(exchange);
  const isActive = ({ until = Number.POSITIVE_INFINITY }: Fault) => exchange.at < until;
  const faults = draft.faults.filter(isActive);
  if (faults.length < draft.faults.length) draft.faults = faults;
  const indexes = new Map(faults.map(({ id }, index) => [id, index]));
  for (const each of armed) {
    if (!isActive(each) || !isMatch(each, exchange, caller, content)) continue;
    const index = indexes.get(each.id) ?? -1;
    const newest = faults[index];
    const { seen, hits } = newest ?? each;
    const fault = { ...each, seen, hits };
    if (countRemaining(fault) === 0) continue;
    const isSelected = fault.rate >= 1 || hashToUnitInterval(`${fault.seed}:${seen}`) < fault.rate;
    const isInjected = seen >= fault.after && isSelected;
    if (newest) faults[index] = { ...newest, seen: seen + 1, hits: hits + (isInjected ? 1 : 0) };
    draft.faults = faults;
    if (isInjected) return { ...fault, delay: drawDelay(draft, fault) };
  }
  return undefined;
}

const isMatch = (
  fault: Fault,
  { route, method }: Exchange,
  caller: Caller | undefined,
  content: RequestContent,
): boolean =>
  (fault.route === null || fault.route === route) &&
  (fault.method === null || fault.method === method) &&
  (fault.userId === null || fault.userId === caller?.id) &&
  (fault.match === null || findContentDifferences(fault.match, content).next().done === true);

/** Draws from a separate hash, so that arming a fault does not change the ids of later records. */
function drawDelay({ settings }: State, { id, delay, seen }: Fault): number {
  if (delay === null || typeof delay === 'number') return delay ?? 0;
  const [minimum, maximum] = delay;
  return minimum + (maximum - minimum) * hashToUnitInterval(`${settings.idSeed}:${id}:${seen}`);
}

/** Counts the requests still to inject; null for no limit. */
const countRemaining = ({ times, hits }: Fault): number | null => (times === null ? null : times - hits);

export const toFaultRecord = (state: State, { userId, body, until, ...fault }: Fault): FaultRecord => ({
  ...fault,
  until: until === undefined ? null : toTimestamp(until),
  headers: fault.headers && { ...fault.headers },
  delay: typeof fault.delay === 'object' && fault.delay ? [fault.delay[0], fault.delay[1]] : fault.delay,
  user: userId === null ? null : nameCallerOf(state, userId),
  body: body ?? null,
  remaining: countRemaining({ userId, body, ...fault }),
});

/** Lists the armed faults, in the order of arming. */
export const listFaults = (state: State): FaultRecord[] => state.faults.map((fault) => toFaultRecord(state, fault));
