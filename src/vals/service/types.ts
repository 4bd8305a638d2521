import type { ExportedStateOf } from '#engine/definition/types.js';
import type * as expectations from '#engine/journal/expectations.js';
import type { AddOf } from '#engine/sandbox/adder.js';
import type * as loader from '#engine/sandbox/seed-loader.js';
import type { collections, ExportedFixtures, Fixtures } from '../collections/index.js';
import type { Draft, State } from '../collections/state.js';
import type { GenerateOptions } from '../generator/options.js';
import type { RouteReference } from '../routes/index.js';
import type { Outbox } from '../sandbox/outbox-methods.js';
import type { RowReader } from '../sandbox/row-methods.js';

/** The types that users of the vals service see. */
export interface Types {
  readonly state: State;
  readonly draft: Draft;
  readonly route: RouteReference;
  readonly fixtures: Fixtures;
  readonly generate: GenerateOptions;
  readonly add: AddOf<typeof collections>;
  readonly exported: ExportedStateOf<typeof collections>;
  readonly written: ExportedFixtures;
  readonly members: Outbox & RowReader;
}

export type { RequestExpectation } from '#engine/journal/expectations.js';
export type { CallerRecord as EmulatorUser } from '#engine/state/callers.js';
// The names that users import.
export type { ExportedFixtures } from '../collections/index.js';
export type RequestFilter = expectations.RequestFilter<RouteReference>;
export type RequestStep = expectations.RequestStep<RouteReference>;
export type GeneratedSource = loader.GeneratedSource<GenerateOptions>;
