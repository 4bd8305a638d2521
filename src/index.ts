export { ClockError, type ClockReading, type Moment } from './control/clock.js';
export { ExpectationError, type RequestExpectation, type RequestFilter } from './control/expectations.js';
export { FaultError, type FaultOptions, type FaultRecord } from './control/faults.js';
export type { RequestRecord } from './control/journal.js';
export {
  type EmulatorUser,
  type HistoryEntry,
  type Sandbox,
  type SnapshotRecord,
  UnknownNameError,
} from './control/sandbox.js';
export { ApiError } from './domain/errors.js';
export { createEmulator, type Emulator } from './emulator.js';
export { FixtureError, type Problem } from './fixtures/problems.js';
export type { Fixtures } from './fixtures/schema.js';
export type { RequestLog } from './http/handler.js';
export { type EmulatorOptions, OptionsError } from './options.js';
