import { DROPPED, MAX_BODY_LENGTH } from '../../control/journal.js';
import { UNKNOWN_TOKEN } from '../../control/redactor.js';
import { exportState } from '../../fixtures/export.js';
import { isRead } from '../../lib/methods.js';
import { describeNetworkError } from '../../lib/network-errors.js';
import { isObject } from '../../lib/objects.js';
import type { RecordedRequest } from '../../persistence/lines.js';
import type { StoredSession } from '../../persistence/session.js';
import { fail } from '../command.js';
import { compareBodies, type Difference } from './compare.js';
import { Mapping, splitText } from './mapping.js';

/** What came of a request. */
export interface ReplayResult {
  readonly request: RecordedRequest;
  /** Why it was not sent. */
  readonly skipped?: string;
  readonly differences: readonly Difference[];
  /** Ids of the seed data of the session that the other service was asked for as they are. */
  readonly seedIds: readonly string[];
}

interface ReplayOptions {
  /** URL without a slash at the end. */
  readonly url: string;
  readonly tokens: ReadonlyMap<string, string>;
  /** For the other users. */
  readonly defaultToken?: string | undefined;
  readonly timeout: number;
  /** Needed to read the records of an emulator on another machine. */
  readonly controlToken?: string | undefined;
}

type Exported = ReturnType<typeof exportState>;

/** Sends the requests of a session to another server, in order, and compares the responses. */
export class Replayer {
  readonly #session: StoredSession;
  readonly #options: ReplayOptions;
  readonly #seed: Exported;
  readonly #seedIds: ReadonlySet<string>;
  readonly #mapping: Mapping;
  readonly #tokens: Map<string, string>;

  constructor(session: StoredSession, options: ReplayOptions) {
    this.#session = session;
    this.#options = options;
    this.#seed = exportState(session.seed.state);
    const { users, vals, runs, comments } = this.#seed;
    this.#seedIds = new Set([...users, ...vals, ...runs, ...comments].map(({ id }) => id));
    this.#mapping = new Mapping([...vals.map(({ name }) => name), ...users.map(({ username }) => username ?? '')]);
    this.#tokens = new Map(options.tokens);
  }

  /** Learns the tokens and the ids of an emulator by the names of its records. False for another service. */
  async learnSeed(): Promise<boolean> {
    const { controlToken } = this.#options;
    const headers = new Headers(controlToken === undefined ? {} : { 'x-emulator-control-token': controlToken });
    const response = await this.#fetch('/_emulator/state?tokens=true', { method: 'GET', headers });
    const theirs: unknown = await response.json().catch(() => undefined);
    if (response.status !== 200 || !isExported(theirs)) return false;
    for (const { username, id, token } of theirs.users) {
      const user = username ?? id;
      if (!this.#tokens.has(user) && this.#options.defaultToken === undefined) this.#tokens.set(user, token);
    }
    const name = ({ username, id }: { readonly username: string | null; readonly id: string }) => username ?? id;
    this.#pair(this.#seed.users, theirs.users, name);
    this.#pair(this.#seed.vals, theirs.vals, (val) => `${val.author}/${val.name}`);
    this.#pair(this.#seed.runs, theirs.runs, ({ val }) => val);
    this.#pair(this.#seed.comments, theirs.comments, ({ val }) => val);
    return true;
  }

  /** Pairs the records of each name, if there are as many on both sides. */
  #pair<R extends { readonly id: string }>(ours: readonly R[], theirs: readonly R[], getName: (record: R) => string) {
    const groups = groupBy(theirs, getName);
    for (const [name, records] of groupBy(ours, getName)) {
      const others = groups.get(name) ?? [];
      if (others.length !== records.length) continue;
      for (const [i, { id }] of records.entries()) this.#mapping.matchIds(id, others[i]?.id ?? '');
    }
  }

  /** Users of the session whose requests cannot be sent for want of a token. */
  get usersWithoutToken(): string[] {
    const users = new Set(this.#session.requests.map(({ user }) => user));
    return [...users].filter((user) => user !== null).filter((user) => this.#tokenOf(user) === undefined);
  }

  #tokenOf(user: string): string | undefined {
    return this.#tokens.get(user) ?? this.#options.defaultToken;
  }

  async *run(): AsyncGenerator<ReplayResult> {
    for (const request of this.#session.requests) {
      const skipped = this.#findObstacle(request);
      if (skipped === undefined) yield await this.#replay(request);
      else yield { request, skipped, differences: [], seedIds: [] };
    }
  }

  #findObstacle({ method, path, user, requestBody, isInjected }: RecordedRequest): string | undefined {
    if (isInjected) return 'a fault responded when it was recorded';
    if (user !== null && this.#tokenOf(user) === undefined) return `there is no token for ${user}`;
    if (isCut(requestBody)) return 'its body was too long for the journal';
    if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) return `${method} cannot be sent`;
    return path.startsWith('/') ? undefined : 'its target is no path';
  }

  async #replay(request: RecordedRequest): Promise<ReplayResult> {
    const { method, path, user, hasToken, headers, requestBody, status, responseBody } = request;
    const mapping = this.#mapping;
    mapping.noteSent(path);
    if (requestBody !== undefined) mapping.noteSent(requestBody);
    const ids = splitText(`${path} ${requestBody ?? ''}`).values.map((id) => id.toLowerCase());
    const seedIds = [...new Set(ids)].filter((id) => this.#seedIds.has(id) && !mapping.has(id));
    const token = user === null ? (hasToken ? UNKNOWN_TOKEN : undefined) : this.#tokenOf(user);
    const response = await this.#fetch(mapping.translate(path, true), {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: isRead(method) || requestBody === undefined ? null : mapping.translate(requestBody),
    });
    const text = await response.text().catch((error: unknown) => this.#failUnreachable(error));
    const differences: Difference[] = [];
    if (response.status !== status) differences.push({ at: 'status', expected: status, found: response.status });
    else if (method !== 'HEAD' && !isCut(responseBody)) {
      differences.push(...compareBodies(responseBody, text, { mapping, user }));
    }
    return { request, differences, seedIds: differences.length > 0 ? seedIds : [] };
  }

  /** Sends a request to the server, and to no other: redirects are responses. */
  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const { url, timeout } = this.#options;
    try {
      return await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    } catch (error) {
      return this.#failUnreachable(error);
    }
  }

  #failUnreachable(error: unknown): never {
    const { url, timeout } = this.#options;
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate ? `no response within ${timeout} ms` : describeNetworkError(error);
    return fail(`${url} does not respond: ${reason}.`, 'unreachable');
  }
}

/** Whether the journal has dropped a body or a part of it. */
const isCut = (body: string | undefined): boolean =>
  body !== undefined && (body === DROPPED || body.length >= MAX_BODY_LENGTH);

const isExported = (value: unknown): value is Exported =>
  isObject(value) && ['users', 'vals', 'runs', 'comments'].every((name) => Array.isArray(value[name]));

function groupBy<R>(records: readonly R[], getName: (record: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const record of records) {
    const name = getName(record).toLowerCase();
    const group = groups.get(name);
    if (group) group.push(record);
    else groups.set(name, [record]);
  }
  return groups;
}
