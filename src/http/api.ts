import { STATUS_CODES } from 'node:http';
import { errorBody } from '../contract/errors.js';
import { Links } from '../contract/links.js';
import type { Match, Router } from '../contract/router.js';
import { checkAnswer } from '../contract/validation.js';
import type { Reading } from '../control/journal.js';
import type { Sandbox } from '../control/sandbox.js';
import { type Instant, readClock } from '../domain/clock.js';
import { ApiError, unauthorized } from '../domain/errors.js';
import { type Strike, strike, type Target } from '../domain/faults.js';
import { countRequest, type Quota, rateLimitExceeded } from '../domain/rates.js';
import type { State } from '../domain/state.js';
import { findCaller, type User } from '../domain/users.js';
import { partsOf } from './parts.js';
import { headersFor, respond, respondWithError } from './respond.js';
import { pathOf, queryOf, type WireRequest, type WireResponse } from './wire.js';

export interface ApiOptions {
  readonly router: Router;
  /** The answer to a path that the real service has and the emulator has not. */
  readonly unserved: (path: string) => ApiError | undefined;
  /** Checks each answer against its schema; a mismatch is a 500. */
  readonly checkAnswers: boolean;
  /** The machine's clock. */
  readonly machineTime: () => Instant;
}

/** What a route sees of a request beside the state. */
interface Call {
  readonly request: WireRequest;
  /** Undefined without a token, or with one that nobody holds. */
  readonly caller: User | undefined;
  readonly now: Instant;
}

/** What is known of a request before it is answered. */
interface Arrival extends Call {
  readonly sandbox: Sandbox;
  /** The state as the request found it, not yet counted by anything. */
  readonly before: State;
  readonly match: Match | undefined;
  readonly token: string | undefined;
}

/** The /v1 API. */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Answers a request in a sandbox, misbehaves as its faults say, and notes all that in its journal. */
  answer(request: WireRequest, sandbox: Sandbox): WireResponse {
    const { world, journal } = sandbox;
    const start = performance.now();
    const before = world.state;
    const now = readClock(before.clock, this.#options.machineTime());
    const token = tokenOf(request.header('authorization'));
    const match = this.#options.router.match(request.method, pathOf(request));
    const caller = findCaller(before, token);
    const route = match?.route;
    const quota = takeQuota(sandbox, token, now);
    // What the rate limit turns away never comes to where faults are.
    const struck = quota?.exceeded
      ? undefined
      : takeStrike(sandbox, { route: route?.name, method: request.method, caller });
    const arrival = { request, sandbox, before, now, match, token, caller };
    const response = decorate(this.#answerOrRefuse(arrival, quota, struck), quota, struck);
    const hasBody = request.method !== 'HEAD';
    const isAsRead = route && !route.writes && response.status === route.status && struck?.status === undefined;
    journal.add({
      at: now,
      duration: performance.now() - start,
      route: route?.name,
      method: request.method,
      target: request.target,
      base: request.base,
      caller,
      token: token === caller?.token ? undefined : token,
      users: before.users,
      state: hasBody && isAsRead ? before : undefined,
      status: response.status,
      requestBody: typeof request.body === 'string' ? request.body : undefined,
      responseBody: hasBody ? response.body : undefined,
      faultId: struck?.faultId,
    });
    return response;
  }

  /** The body of the answer to a request that only reads, and that succeeded when it came. */
  readAgain({ method, target, base, caller, at, state }: Reading): string | undefined {
    const request: WireRequest = { method, target, base, header: () => undefined, body: undefined };
    const match = this.#options.router.match(method, pathOf(request));
    return match && respond(match.route.status, this.#call(match, { request, caller, now: at }, state), at).body;
  }

  #answerOrRefuse(arrival: Arrival, quota: Quota | undefined, struck: Strike | undefined): WireResponse {
    try {
      if (quota?.exceeded) throw rateLimitExceeded(quota);
      if (struck?.reset) return { status: 0, headers: {}, body: undefined };
      return struck?.status === undefined ? this.#respond(arrival) : injected(struck, struck.status, arrival.now);
    } catch (error) {
      return respondWithError(error, arrival.now);
    }
  }

  #respond(arrival: Arrival): WireResponse {
    const { request, sandbox, before, now, match, token, caller } = arrival;
    const { world, journal } = sandbox;
    if (!match) throw this.#notFound(request);
    if (token !== undefined && !caller) throw unauthorized();
    const { route } = match;
    const handle = (state: State) => this.#call(match, arrival, state);
    const value = route.writes
      ? world.write({ id: journal.nextId, cause: route.name, at: now }, handle, before)
      : handle(world.state);
    return respond(route.status, value, now);
  }

  #notFound(request: WireRequest): ApiError {
    const path = pathOf(request);
    return this.#options.unserved(path) ?? new ApiError(404, `Route ${request.method}:${path} not found`);
  }

  /** What a route answers to a request, all else being well. */
  #call({ route, params }: Match, { request, caller, now }: Call, state: State): unknown {
    const query = queryOf(request);
    const links = new Links(request.base, pathOf(request).replace(/\/$/, ''), query);
    const value = route.answerTo({ state, now, links }, caller, () => partsOf(route, params, query, request));
    if (this.#options.checkAnswers) checkAnswer(route, value);
    return value;
  }
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

/** The answer that a fault gives: text as it is, anything else as JSON, nothing where the status allows no body. */
function injected({ body }: Strike, status: number, now: Instant): WireResponse {
  const error = new ApiError(status, STATUS_CODES[status] ?? 'Injected fault');
  const answer = respond(status, body === undefined ? errorBody(error) : body, now);
  if (typeof body !== 'string' || answer.body === undefined) return answer;
  return { status, headers: headersFor(now, 'text/plain; charset=utf-8', Buffer.byteLength(body)), body };
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
