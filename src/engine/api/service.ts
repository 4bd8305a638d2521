import type { User } from '#vals/collections/index.js';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, makeDefinitions } from '../definition/definitions.js';
import type { ApiError } from '../lib/errors.js';
import type { State } from '../state/state.js';
import type { Route } from './route.js';

/** An API to emulate. */
export interface Service {
  readonly name: string;
  readonly definitions: Definitions;
  /** The routes of its HTTP API. */
  readonly routes: readonly Route[];
  /** Finds the caller of a request by the token. */
  identify(state: State, token: string | undefined): User | undefined;
  /** Returns the error for a known part of the API that is not emulated. */
  findNotImplemented(method: string, path: string): ApiError | undefined;
}

/** Returns a service with the routes of its specification alone. */
export const ofSpecification = (service: Service): Service => ({
  ...service,
  routes: service.routes.filter(({ unofficial }) => !unofficial),
  findNotImplemented: () => undefined,
});

/** Adds collections, each of which may refer to those before it, and routes to a service. */
export const extend = (
  service: Service,
  {
    collections = [],
    routes = [],
  }: { readonly collections?: readonly AnyDefinition[]; readonly routes?: readonly Route[] },
): Service => ({
  ...service,
  definitions: makeDefinitions([...service.definitions.all, ...collections]),
  routes: [...service.routes, ...routes],
});
