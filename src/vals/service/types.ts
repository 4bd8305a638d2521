import type * as expectations from '#engine/journal/expectations.js';
import type { Adder } from '#engine/sandbox/adder.js';
import type * as loader from '#engine/sandbox/seed-loader.js';
import type { Adders, CollectionName, Exported, ExportedFixtures, Fixtures, Input } from '../collections/index.js';
import type { Draft, State } from '../collections/state.js';
import type { GenerateOptions } from '../generator/options.js';
import type { RouteReference } from '../routes/index.js';
import type { Outbox } from '../sandbox/outbox-methods.js';

/** What adds records of each collection, by the name of one. */
type SandboxAdders = { -readonly [A in keyof Adders]: Adder<Input<Adders[A]>, Exported<Adders[A]>> };

/** All records in fixture format. */
type ExportedState = { [N in CollectionName]: Exported<N>[] };

/** The types that users of the vals service see. */
export interface Types {
  readonly state: State;
  readonly draft: Draft;
  readonly route: RouteReference;
  readonly fixtures: Fixtures;
  readonly generate: GenerateOptions;
  readonly add: SandboxAdders;
  readonly exported: ExportedState;
  readonly written: ExportedFixtures;
  readonly members: Outbox;
}

export type { RequestExpectation } from '#engine/journal/expectations.js';
export type { CallerRecord as EmulatorUser } from '#engine/state/callers.js';
// The names that users import.
export type { ExportedFixtures } from '../collections/index.js';
export type RequestFilter = expectations.RequestFilter<RouteReference>;
export type RequestStep = expectations.RequestStep<RouteReference>;
export type GeneratedSource = loader.GeneratedSource<GenerateOptions>;
