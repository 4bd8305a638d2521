import type { Sandbox } from '../control/sandbox.js';
import type { Instant } from '../domain/clock.js';
import { badRequest } from '../domain/errors.js';
import { readJson } from './parts.js';
import { respond } from './respond.js';
import { pathOf, type WireRequest, type WireResponse } from './wire.js';

/** Where the data browser begins. */
const BROWSER = '/_emulator/db';

export const isForBrowser = (request: WireRequest): boolean =>
  pathOf(request) === BROWSER || pathOf(request).startsWith(`${BROWSER}/`);

/** Answers a request to the data browser, which is loaded on first use. */
export async function answerBrowser(request: WireRequest, sandbox: Sandbox, now: Instant): Promise<WireResponse> {
  const { method } = request;
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? recordOf(readJson(request)) : undefined;
  const { browse } = await import('../control/db/browser.js');
  const path = request.target.slice(BROWSER.length);
  const answer = await browse(sandbox, { method, path, base: request.base + BROWSER, body });
  const response = respond(answer.status, answer.value, now);
  return { ...response, headers: { ...response.headers, ...answer.headers } };
}

/** Throws a 400 for anything but an object. */
function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw badRequest('body must be object: a record in fixture shape');
}
