import { type Clock, systemClock } from '../clock/clock.state.js';
import type { StoredSet } from '../definition/define.js';
import { type Definitions, getRecords, mapCollections } from '../definition/definitions.js';
import type { Fault } from '../faults/faults.state.js';
import { deterministicUuid, hashToUnitInterval } from '../lib/ids.js';
import type { Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { type RateLimit, type RateLimitWindows, rateLimitWindows } from '../rate-limit/rate-limit.state.js';
import { type Contents, Store } from '../store/store.js';

/** Treats an unknown token as an error (`strict`), or as the token of the first user (`lenient`). */
export const AUTH_MODES = ['strict', 'lenient'] as const;

/** Settings of the emulator that a state keeps. A service may have others. */
export interface Settings {
  readonly auth: (typeof AUTH_MODES)[number];
  readonly idSeed: string;
  readonly rateLimit?: RateLimit | undefined;
}

/** Everything that can differ between two requests to a sandbox. The collections of its service are here as well, by name. */
export interface State {
  /** The collections that it has. They are the same for all states of an emulator. */
  readonly definitions: Definitions;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly rateLimits: RateLimitWindows;
  readonly randomSequence: number;
  readonly nextSerial: number;
  /** The time from which the relative times of its seed data count. */
  readonly loadedAt: Instant;
}

/** A state that can be written to. `isDraft` lets the compiler reject a state, whose fields are read-only, as a draft. */
export type DraftOf<S extends State> = { -readonly [K in keyof S]: S[K] } & { readonly isDraft: true };
export type Draft = DraftOf<State>;

/** Copies a state to a draft. Costs O(1), since the collections are immutable. */
export const fork = <S extends State>(state: S): DraftOf<S> => ({ ...state, isDraft: true });

/** Draws a new id. The same sequence of calls gives the same ids. */
export function drawId(draft: Draft): string {
  for (;;) {
    const id = deterministicUuid(`${draft.settings.idSeed}:${draft.randomSequence++}`);
    if (!draft.definitions.withIds.some((name) => getRecords(draft, name).get(id) !== undefined)) return id;
  }
}

/** Derives the id of a record of a fixture from its name. */
export const deriveId = ({ idSeed }: Settings, name: string): string => deterministicUuid(`${idSeed}:${name}`);

/** Draws a number from 0 (inclusive) to 1 (exclusive). The same sequence of calls gives the same numbers. */
export const drawNumber = (draft: Draft): number =>
  hashToUnitInterval(`${draft.settings.idSeed}:${draft.randomSequence++}`);

export const emptyState = <S extends Settings>(settings: S, definitions: Definitions): State => ({
  ...mapCollections<object, StoredSet>(definitions.sets, ({ collect }) => collect([])),
  definitions,
  settings,
  clock: systemClock,
  faults: [],
  faultCount: 0,
  rateLimits: rateLimitWindows(),
  randomSequence: 0,
  nextSerial: 0,
  loadedAt: 0,
});

/** Builds in steps the indexes that are otherwise built at once, each when a request uses it first. */
export function* prepareIndexes(state: State): Steps<void> {
  for (const name of state.definitions.names) yield* getRecords(state, name).prepare();
}

export type StateStore = Store<State, Draft>;

export const createStore = <S extends State>(contents: Contents<S>): Store<S, DraftOf<S>> => new Store(contents, fork);
