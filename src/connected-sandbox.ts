import type { Beginning } from './data-storage.js';
import { Sandbox, type SandboxDeps } from './sandbox/sandbox.js';
import { type OpenOptions, sandboxUrl } from './sandbox/sandboxes.js';
import type { CreateFetch, Fetch } from './server/fetch.js';

/** What the sandboxes of an emulator need to be reached. */
export interface Host {
  readonly url: string;
  /** @internal */
  readonly createFetch: CreateFetch;
  closeSandbox(sandbox: Sandbox): void | Promise<void>;
  forkSandbox(source: ConnectedSandbox, name?: string, at?: string, owner?: string): ConnectedSandbox;
}

/** A sandbox that responds to requests. */
export class ConnectedSandbox extends Sandbox {
  readonly #host: Host;
  #fetch: Fetch | undefined;

  constructor({ name, seed, contents, origin, exchanges }: Beginning, deps: SandboxDeps, host: Host) {
    super(name, seed, deps, contents, exchanges);
    this.#host = host;
    Object.assign(this, origin);
  }

  /** The base URL of this sandbox. */
  get url(): string {
    return sandboxUrl(this.#host.url, this.name);
  }

  /** Headers that select this sandbox on requests to the emulator's own base URL. */
  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

  /** A drop-in `fetch` that reaches this sandbox without a socket. Accepts a path alone: `/v1/me`. */
  get fetch(): typeof fetch {
    this.#fetch ??= this.#host.createFetch(this, () => this.url);
    return this.#fetch;
  }

  /**
   * Creates a sandbox with a state of this one and its seed. Its journal and history are empty. O(1).
   * @param name 1–64 of `A–Z a–z 0–9 . _ -`; default: a new one
   * @param at the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @param options.owner who the new sandbox is for: 1 to 100 characters. Default: none
   * @throws OptionsError when a sandbox has this name, and for an invalid owner
   * @throws NotFoundError when the history has no such commit
   * @throws ApiError for an invalid name, and when the limit `maxSandboxes` is reached
   */
  fork(name?: string, at?: string, { owner }: Pick<OpenOptions, 'owner'> = {}): ConnectedSandbox {
    return this.#host.forkSandbox(this, name, at, owner);
  }

  /** Closes the sandbox and drops its data. Idempotent. */
  close(): void | Promise<void> {
    return this.#host.closeSandbox(this);
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
