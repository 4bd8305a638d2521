import type { JsonValue } from '#engine/definition/parts.js';
import { asc, index } from '#engine/store/collection.js';

/** The methods of a console. */
export const LOG_LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

export interface LogEntry {
  readonly log: string;
  readonly level: (typeof LOG_LEVELS)[number];
}

/** What a file responds when it is run, in place of its code. */
export interface SeededResponse {
  readonly id: string;
  readonly projectId: string;
  /** Of a file that need not exist. */
  readonly file: string;
  /** The name of a branch that need not exist. Null for each branch that no other response names. */
  readonly branch: string | null;
  readonly result: JsonValue;
  /** Null for a success. */
  readonly error: string | null;
  /** Of the endpoint of the file. */
  readonly status: number;
  readonly logs: readonly LogEntry[];
  readonly serial: number;
}

export const responseIndexes = {
  file: index<SeededResponse>(
    asc((response) => response.projectId),
    asc((response) => response.file),
    // No branch has an empty name.
    asc((response) => response.branch ?? ''),
  ),
};
