import type { Emulator } from '../../emulator.js';
import { isObject } from '../../lib/objects.js';
import { UNKNOWN_TOKEN } from '../../lib/redactor.js';
import { type Service, ServiceError } from '../service.js';
import { findHeader, type ProxiedExchange } from './messages.js';

/** Who sends a request, as the emulator knows that user. */
export interface Caller {
  /** For the emulator, with the scheme that the client has sent. Undefined for a request without a token. */
  readonly authorization: string | undefined;
  /** Whether the fixtures have this user, so that responses can have equal values. */
  readonly isKnown: boolean;
}

const BEARER = /^(bearer) +(.*)$/is;

/** Finds the users of tokens: it asks the upstream once for each token. */
export class Callers {
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
