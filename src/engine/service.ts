import type { Engine, Route } from './api/route.js';
import type { ControlContext } from './control/route.js';
import { listControlRoutes } from './control/routes.js';
import type { SummaryPart } from './control/summary.js';
import type { AnyDefinition } from './definition/define.js';
import type { Definitions } from './definition/definitions.js';
import { makeDefinitions } from './definition/definitions.js';
import type { ApiError } from './lib/errors.js';
import type { OptionTable } from './options/schema.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { SandboxTypes } from './sandbox/types.js';
import type { Generator } from './seed/generator.js';

/** An API to emulate. T has the types that its users see. */
export interface Service<T extends SandboxTypes = SandboxTypes> {
  readonly name: string;
  readonly definitions: Definitions;
  /** The routes of its HTTP API. */
  readonly routes: readonly Route[];
  /** Returns the error for a known part of the API that is not emulated. Default: no part is known */
  findNotImplemented?(method: string, path: string): ApiError | undefined;
  /** Operations of the control API that other services do not have. */
  readonly ownControlRoutes: readonly Route<ControlContext>[];
  /** All operations of its control API. */
  readonly controlRoutes: readonly Route<ControlContext>[];
  /** Makes the methods of a sandbox that only this service has. */
  extendSandbox(sandbox: Sandbox): T['members'];
  /** Opens what its routes use in addition to the states. It is closed with the emulator. */
  openEngine?(): Engine;
  readonly generator?: Generator;
  /** Default: the options that every service has */
  readonly options?: OptionTable;
  /** Selects the options that each state keeps, in addition to the settings of the emulator. */
  selectSettings?(options: object): object;
  readonly summary: SummaryPart;
}

/** Returns a service with the routes of its specification alone. */
export const ofSpecification = <T extends SandboxTypes>({
  findNotImplemented: _,
  ...service
}: Service<T>): Service<T> => ({
  ...service,
  routes: service.routes.filter(({ unofficial }) => !unofficial),
});

/** Adds collections, each of which may refer to those before it, and routes to a service. */
export const extend = (
  service: Service,
  {
    collections = [],
    routes = [],
  }: { readonly collections?: readonly AnyDefinition[]; readonly routes?: readonly Route[] },
): Service => {
  const definitions = makeDefinitions([...service.definitions.all, ...collections], service.definitions.datasets);
  return {
    ...service,
    definitions,
    routes: [...service.routes, ...routes],
    controlRoutes: listControlRoutes({ ...service, definitions }),
  };
};
