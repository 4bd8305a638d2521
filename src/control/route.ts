import type * as z from 'zod';
import type { OpenApiDocument } from '../contract/openapi.js';
import { anyone, type RequestShape, type Route, type RouteSpec, route } from '../contract/route.js';
import type { User } from '../domain/users.js';
import type { Sandbox } from './sandbox.js';
import type { Sandboxes } from './sandboxes.js';

/** The APIs that have a document: the one that is emulated, and the emulator's own. */
export type ApiName = 'api' | 'control';

/** What a control route acts on. */
export interface Reach {
  /** The one that the request names, else the main one. */
  readonly sandbox: Sandbox;
  readonly sandboxes: Sandboxes;
  /** Where the emulator is reached, without the prefix of a sandbox. */
  readonly origin: string;
  /** The OpenAPI document of an API that is reached at `server`. */
  readonly documentOf: (name: ApiName, server: string) => Promise<OpenApiDocument>;
}

type Spec<S extends RequestShape, Answer extends z.ZodType> = RouteSpec<S, User | undefined, Answer, Reach>;

/** A route of the control plane: a {@link route} that needs no token and acts on sandboxes. */
export const controlRoute = <const S extends RequestShape, Answer extends z.ZodType>(
  spec: Omit<Spec<S, Answer>, 'auth'>,
): Route<Reach> => route<S, User | undefined, Answer, Reach>({ ...spec, auth: anyone });
