/**
 * Emulators of other services, on the engine of this one. Experimental: names and types may change in any version.
 *
 * @module
 */

export { type Static, Type } from 'typebox';
export type { RequestExample, Route } from '#engine/api/route.js';
export type { Builder, Names, Row } from '#engine/definition/context.js';
export { type Caller, defineFrozen as defineCollection } from '#engine/definition/define.js';
export {
  Duration,
  Id,
  key,
  NOW,
  nullable,
  oneOf,
  optional,
  record,
  Text,
  Time,
  Url,
  withDefault,
} from '#engine/definition/parts.js';
export { plainCollection } from '#engine/definition/plain.js';
export { DefinitionError } from '#engine/definition/service-errors.js';
export type { EngineOptions } from '#engine/http/parse-options.js';
export {
  ApiError,
  ClockError,
  DataError,
  ExpectationError,
  FaultError,
  FixtureError,
  NotFoundError,
  OptionsError,
  type Problem,
} from '#engine/lib/errors.js';
export { type Instant, toTimestamp } from '#engine/lib/time.js';
export { mapOf } from '#engine/schema/schema.js';
export { defineService, routeOf, type Service } from '#engine/service.js';
export { type Draft, drawId, type State } from '#engine/state/state.js';
export { asc, type Collection, desc, index, multiIndex } from '#engine/store/collection.js';
export { createEngine, type EngineOf } from './create-engine.js';
