import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/schemas/common.js';
import { isDeeperThan, MAX_JSON_DEPTH } from '../lib/objects.js';
import { record, strictObject } from '../lib/schema.js';
import { type Instant, toTimestamp } from '../lib/time.js';

const Body = Type.Unknown({ description: 'Parsed JSON, other bodies as text cut to 64 KB, null for none' });
const Message = strictObject({ body: Body });

/** Requests that a journal keeps: the last ones. */
export const JOURNAL_LENGTH = 1_000;
/** Longest body that it keeps, in UTF-16 code units. */
export const MAX_BODY_LENGTH = 65_536;
/** Length of all paths and bodies that it keeps, in UTF-16 code units. */
export const MAX_TOTAL_LENGTH = 16 * 1_048_576;

/** A request to the API and its response. */
export const RequestRecord = record('Request', {
  id: Type.String({ description: 'Unique within the sandbox' }),
  time: Timestamp,
  duration: Type.Number({ description: 'Milliseconds until the response was ready' }),
  route: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String({ description: 'Path and query as sent' }),
  user: Nullable(Type.String()),
  status: Type.Integer({ description: '0 for a connection that was reset' }),
  request: Message,
  response: Message,
  fault: Nullable(Type.String()),
  error: Nullable(Type.String({ description: 'Stack of an internal error of the emulator' })),
});
export type RequestRecord = Static<typeof RequestRecord>;

/** A request and its response, as the pipeline records them. */
export interface JournalEntry extends Readonly<Omit<RequestRecord, 'time' | 'request' | 'response'>> {
  readonly at: Instant;
  readonly requestBody: string | undefined;
  readonly responseBody: string | undefined;
}

export class Journal {
  #entries: JournalEntry[] = [];
  #count = 0;
  #length = 0;

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  get nextId(): string {
    return `r${this.#count + 1}`;
  }

  record(entry: Omit<JournalEntry, 'id'>): void {
    const { at, duration, route, method, path, user, status, fault, error } = entry;
    const requestBody = truncate(entry.requestBody);
    const responseBody = truncate(entry.responseBody);
    const id = this.nextId;
    this.#entries.push({
      id,
      at,
      duration,
      route,
      method,
      path,
      user,
      status,
      requestBody,
      responseBody,
      fault,
      error,
    });
    this.#count++;
    this.#length += measure(this.#entries.at(-1));
    while (this.#entries.length > JOURNAL_LENGTH || this.#length > MAX_TOTAL_LENGTH) {
      this.#length -= measure(this.#entries.shift());
    }
  }

  /** Removes the entries. Ids go on, so that none is used twice. */
  clear(): void {
    this.#entries = [];
    this.#length = 0;
  }

  /** Removes the entries and starts the ids again. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }
}

export function toRequestRecord(entry: JournalEntry): RequestRecord {
  const { id, at, requestBody, responseBody, fault, error, ...others } = entry;
  const bodies = { request: { body: parseBody(requestBody) }, response: { body: parseBody(responseBody) } };
  return { id, time: toTimestamp(at), ...others, ...bodies, fault, error };
}

/** Parses a body: JSON to its value, anything else stays text, none is null. */
export function parseBody(body: string | undefined): unknown {
  if (body === undefined) return null;
  try {
    const value: unknown = JSON.parse(body);
    return isDeeperThan(MAX_JSON_DEPTH, value) ? body : value;
  } catch {
    return body;
  }
}

const measure = (entry?: Pick<JournalEntry, 'path' | 'requestBody' | 'responseBody'>): number =>
  (entry?.path.length ?? 0) + (entry?.requestBody?.length ?? 0) + (entry?.responseBody?.length ?? 0);

function truncate(body: string | undefined): string | undefined {
  if (body === undefined || body.length <= MAX_BODY_LENGTH) return body;
  // A substring would retain the whole body.
  return Buffer.from(body.slice(0, MAX_BODY_LENGTH), 'utf16le').toString('utf16le');
}
