/** A request as every transport hands it over. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as sent, less the prefix under which the emulator is mounted. */
  readonly target: string;
  /** Scheme, host and that prefix, as the client reached the emulator; no slash at the end. */
  readonly base: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The body, undefined when empty. Throws an ApiError if it could not be read. */
  readBody(): string | undefined;
}

/** An answer as every transport sends it. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an answer without a body. */
  readonly body: string | undefined;
}
