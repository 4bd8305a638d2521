import type { ExportedStateOf } from '#engine/definition/types.js';
import type * as expectations from '#engine/journal/expectations.js';
import type { AddOf } from '#engine/sandbox/adder.js';
import type * as loader from '#engine/sandbox/seed-loader.js';
import type { Outbox } from '#vals/emails/outbox-methods.sandbox.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { Logins } from '#vals/login/login.sandbox.js';
import type { RowReader } from '#vals/sqlite/rows.sandbox.js';
import type { GenerateOptions } from '../generator/options.js';
import type { collections, ExportedFixtures, Fixtures } from './service.collection.js';
import type { RouteReference } from './service.routes.js';

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
  readonly members: Outbox & Logins & RowReader;
}

export type { RequestExpectation } from '#engine/journal/expectations.js';
export type { CallerRecord as EmulatorUser } from '#engine/state/callers.js';
// The names that users import.
export type { ExportedFixtures } from './service.collection.js';
export type RequestFilter = expectations.RequestFilter<RouteReference>;
export type RequestStep = expectations.RequestStep<RouteReference>;
export type GeneratedSource = loader.GeneratedSource<GenerateOptions>;
