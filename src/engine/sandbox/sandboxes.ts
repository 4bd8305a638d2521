import type { FixtureModule, FixtureSource } from '../fixtures/source.js';
import type { Exchange, Listener } from '../journal/exchange.js';
import { ApiError, OptionsError } from '../lib/errors.js';
import { initialContents } from '../store/store.js';
import { ClosedNames, noSandbox, sandboxClosed } from './closed-names.js';
import * as lateHistory from './history-entries.js';
import { assertSandboxName, toSandboxName } from './names.js';
import { SandboxRecorder } from './recorder.js';
import type { Replaced } from './replacement.js';
import { Sandbox, type SandboxDeps, type SandboxHost, type SandboxInit, type SandboxOf } from './sandbox.js';
import type { SandboxRecord } from './sandbox-record.js';
import * as lateRecord from './sandbox-record.js';
import { StoredBytes } from './stored-bytes.js';
import type { SandboxTypes } from './types.js';

const IDLE = 'it expired, since it was idle for too long';
const OUTLIVED = 'it expired, since its time to live is over';

interface SandboxesOptions<T extends SandboxTypes> extends Omit<SandboxDeps, 'storedBytes' | 'findSandbox'> {
  readonly extendSandbox: (sandbox: Sandbox) => T['members'];
  /** Maximum number of named sandboxes. */
  readonly limit: number;
  /** Milliseconds after which an idle sandbox expires; 0 for never. If set, the longest idle one makes room at the limit. */
  readonly idle: number;
  readonly url: () => string;
  readonly createFetch: SandboxHost['createFetch'];
  readonly makeTest: SandboxHost['makeTest'];
}

export interface OpenOptions {
  /** Whether the data folder keeps it from now on. Default: false */
  readonly keep?: boolean | undefined;
  /** Who it is for, such as a CI job: 1 to 100 characters. A sandbox that exists keeps its owner. */
  readonly owner?: string | undefined;
}

