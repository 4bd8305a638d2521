import { dropRows } from '../api/row-changes.js';
import { ApiError } from '../lib/errors.js';
import { isError } from '../lib/reasons.js';
import { isRead } from '../lib/target.js';
import { DROPPED, MAX_BODY_LENGTH } from './bodies.js';
import type { Exchange } from './exchange.js';

const MEGABYTE = 1_048_576;
/** Bytes of paths, headers and bodies that a journal has: of the default sandbox, of a named one, and of all sandboxes. */
export const JOURNAL_BYTES = { default: 64 * MEGABYTE, named: MEGABYTE, all: 256 * MEGABYTE } as const;
/** Requests that a journal has: the last ones. */
export const JOURNAL_LENGTH = 1_000;
/** Memory of a character: strings have UTF-16 code units. */
const BYTES_PER_CHARACTER = 2;

type Body = Exchange['requestBody'];

/** A response body, whose bytes count once for all slots that have it. */
interface SharedBody {
  readonly body: NonNullable<Body>;
  slots: number;
}

interface Slot {
  readonly exchange: Exchange;
  /** Undefined for none, and once it was dropped. */
  response: SharedBody | undefined;
  /** The bytes of everything else. */
  rest: number;
}

/** The last requests of a sandbox, in a ring of slots. */
export class Journal {
  readonly #memory: JournalMemory | undefined;
  readonly #limit: number;
  /** By the number of the exchange, modulo the length. */
  readonly #slots: (Slot | undefined)[] = [];
  /** The last response body of each path, which is often repeated. */
  readonly #last = new Map<string, SharedBody>();
  /** Number before the oldest exchange. */
  #start = 0;
  #count = 0;
  /** Numbers of the last exchanges whose bodies were dropped: responses of reads, of writes, and all others. */
  readonly #cursors: [reads: number, writes: number, others: number] = [0, 0, 0];
  #generation = 0;
  #size = 0;
  readonly #expected = new WeakSet<Exchange>();

  /**
   * @param memory of all journals; undefined for a journal that counts requests only
   * @param sandbox its name, empty for the default one
   * @param count the last number that is taken
   * @param exchanges those to begin with, the oldest first
   */
  constructor(memory: JournalMemory | undefined, sandbox = '', count = 0, exchanges: readonly Exchange[] = []) {
    this.#memory = memory;
    this.#limit = sandbox === '' ? JOURNAL_BYTES.default : JOURNAL_BYTES.named;
    const [oldest] = exchanges;
    if (oldest) this.#begin(oldest.number - 1);
    for (const exchange of exchanges) {
      this.#count = exchange.number - 1;
      this.append(exchange);
    }
    if (!oldest) this.#begin(count);
    this.#count = Math.max(count, this.#count);
  }

  /** The oldest first. The journal may drop their bodies later. */
  get exchanges(): readonly Exchange[] {
    const found: Exchange[] = [];
    for (let number = this.#oldest; number <= this.#count; number++) {
      const slot = this.#getSlot(number);
      if (slot) found.push(slot.exchange);
    }
    return found;
  }

  /** The exchanges of routes that do not exist. */
  get unhandled(): readonly Exchange[] {
    return this.exchanges.filter(({ route }) => route === null);
  }

  get #oldest(): number {
    return Math.max(this.#start, this.#count - JOURNAL_LENGTH) + 1;
  }

  get length(): number {
    return this.exchanges.length;
  }

  /** Requests since the start or the last reset, including dropped ones. */
  get count(): number {
    return this.#count;
  }

  /** Changes when the exchanges are removed. */
  get generation(): number {
    return this.#generation;
  }

  /** Bytes of all paths, headers and bodies. A body that is repeated counts once. */
  get size(): number {
    return this.#size;
  }

  get nextId(): string {
    return `r${this.#count + 1}`;
  }

