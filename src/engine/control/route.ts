import type { Static, TSchema } from 'typebox';
import type { HttpRequest } from '../api/http-request.js';
import {
  complete,
  type Engine,
  type Method,
  type NoContent,
  type Route,
  type RouteSpec,
  type ValidInput,
} from '../api/route.js';
import type { ApiRouter, Surface } from '../api/router.js';
import type { Metric } from '../lib/metrics.js';
import type { Steps, TextSteps } from '../lib/steps.js';
import type { Storage } from '../persistence/storage.js';
import type { GeneratedDatasets } from '../sandbox/generated.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import type { EventStream, Following } from './event-feed.js';
import type { InterceptionInfo } from './interception.js';
import type { ListingCache } from './listing.js';
import type { Reply } from './reply.js';
import type { Resources } from './resources.js';

/** The API, its routes that are in the specification, or the control API. */
export type DocumentKind = 'api' | 'spec-only' | 'control';

export interface ControlService {
  readonly name: string;
  /** The routes that are loaded with the service. `listRoutes` lists all. */
  readonly routes: readonly Route[];
  /** @default none */
  readonly surfaces?: readonly Surface[];
  readonly controlRoutes: readonly Route<ControlContext>[];
  /** Reads an OpenAPI document that was made before. Default: it is made when it is read */
  readDocument?(kind: DocumentKind): { readonly openapi: string };
}

/** The emulator as other processes see it. */
export interface ProcessInfo {
  /** Random id, by which another process recognizes the emulator. */
  readonly instance: string;
  isClosing: boolean;
  /** Undefined if it intercepts no host. */
  interception: InterceptionInfo | undefined;
}

/** The emulator as its control API sees it, from its start to its end. */
export interface ControlEmulator {
  readonly service: ControlService;
  /** The routes of the /v1 API, against which faults and expectations are checked. */
  readonly router: ApiRouter;
  readonly sandboxes: Sandboxes;
  readonly resources: Resources;
  readonly listings: ListingCache;
  readonly generated: GeneratedDatasets;
  /** Undefined when data is in memory only. */
  readonly storage: Storage | undefined;
  readonly engine: Engine | undefined;
  /** Whether the emulator serves the routes of the specification only. */
  readonly specOnly: boolean;
  readonly process: Readonly<ProcessInfo>;
  /** Makes a random id, for what may not be the same twice. */
  makeId(): string;
  readMetrics(): Iterable<Metric>;
  /** Follows the events of a sandbox, or of several. @throws ApiError 503 when too many streams are open */
  follow(source: Following): Promise<EventStream>;
  /** Signs a browser in. Returns its cookie. @throws ApiError 403 for a wrong token, 429 after too many, 404 without a control token */
  signIn(request: ControlRequest, token: string): string;
  /** Signs a browser out. Returns what removes its cookie. @throws ApiError 404 without a control token */
  signOut(request: ControlRequest): string;
}

type ControlRequest = Pick<HttpRequest, 'base' | 'origin' | 'header' | 'remoteAddress'>;

export interface ControlContext {
  readonly emulator: ControlEmulator;
  /** The sandbox of the request, or the default one. */
  readonly sandbox: Sandbox;
  readonly request: ControlRequest;
}

/** A route of the control API with its types, from which the control client derives its own. */
export type ControlRoute<
  Id extends string,
  M extends Method,
  Path extends string,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
> = Route<ControlContext> & {
  readonly id: Id;
  readonly method: M;
  readonly name: `${M} ${Path}`;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R | NoContent;
};

export interface ForPage {
  readonly isForPage: true;
}

export const forPage = <R extends Route<ControlContext>>(route: R): R & ForPage => ({ ...route, isForPage: true });

/** Defines a route of the control API. It needs no token and acts on sandboxes. Its handler may return a promise, steps, or a promise of steps. */
export function controlRoute<
  const Id extends string,
  const M extends Method,
  const Path extends string,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema = NoContent,
>(
  method: M,
  path: Path,
  summary: string,
  spec: RouteSpec<P, Q, B, R> & {
    readonly id: Id;
    /** @default [403] */
    readonly errors?: readonly number[];
    handle(
      context: ControlContext & ValidInput<P, Q, B>,
    ): Static<R> | Promise<Static<R> | Steps<Static<R>> | TextSteps | Reply> | Steps<Static<R>> | TextSteps;
  },
): ControlRoute<Id, M, Path, P, Q, B, R> {
  return { errors: [403], auth: 'optional', ...spec, ...complete(method, path, summary, spec, 'query', 'strict') };
}
