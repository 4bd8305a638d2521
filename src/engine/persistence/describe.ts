import { emptyState, type State } from '../state/state.js';
import type { CommitInfo } from '../store/commit.js';
import { findMoment, type History, nameMoment, START } from '../store/history.js';
import {
  applyChange,
  type Change,
  type CommitNumbers,
  type Contents,
  findNumbers,
  NO_NUMBERS,
} from '../store/store.js';
import { diffState, type StateChanges, splitChanges } from './changes.js';
import type { Line, SandboxOrigin } from './lines.js';
import type { DescribedSandbox, StoredSeed } from './replay.js';

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
  const { state, history, numbers, snapshots } = contents;
  for (const { name, at, commits: count, state: taken } of snapshots) {
    yield* describeReset(sandbox, seed, { state: taken, commits: count, numbers: NO_NUMBERS });
    yield { type: 'snapshot', sandbox, name, at, commits: count };
  }
  const { state: oldest, commits } = findMoment(contents, START);
  yield* describeReset(sandbox, seed, { state: oldest, commits, numbers: omitFollowing(numbers, history) }, origin);
  let last = oldest;
  for (const { id, operation, at, before, after } of history) {
    if (before !== last) yield* describeCommit(sandbox, last, before);
    yield* describeCommit(sandbox, before, after, { id, operation, at });
    last = after;
  }
  if (state !== last) yield* describeCommit(sandbox, last, state);
}

/** Leaves out the numbers that follow from the commits: what a power cut leaves of them has its numbers, too. */
function omitFollowing({ requests, updates }: CommitNumbers, history: History<State>): CommitNumbers {
  const found = findNumbers(history);
  return {
    requests: requests > found.requests ? requests : 0,
    updates: updates > found.updates ? updates : 0,
  };
}

export const describeCommit = (sandbox: string, before: State, after: State, info?: CommitInfo): Line[] =>
  withParts(after, diffState(before, after), (changes) => ({ type: 'commit', sandbox, info, changes }));

const describeReset = (
  sandbox: string,
  seed: StoredSeed,
  { state, commits, numbers }: Pick<Contents<State>, 'state' | 'commits' | 'numbers'>,
  origin?: SandboxOrigin,
): Line[] =>
  withParts(state, diffState(seed.state, state), (changes) => {
    const [requests, updates] = [numbers.requests || undefined, numbers.updates || undefined];
    return { type: 'reset', sandbox, seed: seed.id, commits, requests, updates, changes, origin };
  });

/** Bytes of the changes of the commits that a file keeps beyond the state, and commits that it keeps whatever they have. */
export const KEPT_BYTES = 8 * 1024 * 1024;
const KEPT_COMMITS = 100;

/** Counts the oldest commits that a file does not keep. It has to keep the rest: later lines refer to it. */
export function countSurplus({ history, state }: Contents<State>): number {
  let [bytes, kept, last] = [0, 0, state];
  for (const { before, after } of history.list().reverse()) {
    const changes = [diffState(before, after), ...(after === last ? [] : [diffState(after, last)])];
    bytes += JSON.stringify(changes).length;
    if (bytes > KEPT_BYTES && kept >= KEPT_COMMITS) break;
    last = before;
    kept++;
  }
  return history.length - kept;
}

/** Returns contents without the commits that a file does not keep. */
export const withoutSurplus = (contents: Contents<State>): Contents<State> =>
  applyChange(contents, { type: 'forget', commits: countSurplus(contents) });

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
      const of = nameMoment(history, taken);
      if (of === undefined) throw new RangeError('a snapshot of a state that is not in the history');
      return [{ type: 'snapshot', sandbox, name, at, commits, of }];
    }
    case 'rewind':
      return [{ type: 'rewind', sandbox, steps: change.steps }];
    case 'forget':
      return [{ type: 'forget', sandbox, commits: change.commits }];
    case 'drop':
      return [{ type: 'drop', sandbox, name: change.name }];
  }
}

/** Describes a large change by several lines: the last one makes it effective. */
function withParts(state: State, changes: StateChanges, describe: (changes: StateChanges) => Line): Line[] {
  const parts = splitChanges(state, changes);
  return parts.map((part, i) => (i === parts.length - 1 ? describe(part) : { type: 'part', changes: part }));
}