  find(id: string): Exchange | undefined {
    const number = Number(/^r([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
    const exchange = this.#getSlot(number)?.exchange;
    return exchange?.number === number ? exchange : undefined;
  }

  /** Returns the journal. @throws ApiError 409 for one that counts requests only */
  read(): this {
    if (!this.#memory) throw new ApiError(409, 'The emulator has no journal: start it without --no-journal.');
    return this;
  }

  #getSlot(number: number): Slot | undefined {
    return this.#slots[number % JOURNAL_LENGTH];
  }

  has(exchange: Exchange): boolean {
    return this.#getSlot(exchange.number)?.exchange === exchange;
  }

  expect(exchanges: Iterable<Exchange>): void {
    for (const exchange of exchanges) this.#expected.add(exchange);
  }

  isExpected(exchange: Exchange): boolean {
    return this.#expected.has(exchange);
  }

  /** Records an exchange under the next number. Bodies that are too long are cut. */
  record(exchange: Exchange): void {
    exchange.number = this.#count + 1;
    if (this.#memory) cutBodies(exchange);
    this.append(exchange);
  }

  /** Appends an exchange under the next number. */
  append(exchange: Exchange): void {
    const index = ++this.#count % JOURNAL_LENGTH;
    if (!this.#memory) return;
    const { target, headers, responseHeaders, requestBody, rows, message, error } = exchange;
    const others = target.length + measureHeaders(headers) + measureTexts(responseHeaders) + rows.length;
    const rest =
      (others + (requestBody?.length ?? 0) + (message?.length ?? 0) + (error?.length ?? 0)) * BYTES_PER_CHARACTER;
    const response = this.#share(exchange);
    const replaced = this.#slots[index];
    this.#slots[index] = { exchange, response, rest };
    const bytes = rest + (response?.slots === 1 ? measure(response.body) : 0);
    this.#size += bytes;
    // Last, so that a body which it had in common stays.
    if (replaced) this.#remove(replaced);
    while (this.#size > this.#limit && this.shrink());
    this.#memory.grow(this, bytes);
  }

  /** Gives an exchange the response body of the one before, if they are the same. */
  #share(exchange: Exchange): SharedBody | undefined {
    const { target, responseBody } = exchange;
    if (responseBody === undefined || responseBody === '') return undefined;
    const last = this.#last.get(target);
    if (!last || !isSame(last.body, responseBody)) {
      const shared = { body: responseBody, slots: 1 };
      this.#last.set(target, shared);
      return shared;
    }
    last.slots++;
    exchange.responseBody = last.body;
    return last;
  }

  #release(bytes: number): void {
    this.#size -= bytes;
    this.#memory?.release(bytes);
  }

  /**
   * Drops a body, the least useful first: responses of reads, then of writes, then request bodies, errors and rows. Without
   * bodies, the oldest exchange goes. Returns false if there is nothing left to drop.
   */
  shrink(): boolean {
    for (const part of [0, 1, 2] as const) {
      while (this.#cursors[part] < this.#count) {
        const slot = this.#getSlot(Math.max(this.#cursors[part] + 1, this.#oldest));
        this.#cursors[part] = Math.max(this.#cursors[part] + 1, this.#oldest);
        if (slot && this.#dropBodies(slot, part)) return true;
      }
    }
    if (this.#start >= this.#count) return false;
    this.#start = this.#oldest;
    const slot = this.#getSlot(this.#start);
    if (slot) this.#remove(slot);
    this.#slots[this.#start % JOURNAL_LENGTH] = undefined;
    return true;
  }

  /** Drops the bodies of a slot whose turn it is. Returns whether that made room. A short body stays. */
  #dropBodies(slot: Slot, part: 0 | 1 | 2): boolean {
    const { exchange } = slot;
    const size = this.#size;
    const left = dropBody(exchange.responseBody);
    if (part === classify(exchange) && left !== exchange.responseBody) {
      exchange.responseBody = left;
      this.#releaseResponse(slot);
      slot.rest += measure(left);
      this.#release(-measure(left));
    }
    if (part === 2) {
      const { requestBody, rows } = exchange;
      exchange.requestBody = dropBody(requestBody);
      exchange.rows = dropRows(rows);
      const left = measure(exchange.requestBody) + measure(exchange.rows);
      const bytes = measure(requestBody) + measure(rows) - left;
      slot.rest -= bytes;
      this.#release(bytes);
    }
    return this.#size < size;
  }

  /** Counts the response body of a slot no longer, unless another one has it. */
  #releaseResponse(slot: Slot): void {
    const { response, exchange } = slot;
    slot.response = undefined;
    if (!response || --response.slots > 0) return;
    if (this.#last.get(exchange.target) === response) this.#last.delete(exchange.target);
    this.#release(measure(response.body));
  }

  #remove(slot: Slot): void {
    this.#releaseResponse(slot);
    this.#release(slot.rest);
  }

  /** Removes the exchanges. Ids are not used again. */
  clear(): void {
    this.restart(this.#count);
  }

  /** Removes the exchanges and starts the ids again. */
  reset(): void {
    this.restart(0);
  }

  /** Removes the exchanges. @param count the last number that is taken */
  restart(count: number): void {
    this.#generation++;
    this.#begin(count);
  }

  #begin(count: number): void {
    this.#slots.length = 0;
    this.#last.clear();
    this.#release(this.#size);
    this.#memory?.forget(this);
    this.#count = count;
    this.#start = count;
    this.#cursors.fill(count);
  }
}

/** Returns the turn in which the response body of an exchange is dropped. */
const classify = (exchange: Exchange): 0 | 1 | 2 =>
  exchange.status > 0 && isError(exchange) ? 2 : isRead(exchange.method) ? 0 : 1;

/** Measures names and values, in UTF-16 code units. */
function measureHeaders(raw: Exchange['headers']): number {
  let length = 0;
  if (Array.isArray(raw)) for (const text of raw) length += text.length;
  else for (const [name, value] of raw) length += name.length + value.length;
  return length;
}

function measureTexts(texts: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const name in texts) length += name.length + (texts[name]?.length ?? 0);
  return length;
}

const measure = (body: Body): number => (body?.length ?? 0) * BYTES_PER_CHARACTER;

const isSame = (one: Body, other: Body): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : one === other;

const dropBody = (body: Body): Body => (body !== undefined && body.length > DROPPED.length ? DROPPED : body);

/** Cuts the bodies of an exchange to what a journal has of them. */
export function cutBodies(exchange: Exchange): void {
  const { requestBody = '', responseBody = '' } = exchange;
  if (requestBody.length > MAX_BODY_LENGTH) exchange.requestBody = truncate(requestBody);
  if (responseBody.length > MAX_BODY_LENGTH) exchange.responseBody = truncate(responseBody);
}

function truncate(body: string | Uint8Array): string | Uint8Array {
  if (body instanceof Uint8Array) return body.slice(0, MAX_BODY_LENGTH);
  // A substring would retain the whole body.
  return Buffer.from(body.slice(0, MAX_BODY_LENGTH), 'utf16le').toString('utf16le');
}

interface Shrinkable {
  /** Drops a body. Returns false if no body is left. */
  shrink(): boolean;
}

/** Bounds what the journals of an emulator have in memory together. */
export class JournalMemory {
  readonly #limit: number;
  /** Those with exchanges, the one that was used longest ago first. */
  readonly #journals = new Set<Shrinkable>();
  #newest: Shrinkable | undefined;
  #size = 0;

  /** @param limit bytes */
  constructor(limit: number = JOURNAL_BYTES.all) {
    this.#limit = limit;
  }

  release(bytes: number): void {
    this.#size -= bytes;
  }

  /** Adds to the bytes of a journal, and makes room: the journal that was used longest ago loses its bodies first. */
  grow(journal: Shrinkable, bytes: number): void {
    this.#size += bytes;
    if (this.#newest !== journal) {
      this.#journals.delete(journal);
      this.#journals.add(journal);
      this.#newest = journal;
    }
    if (this.#size <= this.#limit) return;
    for (const oldest of this.#journals) {
      while (this.#size > this.#limit && oldest.shrink());
      if (this.#size <= this.#limit) return;
      this.#journals.delete(oldest);
    }
  }

  forget(journal: Shrinkable): void {
    this.#journals.delete(journal);
    if (this.#newest === journal) this.#newest = undefined;
  }
}
