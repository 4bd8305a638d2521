import { type BlockList, isIPv6 } from 'node:net';
import { renderError, routeNotFound } from '../api/errors.js';
import type { ResponseValidator } from '../api/response-validator.js';
import type { Route } from '../api/route.js';
import { Router } from '../api/router.js';
import { validateControlInput } from '../api/validate.js';
import { EventFeed } from '../control/events.js';
import { ListingCache } from '../control/listings.js';
import type { ControlContext } from '../control/route.js';
import type { Sandbox } from '../control/sandbox.js';
import { type Sandboxes, sandboxUrl } from '../control/sandboxes.js';
import type { Storage } from '../control/storage.js';
import { controlRoutes } from '../inspection/routes.js';
import { ApiError, ClockError, ExpectationError, NotFoundError, ValidationError } from '../lib/errors.js';
import { NDJSON } from '../lib/media-types.js';
import { parseQuery, parseTarget } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import { BROWSER_PREFIX, DataBrowsers } from './data-browser.js';
import { EventStreams } from './event-streams.js';
import type { HttpRequest, HttpResponse } from './http.js';
import {
  acceptsHtml,
  errorResponse,
  makeResponse,
  prefersHtml,
  preflight,
  readRouteBody,
  redirect,
  toControlJson,
} from './http.js';
import { type OnError, reportInternalError } from './internal-error.js';
import { DASHBOARD, isPage } from './paths.js';
import { rootResponse, toErrorPage, toSignInPage } from './root.js';
import { hasSession, isSameToken, makeSessionCookie } from './sign-in.js';

const HEALTH = '/_emulator/health';

export interface ControlOptions {
  readonly sandboxes: Sandboxes<Sandbox>;
  /** Undefined without a data folder. */
  readonly storage?: Storage | undefined;
  readonly systemTime: () => Instant;
  /** Whether the control API is served. Its health is always served. */
  readonly control: boolean;
  /** Host names, other than the loopback ones, that may use the control API; with a dot at the start, all names below. */
  readonly allowedHosts: readonly string[];
  /** Networks, other than this machine, that may use the control API. */
  readonly controlFrom: BlockList;
  /** Allows every request that sends it as `X-Emulator-Control-Token`. */
  readonly controlToken?: string | undefined;
  readonly specOnly: boolean;
  readonly responseValidator?: ResponseValidator | undefined;
  /** Receives errors that are defects of the emulator. */
  readonly onError: OnError;
}

