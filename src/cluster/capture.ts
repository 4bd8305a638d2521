import { createHash } from 'node:crypto';
import type { Exchange } from '../journal/exchange.js';
import { toStoredRequest } from '../journal/session.js';
import type { State } from '../model/state.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Line } from '../storage/lines.js';
import type { SeedData } from '../storage/recorder.js';
import { describeChange, describeSandbox, describeSeed, type Replay, type StoredSeed } from '../storage/replay.js';
import type { Change, Contents } from '../store/store.js';

/** What one request has used and changed. */
export class Capture<S extends Sandbox> {
  /** The names of the sandboxes that it has used. */
  readonly used = new Set<string>();
  readonly changed = new Set<string>();
  /** Whether it has reset the default sandbox first of all: what that was before makes no difference. */
  isReset = false;
  readonly lines: Line[] = [];
  /** The exchanges that it has recorded, in the order of their lines. */
  readonly recorded: Exchange[] = [];
  /** The sandboxes that it has created. */
  readonly created = new Map<string, S>();

  /** Adds what another request has done after this one. */
  add(other: Capture<S>): void {
    if (!this.used.has('')) this.isReset = other.isReset;
    for (const name of other.used) this.used.add(name);
    for (const name of other.changed) this.changed.add(name);
    for (const [name, sandbox] of other.created) this.created.set(name, sandbox);
    this.lines.push(...other.lines);
    this.recorded.push(...other.recorded);
  }

  overlaps({ used }: Capture<S>): boolean {
    for (const name of used) if (this.used.has(name)) return true;
    return false;
  }
}

/** Describes what requests do with sandboxes, by lines for a shared log. */
export class Recorder<S extends Sandbox> {
  readonly #getCapture: () => Capture<S>;
  readonly #getReplay: () => Replay;
  readonly #seeds = new WeakMap<SeedData, StoredSeed>();

  /**
   * @param getCapture of the request that runs; throws if none does
   * @param getReplay what the log has
   */
  constructor(getCapture: () => Capture<S>, getReplay: () => Replay) {
    this.#getCapture = getCapture;
    this.#getReplay = getReplay;
  }

  /** Remembers which stored seed data the seed of a sandbox is. */
  learnSeed(seed: SeedData, stored: StoredSeed): void {
    this.#seeds.set(seed, stored);
  }

  /** Describes all changes of a sandbox from now on. */
  follow(sandbox: S): void {
    const { name, observed } = sandbox;
    observed.store.recordBy({
      failure: undefined,
      record: (change, before) => this.#recordChange(sandbox, change, before),
    });
    const journal = {
      recorded: (exchange: Exchange) => {
        const capture = this.#capture(name);
        capture.lines.push({ type: 'request', sandbox: name, request: toStoredRequest(exchange) });
        capture.recorded.push(exchange);
      },
      cleared: (isReset: boolean) => {
        const capture = this.#capture(name);
        capture.changed.add(name);
        capture.lines.push({ type: 'clear', sandbox: name, isReset });
      },
    };
    observed.journal.follow(journal, true);
  }

  /** Describes a new sandbox. */
  create(sandbox: S): void {
    const { name, seed, createdAt, lastUse, owner, observed } = sandbox;
    const capture = this.#capture(name);
    capture.changed.add(name);
    capture.created.set(name, sandbox);
    const stored = this.#describeSeed(capture, seed);
    capture.lines.push(...describeSandbox(name, { seed: stored, contents: observed.store.contents }));
    capture.lines.push({ type: 'counts', sandbox: name, requests: 0, updates: 0, createdAt, lastUse, owner });
    this.follow(sandbox);
  }

  /** Describes that a sandbox was closed. */
  close({ name }: Sandbox, reason: string): void {
    const capture = this.#capture(name);
    capture.changed.add(name);
    capture.lines.push({ type: 'close', sandbox: name, reason });
    this.#releaseSeed(capture, name);
  }

  /** Describes that a reset of a sandbox goes back to other seed data. */
  reseed({ name, seed }: Sandbox): void {
    const capture = this.#capture(name);
    const stored = this.#describeSeed(capture, seed);
    capture.changed.add(name);
    capture.lines.push({ type: 'reseed', sandbox: name, seed: stored.id });
    this.#releaseSeed(capture, name, stored);
  }

  #capture(name: string): Capture<S> {
    const capture = this.#getCapture();
    capture.used.add(name);
    return capture;
  }

  #recordChange({ name, seed }: S, change: Change<State>, before: Contents<State>): undefined {
    const capture = this.#capture(name);
    const isReset = change.type === 'reset';
    if (isReset && name === '' && !capture.changed.has(name)) capture.isReset = true;
    capture.changed.add(name);
    const stored = isReset ? this.#describeSeed(capture, seed) : (this.#seeds.get(seed) ?? nameSeed(seed));
    capture.lines.push(...describeChange(name, stored, change, before));
    if (isReset) this.#releaseSeed(capture, name, stored);
  }

  /** Describes seed data that the log lacks. They are named by a hash of their content. */
  #describeSeed(capture: Capture<S>, seed: SeedData): StoredSeed {
    const replay = this.#getReplay();
    const stored = this.#seeds.get(seed) ?? nameSeed(seed);
    this.#seeds.set(seed, stored);
    const key = seedKey(stored.id);
    const isKnown = replay.hasSeed(stored.id);
    capture.used.add(key);
    if (isKnown) return replay.getSeed(stored.id);
    if (!capture.changed.has(key)) capture.lines.push(...describeSeed(stored));
    capture.changed.add(key);
    return stored;
  }

  /** Lets all nodes drop the seed data of a sandbox, if no other one is reset to them. */
  #releaseSeed(capture: Capture<S>, name: string, next?: StoredSeed): void {
    const replay = this.#getReplay();
    const id = replay.sandboxes.get(name)?.seed.id;
    if (id === undefined || id === next?.id || replay.isSeedUsed(id, name)) return;
    capture.used.add(seedKey(id));
    capture.changed.add(seedKey(id));
  }
}

/** Under this name, a seed has a version as sandboxes have: no sandbox has a colon in its name. */
const seedKey = (id: string): string => `seed:${id}`;

/** Returns the id of a seed, undefined for the name of a sandbox. */
export const seedOfKey = (name: string): string | undefined =>
  name.startsWith('seed:') ? name.slice('seed:'.length) : undefined;

/** Names seed data by a hash of their records: two nodes that load the same have one seed. */
export function nameSeed(seed: SeedData): StoredSeed {
  const stored = { id: '', info: seed.info, state: seed.getState() };
  const hash = createHash('sha256');
  for (const line of describeSeed(stored)) if ('changes' in line) hash.update(JSON.stringify(line.changes));
  return { ...stored, id: hash.digest('hex').slice(0, 16) };
}
