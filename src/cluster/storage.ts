import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Definitions } from '#engine/definition/definitions.js';
import type { Pipeline } from '#engine/http/pipeline.js';
import type { Exchange } from '#engine/journal/exchange.js';
import { cutBodies, Journal } from '#engine/journal/journal.js';
import { type Metric, oneValue } from '#engine/lib/metrics.js';
import { type Instant, parseInstant, toTimestamp } from '#engine/lib/time.js';
import { describeSandbox, describeSeed } from '#engine/persistence/describe.js';
import { type Line, makeHeader } from '#engine/persistence/lines.js';
import { type ClusterStatus, isNodeStatus, type NodeStatus, type Nodes } from '#engine/persistence/nodes.js';
import type { ListSandboxes, SandboxChange, Storage, StoredSandbox } from '#engine/persistence/storage.js';
import { packageVersion } from '#engine/platform/package.js';
import { systemTimers, type Timer, type Timers } from '#engine/platform/system-timers.js';
import type { Sandboxes } from '#engine/sandbox/sandboxes.js';
import { emptyState, type Settings } from '#engine/state/state.js';
import { initialContents } from '#engine/store/store.js';
import { nameSeed, Recorder } from './capture.js';
import { SharedClock } from './clock.js';
import { wrapPipeline } from './pipeline.js';
import type { RedisConnectionOptions } from './redis-connection.js';
import { RedisLog } from './redis-log.js';
import { Replica } from './replica.js';
import { unavailable } from './shared-log.js';
import { Turns } from './turns.js';

/** A journal that changes once the log says so, by `append` and `restart`. */
class ReplicatedJournal extends Journal {
  override record(exchange: Exchange): void {
    exchange.number = this.count + 1;
    cutBodies(exchange);
  }

  override clear(): void {}

  override reset(): void {}
}

/** Milliseconds between two looks at the log while there are no requests. */
const LOOK_MS = 1_000;
/** Entries of the log after which a checkpoint replaces them. */
const CHECKPOINT_INTERVAL = 10_000;

export interface ClusterStorageOptions {
  /** `redis://host:6379/0` */
  readonly url: string;
  readonly prefix: string;
  readonly definitions: Definitions;
  /** Whether a read may have its response from what this node knows. */
  readonly localReads: boolean;
  /** Settings that this node was started with. The settings of the store count. */
  readonly settings: Omit<Settings, 'idSeed'>;
  /** Called with what could be lost, or was lost. */
  readonly onWarning: (message: string) => void;
  /** Called with an error after which this node cannot continue. */
  readonly onFailure: (error: Error) => void;
  /** Entries of the log after which a checkpoint replaces them. Default: 10,000 */
  readonly growth?: number | undefined;
  /** Default: the time of the system */
  readonly timers?: Timers | undefined;
  /** Default: of the package @redis/client */
  readonly createClient?: RedisConnectionOptions['createClient'];
}

/** Keeps the sandboxes of an emulator in a store that it shares with other nodes. */
export class ClusterStorage implements Storage {
  readonly keepsAll = true;
  readonly #node: string;
  readonly #log: RedisLog;
  readonly #options: ClusterStorageOptions;
  readonly #timers: Timers;
  readonly #clock: SharedClock;
  readonly #startedAt: Instant;
  readonly #process = { host: hostname(), pid: process.pid, version: packageVersion() };
  #turns: Turns | undefined;
  #replica: Replica | undefined;
  #recorder: Recorder | undefined;
  #timer: Timer | undefined;
  #checkpoint: Promise<void> | undefined;

  private constructor(log: RedisLog, node: string, options: ClusterStorageOptions) {
    this.#log = log;
    this.#node = node;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#clock = new SharedClock(this.#timers.uptime);
    this.#clock.update(log.time, 0);
    this.#startedAt = this.#clock.now();
  }

