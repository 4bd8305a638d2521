export type { ClockStatus, DateInput } from './control/clock.js';
export type { RequestExpectation, RequestFilter } from './control/expectations.js';
export type { FaultOptions, FaultRecord } from './control/faults.js';
export type { HistoryEntry, SnapshotRecord } from './control/history.js';
export type { RateLimitSetting, RateLimitStatus } from './control/rate-limit.js';
export type { RequestRecord } from './control/request-record.js';
export type { SandboxRecord } from './control/sandboxes.js';
export type { GeneratedSource } from './control/seed-loader.js';
export type { EmulatorUser } from './control/users.js';
export { createEmulator, type Emulator, type SandboxApi as Sandbox } from './emulator.js';
export type { ExportedFixtures, ExportOptions } from './fixtures/export-options.js';
export type { Fixtures } from './fixtures/schema.js';
export type { GenerateOptions } from './generator/options.js';
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
} from './lib/errors.js';
export type { OnProgress, Progress } from './lib/progress.js';
export type { EmulatorOptions } from './options.js';
export type { AppHandler, AppRequest, AppResponse, EmulatorApp } from './server/app.js';
export type { FailedRequest } from './server/internal-error.js';
export type { RequestLog } from './server/request-log.js';
export {
  type CommentSettings,
  FixtureBuilder,
  FixtureBuilderError,
  fixture,
  type LikeSettings,
  type RunSettings,
  type UserBuilder,
  type UserSettings,
  type ValBuilder,
  type ValSettings,
  type VersionSettings,
} from './testing/fixture-builder.js';
