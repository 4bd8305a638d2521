import { existsSync } from 'node:fs';
import { NotFoundError, OptionsError } from '../lib/errors.js';
import { didYouMean, formatValue, joinAlternatives, suggestId } from '../lib/messages.js';
import { type Steps, settle } from '../lib/steps.js';
import type { State, StateStore } from '../state/state.js';
import { findMoment } from '../store/history.js';
import type { SeedLoader } from './seed-loader.js';

/**
 * A state: `sandbox:demo`, `sandbox:` for the default one, `snapshot:before`, `commit:r17`, `commit:start`, `fixture:empty`, or a name
 * alone that fits one of them. In the process of the emulator also `fixture:demo.json`. Or fixtures as an object.
 */
export type StateReference = string | object;

/** Where references are looked up. */
export interface StateSources {
  /** Of the sandbox whose commits and snapshots are meant. */
  readonly store: StateStore;
  readonly loader: SeedLoader;
  /** Finds a sandbox by its name; the empty one is of the default sandbox. */
  findSandbox(name: string): { readonly store: StateStore } | undefined;
  /** Whether a reference may be the path of a file. A client must not read files of the machine. */
  readonly readsFiles: boolean;
}

const COMMIT = /^[rw]\d+$/;

type Find = (name: string, sources: StateSources, isOnlyKind: boolean) => State | Steps<State> | undefined;

/** Find the state of a name, by the kind of the reference. */
const KINDS: Readonly<Record<string, Find>> = {
  sandbox(name, { findSandbox }, isOnlyKind) {
    return name === '' && !isOnlyKind ? undefined : findSandbox(name)?.store.state;
  },
  snapshot(name, { store }) {
    return store.snapshots.find((snapshot) => snapshot.name === name)?.state;
  },
  commit(name, { store }) {
    return findMoment(store, name)?.state;
  },
  fixture(name, sources, isOnlyKind) {
    const isFile = sources.readsFiles && (isOnlyKind || existsSync(name));
    const isKnown = isFile || sources.store.state.definitions.datasets.names.includes(name);
    return isKnown ? load(name, sources) : undefined;
  },
};

function* load(fixtures: string | object, { loader, readsFiles }: StateSources): Steps<State> {
  return (yield* loader.loadInSteps(fixtures, { isRequest: !readsFiles })).current;
}

/**
 * Returns the state of a reference.
 * @param path of the reference, for errors
 * @throws NotFoundError for an unknown one. @throws OptionsError for a name of several. @throws FixtureError for wrong fixtures
 */
export function* getState(reference: StateReference, sources: StateSources, path: string): Steps<State> {
  if (typeof reference !== 'string') return yield* load(reference, sources);
  const [, kind = '', name = ''] = /^(\w+):(.*)$/s.exec(reference) ?? [];
  const kinds = Object.hasOwn(KINDS, kind) ? [kind] : Object.keys(KINDS);
  const found = kinds.flatMap((each) => {
    const state = KINDS[each]?.(kinds.length === 1 ? name : reference, sources, kinds.length === 1);
    return state ? [{ each, state }] : [];
  });
  const [first, second] = found;
  if (!first) {
    const hint = kinds.length === 1 ? advise(name, sources, kind) : advise(reference, sources);
    throw new NotFoundError(`There is no state ${formatValue(reference)}.${hint}`);
  }
  if (!second) return yield* settle(first.state);
  const all = joinAlternatives(found.map(({ each }) => `${each}:${reference}`));
  throw new OptionsError([{ path, message: `${formatValue(reference)} fits several states; use ${all}.` }]);
}

/**
 * Suggests a commit, a snapshot or a dataset, or says what references are.
 * @param kind of the reference, so that only a name of this kind is suggested. Default: any
 */
function advise(name: string, { store, readsFiles }: StateSources, kind?: string): string {
  if (kind === 'sandbox') return ' Only open sandboxes have a state, and "sandbox:" is the default one.';
  const is = (each: string) => kind === undefined || kind === each;
  const commits = is('commit') ? store.history.list().map(({ id }) => id) : [];
  const names = [
    ...(is('snapshot') ? store.snapshots.map((snapshot) => snapshot.name) : []),
    ...(is('fixture') ? store.state.definitions.datasets.names : []),
  ];
  const hint = is('commit') && COMMIT.test(name) ? suggestId(name, commits) : didYouMean(name, names);
  if (!hint && is('fixture') && /[./]/.test(name))
    return readsFiles ? ' There is no such file either.' : ' A file is read by the command, if it exists.';
  return hint || ' Use sandbox:NAME, snapshot:NAME, commit:r17, commit:start, or fixture:NAME.';
}
