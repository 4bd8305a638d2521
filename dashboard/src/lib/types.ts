// Responses of the control API. Those of the emulator's own types are imported, so that both change together.

export type { RequestRecord } from '../../../src/journal/request-record.js';
export type { ClockStatus } from '../../../src/sandbox/clock.js';
export type { FaultRecord } from '../../../src/sandbox/faults.js';
export type { HistoryEntry, SnapshotRecord } from '../../../src/sandbox/history.js';
export type { SandboxRecord } from '../../../src/sandbox/sandbox-record.js';
export type { EmulatorUser } from '../../../src/sandbox/users.js';

import type { RequestRecord } from '../../../src/journal/request-record.js';
import type { HistoryEntry } from '../../../src/sandbox/history.js';

export const COLLECTIONS = ['users', 'vals', 'versions', 'runs', 'likes', 'comments'] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

/** A record in fixture format, with the ids of the records that it refers to. */
export interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A request as the events have it: without bodies and headers. */
export type RequestSummary = Pick<
  RequestRecord,
  'id' | 'time' | 'duration' | 'route' | 'method' | 'path' | 'user' | 'status' | 'fault'
> & {
  /** Id of the last commit when the response was sent; its own id if the request wrote. */
  readonly commit: string | null;
};

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** A commit without the ids of its records. */
export type CommitSummary = Pick<HistoryEntry, 'id' | 'request' | 'time'> & {
  readonly counts: Readonly<Record<string, ChangeCounts>>;
};

/** A record that a commit added (no `before`), removed (no `after`) or changed. */
export interface RecordChange {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

export interface CommitDetail {
  readonly id: string;
  readonly request: string;
  readonly time: string;
  readonly total: number;
  readonly changes: readonly RecordChange[];
}

export interface Summary {
  readonly version: string;
  readonly sandbox: string;
  readonly folder: string | null;
  readonly failure: string | null;
  readonly at: string | null;
  readonly now: string;
  readonly frozen: boolean;
  readonly counts: Readonly<Record<CollectionName, number>>;
  readonly valTypes: Readonly<Record<string, number>>;
  readonly privacies: Readonly<Record<string, number>>;
  readonly runsPerHour: readonly { readonly hour: string; readonly runs: number; readonly failed: number }[];
  readonly requests: number;
  readonly commits: number;
  readonly rateLimit: { readonly limit: number; readonly window: number } | null;
}

export interface RecordPage {
  readonly total: number;
  readonly offset: number;
  readonly records: readonly Row[];
}

export interface RelatedRecords {
  readonly collection: CollectionName;
  readonly total: number;
  readonly records: readonly Row[];
}

export interface RecordDetail {
  readonly record: Row;
  readonly related: Readonly<Record<string, RelatedRecords>>;
}

export interface ImportGraph {
  readonly vals: readonly {
    readonly id: string | null;
    readonly author: string;
    readonly name: string;
    readonly type: string | null;
    readonly privacy: string | null;
  }[];
  readonly imports: readonly { readonly from: number; readonly to: number }[];
  readonly truncated: boolean;
}

export interface RateLimitStatus {
  readonly limit: number | null;
  readonly window: number | null;
  readonly windows: readonly {
    readonly user: string | null;
    readonly requests: number;
    readonly remaining: number;
    readonly reset: number;
  }[];
}
