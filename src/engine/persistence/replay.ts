import type { Definitions } from '../definition/definitions.js';
import { OtherServiceError } from '../lib/service-errors.js';
import { emptyState, type Settings, type State } from '../state/state.js';
import type { CommitInfo } from '../store/commit.js';
import { applyChange, type Change, type Contents, initialContents } from '../store/store.js';
import { applyChanges, diffState, joinChanges, type StateChanges, splitChanges } from './changes.js';
import type { Line, SandboxLine, SandboxOrigin } from './lines.js';
import type { SeedData, StoredSandbox } from './storage.js';

/** Seed data with the id by which lines refer to them. */
export interface StoredSeed extends SeedData {
  readonly id: string;
}

/** A sandbox as lines describe it. */
export interface DescribedSandbox extends Pick<StoredSandbox, 'contents' | 'origin'> {
  readonly seed: StoredSeed;
}

/** Makes sandboxes of the lines that were written. */
export class Replay {
  readonly sandboxes = new Map<string, DescribedSandbox>();
  readonly #seeds = new Map<string, StoredSeed>();
  readonly #definitions: Definitions;
  readonly #overrides: Partial<Settings>;
  #parts: StateChanges[] = [];

  /** @param overrides settings that replace the stored ones */
  constructor(definitions: Definitions, overrides: Partial<Settings> = {}) {
    this.#definitions = definitions;
    this.#overrides = overrides;
  }

