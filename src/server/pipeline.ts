import { countRequest, rateLimitExceeded, rateLimitHeaders } from '../api/rate-limit.js';
import type { Route } from '../api/route.js';
import { SerializationCache, serialize } from '../api/serialize.js';
import { validateInput } from '../api/validate.js';
import { beginExchange, type Exchange, FAULT_HEADER, type Listener, type Outcome } from '../journal/exchange.js';
import { RequestContent } from '../journal/request-content.js';
import { type ApiError, LockLostError } from '../lib/errors.js';
import { parseSafely } from '../lib/json.js';
import { isRead, parseQuery, parseTarget } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import { readClock } from '../model/clock.js';
import type { User } from '../model/schema.js';
import type { Draft, Fault, State } from '../model/state.js';
import { findCaller, getHandle } from '../model/users.js';
import { parseFaultHeader } from '../sandbox/fault-header.js';
import { type InjectedFault, matchFault } from '../sandbox/faults.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { sandboxClosed } from '../sandbox/sandboxes.js';
import type { CommitInfo } from '../store/store.js';
import type { Transaction } from '../store/transaction.js';
import { authorize } from './authorize.js';
import { type BodyPlan, planBody, readBody, readToken } from './body-plan.js';
import { ControlApi, type ControlOptions } from './control.js';
import type { HttpRequest, HttpResponse } from './http.js';
import {
  addHeaders,
  errorResponse,
  exposeHeaders,
  faultResponse,
  injectFault,
  makeResponse,
  preflight,
  readRouteBody,
} from './http.js';
import { type FailedRequest, reportInternalError } from './internal-error.js';
import { RequestMetrics } from './metrics.js';
import { isControl, isStatus } from './paths.js';
import { type OnRequest, toListener } from './request-log.js';
import { isRoot } from './root.js';
import { WaitingBytes } from './waiting.js';

export interface PipelineOptions extends ControlOptions {
  /** Returns the error for a part of the real service that is not emulated. */
  readonly findNotImplemented: (method: string, path: string) => ApiError | undefined;
  readonly onRequest?: OnRequest | undefined;
  /** The base of all links of the /v1 API, without a slash at the end. Default: as each request came */
  readonly publicUrl?: string | undefined;
  /** Milliseconds in which a client has to read a part of its response. Default: 30,000 */
  readonly unreadTimeout?: number | undefined;
  /** Receives each request with its response, for the tests of the emulator. */
  readonly onExchange?: ((request: HttpRequest, response: HttpResponse) => void) | undefined;
}

export class Pipeline {
  readonly control: ControlApi;
  /** Bytes that wait for the clients of its listeners. */
  readonly waiting: WaitingBytes;
  readonly #options: PipelineOptions;
  readonly #cache = new SerializationCache();
  readonly #listeners: readonly Listener[];
  /** The header `date` of a second, by the clock of a sandbox. */
  #date = { second: Number.NaN, text: '' };

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { sandboxes, router, onRequest } = options;
    const metrics = new RequestMetrics();
    this.control = new ControlApi(options, metrics);
    // The sandboxes record it in the journal first, which gives it its number.
    this.#listeners = [sandboxes, metrics, ...(onRequest ? [toListener(onRequest, router, sandboxes)] : [])];
    this.waiting = new WaitingBytes(options.unreadTimeout);
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
    if (isControl(request) && this.control.refuse(request)) return undefined;
    if (this.waiting.refuse()) return undefined;
    const name = request.sandbox ?? request.header('x-emulator-sandbox');
    const getState = () => this.#getSandbox(name, sandbox).observed.store.committed.state;
    return planBody(request, this.#options.router, getState);
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
    response.ended = (outcome) => this.#end(exchange, outcome, request.start);
    onExchange?.(request, response);
    return response;
  }

