import { type Instant, toTimestamp } from '../domain/clock.js';
import type { State } from '../domain/state.js';
import type { User } from '../domain/users.js';
import { userRef } from '../fixtures/export.js';

/** How many requests a journal keeps: the last ones. */
const JOURNAL_LENGTH = 1_000;
/** How much of a body it keeps, in UTF-16 code units. */
const BODY_LENGTH = 65_536;

/** A request as it is noted, in the shape that costs least. */
export interface Note {
  readonly at: Instant;
  /** Milliseconds that answering took. */
  readonly duration: number;
  /** Undefined for a route that does not exist. */
  readonly route: string | undefined;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly caller: User | undefined;
  readonly status: number;
  readonly requestBody: string | undefined;
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
  readonly request: { readonly body: unknown };
  readonly response: { readonly body: unknown };
  /** Id of the fault that made this answer; null for a true one. */
  readonly fault: string | null;
}

/** The requests to one sandbox, oldest first. */
export class Journal {
  #notes: { readonly id: string; readonly note: Note }[] = [];
  #count = 0;

  /** The id that the next request will have. */
  get nextId(): string {
    return `r${this.#count + 1}`;
  }

  add(note: Note): void {
    this.#notes.push({ id: this.nextId, note });
    this.#count++;
    // Dropping a whole length at a time keeps the cost of a request constant.
    if (this.#notes.length >= 2 * JOURNAL_LENGTH) this.#notes = this.#notes.slice(-JOURNAL_LENGTH);
  }

  clear(): void {
    this.#notes = [];
  }

  /** Tokens of the state's users are blanked wherever they occur. */
  read(state: State): RequestRecord[] {
    const redact = redactor([...state.users].map(({ token }) => token));
    return this.#notes.slice(-JOURNAL_LENGTH).map(({ id, note }) => ({
      id,
      time: toTimestamp(note.at),
      duration: note.duration,
      route: note.route ?? null,
      method: note.method,
      path: redact(note.target),
      user: note.caller ? userRef(note.caller) : null,
      status: note.status,
      request: { body: readBody(note.requestBody, redact) },
      response: { body: readBody(note.responseBody, redact) },
      fault: note.faultId ?? null,
    }));
  }
}

/** As much of a body as is kept. */
export const cutBody = (body: string | undefined): string | undefined =>
  body !== undefined && body.length > BODY_LENGTH ? body.slice(0, BODY_LENGTH) : body;

/** JSON as the value it stands for, anything else as text, nothing as null. */
function readBody(body: string | undefined, redact: (text: string) => string): unknown {
  if (body === undefined) return null;
  const text = redact(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Blanks tokens, a longer one before one that it contains. */
function redactor(tokens: readonly string[]): (text: string) => string {
  if (tokens.length === 0) return (text) => text;
  const literal = (token: string) => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const any = new RegExp(
    [...tokens]
      .sort((a, b) => b.length - a.length)
      .map(literal)
      .join('|'),
    'g',
  );
  return (text) => text.replace(any, '[token]');
}
