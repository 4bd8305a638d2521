import { randomUUID } from 'node:crypto';
import { renderError, routeNotFound } from '../api/errors.js';
import type { HttpRequest } from '../api/http-request.js';
import type { Engine, Route } from '../api/route.js';
import { type ApiRouter, type Match, Router } from '../api/router.js';
import type { EventStream } from '../control/event-feed.js';
import type { HttpResponse } from '../control/http-response.js';
import { ListingCache } from '../control/listing.js';
import { Reply } from '../control/reply.js';
import { Resources } from '../control/resources.js';
import type { ControlContext, ControlEmulator, ProcessInfo } from '../control/route.js';
import { suggestOperation, suggestRecords } from '../control/suggest-operation.js';
import { EngineError } from '../definition/service-errors.js';
import { parseJsonBody } from '../fixtures/parse-json.js';
import type { Exchange } from '../journal/exchange.js';
import { SEND_JSON } from '../journal/explanation.js';
import { ApiError, ClockError, ExpectationError, NotFoundError, ValidationError } from '../lib/errors.js';
import { HTML } from '../lib/json.js';
import { onceFor } from '../lib/once.js';
import { isSteps, type Steps, type TextSteps } from '../lib/steps.js';
import { isRead } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import type { OnError } from '../options/callbacks.js';
import type { Storage } from '../persistence/storage.js';
import { GeneratedDatasets } from '../sandbox/generated.js';
import { type Sandbox, sandboxUrl } from '../sandbox/sandbox.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import { describeErrors } from '../schema/schema-errors.js';
import type { Service } from '../service.js';
import { type ControlAccess, ControlToken, findRefusal, type Sender, SignIns, type TrustOptions } from './access.js';
import { EventStreams } from './event-streams.js';
import { type InputFormat, readInput } from './input.js';
import { reportInternalError } from './internal-error.js';
import type { RequestMetrics } from './metrics.js';
import { BROWSER, DASHBOARD, isIcon, isPage, isProbe } from './paths.js';
import {
  addHeaders,
  errorResponse,
  JSON_TYPE,
  makeResponse,
  prefersHtml,
  preflight,
  redirect,
  servedOverHttp,
  toControlJson,
} from './response.js';
import type { ValidateResponse } from './response-validator.js';
import { rootResponse, toErrorPage, toRefusalPage } from './root.js';
import { runInSlices, runSteps } from './slices.js';

export interface ControlOptions extends TrustOptions {
  readonly service: Service;
  readonly router: ApiRouter;
  readonly sandboxes: Sandboxes;
  /** Undefined when data is in memory only. */
  readonly storage?: Storage | undefined;
  readonly engine: Engine | undefined;
  readonly systemTime: () => Instant;
  /** Whether the control API is served. Health and readiness are always served. */
  readonly control: boolean;
  readonly specOnly: boolean;
  readonly validateResponse?: ValidateResponse | undefined;
  /** Receives errors that are defects of the emulator. */
  readonly onError: OnError;
}

// Emulators of a service share both.
const getRouter = onceFor((routes: Service['controlRoutes']) => new Router(routes));
const getResources = onceFor((definitions: Service['definitions']) => new Resources(definitions));

export class ControlApi {
  readonly #options: ControlOptions;
  readonly #streams = new EventStreams();
  /** Undefined without a control token, and without the control API. */
  readonly #access: ControlAccess | undefined;
  readonly #router: Router<Route<ControlContext>>;
  /** What its handlers read of the emulator. */
  readonly emulator: ControlEmulator;

  constructor(options: ControlOptions, metrics: RequestMetrics, process: ProcessInfo) {
    const { service, router, sandboxes, storage, engine, specOnly, control, controlToken, systemTime } = options;
    this.#options = options;
    this.#router = getRouter(service.controlRoutes);
    if (control && controlToken !== undefined) {
      this.#access = { token: new ControlToken(controlToken, systemTime), signIns: new SignIns(process.instance) };
    }
    this.emulator = {
      service,
      router,
      sandboxes,
      storage,
      engine,
      specOnly,
      resources: getResources(service.definitions),
      listings: new ListingCache(),
      generated: new GeneratedDatasets(runInSlices),
      process,
      makeId: randomUUID,
      readMetrics: () => [...metrics.read(sandboxes.all.length), ...(storage?.nodes?.metrics() ?? [])],
      follow: (source) => this.#streams.follow(source),
      signIn: (request, text) => {
        const { token, signIns } = this.#getAccess();
        token.assert(text, request);
        return signIns.add(request);
      },
      signOut: (request) => this.#getAccess().signIns.delete(request),
    };
  }