  #end(exchange: Exchange, outcome: Outcome, start: number): void {
    exchange.outcome = outcome;
    exchange.duration = performance.now() - start;
    for (const listener of this.#listeners) listener.ended?.(exchange);
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
    const name = request.sandbox ?? request.header('x-emulator-sandbox');
    exchange.sandbox = name ?? fetching?.name ?? '';
    try {
      if (storage?.failure instanceof LockLostError) throw storage.failure;
      const refusal = request.refusal ?? (isStatus(request) ? undefined : this.waiting.refuse());
      if (refusal) throw refusal;
      if (isControl(request)) {
        exchange.at = sandboxes.default.clock.now.getTime();
        exchange.route = this.control.findRoute(request);
        // Refused requests create no sandbox.
        return this.control.respond(request, () => this.#getSandbox(name, fetching));
      }
      const sandbox = this.#getSandbox(name, fetching);
      if (sandbox.meta.closed !== undefined) throw sandboxClosed(sandbox.name, sandbox.meta.closed);
      sandbox.touch();
      if (!isRoot(request) && request.method !== 'OPTIONS') return this.#respondToApi(request, exchange, sandbox);
      exchange.at = sandbox.clock.now.getTime();
      return isRoot(request) ? this.control.respondAtRoot(request, sandbox) : preflight(request);
    } catch (error) {
      reportInternalError(error, request, this.#options.onError);
      exchange.at = sandboxes.default.clock.now.getTime();
      return errorResponse(error);
    }
  }

  #getSandbox(name: string | undefined, fetching: Sandbox | undefined): Sandbox {
    const { sandboxes } = this.#options;
    return name === undefined ? (fetching ?? sandboxes.default) : sandboxes.resolve(name);
  }

  /** Responds to a request of the /v1 API, in one transaction. Only a write to a data folder returns a promise. */
  #respondToApi(request: HttpRequest, exchange: Exchange, sandbox: Sandbox): HttpResponse | Promise<HttpResponse> {
    const { sandboxes, databases, findNotImplemented } = this.#options;
    const { store, journal } = sandbox.observed;
    const { method, target } = request;
    // 1. Match the route.
    const { path, query: search } = parseTarget(target);
    const match = request.match ?? this.#options.router.match(method, path);
    const route = match?.route;
    // 2. Begin the transaction. A read sees the committed state, and writes its counters to the newest one.
    const transaction = store.begin();
    let isReading = isRead(method) || route?.readsFirst === true;
    const base = isReading ? store.committed.state : transaction.base;
    const now = readClock(base.clock, this.#options.systemTime());
    // 3. Identify the caller.
    const token = readToken(request.header('authorization'));
    const caller = findCaller(base, token);
    // 4. Count the request against the rate limit.
    const { rateLimit } = base.settings;
    const limitStatus = rateLimit && countRequest(transaction.draft, rateLimit, token, now);
    let fault: InjectedFault | undefined;
    let response: HttpResponse;
    let commit: CommitInfo | undefined;
    try {
      if (limitStatus?.exceeded) throw rateLimitExceeded(limitStatus);
      // 5. Find a fault to inject.
      fault = this.#findFault(transaction, base.faults, request, route, caller, now);
      if (fault && (fault.reset || fault.status !== null)) response = faultResponse(fault);
      else {
        // 6. Authorize. A request that passes creates its sandbox.
        const { route: matched, params: segments } = authorize(match, request, token, caller, findNotImplemented);
        sandboxes.add(sandbox);
        // 7. Validate the request.
        const content = readRouteBody(request, matched, parseSafely);
        const sent = { params: segments, query: parseQuery(search), body: content };
        const input = validateInput(matched.validators, sent);
        // 8. Handle it: in a savepoint if the route writes.
        const { params, query, body } = input;
        const links = { base: this.#options.publicUrl ?? request.base, path, query: search };
        const json = this.#cache.serialize;
        const latest = () => {
          isReading = false;
          return transaction.state;
        };
        const write = <T>(change: (draft: Draft) => T): T => {
          const before = latest();
          store.assertWritable();
          const result = transaction.savepoint((draft) => {
            const changed = change(draft);
            sandboxes.storedBytes.assertRoom(before, draft);
            return changed;
          });
          commit = { id: journal.nextId, operation: matched.name, at: now };
          return result;
        };
        const explain = (reason: string) => {
          exchange.reason = reason;
        };
        const handle = (state: State) => {
          const context = { params, query, body, caller, now, links, json, databases, latest, write, explain, state };
          const value = matched.handle(context);
          this.#options.validateResponse?.(matched, value);
          return value;
        };
        const value = isReading ? handle(base) : write(handle);
        // 9. Serialize the response, unless it is text from the cache.
        response =
          value instanceof Uint8Array
            ? makeResponse(matched.status, value, matched.mediaType)
            : makeResponse(matched.status, value === undefined ? undefined : serialize(value));
      }
    } catch (thrown) {
      response = errorResponse(thrown);
      exchange.error = reportInternalError(thrown, request, this.#options.onError);
    }
    if (limitStatus) response = addHeaders(response, rateLimitHeaders(limitStatus));
    if (fault) response = injectFault(response, fault);
    if (limitStatus || fault || response.status >= 400) response = exposeHeaders(response);
    // 10. Commit, since the counters of the rate limit and of faults may have changed, and record the exchange.
    // A write that was refused may have seen a change that is not durable yet.
    const saved = store.commit(transaction, commit) ?? (isReading ? undefined : store.waiting);
    if (response.status > 0) response.headers.date = this.#formatDate(now);
    exchange.at = now;
    exchange.target = target;
    exchange.route = route?.name ?? null;
    exchange.user = caller ? getHandle(caller) : null;
    exchange.fault = fault?.id ?? null;
    exchange.delay = fault?.delay ?? 0;
    exchange.commit = store.lastCommitId;
    exchange.requestBody = readBody(request);
    setResponse(exchange, response);
    if (sandboxes.has(sandbox)) for (const listener of this.#listeners) listener.responded?.(exchange);
    return saved
      ? saved.then(
          () => response,
          (failure) => {
            const refusal = errorResponse(failure);
            exchange.commit = store.lastCommitId;
            setResponse(exchange, refusal);
            return refusal;
          },
        )
      : response;
  }

  /** Finds the fault that the request asks for, else one that is armed. @throws ApiError 400 for an invalid header */
  #findFault(
    transaction: Transaction<State, Draft>,
    armed: readonly Fault[],
    request: HttpRequest,
    route: Route | undefined,
    caller: User | undefined,
    now: Instant,
  ): InjectedFault | undefined {
    const wanted = this.#options.control ? request.header(FAULT_HEADER) : undefined;
    if (wanted !== undefined) return parseFaultHeader(wanted);
    if (armed.length === 0) return undefined;
    const { method, headers, target } = request;
    const content = new RequestContent({ headers, target, route: route?.name ?? null, requestBody: readBody(request) });
    return matchFault(transaction.draft, { route: route?.name, method, caller, now, content }, armed);
  }
}

function setResponse(exchange: Exchange, { status, headers, body }: HttpResponse): void {
  exchange.status = status;
  exchange.responseHeaders = headers;
  exchange.responseBody = exchange.method === 'HEAD' ? undefined : body;
}
