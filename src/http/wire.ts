import type { ApiError } from '../domain/errors.js';

/** A request as every transport hands it over. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as sent, less the prefix under which the emulator is mounted. */
  readonly target: string;
  /** Scheme, host and that prefix, as the client reached the emulator; no slash at the end. */
  readonly base: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** Undefined when empty, an error if it could not be read. */
  readonly body: string | ApiError | undefined;
}

export function pathOf({ target }: Pick<WireRequest, 'target'>): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

export function queryOf({ target }: WireRequest): URLSearchParams {
  const end = target.indexOf('?');
  return new URLSearchParams(end < 0 ? '' : target.slice(end + 1));
}

/** An answer as every transport sends it. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an answer without a body. */
  readonly body: string | undefined;
  /** How the transport is to misbehave, if a fault says so. */
  readonly mishap?: Mishap | undefined;
}

export interface Mishap {
  /** Milliseconds to hold the answer back. */
  readonly delay: number;
  /** Break the connection off without an answer. */
  readonly reset: boolean;
  /** Break the connection off after this many bytes of the body. */
  readonly truncate: number | undefined;
}
