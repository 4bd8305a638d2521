import { errorBody } from '../contract/errors.js';
import { Links } from '../contract/links.js';
import { checkAnswer } from '../contract/validation.js';
import { ClockError } from '../control/clock.js';
import { FaultError } from '../control/faults.js';
import { checkOrigin, originHeaders } from '../control/guard.js';
import type { Reach } from '../control/route.js';
import { UnknownNameError } from '../control/sandbox.js';
import { ApiError } from '../domain/errors.js';
import { FixtureError } from '../fixtures/problems.js';
import { answerBrowser, isForBrowser } from './browser.js';
import { preflight } from './cors.js';
import { partsOf } from './parts.js';
import { respond } from './respond.js';
import type { Router } from './router.js';
import { pathOf, queryOf, type WireRequest, type WireResponse } from './wire.js';

/** Where the control plane begins. */
export const CONTROL_PREFIX = '/_emulator';
const HEALTH = `${CONTROL_PREFIX}/health`;

export interface ControlOptions {
  readonly router: Router<Reach>;
  /** Host names beside the loopback ones that may reach the control plane: `emulator.test`. */
  readonly allowedHosts: readonly string[];
  /** Whether there is a control plane. Its health is told all the same. */
  readonly enabled: boolean;
  /** Checks each answer against its schema; a mismatch is a 500. */
  readonly checkAnswers: boolean;
  readonly documentOf: Reach['documentOf'];
}

/** Answers a request to the emulator's own API: at once, but for what loads a module first. */
export function answerControl(
  request: WireRequest,
  reach: Reach,
  options: ControlOptions,
): WireResponse | Promise<WireResponse> {
  const now = reach.sandbox.clock.now.getTime();
  const origin = request.header('origin');
  const admit = (response: WireResponse) => withOrigin(response, originHeaders(origin));
  const refuse = (error: unknown) => withOrigin(respondWithProblems(error, now), {});
  try {
    if (pathOf(request) !== HEALTH) {
      if (!options.enabled) throw notFound(request);
      checkOrigin(request.header('host'), origin, options.allowedHosts);
    }
    if (request.method === 'OPTIONS') return admit(preflight(request, now));
    if (isForBrowser(request)) return answerBrowser(request, reach.sandbox, now).then(admit, refuse);
    const response = answer(request, reach, now, options);
    return response instanceof Promise ? response.then(admit, refuse) : admit(response);
  } catch (error) {
    return refuse(error);
  }
}

const notFound = (request: WireRequest) => new ApiError(404, `Route ${request.method}:${pathOf(request)} not found`);

function answer(request: WireRequest, reach: Reach, now: number, { router, checkAnswers }: ControlOptions) {
  const match = router.match(request.method, pathOf(request));
  if (!match) throw notFound(request);
  const { route, params } = match;
  const query = queryOf(request);
  const links = new Links(request.base, pathOf(request).replace(/\/$/, ''), query);
  const { state } = reach.sandbox.world;
  const value = route.answerTo({ state, now, links, ...reach }, undefined, () =>
    partsOf(route, params, query, request),
  );
  const finish = (body: unknown) => {
    if (checkAnswers) checkAnswer(route, body);
    return respond(route.status, body, now);
  };
  return value instanceof Promise ? value.then(finish) : finish(value);
}

/** Errors of the control plane have the API's shape; a list of problems comes with those that have one. */
function respondWithProblems(error: unknown, now: number): WireResponse {
  if (error instanceof UnknownNameError) return respondWithProblems(new ApiError(404, error.message), now);
  if (error instanceof FixtureError || error instanceof FaultError || error instanceof ClockError) {
    const problems = 'problems' in error ? { problems: error.problems } : {};
    return respond(422, { ...errorBody(new ApiError(422, error.message)), ...problems }, now);
  }
  const body = errorBody(error);
  return respond(body.statusCode, body, now);
}

/** The control plane is no business of pages elsewhere, so the API's open door is shut. */
function withOrigin(response: WireResponse, allowed: Readonly<Record<string, string>>): WireResponse {
  const { 'access-control-allow-origin': _open, ...headers } = response.headers;
  return { ...response, headers: { ...headers, ...allowed } };
}
