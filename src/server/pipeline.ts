import { routeNotFound } from '../api/errors.js';
import { countRequest, rateLimitExceeded, rateLimitHeaders } from '../api/rate-limit.js';
import type { Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import { SerializationCache, serialize } from '../api/serialize.js';
import { validateInput } from '../api/validate.js';
import type { ApiRouter } from '../control/expectations.js';
import { FAULT_HEADER, parseFaultHeader } from '../control/fault-header.js';
import { type InjectedFault, matchFault } from '../control/faults.js';
import type { JournalEntry } from '../control/journal.js';
import { RequestContent } from '../control/request-content.js';
import type { Sandbox } from '../control/sandbox.js';
import { sandboxClosed } from '../control/sandboxes.js';
import { type ApiError, LockLostError } from '../lib/errors.js';
import { parseSafely } from '../lib/json.js';
import { isRead } from '../lib/methods.js';
import { decode, parseQuery, parseTarget } from '../lib/target.js';
import { readClock } from '../model/clock.js';
import { unauthorized } from '../model/errors.js';
import type { User } from '../model/schema.js';
import type { Draft, Fault, State } from '../model/state.js';
import { findCaller, getHandle } from '../model/users.js';
import type { CommitInfo } from '../store/store.js';
import type { Transaction } from '../store/transaction.js';
import { ControlApi, type ControlOptions } from './control.js';
import { faultResponse, injectFault } from './fault-response.js';
import type { HttpRequest, HttpResponse } from './http.js';
import { addHeaders, errorResponse, makeResponse, preflight, readRouteBody } from './http.js';
import { type FailedRequest, reportInternalError } from './internal-error.js';
import { RequestMetrics } from './metrics.js';
import { findRunKind, isControl, isStatus, SANDBOX_PREFIX, stripSandbox } from './paths.js';
import { logRequest, type OnRequest } from './request-log.js';
import { isRoot } from './root.js';
import { WaitingBytes } from './waiting.js';

/** A response and what is logged of its request. */
interface Outcome {
  readonly response: HttpResponse;
  /** Name of the sandbox, empty for the default one. */
  readonly sandbox: string;
  /** Absent for a request that is not in the journal. */
  readonly entry?: JournalEntry;
  /** Path of the route, with the parameters in braces. Undefined for an unknown one. */
  readonly route?: string | undefined;
  /** Whether a write was committed. Default: false */
  readonly isCommit?: boolean;
}

export interface PipelineOptions extends ControlOptions {
  readonly router: ApiRouter;
  /** Returns the error for a path of the real service that is not emulated. */
  readonly findNotImplemented: (path: string) => ApiError | undefined;
  readonly onRequest?: OnRequest | undefined;
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
  readonly #metrics = new RequestMetrics();

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.control = new ControlApi(options, this.#metrics);
    this.waiting = new WaitingBytes(options.unreadTimeout);
  }

  /**
   * Responds to a request. Returns a promise for the control API, for a shared store and for a write to a data folder.
   * @param sandbox of the in-process fetch; over HTTP the request names its sandbox
   */
  respond(request: HttpRequest, sandbox?: Sandbox): HttpResponse | Promise<HttpResponse> {
    const start = performance.now();
    const outcome = this.#takeTurn(request, sandbox) ?? this.#dispatch(request, sandbox);
    if (outcome instanceof Promise) return outcome.then((late) => this.#report(request, late, start));
    return this.#report(request, outcome, start);
  }

  /** Whether the body of a request is worth reading: not that of a request that is refused. */
  readsBody(request: HttpRequest): boolean {
    try {
      const target = stripSandbox(request.target);
      if (isControl(target)) this.control.assertAllowed({ ...request, target });
      return this.waiting.refuse() === undefined;
    } catch {
      return false;
    }
  }

  /** Reports an error that occurred outside of {@link respond}, such as while the body was read. */
  reportError(error: unknown, request: FailedRequest): void {
    reportInternalError(error, request, this.#options.onError);
  }

  #report(request: HttpRequest, outcome: Outcome, start: number): HttpResponse {
    const { onRequest, onExchange } = this.#options;
    const { response, sandbox, entry, route, isCommit = false } = outcome;
    const { method, target } = request;
    const { status } = response;
    const duration = performance.now() - start;
    this.#metrics.count({ route, method, status, duration, isCommit });
    onExchange?.(request, response);
    if (onRequest) logRequest(onRequest, { method, target, status, duration, sandbox }, entry);
    return response;
  }

  /** Runs a request on a shared store, where it waits for its turn. Undefined for one that needs none. */
  #takeTurn(request: HttpRequest, sandbox: Sandbox | undefined): Promise<Outcome> | undefined {
    const { storage, sandboxes } = this.#options;
    const kind = storage?.run && findRunKind(request.method, stripSandbox(request.target));
    if (!storage?.run || !kind) return undefined;
    return storage
      .run(() => this.#dispatch(request, sandbox), kind)
      .catch((error) => {
        const response = errorResponse(error, sandboxes.default.clock.now.getTime());
        return { response: addHeaders(response, { 'retry-after': '1' }), sandbox: '' };
      });
  }

  /** Finds the sandbox by the path prefix, else by the header, else takes the one whose `fetch` was called. */
  #dispatch(request: HttpRequest, fetching: Sandbox | undefined): Outcome | Promise<Outcome> {
    const { sandboxes, storage } = this.#options;
    const [prefix = '', segment] = SANDBOX_PREFIX.exec(request.target) ?? [];
    const name = segment ?? request.header('x-emulator-sandbox');
    const toOutcome = (response: HttpResponse): Outcome => ({ response, sandbox: name ?? fetching?.name ?? '' });
    if (storage?.failure instanceof LockLostError) {
      return toOutcome(errorResponse(storage.failure, sandboxes.default.clock.now.getTime()));
    }
    const inner =
      prefix === '' ? request : { ...request, target: stripSandbox(request.target), base: request.base + prefix };
    // Called late by the control API, which refuses requests before they create a sandbox.
    const getSandbox = () => (name === undefined ? (fetching ?? sandboxes.default) : sandboxes.resolve(name));
    const refusal = isStatus(inner.target) ? undefined : this.waiting.refuse();
    if (refusal) return toOutcome(errorResponse(refusal, sandboxes.default.clock.now.getTime()));
    if (isControl(inner.target)) {
      const route = this.control.findPath(inner);
      return this.control.respond(inner, request.base, getSandbox).then((late) => ({ ...toOutcome(late), route }));
    }
    try {
      const sandbox = getSandbox();
      if (sandbox.closed !== undefined) throw sandboxClosed(sandbox.name, sandbox.closed);
      if (isRoot(inner)) {
        return toOutcome(this.control.respondAtRoot(inner, request.base, sandbox));
      }
      if (inner.method === 'OPTIONS') return toOutcome(preflight(inner, sandbox.clock.now.getTime()));
      return this.#respondToApi(inner, sandbox);
    } catch (error) {
      reportInternalError(error, inner, this.#options.onError);
      return toOutcome(errorResponse(error, sandboxes.default.clock.now.getTime()));
    }
  }

  /** Responds to a request of the /v1 API, in one transaction. Only a write to a data folder returns a promise. */
  #respondToApi(request: HttpRequest, sandbox: Sandbox): Outcome | Promise<Outcome> {
    const start = performance.now();
    const { sandboxes } = this.#options;
    const { store, journal } = sandbox;
    const { method, target } = request;
    // 1. Begin the transaction. A read sees what is committed, and writes its counters to the newest state.
    const transaction = store.begin();
    const isReading = isRead(method);
    const base = isReading ? store.committed.state : transaction.base;
    const now = readClock(base.clock, this.#options.systemTime());
    // 2. Match the route.
    const { path, query } = parseTarget(target);
    const match = this.#options.router.match(method, path);
    const route = match?.route;
    // 3. Identify the caller.
    const token = readToken(request.header('authorization'));
    const caller = findCaller(base, token);
    // 4. Count the request against the rate limit.
    const { rateLimit } = base.settings;
    const limitStatus = rateLimit && countRequest(transaction.draft, rateLimit, token, now);
    let fault: InjectedFault | undefined;
    let response: HttpResponse;
    let commit: CommitInfo | undefined;
    let error: string | null = null;
    try {
      if (limitStatus?.exceeded) throw rateLimitExceeded(limitStatus);
      // 5. Find a fault to inject.
      fault = this.#findFault(transaction, base.faults, request, route, caller);
      if (fault && (fault.reset || fault.status !== null)) response = faultResponse(fault, now);
      else {
        // 6. Authorize. A request that passes creates its sandbox.
        const { route: matched, params: segments } = this.#authorize(match, request, path, token, caller);
        sandboxes.add(sandbox);
        // 7. Validate the request.
        const sent = { params: segments, query: parseQuery(query), body: readRouteBody(request, matched, parseSafely) };
        const input = validateInput(matched.validators, sent);
        // 8. Handle it: in a savepoint if the route writes.
        const { params, body } = input;
        const links = { base: request.base, path, query };
        const json = this.#cache.serialize;
        const handle = (state: State) => {
          const value = matched.handle({ params, query: input.query, body, caller, now, links, json, state });
          this.#options.validateResponse?.(matched, value);
          return value;
        };
        if (!isReading) store.assertWritable();
        const value = isReading ? handle(base) : transaction.savepoint(handle);
        if (!isReading) commit = { id: journal.nextId, operation: matched.name, at: now };
        // 9. Serialize the response, unless it is text from the cache.
        response = makeResponse(matched.status, value === undefined ? undefined : serialize(value), now);
      }
    } catch (thrown) {
      response = errorResponse(thrown, now);
      error = reportInternalError(thrown, request, this.#options.onError);
    }
    if (limitStatus) response = addHeaders(response, rateLimitHeaders(limitStatus));
    if (fault) response = injectFault(response, fault);
    // 10. Commit, since the counters of the rate limit and of faults may have changed, and record the request.
    // A write that was refused may have seen what is not durable yet.
    const saved = store.commit(transaction, commit) ?? (isReading ? undefined : store.waiting);
    const entry = journal.record({
      id: journal.nextId,
      at: now,
      duration: performance.now() - start,
      route: route?.name ?? null,
      method,
      path: target,
      headers: request.headers,
      user: caller ? getHandle(caller) : null,
      status: response.status,
      requestBody: readText(request),
      responseBody: method === 'HEAD' ? undefined : response.body,
      fault: fault?.id ?? null,
      commit: store.lastCommitId,
      error,
    });
    const outcome = { response, sandbox: sandbox.name, entry, route: route?.path, isCommit: commit !== undefined };
    if (!saved) return outcome;
    return saved.then(
      () => outcome,
      (failure) => {
        const refusal = errorResponse(failure, now);
        const { status, body: responseBody } = refusal;
        journal.amend(entry, { status, responseBody, commit: store.lastCommitId });
        return { ...outcome, response: refusal, isCommit: false };
      },
    );
  }

  /** Finds the fault that the request asks for, else one that is armed. @throws ApiError 400 for an invalid header */
  #findFault(
    transaction: Transaction<State, Draft>,
    armed: readonly Fault[],
    request: HttpRequest,
    route: Route | undefined,
    caller: User | undefined,
  ): InjectedFault | undefined {
    const wanted = this.#options.control ? request.header(FAULT_HEADER) : undefined;
    if (wanted !== undefined) return parseFaultHeader(wanted);
    if (armed.length === 0) return undefined;
    const { method, headers, target: path } = request;
    const content = new RequestContent({ headers, path, route: route?.name ?? null, requestBody: readText(request) });
    return matchFault(transaction.draft, { route: route?.name, method, caller, content }, armed);
  }

  /** @throws ApiError 401 for a missing or unknown token; for an unknown route 404 or 501, or 400 or 413 for its body */
  #authorize(
    match: Match<Route> | undefined,
    request: HttpRequest,
    path: string,
    token: string | undefined,
    caller: User | undefined,
  ): Match<Route> {
    if (!match) {
      const error = this.#options.findNotImplemented(path) ?? routeNotFound(request.method, request.target);
      if (error.status === 404 && decode(path) !== undefined) readRouteBody(request, undefined, parseSafely);
      throw error;
    }
    const isUnknownToken = token !== undefined && !caller;
    if (isUnknownToken || (match.route.auth === 'required' && !caller)) throw unauthorized();
    return match;
  }
}

/** Undefined for a body that could not be read. */
const readText = ({ body }: HttpRequest): string | undefined => (typeof body === 'string' ? body : undefined);

/** Reads a bearer token, spaces included. Any other credentials are an unknown token. */
const readToken = (authorization: string | undefined): string | undefined =>
  authorization ? (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '') : undefined;
