import type { Static, TSchema } from 'typebox';
import { complete, type Method, type NoContent, type Route, type RouteSpec, type ValidInput } from '../api/route.js';
import type { Metric } from '../lib/metrics.js';
import type { Steps, TextSteps } from '../lib/steps.js';
import type { GeneratedDatasets } from '../sandbox/generated.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import type { Storage } from '../sandbox/storage.js';
import type { EventFeed } from './events.js';
import type { ListingCache } from './listings.js';

export interface ControlContext {
  /** The sandbox of the request, or the default one. */
  readonly sandbox: Sandbox;
  readonly sandboxes: Sandboxes<Sandbox>;
  readonly listings: ListingCache;
  readonly generated: GeneratedDatasets;
  /** Undefined without a data folder. */
  readonly storage: Storage | undefined;
  /** Base URL of the request, with its sandbox, and that of the emulator. */
  readonly base: string;
  readonly origin: string;
  /** Whether the emulator serves the routes of the specification only. */
  readonly specOnly: boolean;
  /** Whether the emulator is about to end. */
  readonly isClosing: boolean;
  /** Reads the numbers of the emulator and its process. */
  metrics(): Iterable<Metric>;
  /**
   * Follows the events of the sandbox, from the header `Last-Event-ID` on.
   * @throws ApiError 503 when too many streams are open
   */
  follow(): EventFeed;
}

/** Defines a route of the control API. It needs no token and acts on sandboxes. Its handler may return a promise, or steps. */
export function controlRoute<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema = NoContent>(
  method: Method,
  path: string,
  summary: string,
  spec: RouteSpec<P, Q, B, R> & {
    /** @default [403] */
    readonly errors?: readonly number[];
    handle(
      context: ControlContext & ValidInput<P, Q, B>,
    ): Static<R> | Promise<Static<R>> | Steps<Static<R>> | TextSteps;
  },
): Route<ControlContext> {
  return { errors: [403], auth: 'optional', ...spec, ...complete(method, path, summary, spec, 'query', 'strict') };
}
