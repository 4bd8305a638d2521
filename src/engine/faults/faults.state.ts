import type { Instant } from '../lib/time.js';
import type { ContentCriteria } from '../state/content-criteria.js';

/** An armed fault: criteria for requests, effects and counters. */
export interface Fault {
  readonly id: string;
  /** Null for any: `POST /v1/vals`, a method, the id of the caller. */
  readonly route: string | null;
  readonly method: string | null;
  readonly userId: string | null;
  /** Content of the request; null for any. */
  readonly match: ContentCriteria | null;
  readonly after: number;
  readonly times: number | null;
  /** Fraction of the matching requests that get the fault, 0 to 1, and the seed of that choice. */
  readonly rate: number;
  readonly seed: string;
  /** HTTP status of the response; null leaves the response unchanged. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Body of the response; undefined for the error body of the API. */
  readonly body?: unknown;
  /** Milliseconds to delay the response, or a minimum and a maximum. */
  readonly delay: number | readonly [number, number] | null;
  readonly reset: boolean;
  /** Close the connection after this many bytes of the body; null to send it whole. */
  readonly truncate: number | null;
  /** Time of the sandbox at which the fault ends; absent for one without an end. */
  readonly until?: Instant;
  /** Matching requests so far, and those that got the fault. */
  readonly seen: number;
  readonly hits: number;
}
