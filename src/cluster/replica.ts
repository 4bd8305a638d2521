import type { Definitions } from '#engine/definition/definitions.js';
import { type Exchange, namesCommit } from '#engine/journal/exchange.js';
import { DataError, reasonFor } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { describeSandbox, describeSeed } from '#engine/persistence/describe.js';
import { type Line, makeHeader, type RecordedRequest } from '#engine/persistence/lines.js';
import { Replay, type StoredSeed } from '#engine/persistence/replay.js';
import { toExchanges, toStoredRequest } from '#engine/persistence/requests.js';
import { ClosedNames } from '#engine/sandbox/closed-names.js';
import type { Sandbox } from '#engine/sandbox/sandbox.js';
import type { Sandboxes } from '#engine/sandbox/sandboxes.js';
import { Seed } from '#engine/sandbox/seed.js';
import { type Capture, type Recorder, seedOfKey } from './capture.js';
import { StateDigest } from './digest.js';
import type { Checkpoint, StoredEntry } from './shared-log.js';

/** Commits of a sandbox between two checks of its digest. */
const CHECK_INTERVAL = 1_000;

export interface ReplicaOptions {
  readonly definitions: Definitions;
  /** The sandboxes of the emulator, which show what the log says. */
  readonly sandboxes: Sandboxes;
  readonly recorder: Recorder;
}

/** What a node knows of a sandbox in addition to its contents. */
interface Replicated {
  readonly sandbox: Sandbox;
  lastUse: Instant;
  /** Commits since the last check of the digest. */
  unchecked: number;
  digest: StateDigest;
}

