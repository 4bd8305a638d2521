import { type Static, Type } from 'typebox';
import { Timestamp, Url } from '../api/schemas/common.js';
import { ApiError, OptionsError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { record } from '../lib/schema.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { badRequest } from '../model/errors.js';
import type { State } from '../model/state.js';
import { type Contents, initialContents } from '../store/store.js';
import { getStateAt } from './history.js';
import type { Sandbox } from './sandbox.js';
import type { Seed } from './seed.js';
import type { Storage } from './storage.js';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Steps in a path. */
const DOTS = /^\.+$/;
/** Maximum number of names of closed sandboxes that are stored. */
export const MAX_CLOSED_NAMES = 100_000;

const OWNER = /^.{1,100}$/su;
/** Who a sandbox is for. */
export const Owner = Type.String({
  minLength: 1,
  maxLength: 100,
  expected: '1 to 100 characters',
  description: 'Who a new sandbox is for, such as a CI job or a person. One that exists keeps its owner',
});

/** A sandbox with its use. */
export const SandboxRecord = record('SandboxUse', {
  name: Type.String(),
  url: Url,
  owner: Type.Union([Type.String(), Type.Null()], { description: 'Who it is for; null for none' }),
  createdAt: Timestamp,
  lastUse: Timestamp,
  expiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When it expires unless it is used before; null for never',
  }),
  requests: Type.Integer({ description: 'Number of requests to the API since its start or last reset' }),
  journalSize: Type.Integer({ description: 'Bytes of the paths, headers and bodies in its journal' }),
  kept: Type.Boolean({ description: 'Whether the data folder keeps it when the emulator ends' }),
});
export type SandboxRecord = Static<typeof SandboxRecord>;

interface SandboxesOptions {
  /** Maximum number of named sandboxes. */
  readonly limit: number;
  /** Milliseconds after which an idle sandbox expires; 0 for never. If set, the longest idle one makes room at the limit. */
  readonly idle: number;
  /** The time of the machine. */
  readonly systemTime: () => Instant;
  /** Keeps sandboxes when the emulator ends. Undefined without a data folder. */
  readonly storage?: Omit<Storage, 'path' | 'saved' | 'run'> | undefined;
}

export interface OpenOptions {
  /** Whether the data folder keeps it from now on. Default: false */
  readonly keep?: boolean | undefined;
  /** Who it is for, such as a CI job: 1 to 100 characters. A sandbox that exists keeps its owner. */
  readonly owner?: string | undefined;
}

/** Creates a sandbox. By default, it has the seed of the default sandbox, and the state of its seed. */
type CreateSandbox<S> = (name: string, seed?: Seed, contents?: Contents<State>) => S;

/** The default sandbox and the named ones. */
export class Sandboxes<S extends Sandbox> {
  /** The sandbox of requests that name none. */
  readonly default: S;
  readonly #named = new Map<string, S>();
  /** The names of closed sandboxes, each with the reason. */
  readonly #closed = new Map<string, string>();
  readonly #create: CreateSandbox<S>;
  readonly #options: SandboxesOptions;
  #count = 0;
  /** No sandbox expires before this time. */
  #nextExpiry = 0;

  constructor(defaultSandbox: S, create: CreateSandbox<S>, options: SandboxesOptions) {
    this.default = defaultSandbox;
    this.#create = create;
    this.#options = options;
  }

