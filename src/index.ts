export { ClockError, type ClockReading, type Moment } from './control/clock.js';
export { ExpectationError, type RequestExpectation, type RequestFilter } from './control/expectations.js';
export { FaultError, type FaultOptions, type FaultRecord } from './control/faults.js';
export type { HistoryEntry } from './control/history.js';
export type { RequestRecord } from './control/journal.js';
export type { EmulatorUser, GeneratedSource, Sandbox } from './control/sandbox.js';
export type { SnapshotRecord } from './control/snapshots.js';
export { UnknownNameError } from './control/unknown-name.js';
export { ApiError } from './domain/errors.js';
export { createEmulator, type Emulator } from './emulator.js';
export type { GenerateOptions } from './fixtures/generate-options.js';
export { FixtureError, OptionsError, type Problem } from './fixtures/problems.js';
export type { OnProgress, Progress } from './fixtures/progress.js';
export type { Fixtures } from './fixtures/schema.js';
export {
  type CommentSettings,
  type LikeSettings,
  type RunSettings,
  type UserSettings,
  type ValSettings,
  type VersionSettings,
  type World,
  WorldError,
  type WorldUser,
  type WorldVal,
  world,
} from './fixtures/world-builder.js';
export type { RequestLog } from './http/handler.js';
export type { EmulatorOptions } from './options.js';