export class ControlApi {
  readonly #options: ControlOptions;
  readonly #browsers = new DataBrowsers();
  readonly #streams = new EventStreams();
  readonly #listings = new ListingCache();
  readonly #router = new Router<Route<ControlContext>>(controlRoutes);

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /**
   * Responds to a request.
   * @param origin base URL of the emulator, without a sandbox
   * @param open finds or creates the sandbox of the request, once the request is trusted
   */
  async respond(request: HttpRequest, origin: string, open: () => Sandbox): Promise<HttpResponse> {
    const { sandboxes, storage } = this.#options;
    // Once nothing can be written any more, reads go on.
    const isLateRead = storage?.failure !== undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    // Only a page of a trusted origin may read a response.
    let readableBy: string | undefined;
    try {
      this.assertAllowed(request);
      readableBy = request.header('origin');
      const sandbox = open();
      const response = await this.#handle(request, origin, sandbox);
      if (request.method !== 'OPTIONS' && !isHealth(request)) sandboxes.add(sandbox);
      if (!isLateRead) await storage?.saved();
      return restrictOrigin(response, readableBy);
    } catch (error) {
      const now = sandboxes.default.clock.now.getTime();
      const response = controlErrorResponse(error, now);
      if (response.status === 500) reportInternalError(error, request, this.#options.onError);
      const isShown = isDataBrowser(request) && prefersHtml(request);
      const shown = isShown ? toErrorPage(response, request.base, renderError(error).message, now) : response;
      return restrictOrigin(shown, readableBy);
    }
  }

  /** Ends the responses that stay open. */
  close(): void {
    this.#streams.close();
  }

  /**
   * Responds at `/` of a sandbox. Clients that may not use the control API get name and version only, and so does every
   * client of an emulator that has none or serves the specification alone.
   * @param origin base URL of the emulator, without a sandbox
   */
  respondAtRoot(request: HttpRequest, origin: string, sandbox: Sandbox): HttpResponse {
    const { specOnly, control, controlToken } = this.#options;
    const isTrusted = !specOnly && this.refuse(request) === undefined;
    // A browser can send the token at the dashboard.
    const canSignIn = !specOnly && control && controlToken !== undefined && prefersHtml(request);
    const url = isTrusted || canSignIn ? sandboxUrl(origin, sandbox.name) : undefined;
    const response = rootResponse(request, url, sandbox.clock.now.getTime());
    return restrictOrigin(response, isTrusted ? request.header('origin') : undefined);
  }

  /** Makes the response to a request that is refused. Undefined for one that is allowed. */
  refuse(request: HttpRequest): HttpResponse | undefined {
    try {
      this.assertAllowed(request);
      return undefined;
    } catch (error) {
      return restrictOrigin(
        controlErrorResponse(error, this.#options.sandboxes.default.clock.now.getTime()),
        undefined,
      );
    }
  }

  /** Makes the response to a request for a page that is refused: a form for the control token, if there is one. */
  refusePage(request: HttpRequest): HttpResponse | undefined {
    const { control, controlToken, sandboxes } = this.#options;
    const refusal = this.refuse(request);
    const hasForm =
      refusal && control && controlToken !== undefined && request.method === 'GET' && acceptsHtml(request);
    return hasForm ? toSignInPage(refusal, sandboxes.default.clock.now.getTime()) : refusal;
  }

  /** Returns the cookie for a browser that sends the control token. Undefined for another token. */
  signIn(token: unknown): string | undefined {
    const { control, controlToken } = this.#options;
    const isRight =
      control && controlToken !== undefined && typeof token === 'string' && isSameToken(token, controlToken);
    return isRight ? makeSessionCookie(controlToken) : undefined;
  }

  /** Refuses requests before their body is read. @throws ApiError 403, or 404 without the control API */
  assertAllowed(request: HttpRequest): void {
    if (isHealth(request)) return;
    if (!this.#options.control) throw routeNotFound(request.method, parseTarget(request.target).path);
    assertTrusted(request, this.#options);
  }

  async #handle(request: HttpRequest, origin: string, sandbox: Sandbox): Promise<HttpResponse> {
    const { sandboxes, storage, specOnly, responseValidator } = this.#options;
    const now = sandbox.clock.now.getTime();
    const { path, query } = parseTarget(request.target);
    if (request.method === 'OPTIONS') return preflight(request, now);
    if (isDataBrowser(request)) {
      return this.#browsers.respond(request, sandbox, now);
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && /^\/_emulator\/?$/.test(path)) {
      return redirect(`${request.base}${prefersHtml(request) ? DASHBOARD : '/'}`, now);
    }
    if (isPage(path)) {
      throw new ApiError(
        404,
        'Pages are served over HTTP only: by emulator.url, or by emulator.app in a host application.',
      );
    }
    const match = this.#router.match(request.method, path);
    if (!match) throw routeNotFound(request.method, path);
    const { route, params } = match;
    // Ajv cannot replace a root value by its default.
    const defaultBody = route.body && 'default' in route.body ? route.body.default : undefined;
    const body = readRouteBody(request, route) ?? defaultBody;
    const input = validateControlInput(route.validators, { params, query: parseQuery(query), body });
    const follow = () => this.#streams.follow({ sandbox, sandboxes, origin, last: request.header('last-event-id') });
    const value = await route.handle({
      ...{ ...input, sandbox, sandboxes, storage, listings: this.#listings, follow },
      ...{ base: request.base, origin, specOnly },
    });
    if (value instanceof EventFeed) return this.#streams.respond(value, now);
    responseValidator?.validate(route, value);
    if (route.mediaType === NDJSON) return makeResponse(route.status, String(value), now, NDJSON);
    return makeResponse(route.status, toControlJson(request, value), now);
  }
}

const isDataBrowser = ({ target }: HttpRequest): boolean =>
  `${parseTarget(target).path}/`.startsWith(`${BROWSER_PREFIX}/`);

/** Every client may read the health. */
const isHealth = ({ target }: HttpRequest): boolean => parseTarget(target).path === HEALTH;

/** Makes the response of an error: 400 for a malformed request, 422 for values that the data or the clock reject. */
function controlErrorResponse(error: unknown, now: Instant): HttpResponse {
  if (error instanceof NotFoundError) return errorResponse(new ApiError(404, error.message), now);
  if (error instanceof ClockError || error instanceof ExpectationError) {
    return errorResponse(new ApiError(422, error.message), now);
  }
  if (!(error instanceof ValidationError)) return errorResponse(error, now);
  const isMalformed = error.name === 'ValidationError';
  const rendered = renderError(
    isMalformed ? new ApiError(400, error.message, 'FST_ERR_VALIDATION') : new ApiError(422, error.message),
  );
  return makeResponse(rendered.statusCode, JSON.stringify({ ...rendered, problems: error.problems }), now);
}

/** Replaces the open CORS header of the API: only a page of a trusted origin may read the control API. */
function restrictOrigin(response: HttpResponse, origin: string | undefined): HttpResponse {
  const { 'access-control-allow-origin': _, 'access-control-expose-headers': __, ...headers } = response.headers;
  const allowed = origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' };
  return { ...response, headers: { ...headers, ...allowed } };
}

/** Host names by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Accepts requests with the control token, and those of a browser that has sent it. Others must come from this machine or an
 * allowed network, and not from a page of another site. The `Host` rejects pages whose own name resolves to this machine (DNS rebinding), the others
 * reject pages that name it themselves.
 * @throws ApiError 403
 */
function assertTrusted(request: HttpRequest, { allowedHosts, controlFrom, controlToken }: ControlOptions): void {
  const { remoteAddress } = request;
  const token = request.header('x-emulator-control-token');
  if (controlToken !== undefined) {
    if (token !== undefined && isSameToken(token, controlToken)) return;
    if (hasSession(request, controlToken)) return;
  }
  if (remoteAddress !== undefined && !isLoopback(remoteAddress) && !isListed(controlFrom, remoteAddress)) {
    const advice = 'Allow its network by the option controlFrom, or send the token of controlToken';
    throw new ApiError(403, `The control API does not accept requests from ${remoteAddress}. ${advice}.`);
  }
  const isTrusted = (name: string | undefined) =>
    name !== undefined && (LOOPBACK.test(name) || allowedHosts.some((allowed) => isBelow(name, allowed)));
  const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => request.header(name));
  if (!isTrusted(parseHostname(`http://${host ?? ''}`))) throw forbidden('Host', host);
  if (origin !== undefined && !isTrusted(parseHostname(origin))) throw forbidden('Origin', origin);
  // A browser sends no Origin for an image or a link: https://www.w3.org/TR/fetch-metadata/
  if (origin === undefined && (site === 'cross-site' || site === 'same-site')) {
    const message = 'The control API does not accept requests from pages of other sites';
    throw new ApiError(403, `${message}; found Sec-Fetch-Site ${JSON.stringify(site)}`);
  }
}

/** Whether a name is the allowed one, or below one that starts with a dot. */
const isBelow = (name: string, allowed: string): boolean =>
  allowed.startsWith('.') ? `.${name}`.endsWith(allowed) : name === allowed;

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address);

/** Checks an address, which a socket for both families gives as `::ffff:10.0.0.1`. */
function isListed(networks: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

const forbidden = (header: string, found: string | undefined) =>
  new ApiError(
    403,
    `The control API accepts loopback hosts and those in the option allowedHosts only; found ${header} ${JSON.stringify(found ?? '')}`,
  );

const parseHostname = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
