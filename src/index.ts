export type { Change } from '#engine/changes/change.js';
export type { ClockStatus, DateInput } from '#engine/clock/clock.js';
export type { ChaosOptions } from '#engine/faults/chaos.js';
export type { FaultOptions, FaultRecord } from '#engine/faults/faults.js';
export type { ChaosName } from '#engine/faults/presets.js';
export type { ExportOptions } from '#engine/fixtures/export-options.js';
export type { OnProgress, Progress } from '#engine/fixtures/read.js';
export type { AppHandler, AppRequest, AppResponse, EmulatorApp } from '#engine/http/app.js';
export type { RequestRecord } from '#engine/journal/request-record.js';
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
export type { FailedRequest, RequestLog } from '#engine/options/callbacks.js';
export type { RateLimitSetting, RateLimitStatus } from '#engine/rate-limit/rate-limit.js';
export type { HistoryEntry } from '#engine/sandbox/history-entries.js';
export type { SandboxRecord } from '#engine/sandbox/sandbox-record.js';
export type { SnapshotRecord } from '#engine/sandbox/snapshots.js';
export type { EmailExpectation, EmailFilter, EmailRecord } from '#vals/emails/outbox-schemas.sandbox.js';
export type { GenerateOptions } from '#vals/generator/options.js';
export type { EmulatorOptions } from '#vals/service/options.js';
export type { Fixtures } from '#vals/service/service.collection.js';
export type { RouteReference } from '#vals/service/service.routes.js';
export type {
  EmulatorUser,
  ExportedFixtures,
  GeneratedSource,
  RequestExpectation,
  RequestFilter,
  RequestStep,
} from '#vals/service/types.js';
export { createEmulator, type Emulator, type Sandbox } from './emulator.js';
