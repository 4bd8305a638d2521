import { parseEmulatorUrl } from '#engine/lib/target.js';
import { showCallers } from '#engine/platform/caller-stack.js';
import type { ForkScore, ForkScoreOptions, ForksOptions } from '#engine/sandbox/forks.js';
import type { SandboxRecord } from '#engine/sandbox/sandbox-record.js';
import type { OpenOptions } from '#engine/sandbox/sandboxes.js';
import { type ControlClient, controlClient } from './control-client.js';
import { type ConnectOptions, RemoteSandbox } from './sandbox.js';

export type { Change } from '#engine/changes/change.js';
export type { ClockStatus, DateInput } from '#engine/clock/clock.js';
export { ControlError } from '#engine/control/send.js';
export type { ChaosOptions } from '#engine/faults/chaos.js';
export type { FaultOptions, FaultRecord } from '#engine/faults/faults.js';
export type { ChaosName } from '#engine/faults/presets.js';
export type { RequestRecord } from '#engine/journal/request-record.js';
export { ApiError, ExpectationError, type Problem } from '#engine/lib/errors.js';
export type { RateLimitSetting, RateLimitStatus } from '#engine/rate-limit/rate-limit.js';
export type { HistoryEntry } from '#engine/sandbox/history-entries.js';
export type { SandboxRecord } from '#engine/sandbox/sandbox-record.js';
export type { SnapshotRecord } from '#engine/sandbox/snapshots.js';
export type { Fixtures } from '#vals/service/service.collection.js';
export type { RouteReference } from '#vals/service/service.routes.js';
export type {
  EmulatorUser,
  GeneratedSource,
  RequestExpectation,
  RequestFilter,
  RequestStep,
} from '#vals/service/types.js';
export type { Row, RowsOptions, SqlArguments } from '#vals/sqlite/rows.sandbox.js';
export { type ConfirmOptions, type ConnectOptions, RemoteSandbox, type RemoteSeed } from './sandbox.js';

/**
 * Connects to a running emulator, from any runtime with a `fetch`: a test in another process, a browser, Deno. Sends
 * nothing yet.
 * @param url base URL of the emulator, or of a sandbox: `http://127.0.0.1:4010/_sandbox/checkout`
 * @throws TypeError for an invalid URL
 */
export function connect(url: string, options: ConnectOptions = {}): RemoteEmulator {
  const target = parseEmulatorUrl(url);
  if (!target) {
    throw new TypeError(`url: found ${JSON.stringify(url)}; expected a URL such as "http://127.0.0.1:4010".`);
  }
  return new RemoteEmulator(target.base, target.sandbox ?? '', options);
}

/** A running emulator. Its sandbox members act on the sandbox of its URL, by default the default one. */
export class RemoteEmulator extends RemoteSandbox {
  static {
    showCallers(RemoteEmulator.prototype);
  }

  readonly #base: string;
  readonly #connection: ConnectOptions;
  /** Not by the URL of a sandbox, which would create it. */
  readonly #whole: ControlClient;

  /** @internal Use {@link connect}. */
  constructor(base: string, name: string, options: ConnectOptions) {
    super(base, name, options);
    this.#base = base;
    this.#connection = options;
    this.#whole = controlClient(base, { token: options.controlToken });
  }

  /**
   * Finds a sandbox, or creates it with the emulator's seed.
   * @param name 1–64 of `A–Z a–z 0–9 . _ -`; default: a new one. With `{ title }`, a new one named after any text.
   * @param options.keep whether the data folder of the emulator keeps it. Default: false
   * @param options.owner who a new sandbox is for, such as a CI job: 1 to 100 characters. Default: none
   * @throws ControlError for an invalid name or owner, and when the limit of sandboxes is reached
   */
  async sandbox(name?: string | { readonly title: string }, { keep, owner }: OpenOptions = {}): Promise<RemoteSandbox> {
    const body = { ...(typeof name === 'object' ? name : { name }), keep, owner };
    const created = await this.#whole.openSandbox(body);
    return new RemoteSandbox(this.#base, created.name, this.#connection);
  }

  /** Returns the sandboxes other than the default one, each with its last use and the size of its journal. */
  sandboxes(): Promise<SandboxRecord[]> {
    return this.#whole.listSandboxes();
  }

  /**
   * Opens sandboxes from a state, each with the snapshot `fork` of it; none if not all have room.
   * @throws ControlError for wrong options, for an unknown state, and at the limit of sandboxes
   */
  async forks(count: number, options: ForksOptions = {}): Promise<RemoteSandbox[]> {
    const { forks } = await this.#whole.forkSandboxes({ ...options, count });
    return forks.map(({ name }) => new RemoteSandbox(this.#base, name, this.#connection));
  }

  /**
   * Scores sandboxes of {@link forks} against an expected difference from their snapshot `fork`, and closes them.
   * @throws ControlError for one that was closed, otherwise as `score` does; none is closed then. One that has expired scores 0
   */
  async scoreForks(forks: readonly { readonly name: string }[], options: ForkScoreOptions = {}): Promise<ForkScore[]> {
    const names = forks.map(({ name }) => name);
    return (await this.#whole.scoreForks({ ...options, names })).scores;
  }

  /** Closes the sandboxes whose name begins with a prefix, and returns their number. @param prefix default: all */
  async closeSandboxes(prefix = ''): Promise<number> {
    return (await this.#whole.closeSandboxes({ prefix })).closed;
  }
}