  /** Responds to a request. @param open finds or creates the sandbox of the request, once the request is trusted */
  async respond(request: HttpRequest, exchange: Exchange, open: () => Sandbox): Promise<HttpResponse> {
    const { sandboxes, storage } = this.#options;
    const { isOfProcess } = request;
    const isDataBrowser = `${request.path}/`.startsWith(`${BROWSER}/`);
    const match = isDataBrowser ? undefined : this.#router.match(request.method, request.path);
    exchange.route = isDataBrowser ? `${request.method} ${BROWSER}` : (match?.route.name ?? null);
    // A failed storage still allows reads. Requests about the process do not wait for data.
    const isLateRead = storage?.failure !== undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    const isSaved = isLateRead || isOfProcess;
    // Only a page of a trusted origin may read a response.
    let readableBy: string | undefined;
    try {
      if (request.refusal) throw request.refusal;
      readableBy = request.header('origin');
      const sandbox = open();
      const isBrowsing = isDataBrowser && request.method !== 'OPTIONS';
      const handle = async () => {
        const response = await (isBrowsing ? this.#browse(request, sandbox) : this.#handle(request, sandbox, match));
        if (request.method !== 'OPTIONS' && !isOfProcess) sandboxes.add(sandbox);
        return response;
      };
      // Reads see its changes once they are durable. An error, too, may be about a change that is not durable yet.
      return restrictOrigin(await handle().finally(() => (isSaved ? undefined : storage?.saved())), readableBy);
    } catch (error) {
      const response = controlErrorResponse(error);
      if (response.status === 500) reportInternalError(error, request, this.#options.onError);
      const isShown = isDataBrowser && prefersHtml(request);
      const shown = isShown ? toErrorPage(response, request.base, renderError(error).message) : response;
      return restrictOrigin(shown, readableBy);
    }
  }

  async #browse(request: HttpRequest, sandbox: Sandbox): Promise<HttpResponse> {
    const { browse } = await import('../data-browser/browser.http.js');
    return browse(request, sandbox, this.emulator.resources);
  }

  /** Ends the responses that stay open. */
  close(): void {
    this.#streams.close();
  }

  /**
   * Responds at `/` of a sandbox. Clients that may not use the control API get name and version only, and so does every
   * client of an emulator that has none or serves the specification alone. There is no icon.
   */
  respondAtRoot(request: HttpRequest, sandbox: Sandbox): HttpResponse {
    const { service, specOnly } = this.#options;
    if (isIcon(request.method, request.path)) return makeResponse(204, '');
    // A browser goes to the page, which may show a form.
    const path = prefersHtml(request) ? DASHBOARD : request.path;
    const isTrusted = !specOnly && this.findRefusal({ ...request, path }) === undefined;
    const response = rootResponse(
      request,
      service.name,
      isTrusted ? sandboxUrl(request.origin, sandbox.name) : undefined,
    );
    return restrictOrigin(response, isTrusted ? request.header('origin') : undefined);
  }

  /** Makes the response to a request for a page that is refused. */
  refuse(request: HttpRequest, refusal: ApiError): HttpResponse {
    const response = controlErrorResponse(refusal);
    return restrictOrigin(prefersHtml(request) ? toRefusalPage(response, refusal.message) : response, undefined);
  }

  /** Finds why a request may not use the control API: an error 403 or 429, or 404 without it. Counts wrong tokens. */
  findRefusal(request: Sender & Pick<HttpRequest, 'method' | 'target'>): ApiError | undefined {
    if (isProbe(request.target)) return undefined;
    if (!this.#options.control) return routeNotFound(request.method, request.target);
    if (!this.#access) return findRefusal(request, this.#options);
    const isFrame = this.#router.match(request.method, request.path)?.route.mediaType === HTML;
    return findRefusal({ ...request, isFrame }, this.#options, this.#access);
  }

  #getAccess(): ControlAccess {
    if (this.#access) return this.#access;
    throw new NotFoundError('This emulator has no control token to sign in with. Start it with --control-token.');
  }

  async #handle(
    request: HttpRequest,
    sandbox: Sandbox,
    match: Match<Route<ControlContext>> | undefined,
  ): Promise<HttpResponse> {
    const { service, control, validateResponse } = this.#options;
    const { path } = request;
    if (request.method === 'OPTIONS') return preflight(request);
    if (isRead(request.method) && /^\/_emulator\/?$/.test(path)) {
      return redirect(`${request.base}${prefersHtml(request) ? DASHBOARD : '/'}`);
    }
    if (isPage(path)) throw servedOverHttp();
    const moved = match || !control ? undefined : suggestRecords(request.method, path, service.definitions);
    if (moved !== undefined) {
      const allow = ['GET', 'HEAD'].filter((method) => this.#router.match(method, path)).join(', ');
      return addHeaders(errorResponse(new ApiError(405, moved)), { allow });
    }
    if (!match) {
      const { status, message, code } = routeNotFound(request.method, request.target);
      const suggestion = status === 404 && control ? suggestOperation(request.method, path, this.#router) : '';
      throw new ApiError(status, suggestion ? `${message}.${suggestion}` : message, code);
    }
    const { route } = match;
    // Events are for those who watch a sandbox, which does not keep it.
    if (route.mediaType !== 'text/event-stream' && !request.isOfProcess) sandbox.touch();
    const input = readInput(request, match, CONTROL_INPUT);
    const made = route.handle({ emulator: this.emulator, sandbox, request, ...input });
    // Steps begin at once, since changes are made in the order of their requests.
    const result = made instanceof Promise ? await made : made;
    const { value, text, chunks } = isSteps<Steps<unknown> | TextSteps>(result)
      ? await runSteps(result)
      : { value: result };
    if (value instanceof Reply) {
      const { text, headers } = value;
      return addHeaders(makeResponse('location' in headers ? 302 : route.status, text), headers);
    }
    if (isStream(value)) return { ...addHeaders(makeResponse(200, undefined), EVENT_HEADERS), stream: value };
    const type = route.mediaType ?? JSON_TYPE;
    if (chunks) return { ...addHeaders(makeResponse(route.status, undefined), { 'content-type': type }), chunks };
    validateResponse?.(route, text === undefined || route.mediaType ? (text ?? value) : JSON.parse(text));
    const content = text ?? (route.mediaType ? String(value) : toControlJson(request, value));
    const response = makeResponse(route.status, content, type);
    return route.headers ? addHeaders(response, route.headers) : response;
  }
}

/** JSON without a key twice, and all errors with their paths. */
const CONTROL_INPUT: InputFormat = {
  parse: parseJsonBody,
  makeError: (name, errors) => {
    const problems = describeErrors(errors, name);
    return new ValidationError(problems, problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  },
};

const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Middleware that compresses would hold events back.
  'cache-control': 'no-store, no-transform',
};

const isStream = (result: unknown): result is EventStream => typeof result === 'function';

/** Makes the response of an error: 400 for a malformed request, 422 for values that the data, the clock or an engine reject. */
function controlErrorResponse(error: unknown): HttpResponse {
  if (error instanceof NotFoundError) return errorResponse(new ApiError(404, error.message));
  if (error instanceof ClockError || error instanceof ExpectationError || error instanceof EngineError) {
    return errorResponse(new ApiError(422, error.message));
  }
  // The media type or the encoding is wrong, and Fastify's message does not say which would be right.
  if (error instanceof ApiError && error.code?.startsWith('FST_ERR_CTP_INVALID')) {
    const message = `${error.message}. ${SEND_JSON}`;
    return errorResponse(new ApiError(error.status, message, error.code));
  }
  if (!(error instanceof ValidationError)) return errorResponse(error);
  const isMalformed = error.name === 'ValidationError';
  const rendered = renderError(
    isMalformed ? new ApiError(400, error.message, 'FST_ERR_VALIDATION') : new ApiError(422, error.message),
  );
  return makeResponse(rendered.statusCode, JSON.stringify({ ...rendered, problems: error.problems }));
}

/** Replaces the open CORS header of the API: only a page of a trusted origin may read the control API. */
function restrictOrigin(response: HttpResponse, origin: string | undefined): HttpResponse {
  const { 'access-control-allow-origin': _, 'access-control-expose-headers': __, ...headers } = response.headers;
  const allowed = origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' };
  return { ...response, headers: { ...headers, ...allowed } };
}
