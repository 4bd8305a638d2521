import { createHash } from 'node:crypto';
import type { Exchange } from '#engine/journal/exchange.js';
import { describeChange, describeSandbox, describeSeed } from '#engine/persistence/describe.js';
import type { Line } from '#engine/persistence/lines.js';
import type { Replay, StoredSeed } from '#engine/persistence/replay.js';
import { toStoredRequest } from '#engine/persistence/requests.js';
import type { SandboxChange, SeedData } from '#engine/persistence/storage.js';
import type { Sandbox } from '#engine/sandbox/sandbox.js';
import type { State } from '#engine/state/state.js';

/** What one request has used and changed. */
export class Capture {
  /** The names of the sandboxes that it has used. */
  readonly used = new Set<string>();
  readonly changed = new Set<string>();
  /** Whether it has reset the default sandbox first of all: what that was before makes no difference. */
  isReset = false;
  readonly lines: Line[] = [];
  /** The exchanges that it has recorded, in the order of their lines. */
  readonly recorded: Exchange[] = [];
  /** The names of the sandboxes that it has opened, and what became of them before it was undone. */
  readonly opened = new Set<string>();
  readonly created = new Map<string, Sandbox>();

  /** Adds what another request has done after this one. */
  add(other: Capture): void {
    if (!this.used.has('')) this.isReset = other.isReset;
    for (const name of other.used) this.used.add(name);
    for (const name of other.changed) this.changed.add(name);
    for (const name of other.opened) this.opened.add(name);
    this.lines.push(...other.lines);
    this.recorded.push(...other.recorded);
  }

  overlaps({ used }: Capture): boolean {
    for (const name of used) if (this.used.has(name)) return true;
    return false;
  }
}

/** Describes what requests do with sandboxes, by lines for a shared log. */
export class Recorder {
  readonly #getCapture: () => Capture;
  readonly #getReplay: () => Replay;
  readonly #seeds = new WeakMap<State, StoredSeed>();

  /**
   * @param getCapture of the request that runs; throws if none does
   * @param getReplay what the log has
   */
  constructor(getCapture: () => Capture, getReplay: () => Replay) {
    this.#getCapture = getCapture;
    this.#getReplay = getReplay;
  }

  /** Remembers the id of seed data. */
  learnSeed(stored: StoredSeed): void {
    this.#seeds.set(stored.state, stored);
  }

  addRequest(exchange: Exchange): void {
    const { sandbox } = exchange;
    const capture = this.#getCapture();
    capture.used.add(sandbox);
    capture.lines.push({ type: 'request', sandbox, request: toStoredRequest(exchange) });
    capture.recorded.push(exchange);
  }

  addChange(name: string, change: SandboxChange): void {
    const capture = this.#getCapture();
    const isFirst = !capture.changed.has(name);
    capture.used.add(name);
    capture.changed.add(name);
    switch (change.type) {
      case 'open': {
        const { seed, contents, origin = { createdAt: 0, owner: null } } = change.sandbox;
        const stored = this.#describeSeed(capture, seed);
        capture.opened.add(name);
        capture.lines.push(...describeSandbox(name, { seed: stored, contents }));
        const counts = { requests: 0, ...origin, lastUse: origin.createdAt };
        capture.lines.push({ type: 'counts', sandbox: name, ...counts });
        return;
      }
      case 'contents': {
        const { change: made, before, seed } = change;
        const isReset = made.type === 'reset';
        if (isReset && name === '' && isFirst) capture.isReset = true;
        const stored = isReset ? this.#describeSeed(capture, seed) : (this.#seeds.get(seed.state) ?? nameSeed(seed));
        capture.lines.push(...describeChange(name, stored, made, before));
        if (isReset) this.#releaseSeed(capture, name, stored);
        return;
      }
      case 'reseed': {
        const stored = this.#describeSeed(capture, change.seed);
        capture.lines.push({ type: 'reseed', sandbox: name, seed: stored.id });
        this.#releaseSeed(capture, name, stored);
        return;
      }
      case 'clear':
        capture.lines.push({ type: 'clear', sandbox: name, isReset: change.isReset });
        return;
      case 'close':
        capture.lines.push({ type: 'close', sandbox: name, reason: change.reason });
        this.#releaseSeed(capture, name);
        return;
    }
  }

  /** Describes seed data that the log lacks. They are named by a hash of their content. */
  #describeSeed(capture: Capture, seed: SeedData): StoredSeed {
    const replay = this.#getReplay();
    const stored = this.#seeds.get(seed.state) ?? nameSeed(seed);
    this.#seeds.set(seed.state, stored);
    const key = seedKey(stored.id);
    const isKnown = replay.hasSeed(stored.id);
    capture.used.add(key);
    if (isKnown) return replay.getSeed(stored.id);
    if (!capture.changed.has(key)) capture.lines.push(...describeSeed(stored));
    capture.changed.add(key);
    return stored;
  }

  /** Lets all nodes drop the seed data of a sandbox, if no other one is reset to them. */
  #releaseSeed(capture: Capture, name: string, next?: StoredSeed): void {
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
  const stored = { ...seed, id: '' };
  const hash = createHash('sha256');
  for (const line of describeSeed(stored)) if ('changes' in line) hash.update(JSON.stringify(line.changes));
  return { ...stored, id: hash.digest('hex').slice(0, 16) };
}
