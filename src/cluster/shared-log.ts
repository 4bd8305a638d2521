import { ApiError, DataError, reasonFor } from '#engine/lib/errors.js';
import { isObject } from '#engine/lib/objects.js';
import type { Instant } from '#engine/lib/time.js';
import { checksumOf, isLine, type Line } from '#engine/persistence/lines.js';

/** A change of one or more sandboxes that is made as a whole or not at all. */
export interface Unit {
  /** The sandboxes that it depends on, each with whether a change of it by another node matters. */
  readonly seen: ReadonlyMap<string, boolean>;
  /** The ones that exist. */
  readonly known: ReadonlySet<string>;
  /** The ones whose contents it changes. The journal is not part of the contents. */
  readonly changed: ReadonlySet<string>;
  /** Empty for a unit that only checks what it depends on. */
  readonly lines: readonly Line[];
}

/** What nodes append to a log: the lines of one unit. */
export interface Entry {
  readonly node: string;
  /** Number of the exchange of this node, and of the unit within it. */
  readonly exchange: number;
  readonly unit: number;
  readonly changed: readonly string[];
  readonly lines: readonly Line[];
}

/** An entry with its position in the log: milliseconds since 1970 by the clock of the log, and a number. */
export interface StoredEntry extends Entry {
  readonly id: string;
}

/** What a node sends: units, and what it knows. */
export interface RoundTrip {
  readonly number: number;
  /** Id of the last entry that the node has applied. */
  readonly last: string;
  /** The latest time that a request of these units has seen. */
  readonly time: Instant;
  readonly units: readonly Unit[];
  /** What the other nodes read about this one. Undefined for no news. */
  readonly status?: string | undefined;
}

/** What the log responds. Its entries come first, then the entries of the exchange. */
export interface RoundTripResult {
  /** The entries that the node lacks, oldest first. */
  readonly entries: readonly StoredEntry[];
  /** For each unit the id of its entry, `'-'` for one without lines; undefined for one that was refused. */
  readonly ids: readonly (string | undefined)[];
  /** Whether there are more entries. Then all units were refused. */
  readonly hasMore: boolean;
  /** The latest time that any request has seen. */
  readonly time: Instant;
  /** The time of the log's machine. */
  readonly logTime: Instant;
  /** Number of entries since the log began, and since its last checkpoint. */
  readonly count: number;
  readonly sinceCheckpoint: number;
}

/** What a log begins with: the contents at one entry. */
export interface Checkpoint {
  /** Id of the last entry that it contains. */
  readonly last: string;
  /** The number of that entry. */
  readonly count: number;
  readonly lines: Iterable<Line>;
}

/** There is no connection to a log, or it does not respond, or it refuses what was sent for a time. */
export class LogUnavailableError extends Error {
  override name = 'LogUnavailableError';
  /** Whether what was sent was not done. Otherwise it may have been. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal = false) {
    super(message);
    this.isRefusal = isRefusal;
  }
}

/** A log does not have what a node has applied: it was restored, emptied, or its server has lost entries. */
export class LogLostError extends Error {
  override name = 'LogLostError';
}

/** The error of a request that was not done. */
export const unavailable = (cause: Error) =>
  new ApiError(
    503,
    cause instanceof DataError
      ? cause.message
      : `The shared store cannot be reached: ${cause.message.replace(/\.?$/, '.')}`,
  );

/** The error of a request of which this node does not know whether it was done. */
export const unknownOutcome = (cause: Error) =>
  new ApiError(503, `The connection to the shared store was lost (${cause.message}): the request may have been done.`);

/** Longer texts are compressed. */
const MAX_PLAIN_LENGTH = 16_384;

/** Formats a text: checksum, and the text or, if it is long, `z` and its compressed form. */
export function pack(text: string): string {
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const content = text.length > MAX_PLAIN_LENGTH ? `z${gzipSync(text, { level: 1 }).toString('base64')}` : text;
  return `${checksumOf(content)} ${content}`;
}

/** @throws RangeError for a text that is not as it was packed */
export function unpack(packed: string): string {
  const content = packed.slice(9);
  if (checksumOf(content) !== packed.slice(0, 8)) throw new RangeError('its checksum does not match');
  if (!content.startsWith('z')) return content;
  return process
    .getBuiltinModule('node:zlib')
    .gunzipSync(Buffer.from(content.slice(1), 'base64'))
    .toString();
}

export const formatEntry = (entry: Entry): string => pack(JSON.stringify(entry));

/** @throws DataError for an entry that is damaged or of an unknown kind */
export function parseEntry(id: string, packed: string): StoredEntry {
  try {
    const entry: unknown = JSON.parse(unpack(packed));
    if (!isEntry(entry)) throw new RangeError('it is of an unknown kind');
    return { ...entry, id };
  } catch (error) {
    throw new DataError(`Entry ${id} of the shared store is damaged: ${reasonFor(error)}.`);
  }
}

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  typeof value.node === 'string' &&
  typeof value.exchange === 'number' &&
  typeof value.unit === 'number' &&
  Array.isArray(value.changed) &&
  Array.isArray(value.lines) &&
  value.lines.every(isLine);