export class Sandboxes<T extends SandboxTypes = SandboxTypes> implements Listener {
  /** What each sandbox is created with. */
  readonly host: SandboxHost<T>;
  #default: SandboxOf<T> | undefined;
  readonly #named = new Map<string, SandboxOf<T>>();
  readonly #closed = new ClosedNames();
  /** Bounds the bytes of blobs and attachments. */
  readonly storedBytes = new StoredBytes(() => (this.#default ? [this.#default, ...this.#named.values()] : []));
  readonly #options: SandboxesOptions<T>;
  readonly #recorder: SandboxRecorder | undefined;
  #count = 0;
  /** No sandbox expires before this time. */
  #nextExpiry = 0;

  constructor(options: SandboxesOptions<T>) {
    const { storage } = options;
    this.#options = options;
    this.#recorder = storage && new SandboxRecorder(storage, () => [this.default, ...this.#named.values()]);
    this.host = {
      ...options,
      storedBytes: this.storedBytes,
      findSandbox: (name) => {
        this.#closeExpired();
        return this.#find(name);
      },
      touch: (sandbox) => this.touch(sandbox),
      fork: (source, name, at, owner) => this.fork(source, name, at, owner),
      close: (sandbox) => this.close(sandbox),
    };
  }

  /** The sandbox of requests that name none. */
  get default(): SandboxOf<T> {
    if (!this.#default) throw new RangeError('the default sandbox does not exist yet');
    return this.#default;
  }

  /**
   * Continues with what the storage has, or begins it with the default sandbox.
   * @param stored the other sandboxes that it has. Undefined if it has none, not even the default one
   */
  async begin(first: SandboxOf<T>, stored: readonly SandboxInit[] | undefined): Promise<void> {
    this.#default = first;
    this.#recorder?.record(first);
    for (const init of stored ?? []) this.show(init.name, this.create(init));
    if (!stored) await this.#recorder?.begin();
  }

  /** Adds a request to the journal of its sandbox, if that lasts. */
  record(sandbox: Sandbox, exchange: Exchange): void {
    if (sandbox !== this.#default && this.#named.get(sandbox.name) !== sandbox) return;
    sandbox.journal.record(exchange);
    this.#options.storage?.responded?.(exchange);
  }

  /** Stores a request that is in its journal. */
  ended(exchange: Exchange): void {
    if (this.#recorder && this.#find(exchange.sandbox)?.journal.has(exchange)) this.#recorder.ended(exchange);
  }

  #find(name: string): SandboxOf<T> | undefined {
    return name === '' ? this.#default : this.#named.get(name);
  }

  /**
   * Reseeds the default sandbox. Other sandboxes keep their data; those that began with the same seed reset to the new one.
   * @param undo name of the snapshot of a state to which something was written. Default: none is taken
   * @throws FixtureError; nothing has changed then
   */
  reload(fixtures: FixtureSource | FixtureModule, undo?: string): Replaced {
    const { seed } = this.default.meta;
    const followers = this.all.filter(({ meta }) => meta.seed === seed);
    const next = this.host.loader.openAgain(fixtures);
    const replaced = this.default.act(() => {
      if (undo !== undefined && this.default.store.commits > 0) this.default.snapshot(undo);
      return this.default.resetTo(next);
    });
    for (const follower of followers) {
      follower.meta = { ...follower.meta, seed: next, start: next.current };
      this.#recorder?.reseed(follower);
    }
    return replaced;
  }

  get all(): readonly SandboxOf<T>[] {
    this.#closeExpired();
    return [...this.#named.values()];
  }

  /**
   * Finds the sandbox of a request, or makes one that lasts once the request is accepted ({@link add}).
   * @param fetching the one whose `fetch` was called
   * @throws ApiError 404 for one that was closed, 400 for an invalid name, 503 when the limit is reached
   */
  resolve(name: string | undefined, fetching?: SandboxOf<T>): SandboxOf<T> {
    if (name === undefined) return fetching ?? this.default;
    this.#closeExpired();
    const reason = this.#closed.get(name);
    if (reason !== undefined) throw sandboxClosed(name, reason);
    return this.#named.get(name) ?? this.#make(name);
  }

  /** Remembers a use: a request, or a method call. */
  touch(sandbox: Sandbox): void {
    const lastUse = this.#options.systemTime();
    if (lastUse !== sandbox.meta.lastUse) sandbox.meta = { ...sandbox.meta, lastUse };
  }

  /** Makes the sandbox of a request last. */
  add(sandbox: SandboxOf<T>): void {
    if (sandbox.name === '' || sandbox.meta.closed !== undefined || this.#named.has(sandbox.name)) return;
    this.#makeRoom();
    if (this.#options.storage?.keepsAll) this.#recorder?.open(sandbox);
    this.#named.set(sandbox.name, sandbox);
    this.#nextExpiry = Math.min(this.#nextExpiry, sandbox.meta.expiresAt ?? this.#nextExpiry);
  }

  /**
   * Finds a sandbox, or creates it.
   * @param name default: a new one
   * @throws ApiError 400 for an invalid name, 503 when the limit is reached
   * @throws OptionsError for `keep` without a data folder, and for an invalid owner
   */
  open(name: string = this.newName(), { keep = false, owner }: OpenOptions = {}): SandboxOf<T> {
    const { storage } = this.#options;
    if (keep && !storage) {
      const message = 'the emulator has no data folder: start it with --data, or the option data.';
      throw new OptionsError([{ path: 'keep', message }]);
    }
    if (keep) this.#assertWritable();
    lateRecord.assertOwner(owner);
    this.#closeExpired();
    const sandbox = this.#named.get(name) ?? this.#make(name, owner);
    this.add(sandbox);
    this.#closed.delete(name);
    if (keep && !sandbox.store.isRecorded) this.#recorder?.open(sandbox);
    return sandbox;
  }

  /** Adds or replaces a sandbox of another process, or of the storage. @param closed why it was closed; undefined for a sandbox that is open or never existed */
  show(name: string, sandbox: SandboxOf<T> | undefined, closed?: string): void {
    this.#closed.delete(name);
    if (sandbox) {
      sandbox.meta = { ...sandbox.meta, closed: undefined };
      this.#named.set(name, sandbox);
      this.#recorder?.record(sandbox);
      return;
    }
    const gone = this.#named.get(name);
    if (gone) gone.meta = { ...gone.meta, closed: closed ?? '' };
    this.#named.delete(name);
    if (closed !== undefined) this.#closed.add(name, closed);
  }

  /**
   * Creates a sandbox with a state of another one and its seed. Its journal and history are empty. O(1).
   * @param name default: a new one
   * @param at a commit of the source, or `start`; default: its current state
   * @throws OptionsError when a sandbox has this name, and for an invalid owner
   * @throws NotFoundError for an unknown commit
   * @throws ApiError 400 for an invalid name, 503 when the limit is reached
   */
  fork(source: Sandbox, name: string = this.newName(source.name || 'fork'), at?: string, owner?: string): SandboxOf<T> {
    const { state, commit } = lateHistory.getStateAt(source.store, at);
    const origin = { forkedFrom: { sandbox: source.name, commit } };
    const { seed, start } = source.meta;
    return this.openNew({ name, seed, start, contents: initialContents(state), origin }, owner);
  }

  /** Creates a sandbox with separate seed data, or of a session. @throws OptionsError and ApiError as {@link fork} does */
  openNew(init: SandboxInit, owner?: string): SandboxOf<T> {
    lateRecord.assertOwner(owner);
    this.#closeExpired();
    const { name } = init;
    if (this.#named.has(name)) {
      const message = `there is a sandbox ${JSON.stringify(name)} already; expected a new name, or none for a generated one.`;
      throw new OptionsError([{ path: 'name', message }]);
    }
    const sandbox = this.#make(name, owner, init);
    this.add(sandbox);
    this.#closed.delete(name);
    return sandbox;
  }

  /** Creates a sandbox that is not one of these yet. */
  create(init: SandboxInit): SandboxOf<T> {
    const sandbox = new Sandbox<T>(init, this.host);
    return Object.assign(sandbox, this.#options.extendSandbox(sandbox));
  }

  #make(name: string, owner: string | null = null, init?: SandboxInit): SandboxOf<T> {
    assertSandboxName(name);
    const { limit, idle } = this.#options;
    if (this.#named.size >= limit && (idle === 0 || limit === 0)) {
      throw new ApiError(503, `Sandbox limit reached (maxSandboxes: ${limit}). Close a sandbox or raise the limit.`);
    }
    const origin = { forkedFrom: init?.origin?.forkedFrom, owner };
    return this.create({ seed: this.default.meta.seed, ...init, name, origin });
  }

  /** Closes the sandboxes that expired. There is no timer: they expire when sandboxes are found, opened or listed. */
  #closeExpired(): void {
    const { idle, systemTime } = this.#options;
    const now = systemTime();
    if (now < this.#nextExpiry || this.#options.storage?.isPaused) return;
    let next = idle === 0 ? Number.POSITIVE_INFINITY : now + idle;
    for (const sandbox of this.#named.values()) {
      const expiry = lateRecord.findExpiry(sandbox, idle);
      if (now < expiry) next = Math.min(next, expiry);
      else this.close(sandbox, expiry === sandbox.meta.expiresAt ? OUTLIVED : IDLE);
    }
    this.#nextExpiry = next;
  }

  /** @throws ApiError 503 if so many more sandboxes have no room */
  assertRoom(count: number): void {
    this.#closeExpired();
    const { limit } = this.#options;
    const { size } = this.#named;
    if (size + count <= limit) return;
    const problem = `Sandbox limit reached (maxSandboxes: ${limit}): ${size} are open, and ${count} more do not fit`;
    throw new ApiError(503, `${problem}. Close some, open fewer, or raise the limit.`);
  }

  /** At the limit, closes the sandbox that was idle for the longest time. */
  #makeRoom(): void {
    if (this.#named.size < this.#options.limit) return;
    const [first, ...others] = [...this.#named.values()].filter(({ meta }) => !meta.kept);
    if (!first) return;
    const idlest = others.reduce(
      (least, sandbox) => (sandbox.meta.lastUse < least.meta.lastUse ? sandbox : least),
      first,
    );
    this.close(idlest, 'it was idle the longest when the limit of sandboxes was reached');
  }

  /** Lists the named sandboxes with their use. @param origin base URL of the emulator */
  list(origin: string): SandboxRecord[] {
    return this.all.map((sandbox) => lateRecord.toSandboxRecord(sandbox, origin, this.#options.idle));
  }

  find(name: string): SandboxOf<T> | undefined {
    return this.#named.get(name);
  }

  /** @throws NotFoundError for a sandbox that is not open, with the reason if it was closed */
  get(name: string): SandboxOf<T> {
    this.#closeExpired();
    const sandbox = this.find(name);
    if (!sandbox) throw noSandbox(name, this.#closed.get(name));
    return sandbox;
  }

  /** Returns why a sandbox was closed; empty for a close on purpose, undefined for one that is open or never existed. */
  whyClosed(name: string): string | undefined {
    this.#closeExpired();
    return this.#closed.get(name);
  }

  /** Closes a sandbox: late requests do not create it again. */
  close(sandbox: Sandbox, reason = ''): void {
    if (this.#named.get(sandbox.name) !== sandbox) return;
    if (sandbox.meta.kept) this.#assertWritable();
    this.#recorder?.close(sandbox, reason);
    this.#named.delete(sandbox.name);
    sandbox.meta = { ...sandbox.meta, closed: reason };
    // A storage of all sandboxes may take the close back.
    if (!this.#options.storage?.keepsAll) sandbox.journal.clear();
    this.#closed.add(sandbox.name, reason);
  }

  /** @throws Error when the data folder can no longer be written to */
  #assertWritable(): void {
    const failure = this.#options.storage?.failure;
    if (failure) throw failure;
  }

  /** The named sandboxes whose name begins with a prefix. @param prefix default: all */
  withPrefix(prefix = ''): readonly SandboxOf<T>[] {
    return this.all.filter(({ name }) => name.startsWith(prefix));
  }

  /** Closes the sandboxes whose name begins with a prefix, and counts them. */
  closeAll(prefix = ''): number {
    const closing = this.withPrefix(prefix);
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
