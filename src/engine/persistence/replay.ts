import type { Definitions } from '../definition/definitions.js';
import { OtherServiceError } from '../definition/service-errors.js';
import { emptyState, type Settings, type State } from '../state/state.js';
import { findMoment } from '../store/history.js';
import { applyChange, type Change, type Contents, initialContents } from '../store/store.js';
import { applyChanges, joinChanges, type StateChanges } from './changes.js';
import type { Line, SandboxLine } from './lines.js';
import type { SeedData, StoredSandbox } from './storage.js';

/** Seed data with the id by which lines refer to them. */
export interface StoredSeed extends SeedData {
  readonly id: string;
}

export interface DescribedSandbox extends Pick<StoredSandbox, 'contents' | 'origin'> {
  readonly seed: StoredSeed;
}

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
        const { sandbox, commits, requests = 0, updates = 0, changes } = line;
        const seed = this.getSeed(line.seed);
        const state =
          this.#parts.length + Object.keys(changes).length > 0 ? this.#apply(seed.state, changes) : seed.state;
        const stored = this.sandboxes.get(sandbox);
        const change: Change<State> = { type: 'reset', state, commits, numbers: { requests, updates } };
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
    const { state, history, numbers, snapshots } = contents;
    switch (line.type) {
      case 'commit':
        return { type: 'commit', before: state, after: this.#apply(state, line.changes), info: line.info };
      case 'rewind':
        if (line.steps > history.length) throw new RangeError(`there are no ${line.steps} commits`);
        return { type: 'rewind', steps: line.steps };
      case 'forget':
        return { type: 'forget', commits: line.commits };
      case 'snapshot': {
        const { name, at, commits, of } = line;
        const taken = findMoment(contents, of);
        if (!taken) throw new RangeError(`there is no commit ${of}`);
        return { type: 'snapshot', snapshot: { name, at, commits, state: taken.state } };
      }
      case 'restore': {
        const snapshot = snapshots.find(({ name }) => name === line.name);
        if (!snapshot) throw new RangeError(`there is no snapshot ${JSON.stringify(line.name)}`);
        return { type: 'reset', state: snapshot.state, commits: snapshot.commits, numbers };
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
