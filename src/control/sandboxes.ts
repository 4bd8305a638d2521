import { ApiError } from '../lib/errors.js';
import { badRequest } from '../model/errors.js';
import type { Sandbox } from './sandbox.js';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Steps in a path. */
const DOTS = /^\.+$/;
/** Maximum number of names of closed sandboxes that are stored. */
export const MAX_CLOSED_NAMES = 100_000;

/** The default sandbox and the named ones. */
export class Sandboxes<S extends Sandbox> {
  /** The sandbox of requests that name none. */
  readonly default: S;
  readonly #named = new Map<string, S>();
  readonly #closed = new Set<string>();
  readonly #create: (name: string) => S;
  readonly #limit: number;
  #count = 0;

  constructor(defaultSandbox: S, create: (name: string) => S, limit: number) {
    this.default = defaultSandbox;
    this.#create = create;
    this.#limit = limit;
  }

  get all(): readonly S[] {
    return [...this.#named.values()];
  }

  /**
   * Finds the sandbox of a request, or makes one that lasts once the request is accepted ({@link add}).
   * @throws ApiError 410 for one that was closed, 400 for an invalid name, 503 when the limit is reached
   */
  resolve(name: string): S {
    if (this.#closed.has(name)) throw sandboxClosed(name);
    return this.#named.get(name) ?? this.#make(name);
  }

  /** Makes the sandbox of a request last. */
  add(sandbox: S): void {
    if (sandbox.name === '' || sandbox.isClosed || this.#named.has(sandbox.name)) return;
    this.#named.set(sandbox.name, sandbox);
  }

  /**
   * Finds a sandbox, or creates it.
   * @param name default: a new one
   * @throws ApiError 400 for an invalid name, 503 when the limit is reached
   */
  open(name: string = this.#newName()): S {
    const sandbox = this.#named.get(name) ?? this.#make(name);
    this.#named.set(name, sandbox);
    this.#closed.delete(name);
    return sandbox;
  }

  #make(name: string): S {
    if (!NAME.test(name) || DOTS.test(name)) {
      throw badRequest(`Invalid sandbox name ${JSON.stringify(name)}: use 1–64 of A–Z a–z 0–9 . _ -, not only dots`);
    }
    if (this.#named.size >= this.#limit) {
      throw new ApiError(
        503,
        `Sandbox limit reached (maxSandboxes: ${this.#limit}). Close a sandbox or raise the limit.`,
      );
    }
    return this.#create(name);
  }

  find(name: string): S | undefined {
    return this.#named.get(name);
  }

  /** Closes a sandbox: late requests do not create it again. */
  close(sandbox: Sandbox): void {
    if (this.#named.get(sandbox.name) !== sandbox) return;
    this.#named.delete(sandbox.name);
    sandbox.isClosed = true;
    this.#closed.add(sandbox.name);
    const [oldest] = this.#closed;
    if (this.#closed.size > MAX_CLOSED_NAMES && oldest !== undefined) this.#closed.delete(oldest);
  }

  #newName(): string {
    for (;;) {
      const name = `sandbox-${++this.#count}`;
      if (!this.#named.has(name) && !this.#closed.has(name)) return name;
    }
  }
}

export const sandboxClosed = (name: string) =>
  new ApiError(410, `Sandbox ${JSON.stringify(name)} is closed. Create it again, or use another name.`);

export const sandboxUrl = (origin: string, name: string): string =>
  name === '' ? origin : `${origin}/_sandbox/${name}`;
