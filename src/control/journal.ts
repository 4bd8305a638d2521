import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/schemas/common.js';
import { record } from '../lib/schema.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { measureHeaders, parseBody, type RawHeaders, RequestContent } from './request-content.js';

const Body = Type.Unknown({ description: 'Parsed JSON, other bodies as text cut to 64 KB, null for none' });
const Texts = Type.Record(Type.String(), Type.String());

/** Requests that a journal keeps: the last ones. */
export const JOURNAL_LENGTH = 1_000;
/** Longest body that it keeps, in UTF-16 code units. */
export const MAX_BODY_LENGTH = 65_536;
/** Length of all paths, headers and bodies that it keeps, in UTF-16 code units. */
export const MAX_TOTAL_LENGTH = 1_048_576;
/** In place of a body that was dropped. */
export const DROPPED = '(dropped: the journal is full)';

/** A request to the API and its response. */
export const RequestRecord = record('RecordedRequest', {
  id: Type.String({ description: 'Unique within the sandbox' }),
  time: Timestamp,
  duration: Type.Number({
    description: 'Milliseconds until the response was made; saving its changes is not included',
  }),
  route: Nullable(Type.String()),
  params: Texts,
  method: Type.String(),
  path: Type.String({ description: 'Path and query as sent' }),
  query: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
    description: 'Parsed query; a list for a repeated parameter',
  }),
  user: Nullable(Type.String()),
  status: Type.Integer({ description: '0 for a connection that was reset' }),
  request: record('RecordedMessage', { headers: Texts, body: Body }),
  response: record('RecordedBody', { body: Body }),
  fault: Nullable(Type.String()),
  commit: Nullable(
    Type.String({
      description: 'Id of the last commit of the history when the response was ready: its own if it wrote',
    }),
  ),
  error: Nullable(Type.String({ description: 'Stack of an internal error of the emulator' })),
});
export type RequestRecord = Static<typeof RequestRecord>;

/** A request and its response, as the pipeline records them. */
export interface JournalEntry
  extends Readonly<Omit<RequestRecord, 'time' | 'params' | 'query' | 'request' | 'response'>> {
  readonly at: Instant;
  readonly headers: RawHeaders;
  readonly requestBody: string | undefined;
  readonly responseBody: string | undefined;
}

/** An entry that the journal may change. */
type KeptEntry = { -readonly [K in keyof JournalEntry]: JournalEntry[K] };

/** Follows what happens to a journal. */
interface JournalFollower {
  recorded(entry: JournalEntry): void;
  /** @param isReset whether the ids start again */
  cleared(isReset: boolean): void;
}

export class Journal {
  #follower: JournalFollower | undefined;
  /** Whether the follower decides when the journal changes. */
  #isAhead = false;
  /** By the number of their id, the oldest first. */
  readonly #entries = new Map<number, KeptEntry>();
  /** Number of the oldest entry. */
  #first = 1;
  /** Number of the last entry whose bodies were dropped. */
  #dropped = 0;
  #count = 0;
  #generation = 0;
  #size = 0;

  /**
   * @param count the last number of an id that is taken
   * @param entries those to begin with
   */
  constructor(count = 0, entries: readonly JournalEntry[] = []) {
    const [oldest] = entries;
    if (oldest) this.#begin(toNumber(oldest.id) - 1);
    for (const entry of entries) {
      this.#count = toNumber(entry.id) - 1;
      this.append(entry);
    }
    this.#count = Math.max(count, this.#count);
  }

  /** The oldest first. The journal may drop their bodies later. */
  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  get length(): number {
    return this.#entries.size;
  }

  /** Requests since the start or the last reset, also those that are no longer in the journal. */
  get count(): number {
    return this.#count;
  }

  /** Changes when the entries are removed. */
  get generation(): number {
    return this.#generation;
  }

  /** Length of all paths, headers and bodies, in UTF-16 code units. */
  get size(): number {
    return this.#size;
  }

  get nextId(): string {
    return `r${this.#count + 1}`;
  }

  /** Finds an entry by its id. */
  find(id: string): JournalEntry | undefined {
    const entry = this.#entries.get(toNumber(id));
    return entry?.id === id ? entry : undefined;
  }

  /**
   * Passes on what happens from now on.
   * @param isAhead whether the journal changes later, when the follower calls {@link append}, {@link drop} or {@link restart}
   */
  follow(follower: JournalFollower, isAhead = false): void {
    this.#follower = follower;
    this.#isAhead = isAhead;
  }