  get all(): readonly S[] {
    this.#closeExpired();
    return [...this.#named.values()];
  }

  /**
   * Finds the sandbox of a request, or makes one that lasts once the request is accepted ({@link add}).
   * @throws ApiError 404 for one that was closed, 400 for an invalid name, 503 when the limit is reached
   */
  resolve(name: string): S {
    this.#options.storage?.use?.(name);
    this.#closeExpired();
    const reason = this.#closed.get(name);
    if (reason !== undefined) throw sandboxClosed(name, reason);
    return this.#named.get(name) ?? this.#make(name);
  }

  /** Whether a sandbox lasts. */
  has(sandbox: Sandbox): boolean {
    return sandbox === this.default || this.#named.get(sandbox.name) === sandbox;
  }

  /** Makes the sandbox of a request last. */
  add(sandbox: S): void {
    if (sandbox.name === '' || sandbox.closed !== undefined || this.#named.has(sandbox.name)) return;
    this.#makeRoom();
    this.#options.storage?.add(sandbox);
    this.#named.set(sandbox.name, sandbox);
  }

  /**
   * Finds a sandbox, or creates it.
   * @param name default: a new one
   * @throws ApiError 400 for an invalid name, 503 when the limit is reached
   * @throws OptionsError for `keep` without a data folder, and for an invalid owner
   */
  open(name: string = this.newName(), { keep = false, owner }: OpenOptions = {}): S {
    const { storage } = this.#options;
    if (keep && !storage) {
      const message = 'there is no data folder; start the emulator with --data, or the option data.';
      throw new OptionsError([{ path: 'keep', message }]);
    }
    if (keep) this.#assertWritable();
    assertOwner(owner);
    this.#closeExpired();
    const sandbox = this.#named.get(name) ?? this.#make(name, owner);
    this.add(sandbox);
    this.#closed.delete(name);
    if (keep && !sandbox.isKept) {
      storage?.keep(sandbox);
    }
    return sandbox;
  }

  /** Shows what another process has made, or has kept. @param closed why there is none of this name; undefined if there never was */
  show(name: string, sandbox: S | undefined, closed?: string): void {
    this.#closed.delete(name);
    if (sandbox) {
      sandbox.closed = undefined;
      this.#named.set(name, sandbox);
      return;
    }
    const gone = this.#named.get(name);
    if (gone) gone.closed = closed ?? '';
    this.#named.delete(name);
    if (closed !== undefined) this.#markClosed(name, closed);
  }

  /**
   * Creates a sandbox with a state of another one and its seed. Its journal and history are empty. O(1).
   * @param name default: a new one
   * @param at a commit of the source, or `start`; default: its current state
   * @throws OptionsError when a sandbox has this name, and for an invalid owner
   * @throws NotFoundError for an unknown commit
   * @throws ApiError 400 for an invalid name, 503 when the limit is reached
   */
  fork(source: Sandbox, name: string = this.newName(source.name || 'fork'), at?: string, owner?: string): S {
    assertOwner(owner);
    const { state } = getStateAt(source.store, at);
    this.#closeExpired();
    if (this.#named.has(name)) {
      const message = `there is a sandbox ${JSON.stringify(name)} already; expected a new name, or none for a generated one.`;
      throw new OptionsError([{ path: 'name', message }]);
    }
    const sandbox = this.#make(name, owner, source.seed, initialContents(state));
    this.add(sandbox);
    this.#closed.delete(name);
    return sandbox;
  }

  #make(name: string, owner?: string, seed?: Seed, contents?: Contents<State>): S {
    if (!NAME.test(name) || DOTS.test(name)) {
      throw badRequest(`Invalid sandbox name ${JSON.stringify(name)}: use 1–64 of A–Z a–z 0–9 . _ -, not only dots`);
    }
    const { limit, idle } = this.#options;
    if (this.#named.size >= limit && (idle === 0 || limit === 0)) {
      throw new ApiError(503, `Sandbox limit reached (maxSandboxes: ${limit}). Close a sandbox or raise the limit.`);
    }
    const sandbox = this.#create(name, seed, contents);
    sandbox.owner = owner ?? null;
    return sandbox;
  }

  /** Closes the sandboxes that expired. There is no timer: they expire when sandboxes are found, opened or listed. */
  #closeExpired(): void {
    const { idle, systemTime } = this.#options;
    const now = systemTime();
    if (idle === 0 || now < this.#nextExpiry || this.#options.storage?.isIdle) return;
    let oldest = now;
    for (const sandbox of this.#named.values()) {
      if (sandbox.isKept) continue;
      if (now - sandbox.lastUse >= idle) this.close(sandbox, 'it expired, since it was idle for too long');
      else oldest = Math.min(oldest, sandbox.lastUse);
    }
    this.#nextExpiry = oldest + idle;
  }

  /** At the limit, closes the sandbox that was idle for the longest time. */
  #makeRoom(): void {
    if (this.#named.size < this.#options.limit) return;
    const [first, ...others] = [...this.#named.values()].filter(({ isKept }) => !isKept);
    if (!first) return;
    const idlest = others.reduce((least, sandbox) => (sandbox.lastUse < least.lastUse ? sandbox : least), first);
    this.close(idlest, 'it was idle the longest when the limit of sandboxes was reached');
  }

  /** Lists the named sandboxes with their use. @param origin base URL of the emulator */
  list(origin: string): SandboxRecord[] {
    return this.all.map((sandbox) => toSandboxRecord(sandbox, origin, this.#options.idle));
  }

  find(name: string): S | undefined {
    return this.#named.get(name);
  }

  /** Closes a sandbox: late requests do not create it again. */
  close(sandbox: Sandbox, reason = ''): void {
    if (this.#named.get(sandbox.name) !== sandbox) return;
    if (sandbox.isKept) this.#assertWritable();
    this.#options.storage?.drop(sandbox, reason);
    this.#named.delete(sandbox.name);
    sandbox.closed = reason;
    sandbox.observed.journal.drop();
    this.#markClosed(sandbox.name, reason);
  }

  #markClosed(name: string, reason: string): void {
    this.#closed.set(name, reason);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > MAX_CLOSED_NAMES && oldest !== undefined) this.#closed.delete(oldest);
  }

  /** @throws Error when the data folder can no longer be written to */
  #assertWritable(): void {
    const failure = this.#options.storage?.failure;
    if (failure) throw failure;
  }

  /** Closes the sandboxes whose name begins with a prefix, and counts them. */
  closeAll(prefix = ''): number {
    const closing = this.all.filter(({ name }) => name.startsWith(prefix));
    for (const sandbox of closing) this.close(sandbox);
    return closing.length;
  }

  /** Returns a name that no sandbox has or had. @param title of a test: any text */
  newName(title = 'sandbox'): string {
    for (;;) {
      const name = toSandboxName(title, ++this.#count);
      if (!this.#named.has(name) && !this.#closed.has(name)) return name;
    }
  }
}

/** @param reason why it was closed; empty for a close on purpose */
export function sandboxClosed(name: string, reason: string): ApiError {
  const because = reason === '' ? '' : `: ${reason}`;
  return new ApiError(
    404,
    `Sandbox ${JSON.stringify(name)} is closed${because}. Create it again, or use another name.`,
  );
}

/** Returns a unique sandbox name for a test: `lists-the-runs-17`. */
export function toSandboxName(title: string, number: number): string {
  const words = title.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${words.slice(0, 64 - String(number).length - 1)}-${number}`.replace(/^-/, '');
}

/** @throws OptionsError */
function assertOwner(owner: string | undefined): void {
  if (owner === undefined || OWNER.test(owner)) return;
  throw new OptionsError([{ path: 'owner', message: `found ${formatValue(owner)}; expected 1 to 100 characters.` }]);
}

/** @param idle milliseconds after which an idle sandbox expires; 0 for never */
function toSandboxRecord(sandbox: Sandbox, origin: string, idle: number): SandboxRecord {
  const { name, owner, createdAt, lastUse, observed, isKept: kept } = sandbox;
  const { count: requests, size: journalSize } = observed.journal;
  return {
    name,
    url: sandboxUrl(origin, name),
    owner,
    createdAt: toTimestamp(createdAt),
    lastUse: toTimestamp(lastUse),
    expiresAt: idle === 0 || kept ? null : toTimestamp(lastUse + idle),
    requests,
    journalSize,
    kept,
  };
}

export const sandboxUrl = (origin: string, name: string): string =>
  name === '' ? origin : `${origin}/_sandbox/${name}`;
