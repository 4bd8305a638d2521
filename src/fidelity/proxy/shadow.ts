import type { Route } from '../../api/route.js';
import { Router } from '../../api/router.js';
import type { Emulator } from '../../emulator.js';
import { UUID_PATTERN } from '../../lib/ids.js';
import { isObject } from '../../lib/objects.js';
import { UNKNOWN_TOKEN } from '../../lib/redactor.js';
import { parseTarget } from '../../lib/target.js';
import { selectRoutes } from '../../routes/index.js';
import { makeReply, type Reply, type Service, ServiceError } from '../service.js';
import { findHeader, type ProxiedExchange } from './messages.js';

/** Headers of a request that decide what the emulator responds. */
const PASSED = ['accept', 'origin'];

/** An emulator with the fixtures and users of the upstream, which receives the same reads. */
export class Shadow {
  readonly #emulator: Emulator;
  readonly #callers: Callers;
  readonly #router = new Router(selectRoutes(false));
  /** Ids of records that the upstream has changed. */
  readonly #diverged = new Set<string>();
  /** Whether there are fixtures of the account on the upstream. */
  readonly hasFixtures: boolean;

  constructor(emulator: Emulator, service: Service, hasFixtures: boolean) {
    this.#emulator = emulator;
    this.#callers = new Callers(service, emulator);
    this.hasFixtures = hasFixtures;
  }

  /** Undefined for a request that no route of the emulator matches. */
  findRoute({ method, target }: ProxiedExchange): Route | undefined {
    return this.#router.match(method, parseTarget(target).path)?.route;
  }

  findCaller(exchange: ProxiedExchange): Promise<Caller> {
    return this.#callers.find(exchange);
  }

  isDiverged(id: string): boolean {
    return this.#diverged.has(id.toLowerCase());
  }

  /** Compares these records no longer. */
  diverge(texts: readonly string[]): void {
    for (const id of texts.flatMap(listIds)) this.#diverged.add(id);
  }

  /** Sends a request of a client to the emulator. */
  async respond({ method, target, request }: ProxiedExchange, caller: Caller): Promise<Reply> {
    const headers = new Headers(caller.authorization === undefined ? {} : { authorization: caller.authorization });
    for (const name of PASSED) {
      const value = findHeader(request.headers, name);
      if (value !== undefined) headers.set(name, value);
    }
    const response = await this.#emulator.fetch(target, { method, headers });
    const { status, headers: received } = response;
    const sent = { headers, body: '' };
    const bytes = new Uint8Array(await response.arrayBuffer());
    return makeReply({ method, target, sent, status, headers: received, bytes });
  }

  close(): Promise<void> {
    return this.#emulator.close();
  }
}

/** A blob has no id, and its key moves others in their list: a target of one names them all. */
const NAMES = new RegExp(`^/v1/blob\\b|${UUID_PATTERN.source}`, 'gi');

/** Lists the ids in a text, in lower case. */
export const listIds = (text: string): string[] => [...text.matchAll(NAMES)].map(([id]) => id.toLowerCase());

/** The user of a request, as the emulator knows it. */
export interface Caller {
  /** The header for the emulator, with the scheme of the client. Undefined for a request without a token. */
  readonly authorization: string | undefined;
  /** Whether the fixtures have this user, so that responses can have equal values. */
  readonly isKnown: boolean;
}

const BEARER = /^(bearer) +(.*)$/is;

/** Finds the users of tokens. It asks the upstream once for each token. */
class Callers {
  readonly #service: Service;
  readonly #emulator: Emulator;
  readonly #known: ReadonlySet<string>;
  readonly #tokens = new Map<string, Promise<Omit<Caller, 'authorization'> & { readonly token: string }>>();

  constructor(service: Service, emulator: Emulator) {
    this.#service = service;
    this.#emulator = emulator;
    this.#known = new Set(emulator.users.map(({ id }) => id));
  }

  async find({ request }: ProxiedExchange): Promise<Caller> {
    const authorization = findHeader(request.headers, 'authorization');
    const [, scheme, token] = BEARER.exec(authorization ?? '') ?? [];
    if (token === undefined) return { authorization, isKnown: true };
    let found = this.#tokens.get(token);
    if (!found) {
      found = this.#identify(token);
      this.#tokens.set(token, found);
      // The next request asks again.
      found.catch(() => this.#tokens.delete(token));
    }
    const caller = await found;
    return { ...caller, authorization: `${scheme} ${caller.token}` };
  }

  /** @throws ServiceError if the upstream does not say whose token it is */
  async #identify(token: string) {
    const { status, json } = await this.#service.send('GET', '/v1/me', { token });
    if (status === 401) return { token: UNKNOWN_TOKEN, isKnown: true };
    const id = isObject(json) && typeof json.id === 'string' ? json.id.toLowerCase() : undefined;
    if (status !== 200 || id === undefined) throw new ServiceError(`GET /v1/me responded ${status}.`);
    const isKnown = this.#known.has(id);
    const username = isObject(json) && typeof json.username === 'string' ? json.username : null;
    if (!isKnown) {
      try {
        this.#emulator.add.user({ id, username });
      } catch {
        // Fixtures do not allow the name.
        this.#emulator.add.user({ id, username: null });
      }
    }
    const user = this.#emulator.users.find((each) => each.id === id);
    return { token: user?.token ?? UNKNOWN_TOKEN, isKnown };
  }
}