  /** @throws DataError for a store that cannot be reached, or is set up so that it would lose data */
  static async open(options: ClusterStorageOptions): Promise<ClusterStorage> {
    const { onWarning, timers = systemTimers } = options;
    const node = randomUUID().slice(0, 8);
    const log = await RedisLog.open({ ...options, timers, node });
    for (const warning of log.warnings) onWarning(warning);
    return new ClusterStorage(log, node, options);
  }

  get path(): string {
    return this.#log.address;
  }

  get failure(): Error | undefined {
    const failure = this.#turns?.failure;
    return failure && unavailable(failure);
  }

  get isPaused(): boolean {
    return this.#turns?.isIdle ?? true;
  }

  /** The time that all nodes have. */
  readonly now = (): Instant => this.#clock.now();

  /** Creates a journal that changes once the log says so. */
  createJournal(...args: ConstructorParameters<typeof Journal>): Journal {
    return new ReplicatedJournal(...args);
  }

  /** Returns an empty default sandbox, which {@link join} replaces. None for a store that has not begun. */
  async load(): Promise<readonly StoredSandbox[]> {
    if (!this.#log.found) return [];
    const settings: Settings = { auth: 'strict', idSeed: '' };
    const state = emptyState(settings, this.#options.definitions);
    const seed = { state, info: { name: '', fingerprint: '', loadedAt: 0 } };
    return [{ name: '', seed, contents: initialContents(state), exchanges: [] }];
  }

  /** Begins the store, unless another node has done so. Later, the checkpoints of the log keep it short. */
  async compact(list: ListSandboxes): Promise<void> {
    if (!this.#turns) await this.#begin(list());
  }

  async #begin(contents: Iterable<StoredSandbox>): Promise<void> {
    await this.#log.begin({ last: '0-0', count: 0, lines: describeBeginning(contents) });
  }

  /** Shows what the store has, and lets the requests of an emulator wait for their turns. */
  async join(sandboxes: Sandboxes, pipeline: Pipeline): Promise<void> {
    const log = this.#log;
    const recorder: Recorder = new Recorder(
      () => turns.capture,
      () => replica.replay,
    );
    const replica: Replica = new Replica({ sandboxes, recorder, definitions: this.#options.definitions });
    const begin = async () => {
      let checkpoint = log.found ?? (await log.load());
      log.found = undefined;
      while (!checkpoint) {
        const { info, current: state } = sandboxes.default.meta.seed;
        const contents = initialContents(state);
        await this.#begin([{ name: '', seed: { info, state }, contents, exchanges: [] }]);
        checkpoint = await log.load();
      }
      replica.load(checkpoint);
    };
    const { onWarning, onFailure: onStop, localReads } = this.#options;
    const timers = this.#timers;
    const parts = { log, node: this.#node, timers, clock: this.#clock, replica, begin };
    const turns: Turns = new Turns({ ...parts, localReads, onWarning, onStop });
    this.#recorder = recorder;
    this.#replica = replica;
    this.#turns = turns;
    await begin();
    this.#warnOfSettings(sandboxes.default.meta.seed.current.settings);
    wrapPipeline(pipeline, turns);
    this.#look();
    this.#timer = timers.setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  #warnOfSettings(stored: Settings): void {
    const { settings, onWarning } = this.#options;
    const { idSeed: _, ...all } = stored;
    const own = new Map<string, unknown>(Object.entries(settings));
    const others = Object.entries({ rateLimit: undefined, ...all }).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(own.get(name)),
    );
    if (others.length === 0) return;
    const list = others.map(([name, value]) => `${name} ${JSON.stringify(value ?? 'none')}`);
    onWarning(
      `The shared store keeps the settings that it began with: ${list.join(', ')}. The settings of this start are not used.`,
    );
  }

  /** Runs a change on what all nodes have committed before. @see Turns.run */
  run<T>(run: () => T | Promise<T>): Promise<T> {
    return this.#turns ? this.#turns.run(run, 'control') : Promise.reject(new Error('the cluster is not joined'));
  }

  /** Each request is committed before its response. */
  async saved(): Promise<void> {}

  append(sandbox: string, change: SandboxChange): undefined {
    this.#recorder?.addChange(sandbox, change);
  }

  responded(exchange: Exchange): void {
    this.#recorder?.addRequest(exchange);
  }

  readonly nodes: Nodes = { list: () => this.#listNodes(), metrics: () => this.#readMetrics() };

  *#readMetrics(): Generator<Metric> {
    const { commits = 0, conflicts = 0, lag = 0 } = this.#turns?.commits ?? {};
    const { count = 0 } = this.#replica ?? {};
    const isUp = this.#turns && !this.#turns.failure ? 1 : 0;
    yield oneValue('val_emulator_store_up', 'gauge', 'Whether the shared store responds.', isUp);
    yield oneValue('val_emulator_store_entries_total', 'counter', 'Entries of the shared store that were read.', count);
    yield oneValue('val_emulator_store_commits_total', 'counter', 'Entries that this node committed.', commits);
    yield oneValue(
      'val_emulator_store_conflicts_total',
      'counter',
      'Commits that were refused, since another node changed the same sandbox first. Their requests ran again.',
      conflicts,
    );
    yield oneValue('val_emulator_store_lag_entries', 'gauge', 'Entries that the last look at the store found.', lag);
  }

  /** Lists the nodes that have reported their status in the last ten seconds, the oldest first. */
  async #listNodes(): Promise<ClusterStatus> {
    const { count, nodes } = await this.#log.listNodes().catch((error: Error) => Promise.reject(unavailable(error)));
    const now = this.#clock.now();
    const all = nodes.map((status): unknown => JSON.parse(status)).filter(isNodeStatus);
    for (const { id } of all.filter(({ lastSeen }) => isGone(lastSeen, now))) await this.#log.removeNode(id);
    const alive = all.filter(({ lastSeen }) => !isGone(lastSeen, now));
    alive.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    const listed = alive.map(({ count: read, ...node }) => ({ ...node, lag: Math.max(0, count - read) }));
    return { node: this.#node, store: this.path, entries: count, nodes: listed };
  }

  /** Lets the other nodes know that this one has ended. Idempotent. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#turns?.close();
    await this.#checkpoint;
    try {
      await this.#log.removeNode(this.#node);
    } catch {
      // Other nodes drop it once its status is too old.
    }
    await this.#log.close();
  }

  /** Reads what other nodes have done, and shows them this one. */
  #look(): void {
    const { last = '', count = 0 } = this.#replica ?? {};
    const [startedAt, lastSeen] = [toTimestamp(this.#startedAt), toTimestamp(this.#clock.now())];
    const status: NodeStatus = { id: this.#node, ...this.#process, startedAt, lastSeen, last, count };
    this.#turns?.look(JSON.stringify(status));
    this.#replaceCheckpoint();
  }

  #replaceCheckpoint(): void {
    const { growth = CHECKPOINT_INTERVAL } = this.#options;
    if (this.#checkpoint || !this.#replica || this.failure || (this.#turns?.commits.sinceCheckpoint ?? 0) < growth)
      return;
    this.#checkpoint = this.#log
      .replaceCheckpoint(this.#replica.checkpoint())
      // It is tried again after the next look.
      .catch(() => {})
      .finally(() => {
        this.#checkpoint = undefined;
      });
  }
}

/** Milliseconds after which a silent node is not listed any more. */
const GONE_MS = 10_000;

const isGone = (lastSeen: string, now: Instant): boolean => now - (parseInstant(lastSeen) ?? 0) > GONE_MS;

function* describeBeginning(contents: Iterable<StoredSandbox>): Generator<Line> {
  yield makeHeader();
  for (const { name, seed, contents: described } of contents) {
    const stored = nameSeed(seed);
    yield* describeSeed(stored);
    yield* describeSandbox(name, { seed: stored, contents: described });
  }
}