/** What a shared log says, as of the last entry that this node has read: its sandboxes. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #replicated = new Map<string, Replicated>();
  /** Names that are closed, each with the reason. */
  readonly #closed = new ClosedNames();
  readonly #seeds = new WeakMap<StoredSeed, Seed>();
  replay: Replay;
  /** Id and number of the last entry. */
  last = '';
  count = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.replay = new Replay(options.definitions);
  }

  /** Replaces everything by what a checkpoint says. */
  load({ last, count, lines }: Checkpoint): void {
    // The same objects show the sandboxes of the same name.
    const created = new Map([...this.#replicated].map(([name, { sandbox }]) => [name, sandbox]));
    for (const { journal } of created.values()) journal.restart(0);
    this.#replicated.clear();
    this.replay = new Replay(this.#options.definitions);
    this.#closed.clear();
    this.last = last;
    this.count = count;
    for (const line of lines) this.#applyLine(line, { time: 0, hasIds: true, created, recorded: [] });
    for (const name of [...created.keys(), ...this.replay.sandboxes.keys(), ...this.#closed.keys()]) this.restore(name);
  }

  /**
   * Applies an entry.
   * @param own what this node has done, if the entry is its own
   * @throws DataError for an entry that cannot follow those before it, and for a sandbox that differs
   */
  apply({ id, lines, changed }: StoredEntry, own?: Capture): void {
    const time = Number(id.split('-')[0]);
    const context = { time, hasIds: false, created: own?.created ?? new Map(), recorded: [...(own?.recorded ?? [])] };
    try {
      for (const line of lines) this.#applyLine(line, context);
    } catch (error) {
      throw new DataError(`Entry ${id} of the shared store cannot be applied: ${reasonFor(error)}.`);
    }
    for (const name of changed) {
      this.restore(name);
      const seed = seedOfKey(name);
      if (seed !== undefined && !this.replay.isSeedUsed(seed)) this.replay.dropSeed(seed);
    }
    this.last = id;
    this.count++;
  }

  #applyLine(line: Line, context: ApplyContext): void {
    if (line.type === 'request') {
      this.#appendRequest(line.sandbox ?? '', line.request, context);
      return;
    }
    const name = 'sandbox' in line && line.sandbox !== undefined ? line.sandbox : undefined;
    this.replay.add(name === undefined || context.hasIds ? line : this.#withId(line, name));
    if (name === undefined) return;
    if (line.type === 'close') {
      const closed = this.#replicated.get(name)?.sandbox.journal;
      closed?.restart(closed.count);
      this.#replicated.delete(name);
      this.#markClosed(name, line.reason ?? '');
      return;
    }
    const replicated = this.#replicated.get(name) ?? this.#create(name, context);
    const { journal } = replicated.sandbox;
    setLastUse(replicated, Math.max(replicated.lastUse, context.time));
    switch (line.type) {
      case 'clear':
        journal.restart(line.isReset ? 0 : journal.count);
        return;
      case 'counts': {
        const { type: _type, sandbox: _sandbox, requests, lastUse, ...origin } = line;
        journal.restart(requests);
        replicated.sandbox.meta = { ...replicated.sandbox.meta, origin };
        setLastUse(replicated, lastUse);
        return;
      }
      case 'check': {
        const digest = this.#digest(name);
        replicated.unchecked = 0;
        if (digest !== line.digest) {
          throw new RangeError(
            `sandbox ${JSON.stringify(name)} has the digest ${digest}, and ${line.digest} on another node`,
          );
        }
        return;
      }
      case 'commit':
        replicated.unchecked++;
        return;
      case 'reset':
      case 'reseed':
        replicated.digest = new StateDigest(this.#stored(name).seed.state);
        return;
    }
  }

  /** All nodes forget the same names: those that were closed first. */
  #markClosed(name: string, reason: string): void {
    const forgotten = this.#closed.add(name, reason);
    if (forgotten !== undefined) this.restore(forgotten);
  }

  /** Gives the commit of a request its id: requests are numbered in the order of the log. */
  #withId(line: Line, name: string): Line {
    if (line.type !== 'commit' || !line.info?.id.startsWith('r')) return line;
    const journal = this.#replicated.get(name)?.sandbox.journal;
    return journal ? { ...line, info: { ...line.info, id: journal.nextId } } : line;
  }

  #appendRequest(name: string, request: RecordedRequest, { time, hasIds, recorded }: ApplyContext): void {
    const replicated = this.#replicated.get(name);
    if (!replicated) return;
    setLastUse(replicated, Math.max(replicated.lastUse, time));
    const { journal } = replicated.sandbox;
    const commit = this.#stored(name).contents.history.newest?.id ?? null;
    const own = recorded.shift();
    for (const exchange of own ? [own] : toExchanges([request], name)) {
      if (!hasIds) {
        const names = exchange.commit !== null || namesCommit(exchange);
        Object.assign(exchange, { number: journal.count + 1, commit: names ? commit : null });
      }
      journal.append(exchange);
    }
  }

  #create(name: string, { created }: ApplyContext): Replicated {
    const { sandboxes } = this.#options;
    const stored = this.#stored(name);
    const made =
      name === ''
        ? sandboxes.default
        : (created.get(name) ?? sandboxes.create({ name, seed: this.#toSeed(stored.seed) }));
    this.#closed.delete(name);
    const replicated = {
      sandbox: made,
      lastUse: 0,
      unchecked: 0,
      digest: new StateDigest(stored.seed.state),
    };
    this.#replicated.set(name, replicated);
    return replicated;
  }

  /** Undoes what requests have done on this node alone. */
  undo({ used, opened, created }: Capture): void {
    for (const name of opened) {
      const sandbox = this.#options.sandboxes.find(name);
      if (sandbox) created.set(name, sandbox);
    }
    for (const name of used) this.restore(name);
  }

  /** Restores a sandbox from the log. Discards changes that were not committed to it. */
  restore(name: string): void {
    const { sandboxes } = this.#options;
    const replicated = this.#replicated.get(name);
    if (replicated) {
      const { seed, contents } = this.#stored(name);
      replicated.sandbox.show(this.#toSeed(seed), contents);
      setLastUse(replicated, replicated.lastUse);
    }
    if (name !== '' && seedOfKey(name) === undefined) sandboxes.show(name, replicated?.sandbox, this.#closed.get(name));
  }

  #stored(name: string) {
    const stored = this.replay.sandboxes.get(name);
    if (!stored) throw new RangeError(`there is no sandbox ${JSON.stringify(name)}`);
    return stored;
  }

  #toSeed(stored: StoredSeed): Seed {
    const seed = this.#seeds.get(stored) ?? Seed.withFixedTimes(stored);
    this.#seeds.set(stored, seed);
    this.#options.recorder.learnSeed(stored);
    return seed;
  }

  #digest(name: string): string {
    return this.#replicated.get(name)?.digest.of(this.#stored(name).contents.state) ?? '';
  }

  /** Returns what the other nodes compare, for each of these sandboxes whose turn it is. */
  check(names: Iterable<string>): Line[] {
    return [...names]
      .filter((name) => (this.#replicated.get(name)?.unchecked ?? 0) >= CHECK_INTERVAL)
      .map((name) => ({ type: 'check', sandbox: name, digest: this.#digest(name) }));
  }

  /** Makes a checkpoint of what the log says now. */
  checkpoint(): Checkpoint {
    const sandboxes = [...this.#replicated].map(([name, { sandbox, lastUse }]) => {
      const { exchanges, count } = sandbox.journal;
      const counts = { requests: count - exchanges.length, lastUse, ...sandbox.meta.origin };
      return { name, stored: this.#stored(name), counts, exchanges };
    });
    const closed = [...this.#closed];
    const { seeds } = this.replay;
    function* describe(): Generator<Line> {
      yield makeHeader();
      for (const seed of seeds) yield* describeSeed(seed);
      for (const { name, stored, counts, exchanges } of sandboxes) {
        yield* describeSandbox(name, stored);
        yield { type: 'counts', sandbox: name, ...counts };
        for (const exchange of exchanges) yield { type: 'request', sandbox: name, request: toStoredRequest(exchange) };
      }
      for (const [sandbox, reason] of closed) yield { type: 'close', sandbox, reason };
    }
    return { last: this.last, count: this.count, lines: describe() };
  }
}

function setLastUse(replicated: Replicated, time: Instant): void {
  replicated.lastUse = time;
  replicated.sandbox.meta = { ...replicated.sandbox.meta, lastUse: time };
}

interface ApplyContext {
  /** Of the entry, by the clock of the log. */
  readonly time: Instant;
  /** Whether requests and commits have got their ids already. */
  readonly hasIds: boolean;
  readonly created: ReadonlyMap<string, Sandbox>;
  /** The exchanges of this node that are not in a journal yet. */
  readonly recorded: Exchange[];
}
