import { type Instant, toTimestamp } from '../domain/clock.js';
import { Ring } from '../domain/ring.js';
import type { State } from '../domain/state.js';
import type { User, Users } from '../domain/users.js';
import { userRef } from '../fixtures/export.js';
import { Redactor } from './redact.js';

/** How many requests a journal keeps: the last ones. */
const JOURNAL_LENGTH = 1_000;
/** How many requests a state must have lasted before it is kept in the place of what is read of it. */
const SETTLED = 100;
/** How much of a body it shows, in UTF-16 code units. */
const BODY_LENGTH = 65_536;
/** How much it keeps beyond that, to know a token that stands across the cut. */
const BODY_MARGIN = 1_024;

/** As much of a request as it takes to answer it once more, if it only reads: what it reads never changes. */
export interface Reading {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** What addresses in the answer begin with. */
  readonly base: string;
  readonly caller: User | undefined;
  readonly at: Instant;
  readonly state: State;
}

/** Gives the body of the answer to a request that only reads. */
export type ReadAgain = (reading: Reading) => string | undefined;

/**
 * A request as it is noted, in the shape that costs least: with nothing made for the note alone, since all that outlives
 * its request has to be moved by the collector of garbage.
 */
export interface Note extends Omit<Reading, 'state'> {
  /** What the request read, if it did nothing else and succeeded. */
  readonly state: State | undefined;
  /** Milliseconds that answering took. */
  readonly duration: number;
  /** Undefined for a route that does not exist. */
  readonly route: string | undefined;
  /** The token that came with the request, if it is not the caller's own. */
  readonly token: string | undefined;
  /** The users there were, whose tokens are not to be shown even when they are gone. */
  readonly users: Users;
  readonly status: number;
  /** Undefined for none. */
  readonly requestBody: string | undefined;
  /** Undefined for none. */
  readonly responseBody: string | undefined;
  /** Of the fault that struck. */
  readonly faultId: string | undefined;
}

/** A request to the API and its answer. */
export interface RequestRecord {
  /** Within its sandbox: `r1` for the first request since the start or the last reset. */
  readonly id: string;
  /** By the clock of the sandbox. */
  readonly time: string;
  /** Milliseconds that answering took. */
  readonly duration: number;
  /** As in `POST /v1/vals`; null for a route that does not exist. */
  readonly route: string | null;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Username of the caller, or id of one without; null for a request without a token. */
  readonly user: string | null;
  /** HTTP status of the answer. */
  readonly status: number;
  /** JSON as the value that it stands for, anything else as text, null for none; text that ends after 64 KB. */
  readonly request: { readonly body: unknown };
  readonly response: { readonly body: unknown };
  /** Id of the fault that struck; null for none. */
  readonly fault: string | null;
}

/** The requests to one sandbox, oldest first. */
export class Journal {
  readonly #notes = new Ring<Note>(JOURNAL_LENGTH);
  /** How many requests there ever were. */
  #count = 0;
  /** The state that was read last, and how many requests there were when it was first read. */
  #seen: State | undefined;
  #seenSince = 0;
  readonly #readAgain: ReadAgain;

  constructor(readAgain: ReadAgain) {
    this.#readAgain = readAgain;
  }

  /** The id that the next request will have. */
  get nextId(): string {
    return `r${this.#count + 1}`;
  }

  add(note: Note): void {
    // Written over the note that it replaces, which spares the collector one more thing to move.
    this.#notes.push(Object.assign(this.#notes.next ?? {}, this.#kept(note)));
    this.#count++;
  }

  /** An answer can be had again from the state: that is kept in its place, unless each write would leave one to keep. */
  #kept(note: Note): Note {
    const { state } = note;
    if (state && state !== this.#seen) {
      this.#seen = state;
      this.#seenSince = this.#count;
    }
    const isSettled = state !== undefined && this.#count - this.#seenSince >= SETTLED;
    return {
      ...note,
      state: isSettled ? state : undefined,
      requestBody: keptBody(note.requestBody),
      responseBody: isSettled ? undefined : keptBody(note.responseBody),
    };
  }

  /** Forgets the requests so far; later ones are counted on, so that no id is given twice. */
  clear(): void {
    this.#notes.cut(0);
    this.#seen = undefined;
  }

  /** As if there had never been a request. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }

  /** Tokens are blanked wherever they occur: those of the state's users, and all that were about when a request came. */
  read(state: State): RequestRecord[] {
    const notes = [...this.#notes];
    const redactor = new Redactor(tokensIn(state.users, notes));
    const first = this.#count - notes.length + 1;
    return notes.map((note, i) => ({
      id: `r${first + i}`,
      time: toTimestamp(note.at),
      duration: note.duration,
      route: note.route ?? null,
      method: note.method,
      path: redactor.text(note.target),
      user: note.caller ? userRef(note.caller) : null,
      status: note.status,
      request: { body: readBody(note.requestBody, redactor) },
      response: { body: readBody(this.#responseTo(note), redactor) },
      fault: note.faultId ?? null,
    }));
  }

  #responseTo({ state, ...note }: Note): string | undefined {
    return state ? this.#readAgain({ ...note, state }) : note.responseBody;
  }
}

/** As much of a body as is kept. */
function keptBody(body: string | undefined): string | undefined {
  if (body === undefined || body.length <= BODY_LENGTH) return body;
  // A copy: a part of a string holds the whole of it in memory.
  return Buffer.from(body.slice(0, BODY_LENGTH + BODY_MARGIN), 'utf16le').toString('utf16le');
}

function readBody(body: string | undefined, redactor: Redactor): unknown {
  if (body === undefined) return null;
  if (body.length > BODY_LENGTH) return redactor.text(body, BODY_LENGTH);
  try {
    return redactor.value(JSON.parse(body));
  } catch {
    return redactor.text(body);
  }
}

function* tokensIn(present: Users, notes: readonly Note[]): Generator<string> {
  for (const users of new Set([present, ...notes.map(({ users }) => users)])) {
    for (const { token } of users) yield token;
  }
  for (const { token } of notes) if (token !== undefined) yield token;
}
