import type { Static, TSchema } from 'typebox';
import { describe, noContent, type Route, type RouteContext, type RouteSpec } from '../api/route.js';
import type { Sandbox } from './sandbox.js';
import type { Sandboxes } from './sandboxes.js';

/** The context of a handler of the control API. */
export interface ControlContext extends RouteContext {
  /** The sandbox of the request, or the default one. */
  readonly sandbox: Sandbox;
  readonly sandboxes: Sandboxes<Sandbox>;
  /** Base URL of the emulator, without a sandbox. */
  readonly origin: string;
  /** Whether the emulator serves the routes of the specification only. */
  readonly specOnly: boolean;
}

/** The definition of a route of the control API. Its handler may return a promise. */
interface ControlRouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>
  extends Pick<RouteSpec<'GET', 'optional', P, Q, B, R>, 'params' | 'query' | 'body' | 'example'> {
  /** Default: a response without a body. */
  readonly response?: R;
  /** Default: 200, or 204 without a body. */
  readonly status?: Route['status'];
  /** Default: 403. */
  readonly errors?: readonly number[];
  handle(
    context: ControlContext & { readonly params: Static<P>; readonly query: Static<Q>; readonly body: Static<B> },
  ): Static<R> | Promise<Static<R>>;
}

/** Defines a route of the control API. It needs no token and acts on sandboxes. */
export function controlRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema = typeof noContent,
>(method: Route['method'], path: string, summary: string, spec: ControlRouteSpec<P, Q, B, R>): Route<ControlContext> {
  const { response = noContent, status = spec.response ? 200 : 204, errors = [403] } = spec;
  const route = { ...spec, method, path, summary, response, status, errors, auth: 'optional' } as const;
  return { ...route, ...describe(route, 'query', 'strict') };
}
