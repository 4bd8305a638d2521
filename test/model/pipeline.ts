import { STATUS_CODES } from 'node:http';
import type { Config, Fault, Json, State, User } from './records.js';
import { Call, type Expected, iso, MINUTE, matchPath, Refusal, type Request, refuse } from './request.js';
import { missingScope } from './scopes.js';

export interface Write {
  readonly id: string;
  readonly request: string;
  readonly time: string;
  readonly before: State;
  readonly after: State;
}
type Learn = Call['learn'];
export type Route = readonly [name: string, status: number, handler: (call: Call) => unknown];

const UNSERVED = /^\S+ \/v1\/(run|eval|express)(\/|$)|^\S+ \/v[2-9](\/|$)/;
const UNOFFICIAL = /\/v1\/blob|^GET \/v1\/(runs|users|search|alias)|^PUT \/v1\/vals\/\{|\/cancel$|\/email$|\/sqlite\//;
export const handle = (user: User) => user.username ?? user.id;

const nameParams = ({ name, params }: { name: string; params: readonly string[] } = { name: '', params: [] }): Json =>
  Object.fromEntries([...name.matchAll(/\{(\w+)\}/g)].map(([, param], i) => [param, params[i]]));

/** A list for a repeated parameter. */
function readQuery(target: string): Json {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  return Object.fromEntries(
    [...query.keys()].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : query.get(name)]),
  );
}

/**
 * An independent model of the API, written from its documents: plain arrays that are filtered and sorted for each
 * request. It imports nothing of src, so that a defect there cannot hide here. A state is never changed in place, so
 * an earlier one is a reference. Ids and names that the emulator invents are learnt from its responses.
 */
export abstract class Pipeline {
  readonly config: Config;
  seed: State;
  state: State;
  past: readonly Write[] = [];
  journal: readonly Json[] = [];
  requests = 0;
  /** Routes that a test adds. */
  added: readonly Route[] = [];

  /** By name, in any order. */
  protected abstract readonly table: readonly Route[];

  constructor(config: Config, seed: State) {
    this.config = config;
    this.seed = seed;
    this.state = seed;
  }

  /** Predicts the response to a request. */
  respond(request: Request, learn: Learn): Expected {
    const before = this.state;
    const { method } = request;
    const path = request.target.split('?')[0] ?? '';
    const { authorization } = request;
    const token = authorization === undefined ? undefined : (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '');
    const caller = this.#callerOf(token);
    const route = this.#find(method === 'HEAD' ? 'GET' : method, path);
    const id = `r${++this.requests}`;
    const quota = this.#count(token ?? '');
    const { wanted } = request;
    const fault = quota.exceeded ? undefined : (wanted ?? this.#inject(route?.name, method, caller));
    const counted = this.state;
    let expected: Expected;
    let own: string | null = null;
    try {
      if (quota.exceeded) refuse(429, quota.message);
      if (fault?.reset) expected = { status: 0 };
      else if (fault?.status !== undefined) expected = injected(fault);
      else {
        if (!route && !this.config.specOnly && UNSERVED.test(`${method} ${path}`)) refuse(501);
        if (!route) {
          const isParsed = /^(?:POST|PUT|PATCH|DELETE)$/.test(method) && request.contentType === 'application/json';
          if (isParsed && (method !== 'DELETE' || request.body !== undefined))
            new Call([], request, caller, learn).json();
          return refuse(404, `Route ${method}:${request.target} not found`);
        }
        if (token !== undefined && !caller) refuse(401, 'Unauthorized');
        const { name, status, respond, params } = route;
        const further = this.state.tokens.find((each) => each.token === token);
        const missing = further && !this.config.specOnly && missingScope(name, further.scopes);
        if (missing) refuse(403, 'Token does not have the required permissions');
        const body = respond(new Call(params, request, caller, learn));
        expected = { status, ...(status !== 204 && { body }) };
        // A request with SQL that changes nothing makes no commit.
        const isCommit = name.includes('/sqlite/')
          ? this.state.databases !== counted.databases
          : !name.startsWith('GET');
        if (isCommit) {
          this.committed(id, name, before);
          own = id;
        }
      }
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.state = counted;
      expected = refusal;
    }
    const user = caller ? handle(caller) : null;
    const [query, params] = [readQuery(request.target), nameParams(route)];
    const entry = {
      id,
      time: iso(before.now),
      route: route?.name ?? null,
      params,
      method,
      path: request.target,
      query,
    };
    const recorded = {
      ...entry,
      user,
      status: expected.status,
      fault: fault?.id ?? null,
      // A write that was refused has none.
      commit:
        own ??
        (/^(GET|HEAD)$/.test(method) || (expected.status > 0 && expected.status < 400)
          ? (this.past.at(-1)?.id ?? null)
          : null),
      trace: null,
      error: null,
    };
    this.journal = [...this.journal, recorded].slice(-1_000);
    const { status, body } = expected;
    return {
      status,
      body: method === 'HEAD' ? undefined : body,
      headers: { ...quota.headers, ...Object(fault?.headers) },
    };
  }

  /** Adds the commit of a write to the history. */
  protected committed(id: string, request: string, before: State): void {
    const write = { id, request, time: iso(before.now), before, after: this.state };
    this.past = [...this.past, write].slice(-2_000);
  }

  #callerOf(token: string | undefined): User | undefined {
    if (token === undefined) return undefined;
    return this.ownerOf(token) ?? (this.config.auth === 'lenient' ? this.state.users[0] : undefined);
  }

