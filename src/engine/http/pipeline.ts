import { randomUUID } from 'node:crypto';
import { toApiError } from '../api/errors.js';
import type { Area, HttpRequest } from '../api/http-request.js';
import { type Explained, type Plan, toPlan } from '../api/plan.js';
import type { RequestInput, Route } from '../api/route.js';
import { listSecretRoutes } from '../api/secret-routes.js';
import { SerializationCache } from '../api/serialize.js';
import type { Tool, ToolServer } from '../api/tool.js';
import { readClock } from '../clock/clock.state.js';
import type { HttpResponse } from '../control/http-response.js';
import type { ProcessInfo } from '../control/route.js';
import { faultResponse, injectFault } from '../faults/faults.http.js';
import type { InjectedFault } from '../faults/faults.js';
import * as lateFaults from '../faults/faults.js';
import { FAULT_HEADER, parseFaultHeader } from '../faults/header.js';
import { beginExchange, type Exchange, type Listener, namesCommit } from '../journal/exchange.js';
import { toBodyText } from '../lib/base64.js';
import { ApiError, LockLostError, ScopeError } from '../lib/errors.js';
import { isRead, parseTarget } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import type { FailedRequest, OnRequest } from '../options/callbacks.js';
import {
  countRequest,
  type RateLimitCount,
  rateLimitExceeded,
  rateLimitHeaders,
} from '../rate-limit/rate-limit.api.js';
import { sandboxClosed } from '../sandbox/closed-names.js';
import * as lateRefusals from '../sandbox/refusals.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type Identity, identify, nameCaller, readToken } from '../state/callers.js';
import type { Draft, State } from '../state/state.js';
import type { CommitInfo } from '../store/commit.js';
import type { Transaction } from '../store/store.js';
import { assertScope, authorize, mayPass } from './access.js';
import type { ControlApi, ControlOptions } from './control.js';
import * as lateControl from './control.js';
import { type BodyPlan, planBody, readInput, WIRE_INPUT } from './input.js';
import { reportInternalError } from './internal-error.js';
import { RequestMetrics } from './metrics.js';
import { isForTools, isIcon, locate, publicBaseUrl, type SentRequest } from './paths.js';
import { toListener } from './request-log.js';
import { addHeaders, errorResponse, exposeHeaders, makeRouteResponse, preflight } from './response.js';
import { WaitingBytes } from './waiting.js';
import { Withholder } from './withholder.js';

/** Looks up `Date` at each call, since fake timers replace it. */
export const systemTime = (): Instant => Date.now();

export interface PipelineOptions extends ControlOptions {
  readonly onRequest?: OnRequest | undefined;
  /** The base of all links of the /v1 API, without a slash at the end. Default: as each request came */
  readonly publicUrl?: string | undefined;
  /** Milliseconds in which a client has to read a part of its response. Default: 30,000 */
  readonly unreadTimeout?: number | undefined;
  /** Receives each request with its response, for the tests of the emulator. */
  readonly onExchange?: ((request: HttpRequest, response: HttpResponse) => void) | undefined;
}

/** A request to the API while it is handled, and what its steps have found. */
interface Handling {
  readonly request: HttpRequest;
  readonly exchange: Exchange;
  readonly sandbox: Sandbox;
  readonly transaction: Transaction<State, Draft>;
  /** The state that it sees before it writes. */
  readonly state: State;
  readonly now: Instant;
  readonly identity: Identity;
  isReading: boolean;
  limit: RateLimitCount | undefined;
  fault: InjectedFault | undefined;
  commit: CommitInfo | undefined;
}

