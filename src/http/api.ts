import { STATUS_CODES } from 'node:http';
import { errorBody } from '../contract/errors.js';
import { Links } from '../contract/links.js';
import { cutBody } from '../control/journal.js';
import type { Sandbox } from '../control/sandbox.js';
import { type Instant, readClock } from '../domain/clock.js';
import { ApiError, unauthorized } from '../domain/errors.js';
import { type Strike, strike, type Target } from '../domain/faults.js';
import { countRequest, type Quota, rateLimitExceeded } from '../domain/rates.js';
import { findCaller, type User } from '../domain/users.js';
import { partsOf } from './parts.js';
import { respond, respondWithError, withBody } from './respond.js';
import type { Match, Router } from './router.js';
import { pathOf, queryOf, type WireRequest, type WireResponse } from './wire.js';

export interface ApiOptions {
  readonly router: Router;
  /** Checks each answer against its schema; a mismatch is a 500. */
  readonly checkAnswers: boolean;
  /** The machine's clock. */
  readonly machineTime: () => Instant;
}

/** What is known of a request before it is answered. */
interface Arrival {
  readonly request: WireRequest;
  readonly sandbox: Sandbox;
  readonly now: Instant;
  readonly match: Match | undefined;
  readonly token: string | undefined;
  /** Undefined without a token, or with one that nobody holds. */
  readonly caller: User | undefined;
}

/** Answers a request to the API in a sandbox, misbehaves as its faults say, and notes all that in its journal. */
export function answerApi(request: WireRequest, sandbox: Sandbox, options: ApiOptions): WireResponse {
  const { world, journal } = sandbox;
  const start = performance.now();
  const now = readClock(world.state.clock, options.machineTime());
  const token = tokenOf(request.header('authorization'));
  const match = options.router.match(request.method, pathOf(request));
  const caller = findCaller(world.state, token);
  const route = match?.route.name;
  const quota = takeQuota(sandbox, token, now);
  const struck = takeStrike(sandbox, { route, method: request.method, caller });
  const arrival = { request, sandbox, now, match, token, caller };
  const response = decorate(answerOrRefuse(arrival, options, quota, struck), quota, struck);
  journal.add({
    at: now,
    duration: performance.now() - start,
    route,
    method: request.method,
    target: request.target,
    caller,
    status: response.status,
    requestBody: typeof request.body === 'string' ? cutBody(request.body) : undefined,
    responseBody: cutBody(response.body),
    faultId: struck?.faultId,
  });
  return response;
}

function answerOrRefuse(
  arrival: Arrival,
  options: ApiOptions,
  quota: Quota | undefined,
  struck: Strike | undefined,
): WireResponse {
  try {
    if (quota?.exceeded) throw rateLimitExceeded(quota);
    if (struck?.reset) return { status: 0, headers: {}, body: undefined };
    return struck?.status === undefined ? answer(arrival, options) : injected(struck, struck.status, arrival.now);
  } catch (error) {
    return respondWithError(error, arrival.now);
  }
}

function answer({ request, sandbox, now, match, token, caller }: Arrival, { checkAnswers }: ApiOptions): WireResponse {
  const { world, journal } = sandbox;
  if (!match) throw new ApiError(404, `Route ${request.method}:${pathOf(request)} not found`);
  if (token !== undefined && !caller) throw unauthorized();
  const { route, params } = match;
  const query = queryOf(request);
  const links = new Links(request.base, pathOf(request).replace(/\/$/, ''), query);
  const handle = (state: typeof world.state): unknown => {
    const value = route.answerTo({ state, now, links }, caller, () => partsOf(route, params, query, request));
    if (checkAnswers) route.answer.parse(value);
    return value;
  };
  const value = route.writes
    ? world.write({ id: journal.nextId, cause: route.name, at: now }, handle)
    : handle(world.state);
  return respond(route.status, value, now);
}

/** Everything after `Bearer `, spaces included. Anything else is taken for a token that nobody holds: the empty one. */
const tokenOf = (authorization: string | undefined): string | undefined =>
  authorization && (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '');

function takeQuota({ world }: Sandbox, token: string | undefined, now: Instant): Quota | undefined {
  return world.state.settings.rateLimit && world.adjust((state) => countRequest(state, token, now));
}

function takeStrike({ world }: Sandbox, target: Target): Strike | undefined {
  return world.state.faults.length === 0 ? undefined : world.adjust((state) => strike(state, target));
}

/** The answer that a fault gives: text as it is, anything else as JSON. */
function injected({ body, headers = {} }: Strike, status: number, now: Instant): WireResponse {
  if (typeof body !== 'string') {
    return respond(status, body ?? errorBody(new ApiError(status, STATUS_CODES[status] ?? 'Injected fault')), now);
  }
  const base = respond(204, undefined, now).headers;
  return withBody(status, { ...base, ...lowerCased(headers) }, body, 'text/plain; charset=utf-8');
}

/** Adds what the rate limit tells and what a fault adds. Source of the names: the framework's rate limiting plugin. */
function decorate(response: WireResponse, quota: Quota | undefined, struck: Strike | undefined): WireResponse {
  if (!quota && !struck) return response;
  const seconds = quota && String(Math.ceil(quota.resetIn / 1_000));
  return {
    ...response,
    headers: {
      ...response.headers,
      ...(quota && {
        'x-ratelimit-limit': String(quota.limit),
        'x-ratelimit-remaining': String(quota.remaining),
        'x-ratelimit-reset': seconds ?? '0',
      }),
      ...(quota?.exceeded && { 'retry-after': seconds ?? '0' }),
      ...lowerCased(struck?.headers ?? {}),
    },
    mishap: struck && { delay: struck.delay, reset: struck.reset ?? false, truncate: struck.truncate },
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
