import { errorBody } from '../contract/errors.js';
import { Links } from '../contract/links.js';
import type { Router } from '../contract/router.js';
import { checkAnswer } from '../contract/validation.js';
import { ClockError } from '../control/clock.js';
import { FaultError } from '../control/faults.js';
import { checkOrigin, originHeaders } from '../control/guard.js';
import type { Reach } from '../control/route.js';
import { UnknownNameError } from '../control/unknown-name.js';
import { ApiError } from '../domain/errors.js';
import { FixtureError, OptionsError } from '../fixtures/problems.js';
import { answerBrowser, isForBrowser } from './browser.js';
import { preflight } from './cors.js';
import { partsOf } from './parts.js';
import { respond } from './respond.js';
import { pathOf, queryOf, type WireRequest, type WireResponse } from './wire.js';

/** Where the control plane begins. */
export const CONTROL_PREFIX = '/_emulator';
const HEALTH = `${CONTROL_PREFIX}/health`;

export interface ControlOptions {
  /** Loads the routes, when they are first asked for: most programs never do. */
  readonly router: () => Promise<Router<Reach>>;
  /** Host names beside the loopback ones that may reach the control plane: `emulator.test`. */
  readonly allowedHosts: readonly string[];
  /** Whether there is a control plane. Its health is told all the same. */
  readonly enabled: boolean;
  /** Checks each answer against its schema; a mismatch is a 500. */
  readonly checkAnswers: boolean;
  readonly documentOf: Reach['documentOf'];
}

/** Answers a request to the emulator's own API. */
export async function answerControl(
  request: WireRequest,
  reach: Reach,
  options: ControlOptions,
): Promise<WireResponse> {
  const now = reach.sandbox.clock.now.getTime();
  const origin = request.header('origin');
  try {
    if (pathOf(request) !== HEALTH) {
      if (!options.enabled) throw notFound(request);
      checkOrigin(request.header('host'), origin, options.allowedHosts);
    }
    return withOrigin(await answer(request, reach, now, options), originHeaders(origin));
  } catch (error) {
    return withOrigin(respondWithProblems(error, now), {});
  }
}

const notFound = (request: WireRequest) => new ApiError(404, `Route ${request.method}:${pathOf(request)} not found`);

async function answer(request: WireRequest, reach: Reach, now: number, options: ControlOptions): Promise<WireResponse> {
  if (request.method === 'OPTIONS') return preflight(request, now);
  if (isForBrowser(request)) return answerBrowser(request, reach.sandbox, now);
  const match = (await options.router()).match(request.method, pathOf(request));
  if (!match) throw notFound(request);
  const { route, params } = match;
  const query = queryOf(request);
  const links = new Links(request.base, pathOf(request).replace(/\/$/, ''), query);
  const { state } = reach.sandbox.world;
  const value = await route.answerTo({ state, now, links, ...reach }, undefined, () =>
    partsOf(route, params, query, request),
  );
  if (options.checkAnswers) checkAnswer(route, value);
  return respond(route.status, value, now);
}

/** Errors of the control plane have the API's shape; a list of problems comes with those that have one. */
function respondWithProblems(error: unknown, now: number): WireResponse {
  if (error instanceof UnknownNameError) return respondWithProblems(new ApiError(404, error.message), now);
  if (
    error instanceof FixtureError ||
    error instanceof OptionsError ||
    error instanceof FaultError ||
    error instanceof ClockError
  ) {
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
