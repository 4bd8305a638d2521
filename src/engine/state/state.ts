import { type Clock, systemClock } from '../clock/clock.state.js';
import type { StoredSet } from '../definition/define.js';
import { type Definitions, getRecords, mapCollections } from '../definition/definitions.js';
import { deterministicUuid, hashToUnitInterval } from '../lib/ids.js';
import type { Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { asc, Collection, index } from '../store/collection.js';
import { type Contents, Store } from '../store/store.js';

/** Treats an unknown token as an error (`strict`), or as the token of the first user (`lenient`). */
export const AUTH_MODES = ['strict', 'lenient'] as const;

/** Requests that a token may send within a window of time. */
export interface RateLimit {
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

/** Settings of the emulator that a state keeps. A service may have others. */
export interface Settings {
  readonly auth: (typeof AUTH_MODES)[number];
  readonly idSeed: string;
  readonly rateLimit?: RateLimit | undefined;
}

export interface RateLimitWindow {
  /** Empty for requests without a token, which share a limit. */
  readonly token: string;
  readonly start: Instant;
  readonly requests: number;
}

const rateLimitSpec = {
  identity: index<RateLimitWindow>(asc((record) => record.token)),
  indexes: {
    start: index<RateLimitWindow>(
      asc((record) => record.start),
      asc((record) => record.token),
    ),
  },
};
export type RateLimitWindows = Collection<RateLimitWindow, (typeof rateLimitSpec)['indexes']>;

export const rateLimitWindows = (records: readonly RateLimitWindow[] = []): RateLimitWindows =>
  Collection.from(rateLimitSpec, records);

/** Parts of the content of a request. An absent part matches any. */
export interface ContentCriteria {
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** An armed fault: criteria for requests, effects and counters. */
export interface Fault {
  readonly id: string;
  /** Null for any: `POST /v1/vals`, a method, the id of the caller. */
  readonly route: string | null;
  readonly method: string | null;
  readonly userId: string | null;
  /** Content of the request; null for any. */
  readonly match: ContentCriteria | null;
  readonly after: number;
  readonly times: number | null;
  /** Fraction of the matching requests that get the fault, 0 to 1, and the seed of that choice. */
  readonly rate: number;
  readonly seed: string;
  /** HTTP status of the response; null leaves the response unchanged. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Body of the response; undefined for the error body of the API. */
  readonly body?: unknown;
  /** Milliseconds to delay the response, or a minimum and a maximum. */
  readonly delay: number | readonly [number, number] | null;
  readonly reset: boolean;
  /** Close the connection after this many bytes of the body; null to send it whole. */
  readonly truncate: number | null;
  /** Time of the sandbox at which the fault ends; absent for one without an end. */
  readonly until?: Instant;
  /** Matching requests so far, and those that got the fault. */
  readonly seen: number;
  readonly hits: number;
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
