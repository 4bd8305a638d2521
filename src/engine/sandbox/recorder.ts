import type { Exchange } from '../journal/exchange.js';
import type { ListSandboxes, SeedData, Storage, StoredSandbox } from '../persistence/storage.js';
import type { Sandbox } from './sandbox.js';
import type { Seed } from './seed.js';

export class SandboxRecorder {
  readonly storage: Storage;
  readonly #list: () => readonly Sandbox[];

  /** @param list returns all sandboxes */
  constructor(storage: Storage, list: () => readonly Sandbox[]) {
    this.storage = storage;
    this.#list = list;
  }

  begin(): Promise<void> {
    return this.storage.compact(this.#describe);
  }

  /** Stores a sandbox, and its changes from now on. */
  open(sandbox: Sandbox): void {
    void this.storage.append(sandbox.name, { type: 'open', sandbox: describe(sandbox) });
    this.record(sandbox);
  }

  /** Stores the changes of a sandbox from now on. */
  record(sandbox: Sandbox): void {
    const { storage } = this;
    if (sandbox.store.isRecorded) return;
    sandbox.meta = { ...sandbox.meta, kept: !storage.keepsAll };
    sandbox.store.recordBy({
      get failure() {
        return storage.failure;
      },
      record: (change, before, isUrgent) => {
        const seed = toSeedData(sandbox.meta.seed);
        const saved = storage.append(sandbox.name, { type: 'contents', change, before, seed, isUrgent });
        if (storage.isLarge) saved?.then(this.#compact, () => {});
        return saved;
      },
    });
  }

  /** Stores that a reset of a sandbox goes back to other seed data. */
  reseed({ name, meta, store }: Sandbox): void {
    if (store.isRecorded) void this.storage.append(name, { type: 'reseed', seed: toSeedData(meta.seed) });
  }

  close({ name, store }: Sandbox, reason: string): void {
    if (store.isRecorded) void this.storage.append(name, { type: 'close', reason });
    store.recordBy(undefined);
  }

  ended(exchange: Exchange): void {
    this.storage.ended?.(exchange);
    this.#compact();
  }

  /** Lets the storage write what it has in a shorter form, if it has grown. */
  readonly #compact = (): void => {
    if (this.storage.isLarge) void this.storage.compact(this.#describe);
  };

  readonly #describe: ListSandboxes = (countSurplus) => {
    const recorded = this.#list().filter(({ store }) => store.isRecorded);
    for (const { store } of recorded) store.forget(countSurplus?.(store.contents) ?? 0);
    return recorded.map(describe);
  };
}

const toSeedData = (seed: Seed): SeedData => ({ info: seed.info, state: seed.getState() });

function describe({ name, meta, store, journal }: Sandbox): StoredSandbox {
  // The default sandbox has no age, and no owner.
  const origin = name === '' ? undefined : meta.origin;
  return { name, seed: toSeedData(meta.seed), contents: store.contents, origin, exchanges: journal.exchanges };
}
