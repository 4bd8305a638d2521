// Responses of the control API. Those of the emulator's own types are imported, so that both change together.

export type { RowChanges } from '../../../src/engine/api/row-changes.js';
export type { Change } from '../../../src/engine/changes/change.js';
export type { ClockStatus } from '../../../src/engine/clock/clock.js';
export type { Found as FoundRecord } from '../../../src/engine/control/ui/find-records.js';
export type { RecordNames } from '../../../src/engine/control/ui/names.js';
export type { RecordFileEntry as RecordFile } from '../../../src/engine/control/ui/record-files.js';
export type { FaultRecord } from '../../../src/engine/faults/faults.js';
export type { RequestRecord } from '../../../src/engine/journal/request-record.js';
export type { HistoryEntry } from '../../../src/engine/sandbox/history-entries.js';
export type { SandboxRecord } from '../../../src/engine/sandbox/sandbox-record.js';
export type { SnapshotRecord } from '../../../src/engine/sandbox/snapshots.js';
export type { CallerRecord as EmulatorUser } from '../../../src/engine/state/callers.js';
export type { BlobContent } from '../../../src/vals/blobs/blobs.control.js';
export type { ValsSummary as Summary } from '../../../src/vals/service/summary.control.js';

import type { RequestsSummary } from '../../../src/engine/control/requests.js';
import type { HistoryEntry } from '../../../src/engine/sandbox/history-entries.js';
import type { ControlOutput } from '../../../src/tools/client/control-client.js';

/** A part of a JSON schema, as far as it is shown. */
export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly allOf?: readonly FieldSchema[];
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
}

/** A collection of the emulator, with the JSON Schema of its records. */
export type Collection = Omit<ControlOutput<'listCollections'>[number], 'schema'> & {
  readonly schema: {
    readonly properties?: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };
};

/** A record in fixture format, with the ids of the records that it refers to. */
export interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The requests of the journal that a search finds, and since when their bodies are complete. */
export type JournalSummary = RequestsSummary;
/** A request without bodies and headers. */
export type RequestSummary = JournalSummary['requests'][number];

export type ChangeCounts = HistoryEntry['counts'][string];
export type CommitDetail = ControlOutput<'getCommit'>;

export type RecordPage = Omit<ControlOutput<'listRecords'>, 'records'> & { readonly records: readonly Row[] };
export type RecordDetail = ControlOutput<'getRecord'>;
export type RelatedRecords = RecordDetail['related'][string];
export type SentEmail = ControlOutput<'getEmail'>;
export type Database = ControlOutput<'getDatabase'>;
export type TableRows = ControlOutput<'listRows'>;
export type RateLimitStatus = ControlOutput<'getRateLimit'>;