export class Pipeline {
  readonly process: ProcessInfo = { instance: randomUUID(), isClosing: false, interception: undefined };
  #control: ControlApi | undefined;
  readonly #metrics = new RequestMetrics();
  /** Bytes that wait for the clients of its listeners. */
  readonly waiting: WaitingBytes;
  /** The route that was handled last, which an error that comes later may be of. */
  lastHandled: Pick<Route, 'name'> | undefined;
  readonly #options: PipelineOptions;
  readonly #cache = new SerializationCache();
  readonly #withholder: Withholder;
  readonly #listeners: readonly Listener[];
  #tools: Promise<readonly Tool[]> | undefined;
  /** The header `date` of a second, by the clock of a sandbox. */
  #date = { second: Number.NaN, text: '' };

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { sandboxes, router, storage, onRequest, service } = options;
    this.#withholder = new Withholder(service.secretRoutes ?? listSecretRoutes(router.routes));
    const stored = storage ? [sandboxes] : [];
    this.#listeners = [...stored, this.#metrics, ...(onRequest ? [toListener(onRequest, router, sandboxes)] : [])];
    this.waiting = new WaitingBytes(options.unreadTimeout);
  }

  /** Is loaded by its first use. */
  get control(): ControlApi {
    this.#control ??= new lateControl.ControlApi(this.#options, this.#metrics, this.process);
    return this.#control;
  }

  /** Reports from now on that the emulator is not ready. */
  startClosing(): void {
    this.process.isClosing = true;
  }

  /** Ends the streams of the control API. */
  close(): void {
    this.startClosing();
    this.#control?.close();
  }

  /** Makes a request of what its transport has read. */
  accept(sent: SentRequest): HttpRequest {
    const { start, method, apiOnly, header, headers, remoteAddress } = sent;
    const origin = publicBaseUrl(sent, header);
    const { prefix, name, target, area, isOfProcess } = locate(method, sent.url, apiOnly);
    const { path, query } = parseTarget(target);
    let match: HttpRequest['match'];
    let { refusal } = sent;
    try {
      if (area !== 'control') match = this.#options.router.match(method, path);
      else refusal ??= this.control.findRefusal({ ...sent, path, target, origin });
    } catch (error) {
      // A part cannot be loaded while the process has no file descriptor left.
      refusal ??= toApiError(error);
    }
    return {
      start,
      method,
      target,
      path,
      query,
      area: match || area !== 'api' ? area : this.#findOtherArea(method, path, apiOnly),
      isOfProcess,
      sandbox: name ?? header('x-emulator-sandbox'),
      origin,
      base: origin + prefix,
      match,
      refusal,
      header,
      headers,
      remoteAddress,
      body: undefined,
    };
  }

  /** Finds what a request without a route is for. */
  #findOtherArea(method: string, path: string, apiOnly = false): Area {
    const { tools } = this.#options.service;
    if (tools && isForTools(method, path, tools.path)) return 'tools';
    return !apiOnly && isIcon(method, path) ? 'root' : 'api';
  }

  /** Responds to a request of a transport: by the protocol of the tools if it is for them, else at once. */
  serve(request: HttpRequest, sandbox?: Sandbox): HttpResponse | Promise<HttpResponse> {
    const { tools } = this.#options.service;
    return tools && request.area === 'tools'
      ? this.#respondWithTools(request, tools, sandbox)
      : this.respond(request, sandbox);
  }

  /** Each call of a tool is a request with the route of the tool. */
  async #respondWithTools(request: HttpRequest, server: ToolServer, sandbox?: Sandbox): Promise<HttpResponse> {
    this.#tools ??= server.load();
    const { respondToTools } = await import('../mcp/service-http.js');
    const send = (each: HttpRequest) => this.respond(each, sandbox);
    return await respondToTools(request, { server, tools: await this.#tools, send });
  }

  /**
   * Responds to a request. A cluster replaces this method (`cluster/pipeline.ts`). Returns a promise for the control API and for a write to a data folder.
   * @param sandbox of the in-process fetch; over HTTP the request names its sandbox
   */
  respond(request: HttpRequest, sandbox?: Sandbox): HttpResponse | Promise<HttpResponse> {
    const exchange = beginExchange(request);
    const response = this.#dispatch(request, exchange, sandbox);
    if (response instanceof Promise) return response.then((late) => this.#complete(request, exchange, late));
    return this.#complete(request, exchange, response);
  }

  /** Responds with an error to a request that cannot be handled now. */
  refuse(request: HttpRequest, error: unknown): HttpResponse {
    const exchange = beginExchange(request);
    exchange.at = this.#options.sandboxes.default.clock.now.getTime();
    return this.#complete(request, exchange, addHeaders(errorResponse(error), { 'retry-after': '1' }));
  }

  /**
   * Returns how the body of a request is read. Undefined for a request that is refused, whose response needs no body.
   * @param sandbox of the in-process fetch
   */
  planBody(request: HttpRequest, sandbox?: Sandbox): BodyPlan | undefined {
    if (request.refusal || this.waiting.refuse()) return undefined;
    const { sandboxes } = this.#options;
    return planBody(request, () => {
      const { store, now } = sandboxes.resolve(request.sandbox, sandbox);
      return mayPass(request, store.committed.state, now);
    });
  }

  /** Reports an error that occurred outside of {@link respond}, such as while the body was read. */
  reportError(error: unknown, request: FailedRequest): void {
    reportInternalError(error, request, this.#options.onError);
  }

  /** Adds the date to a response, and what its transport calls when it has ended. */
  #complete(request: HttpRequest, exchange: Exchange, response: HttpResponse): HttpResponse {
    const { onExchange } = this.#options;
    // The journal has given it a number, and cut its bodies.
    if (exchange.number === 0) setResponse(exchange, response);
    else exchange.status = response.status;
    if (response.status > 0) response.headers.date ??= this.#formatDate(exchange.at);
    response.ended = (outcome) => {
      exchange.outcome = outcome;
      exchange.duration = performance.now() - request.start;
      for (const listener of this.#listeners) listener.ended(exchange);
    };
    onExchange?.(request, response);
    return response;
  }

  #formatDate(now: Instant): string {
    const second = Math.floor(now / 1_000);
    if (this.#date.second !== second) this.#date = { second, text: new Date(now).toUTCString() };
    return this.#date.text;
  }

  /** Finds the sandbox by the path prefix, else by the header, else takes the one whose `fetch` was called. */
  #dispatch(
    request: HttpRequest,
    exchange: Exchange,
    fetching: Sandbox | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    const { sandboxes, storage } = this.#options;
    exchange.sandbox = request.sandbox ?? fetching?.name ?? '';
    try {
      if (storage?.failure instanceof LockLostError) throw storage.failure;
      const refusal = request.isOfProcess ? undefined : this.waiting.refuse();
      if (refusal) throw refusal;
      if (request.area === 'control') {
        exchange.at = sandboxes.default.clock.now.getTime();
        // Refused requests create no sandbox.
        return this.control.respond(request, exchange, () => {
          const sandbox = sandboxes.resolve(request.sandbox, fetching);
          exchange.at = sandbox.clock.now.getTime();
          return sandbox;
        });
      }
      if (request.refusal) throw request.refusal;
      const sandbox = sandboxes.resolve(request.sandbox, fetching);
      if (sandbox.meta.closed !== undefined) throw sandboxClosed(sandbox.name, sandbox.meta.closed);
      sandboxes.touch(sandbox);
      const isRoot = request.area === 'root';
      if (!isRoot && request.method !== 'OPTIONS') return this.#respondToApi(request, exchange, sandbox);
      exchange.at = sandbox.clock.now.getTime();
      return isRoot ? this.control.respondAtRoot(request, sandbox) : preflight(request);
    } catch (error) {
      reportInternalError(error, request, this.#options.onError);
      exchange.at = sandboxes.default.clock.now.getTime();
      return errorResponse(error);
    }
  }

  /** Responds to a request to the API, in one transaction and ten steps. Only a write to a data folder returns a promise. */
  #respondToApi(request: HttpRequest, exchange: Exchange, sandbox: Sandbox): HttpResponse | Promise<HttpResponse> {
    const handling = this.#begin(request, exchange, sandbox);
    let response: HttpResponse;
    try {
      response = this.#handle(handling);
    } catch (thrown) {
      response = this.#respondToError(handling, thrown);
    }
    return this.#end(handling, response);
  }

  #begin(request: HttpRequest, exchange: Exchange, sandbox: Sandbox): Handling {
    const { store } = sandbox;
    // 1. Match the route, which the request has by now.
    const route = request.match?.route;
    exchange.route = route && !route.isUnknown ? route.name : null;
    // 2. Begin the transaction. A read sees the committed state, and writes its counters to the newest one.
    const transaction = store.begin();
    const isReading = isRead(request.method) || route?.plans === true;
    const state = isReading ? store.committed.state : transaction.base;
    const now = readClock(state.clock, this.#options.systemTime());
    exchange.at = now;
    // 3. Identify the caller.
    const token = route?.auth === 'none' ? undefined : readToken(request.header('authorization'));
    const identity = identify(state, token, now);
    exchange.user = identity.caller ? nameCaller(state, identity.caller) : null;
    // Named one by one: V8 is slow to add properties to a copy.
    return {
      request,
      exchange,
      sandbox,
      transaction,
      state,
      now,
      identity,
      isReading,
      limit: undefined,
      fault: undefined,
      commit: undefined,
    };
  }

  /** @throws ApiError for a request that is refused */
  #handle(handling: Handling): HttpResponse {
    const { request, exchange, sandbox, transaction, state, now, identity } = handling;
    // 4. Count the request against the rate limit.
    const { rateLimit } = state.settings;
    if (rateLimit) handling.limit = countRequest(transaction.draft, rateLimit, identity.token, now);
    if (handling.limit?.exceeded) throw rateLimitExceeded(handling.limit, exchange.user);
    // 5. Find a fault to inject: one that the request asks for, else one that is armed.
    const wanted = this.#options.control ? request.header(FAULT_HEADER) : undefined;
    if (wanted !== undefined) handling.fault = parseFaultHeader(wanted);
    else if (state.faults.length > 0)
      handling.fault = lateFaults.matchFault(transaction.draft, exchange, identity.caller, state.faults);
    const { fault } = handling;
    if (fault && (fault.reset || fault.status !== null)) return faultResponse(fault);
    // 6. Authorize. A request that passes creates its sandbox.
    const match = authorize(request, identity, state, this.#options.service);
    this.#options.sandboxes.add(sandbox);
    // 7. Validate the request.
    const input = readInput(request, match, WIRE_INPUT);
    // 8. Handle it: in a savepoint if it writes.
    const { value, reason = null, rows = '' } = this.#runHandler(handling, match.route, input);
    exchange.reason = reason;
    exchange.rows = rows;
    // 9. Serialize the response, unless it is text from the cache.
    return makeRouteResponse(request, match.route, value);
  }

  /** Lets the handler of a route read, or write in a savepoint. */
  #runHandler(handling: Handling, route: Route, input: RequestInput): Explained {
    this.lastHandled = route;
    const run = (draft: Draft) => ({ value: route.handle(this.#makeContext(handling, input, draft)) });
    if (!route.plans && !handling.isReading) return this.#write(handling, route, run);
    const result = route.handle(this.#makeContext(handling, input, handling.state));
    const plan: Plan = route.plans ? toPlan(result) : { read: { value: result } };
    if ('write' in plan) return this.#write(handling, route, plan.write);
    this.#options.validateResponse?.(route, plan.read.value);
    return plan.read;
  }

  #makeContext(handling: Handling, { params, query, body }: RequestInput, state: State) {
    const { request, now, identity } = handling;
    const { caller, credential } = identity;
    const { engine, publicUrl } = this.#options;
    const { path, header } = request;
    const links = { base: publicUrl ?? request.base, path, query: request.query };
    const { serialize: json } = this.#cache;
    return { params, query, body, caller, credential, now, links, json, header, engine, state };
  }

  #write(handling: Handling, route: Route, write: (draft: Draft) => Explained): Explained {
    const { sandbox, transaction, state, now, identity } = handling;
    const { sandboxes, validateResponse } = this.#options;
    handling.isReading = false;
    sandbox.store.assertWritable();
    assertScope(state, identity.credential, route.writeScope);
    const before = transaction.state;
    const done = transaction.savepoint((draft) => {
      const made = write(draft);
      validateResponse?.(route, made.value);
      sandboxes.storedBytes.assertRoom(before, draft);
      return made;
    });
    // A plan may turn out to change nothing.
    const isCommit = !route.plans || transaction.state !== before;
    if (isCommit) handling.commit = { id: sandbox.journal.nextId, operation: route.name, at: now };
    return done;
  }

  /** Makes the response of an error, and explains it in the journal. */
  #respondToError({ request, exchange, sandbox, isReading, identity }: Handling, thrown: unknown): HttpResponse {
    const { router, onError } = this.#options;
    lateRefusals.noteRefusal(exchange, thrown, { store: sandbox.store, router, isReading });
    exchange.error = reportInternalError(thrown, request, onError);
    return addHeaders(errorResponse(thrown), this.#challenge(request, identity, thrown));
  }

  /** Makes the header by which a client learns how to get a token, or a better one. */
  #challenge({ base, path }: HttpRequest, { token }: Identity, error: unknown): Record<string, string> {
    const { service, publicUrl = base } = this.#options;
    const status = error instanceof ApiError && error.status;
    if (!service.challenge || (status !== 401 && status !== 403)) return {};
    const scopes = error instanceof ScopeError ? error.scopes : [];
    const challenge = service.challenge({ base: publicUrl, path, status, hasToken: token !== undefined, scopes });
    return challenge === undefined ? {} : { 'www-authenticate': challenge };
  }

  #end(handling: Handling, made: HttpResponse): HttpResponse | Promise<HttpResponse> {
    const { request, exchange, sandbox, transaction, now, isReading, limit, fault, commit } = handling;
    const { store } = sandbox;
    const route = request.match?.route;
    let response = limit ? addHeaders(made, rateLimitHeaders(limit)) : made;
    if (fault) response = injectFault(response, fault);
    if (limit || fault || response.status >= 400) response = exposeHeaders(response);
    // 10. Commit, since the counters of the rate limit and of faults may have changed, and record the exchange.
    // A write that was refused may have seen a change that is not durable yet.
    const saved = store.commit(transaction, commit) ?? (isReading ? undefined : store.waiting);
    if (response.status > 0) response.headers.date = this.#formatDate(now);
    exchange.fault = fault?.id ?? null;
    exchange.delay = fault?.delay ?? 0;
    setResponse(exchange, response);
    exchange.message = route?.findError?.(toBodyText(response.body) ?? '') ?? null;
    exchange.commit = commit || namesCommit(exchange) ? store.lastCommitId : null;
    this.#withholder.hide(exchange, route);
    this.#options.sandboxes.record(sandbox, exchange);
    if (!saved) return response;
    return saved.then(
      () => response,
      (failure) => {
        const refusal = errorResponse(failure);
        Object.assign(exchange, { commit: null, message: null, rows: '' });
        setResponse(exchange, refusal);
        return refusal;
      },
    );
  }
}

function setResponse(exchange: Exchange, { status, headers, body }: HttpResponse): void {
  exchange.status = status;
  exchange.responseHeaders = headers;
  exchange.responseBody = exchange.method === 'HEAD' ? undefined : body;
}