  /** The user with a token, their own or a further one. */
  ownerOf(token: string): User | undefined {
    const { users, tokens } = this.state;
    const owner = tokens.find((each) => each.token === token)?.user;
    return users.find((each) => each.token === token || each.id === owner);
  }

  /** The names of the routes that there are. */
  get routes(): string[] {
    return this.table.map(([name]) => name).filter((name) => !(this.config.specOnly && UNOFFICIAL.test(name)));
  }

  #find(method: string, path: string) {
    for (const [name, status, respond] of [...this.table, ...this.added]) {
      const params = name.startsWith(`${method} `) && matchPath(name.slice(method.length + 1), path);
      if (params && !(this.config.specOnly && UNOFFICIAL.test(name))) return { name, status, respond, params };
    }
    return undefined;
  }

  /** Counts a request against the rate limit: so many in the minute that begins with the first one. */
  #count(token: string) {
    const { now, spent } = this.state;
    if (!this.state.limit) return { exceeded: false };
    const { limit, window } = this.state.limit;
    const last = spent.get(token);
    const current = last && now >= last.since && now < last.since + window ? last : { since: now, requests: 0 };
    const requests = current.requests + 1;
    const live = [...spent].filter(([, { since }]) => since + window > now);
    this.state = { ...this.state, spent: new Map([...live, [token, { since: current.since, requests }]]) };
    const left = current.since + window - now;
    const seconds = Math.ceil(left / 1_000);
    const exceeded = requests > limit;
    const headers = {
      'x-ratelimit-limit': `${limit}`,
      'x-ratelimit-remaining': `${Math.max(0, limit - requests)}`,
      'x-ratelimit-reset': `${seconds}`,
      ...(exceeded && { 'retry-after': `${seconds}` }),
    };
    return { exceeded, headers, message: `Rate limit exceeded, retry in 1 ${window === MINUTE ? 'minute' : 'hour'}` };
  }

  /** The first fault that matches and is injected; those before it that match count the request as seen. */
  #inject(route: string | undefined, method: string, caller: User | undefined): Fault | undefined {
    for (const fault of this.state.faults) {
      const wrong = [fault.route ?? route, fault.method ?? method, fault.user ?? caller?.id];
      if (wrong.some((wanted, i) => wanted !== [route, method, caller?.id][i])) continue;
      if (fault.hits === fault.times) continue;
      const hits = fault.seen >= Number(fault.after);
      const counted: Fault = { ...fault, seen: fault.seen + 1, hits: fault.hits + Number(hits) };
      this.state = { ...this.state, faults: this.state.faults.map((each) => (each === fault ? counted : each)) };
      if (hits) return counted;
    }
    return undefined;
  }
}

/** What a fault sends: its own body, or the API's for that status. */
function injected({ status, body }: Fault): Expected {
  const error = STATUS_CODES[Number(status)];
  return { status: Number(status), body: body ?? { message: error, error, statusCode: status } };
}
