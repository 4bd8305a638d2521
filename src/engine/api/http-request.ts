import type { ApiError } from '../lib/errors.js';
import type { Route } from './route.js';
import type { Match } from './router.js';

/** The headers of a request as its transport has them: names and values in turn (node:http), or `Headers` (fetch). */
export type RawHeaders = string[] | Headers;

/** Requests for `tools` are messages of the Model Context Protocol, and for metadata of their endpoint. */
export type Area = 'api' | 'tools' | 'root' | 'control';

/** A request as its adapter made it. Nothing changes it later. */
export interface HttpRequest {
  /** Milliseconds of the monotonic clock at which it began to arrive. */
  readonly start: number;
  readonly method: string;
  /** Path and query as its sandbox sees them: without the prefix of the sandbox, or of a mounted emulator. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams | undefined;
  readonly area: Area;
  /** Whether it is about this process alone: its health, its metrics, and the nodes of its cluster. */
  readonly isOfProcess: boolean;
  /** Name of the sandbox, by its path or by a header. */
  readonly sandbox: string | undefined;
  /** Scheme, host and mount prefix as the client reached the emulator, without a trailing slash. */
  readonly origin: string;
  /** The origin, with the prefix of the sandbox. */
  readonly base: string;
  /** The route of the /v1 API, and its params. Undefined without one. */
  readonly match: Match<Route> | undefined;
  /** Why HTTP itself, or the guard of the control API, does not allow the request. */
  readonly refusal: ApiError | undefined;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly headers: RawHeaders;
  /** Address of the other end of the connection; undefined in-process. */
  readonly remoteAddress: string | undefined;
  /** Undefined for none; an error if it could not be read. */
  readonly body: string | Uint8Array | ApiError | undefined;
}