  get seeds(): readonly StoredSeed[] {
    return [...this.#seeds.values()];
  }

  /** @throws RangeError for an unknown id */
  getSeed(id: string): StoredSeed {
    const seed = this.#seeds.get(id);
    if (!seed) throw new RangeError(`there is no seed ${id}`);
    return seed;
  }

  hasSeed(id: string): boolean {
    return this.#seeds.has(id);
  }

  /** Whether a sandbox is reset to a seed. @param except a sandbox that does not count */
  isSeedUsed(id: string, except?: string): boolean {
    for (const [name, { seed }] of this.sandboxes) if (seed.id === id && name !== except) return true;
    return false;
  }

  dropSeed(id: string): void {
    this.#seeds.delete(id);
  }

  /** @throws RangeError for a line that cannot follow those before it */
  add(line: Line): void {
    switch (line.type) {
      case 'header':
        // Of a change that was torn before this epoch.
        this.#parts = [];
        return;
      case 'begin':
      case 'request':
      case 'clear':
      case 'counts':
      case 'check':
        return;
      case 'part':
        this.#parts.push(line.changes);
        return;
      case 'seed': {
        const { seed: id, info, changes } = line;
        const { service } = this.#definitions;
        if (info.service !== undefined && info.service !== service) throw new OtherServiceError(info.service, service);
        const settings: Settings = { auth: 'strict', idSeed: '' };
        this.#seeds.set(id, { id, info, state: this.#apply(emptyState(settings, this.#definitions), changes) });
        return;
      }
      case 'reset': {
        const { sandbox, commits, updates = 0, changes } = line;
        const seed = this.getSeed(line.seed);
        const state =
          this.#parts.length + Object.keys(changes).length > 0 ? this.#apply(seed.state, changes) : seed.state;
        const stored = this.sandboxes.get(sandbox);
        const change: Change<State> = { type: 'reset', state, commits, updates };
        const contents = applyChange(stored?.contents ?? initialContents(state), change);
        this.sandboxes.set(sandbox, { seed, contents, origin: line.origin ?? stored?.origin });
        return;
      }
      case 'close':
        this.sandboxes.delete(line.sandbox);
        return;
      default: {
        const stored = this.sandboxes.get(line.sandbox);
        if (!stored) throw new RangeError(`there is no sandbox ${JSON.stringify(line.sandbox)}`);
        const changed =
          line.type === 'reseed'
            ? { seed: this.getSeed(line.seed) }
            : { contents: applyChange(stored.contents, this.#toChange(line, stored.contents)) };
        this.sandboxes.set(line.sandbox, { ...stored, ...changed });
      }
    }
  }

  #toChange(
    line: Exclude<SandboxLine, { readonly type: 'reset' | 'reseed' | 'close' }>,
    contents: Contents<State>,
  ): Change<State> {
    const { state, history, updates, snapshots } = contents;
    switch (line.type) {
      case 'commit':
        return { type: 'commit', before: state, after: this.#apply(state, line.changes), info: line.info };
      case 'rewind':
        if (line.steps > history.length) throw new RangeError(`there are no ${line.steps} commits`);
        return { type: 'rewind', steps: line.steps };
      case 'snapshot': {
        const { name, at, commits, of } = line;
        const past = of === 'start' ? history[0]?.before : history.find(({ id }) => id === of)?.after;
        const taken = of === undefined ? state : past;
        if (!taken) throw new RangeError(`there is no commit ${of}`);
        return { type: 'snapshot', snapshot: { name, at, commits, state: taken } };
      }
      case 'restore': {
        const snapshot = snapshots.find(({ name }) => name === line.name);
        if (!snapshot) throw new RangeError(`there is no snapshot ${JSON.stringify(line.name)}`);
        return { type: 'reset', state: snapshot.state, commits: snapshot.commits, updates };
      }
      case 'drop':
        return { type: 'drop', name: line.name };
      default:
        throw new RangeError(`it has an unknown kind of line: ${JSON.stringify(line)}`);
    }
  }

  #apply(state: State, changes: StateChanges): State {
    const all = this.#parts.length === 0 ? changes : joinChanges([...this.#parts, changes]);
    this.#parts = [];
    const settings = all.set?.settings;
    if (!settings) return applyChanges(state, all);
    const set = { ...all.set, settings: { ...settings, ...this.#overrides } };
    return applyChanges(state, { ...all, set });
  }
}

/** Describes seed data. */
export const describeSeed = ({ id, info, state }: StoredSeed): Line[] =>
  withParts(
    state,
    diffState(emptyState(state.settings, state.definitions), { ...state, settings: { ...state.settings } }),
    (changes) => ({
      type: 'seed',
      seed: id,
      info,
      changes,
    }),
  );

/** Describes a sandbox: its snapshots, its oldest state and the commits since then. */
export function* describeSandbox(sandbox: string, { seed, contents, origin }: DescribedSandbox): Generator<Line> {
  const { state, history, commits, updates, snapshots } = contents;
  for (const { name, at, commits: count, state: taken } of snapshots) {
    yield* describeReset(sandbox, seed, { state: taken, commits: count, updates: 0 });
    yield { type: 'snapshot', sandbox, name, at, commits: count };
  }
  let last = history[0]?.before ?? state;
  yield* describeReset(sandbox, seed, { state: last, commits: commits - history.length, updates }, origin);
  for (const { id, operation, at, before, after } of history) {
    if (before !== last) yield* describeCommit(sandbox, last, before);
    yield* describeCommit(sandbox, before, after, { id, operation, at });
    last = after;
  }
  if (state !== last) yield* describeCommit(sandbox, last, state);
}

export const describeCommit = (sandbox: string, before: State, after: State, info?: CommitInfo): Line[] =>
  withParts(after, diffState(before, after), (changes) => ({ type: 'commit', sandbox, info, changes }));

const describeReset = (
  sandbox: string,
  seed: StoredSeed,
  { state, commits, updates }: Pick<Contents<State>, 'state' | 'commits' | 'updates'>,
  origin?: SandboxOrigin,
): Line[] =>
  withParts(state, diffState(seed.state, state), (changes) => {
    return { type: 'reset', sandbox, seed: seed.id, commits, updates: updates || undefined, changes, origin };
  });

/** Describes a change of a sandbox. @param before what it changes */
export function describeChange(
  sandbox: string,
  seed: StoredSeed,
  change: Change<State>,
  { state, history, snapshots }: Contents<State>,
): Line[] {
  switch (change.type) {
    case 'commit':
      return describeCommit(sandbox, change.before, change.after, change.info);
    case 'reset': {
      const { commits } = change;
      const restored = snapshots.find((each) => each.state === change.state && each.commits === commits);
      if (restored && change.state !== seed.state) return [{ type: 'restore', sandbox, name: restored.name }];
      return describeReset(sandbox, seed, change);
    }
    case 'snapshot': {
      const { name, at, commits, state: taken } = change.snapshot;
      if (taken === state) return [{ type: 'snapshot', sandbox, name, at, commits }];
      const of = history[0]?.before === taken ? 'start' : history.find(({ after }) => after === taken)?.id;
      if (of === undefined) throw new RangeError('a snapshot of a state that is not in the history');
      return [{ type: 'snapshot', sandbox, name, at, commits, of }];
    }
    case 'rewind':
      return [{ type: 'rewind', sandbox, steps: change.steps }];
    case 'drop':
      return [{ type: 'drop', sandbox, name: change.name }];
  }
}

/** Describes a large change by several lines: the last one makes it effective. */
function withParts(state: State, changes: StateChanges, describe: (changes: StateChanges) => Line): Line[] {
  const parts = splitChanges(state, changes);
  return parts.map((part, i) => (i === parts.length - 1 ? describe(part) : { type: 'part', changes: part }));
}
