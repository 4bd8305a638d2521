import type { Route } from '../../api/route.js';
import { Router } from '../../api/router.js';
import { createEmulator, type Emulator } from '../../emulator.js';
import type { FixtureSource } from '../../fixtures/read.js';
import { parseJsonIfValid } from '../../lib/json.js';
import { isRead } from '../../lib/methods.js';
import { isObject } from '../../lib/objects.js';
import { parseTarget } from '../../lib/target.js';
import { selectRoutes } from '../../routes/index.js';
import { makeReply, type Reply, type Service } from '../service.js';
import { type Caller, Callers } from './callers.js';
import { decodeBody, type Exchange, findHeader } from './exchange.js';
import { IdPairs, listIds } from './pairs.js';

/** Headers of a request that decide what the emulator responds. */
const PASSED = ['accept', 'content-type', 'origin'];

/** The emulator in this process that stands for the upstream: it has its fixtures and users, and gets the same requests. */
export class Shadow {
  readonly pairs = new IdPairs();
  readonly #emulator: Emulator;
  readonly #callers: Callers;
  readonly #router = new Router(selectRoutes(false));
  /** Ids of the records in the fixtures. */
  readonly #ids: ReadonlySet<string>;
  /** Ids of records that a write has left different on both sides. */
  readonly #diverged = new Set<string>();
  /** Whether there are fixtures of the account on the upstream. */
  readonly hasFixtures: boolean;

  /** @param fixtures file or folder with what was read from the upstream. Undefined for none */
  static async open(fixtures: FixtureSource | undefined, service: Service): Promise<Shadow> {
    const seed = fixtures ?? { users: [] };
    return new Shadow(await createEmulator({ fixtures: seed, listen: false }), service, fixtures !== undefined);
  }

  constructor(emulator: Emulator, service: Service, hasFixtures: boolean) {
    this.#emulator = emulator;
    this.#callers = new Callers(service, emulator);
    this.hasFixtures = hasFixtures;
    const { users, vals, runs, comments } = emulator.exportState();
    this.#ids = new Set([...users, ...vals, ...runs, ...comments].map(({ id }) => id.toLowerCase()));
  }

  /** Undefined for a request that no route of the emulator matches. */
  findRoute({ method, target }: Exchange): Route | undefined {
    return this.#router.match(method, parseTarget(target).path)?.route;
  }

  findCaller(exchange: Exchange): Promise<Caller> {
    return this.#callers.find(exchange);
  }

  /** Whether the emulator has, or has had, the record of an id. */
  hasId(id: string): boolean {
    const key = id.toLowerCase();
    return !this.#diverged.has(key) && (this.#ids.has(key) || this.pairs.has(key));
  }

  isDiverged(id: string): boolean {
    return this.#diverged.has(id.toLowerCase());
  }

  /** Gives up comparing the records of a write whose responses differ. */
  diverge(texts: readonly string[]): void {
    for (const id of texts.flatMap(listIds)) this.#diverged.add(id);
  }

  /** Sends a request of a client to the emulator. @param theirs the response of the upstream, in JSON */
  async respond(exchange: Exchange, caller: Caller, theirs: unknown): Promise<Reply> {
    const { method, target, request } = exchange;
    const headers = new Headers(caller.authorization === undefined ? {} : { authorization: caller.authorization });
    for (const name of PASSED) {
      const value = findHeader(request.headers, name);
      if (value !== undefined) headers.set(name, value);
    }
    const sent = decodeBody(request)?.toString('utf8') ?? '';
    const hasBody = !isRead(method) && sent !== '';
    const body = hasBody ? this.pairs.toOurs(addName(exchange, sent, theirs)) : null;
    const response = await this.#emulator.fetch(this.pairs.toOurs(target), { method, headers, body });
    const own = await response.text();
    if (method !== 'GET') this.pairs.learn(theirs, parseJsonIfValid(own));
    const { status, headers: received } = response;
    const about = { method, target, sent: { headers, body: body ?? '' }, status, headers: received };
    return makeReply({ ...about, text: this.pairs.toTheirs(own) });
  }

  close(): Promise<void> {
    return this.#emulator.close();
  }
}

/** Adds the name that the upstream has given to a new val, since the emulator would make another one. */
function addName({ method, target }: Exchange, body: string, theirs: unknown): string {
  if (method !== 'POST' || !/^\/v1\/vals\/?(?:\?|$)/.test(target) || !isObject(theirs)) return body;
  const sent = parseJsonIfValid(body);
  const isNamed = !isObject(sent) || sent.name !== undefined || typeof theirs.name !== 'string';
  return isNamed ? body : JSON.stringify({ ...sent, name: theirs.name });
}