  /** Records an entry whose id is {@link nextId}, and returns it. Bodies that are too long are cut in place. */
  record(entry: JournalEntry): JournalEntry {
    const kept: KeptEntry = entry;
    kept.requestBody = truncate(entry.requestBody);
    kept.responseBody = truncate(entry.responseBody);
    this.#follower?.recorded(entry);
    if (!this.#isAhead) this.append(entry);
    return entry;
  }

  /** Appends an entry whose id is {@link nextId}. */
  append(entry: JournalEntry): void {
    this.#entries.set(++this.#count, entry);
    this.#size += measure(entry);
    // Bodies first, so that requests can be counted even if they are large.
    while (this.#size > MAX_TOTAL_LENGTH && this.#dropped < this.#count) this.#dropBodies(++this.#dropped);
    while (this.#entries.size > JOURNAL_LENGTH || this.#size > MAX_TOTAL_LENGTH) this.#remove(this.#first++);
  }

  /** Changes an entry whose commit could not be saved. */
  amend({ id }: JournalEntry, change: Pick<JournalEntry, 'status' | 'responseBody' | 'commit'>): void {
    this.#change(toNumber(id), (entry) => Object.assign(entry, change));
  }

  /** Drops the bodies of an entry. A short body stays. */
  #dropBodies(number: number): void {
    this.#change(number, (entry) => {
      entry.requestBody = dropBody(entry.requestBody);
      entry.responseBody = dropBody(entry.responseBody);
    });
  }

  #change(number: number, change: (entry: KeptEntry) => void): void {
    const entry = this.#entries.get(number);
    if (!entry) return;
    this.#size -= measure(entry);
    change(entry);
    this.#size += measure(entry);
  }

  #remove(number: number): void {
    const entry = this.#entries.get(number);
    if (!entry) return;
    this.#entries.delete(number);
    this.#size -= measure(entry);
  }

  /** Removes the entries. Ids go on, so that none is used twice. */
  clear(): void {
    this.#follower?.cleared(false);
    if (!this.#isAhead) this.drop();
  }

  /** Removes the entries and starts the ids again. */
  reset(): void {
    this.#follower?.cleared(true);
    if (!this.#isAhead) this.restart();
  }

  /** Does what {@link clear} asks for. */
  drop(): void {
    this.restart(this.#count);
  }

  /** Does what {@link reset} asks for. @param count the last number of an id that is taken */
  restart(count = 0): void {
    this.#entries.clear();
    this.#generation++;
    this.#begin(count);
  }

  /** Begins without entries. @param count the last number of an id that is taken */
  #begin(count: number): void {
    this.#size = 0;
    this.#count = count;
    this.#first = count + 1;
    this.#dropped = count;
  }
}

/** Returns the number of an id: 12 for `r12`. */
const toNumber = (id: string): number => Number(id.slice(1));

/** A request in a list: without headers and bodies. */
export const toRequestSummary = (entry: JournalEntry) => {
  const { id, at, duration, route, method, path, user, status, fault, commit } = entry;
  return { id, time: toTimestamp(at), duration, route, method, path, user, status, fault, commit };
};

export function toRequestRecord(entry: JournalEntry): RequestRecord {
  const { id, at, duration, route, method, path, user, status, responseBody, fault, commit, error } = entry;
  const { headers, params, query, body } = new RequestContent(entry);
  return {
    id,
    time: toTimestamp(at),
    duration,
    route,
    params,
    method,
    path,
    query,
    user,
    status,
    request: { headers, body },
    response: { body: parseBody(responseBody) },
    fault,
    commit,
    error,
  };
}

function measure(entry: JournalEntry): number {
  const { path, headers, requestBody = '', responseBody = '' } = entry;
  return path.length + measureHeaders(headers) + requestBody.length + responseBody.length;
}

const dropBody = (body: string | undefined): string | undefined =>
  body !== undefined && body.length > DROPPED.length ? DROPPED : body;

function truncate(body: string | undefined): string | undefined {
  if (body === undefined || body.length <= MAX_BODY_LENGTH) return body;
  // A substring would retain the whole body.
  return Buffer.from(body.slice(0, MAX_BODY_LENGTH), 'utf16le').toString('utf16le');
}
