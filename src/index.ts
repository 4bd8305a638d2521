export type { Fixtures } from './collections/index.js';
export { createEmulator, type Emulator } from './emulator.js';
export type { ExportedFixtures, ExportOptions } from './fixtures/export-options.js';
export type { OnProgress, Progress } from './fixtures/read.js';
export type { GenerateOptions } from './generator/options.js';
export type { RequestExpectation, RequestFilter, RequestStep } from './journal/expectations.js';
export type { RequestRecord } from './journal/request-record.js';
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
export type { EmulatorOptions } from './options.js';
export type { RouteReference } from './routes/index.js';
export type { ChaosOptions } from './sandbox/chaos.js';
export type { ChaosName } from './sandbox/chaos-presets.js';
export type { ClockStatus, DateInput } from './sandbox/clock.js';
export type { FaultOptions, FaultRecord } from './sandbox/faults.js';
export type { HistoryEntry, SnapshotRecord } from './sandbox/history.js';
export type { EmailExpectation, EmailFilter, EmailRecord } from './sandbox/outbox.js';
export type { RateLimitSetting, RateLimitStatus } from './sandbox/rate-limit.js';
export type { Sandbox } from './sandbox/sandbox.js';
export type { SandboxRecord } from './sandbox/sandbox-record.js';
export type { GeneratedSource } from './sandbox/seed-loader.js';
export type { EmulatorUser } from './sandbox/users.js';
export type { AppHandler, AppRequest, AppResponse, EmulatorApp } from './server/app.js';
export type { FailedRequest } from './server/internal-error.js';
export type { RequestLog } from './server/request-log.js';
export {
  type BlobSettings,
  type CommentSettings,
  type DatabaseSettings,
  type EmailSettings,
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
