import { Type } from 'typebox';
import * as lateRouteChecks from './api/check-routes.js';
import { guardRoute } from './api/guard.js';
import type { Refused } from './api/refused.js';
import { type Engine, type Route, routeFor } from './api/route.js';
import { listRoutes } from './api/router.js';
import type { SecretRoute } from './api/secret-routes.js';
import type { ToolServer } from './api/tool.js';
import type { ControlContext, ControlService } from './control/route.js';
import * as lateRoutes from './control/routes.js';
import type { SummaryPart } from './control/ui/summary.js';
import * as lateSummary from './control/ui/summary.js';
import * as lateChecks from './definition/check.js';
import type { AnyDefinition, Caller } from './definition/define.js';
import type { Definitions } from './definition/definitions.js';
import { makeDefinitions } from './definition/definitions.js';
import { DefinitionError } from './definition/service-errors.js';
import type { CollectionsOf, ExportedFixturesOf, ExportedStateOf, FixturesOf } from './definition/types.js';
import type { Generator } from './fixtures/generator.js';
import type { FolderRecord } from './fixtures/source.js';
import { ApiError, type Problem } from './lib/errors.js';
import { formatValue } from './lib/messages.js';
import { isObject } from './lib/objects.js';
import type { OptionTable } from './options/schema.js';
import type { AddOf } from './sandbox/adder.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { SandboxTypes } from './sandbox/types.js';
import { mapOf } from './schema/schema.js';
import { describeErrors } from './schema/schema-errors.js';
import { compile } from './schema/validator.js';
import { type DraftOf, emptyState, type State } from './state/state.js';
import { Collection } from './store/collection.js';

/** An API to emulate. T has the types that its users see. */
export interface Service<T extends SandboxTypes = SandboxTypes> extends ControlService {
  readonly definitions: Definitions;
  /** Returns the error for a known part of the API that is not emulated. Default: no part is known */
  findNotImplemented?(method: string, path: string): ApiError | undefined;
  /** What requests may have that is never shown again. @default by all routes */
  readonly secretRoutes?: readonly SecretRoute[];
  /** The tools that agents call by the Model Context Protocol. Default: none */
  readonly tools?: ToolServer | undefined;
  /** Makes the header `www-authenticate` of a 401 or 403. Default: no header */
  challenge?(refused: Refused): string | undefined;
  /** Operations of the control API that other services do not have. */
  readonly ownControlRoutes: readonly Route<ControlContext>[];
  /** Makes the methods of a sandbox that only this service has. @param engine as `openEngine` has opened it */
  extendSandbox(sandbox: Sandbox, engine: Engine | undefined): T['members'];
  /** Opens what its routes use in addition to the states. It is closed with the emulator. */
  openEngine?(): Engine;
  readonly generator?: Generator;
  /** Default: the options that every service has */
  readonly options?: OptionTable;
  /** Lists the records that options add to the seed data, each of a folder. Default: none */
  listFolders?(options: object): readonly FolderRecord[];
  /** Returns a second port to listen on. Default: none */
  findSecondPort?(options: object): number | undefined;
  /** Selects the options that each state keeps, in addition to the settings of the emulator. */
  selectSettings?(options: object): object;
  readonly summary: SummaryPart;
}

/** The parts of a state that are not collections. */
const RESERVED = Object.keys(
  emptyState({ auth: 'strict', idSeed: '' }, makeDefinitions('', [], { names: [], read: () => ({}) })),
);

/** Whether a value is a collection that this copy of the package has made: another one has other classes. */
const isCollection = (value: unknown): value is AnyDefinition =>
  isObject(value) && typeof value.collect === 'function' && value.collect([]) instanceof Collection;

/** Whether a value is a service that this copy of the package has made. */
export const isService = (value: unknown): value is Service =>
  isObject(value) &&
  isObject(value.definitions) &&
  Array.isArray(value.definitions.all) &&
  value.definitions.all.every(isCollection);

/** Finds the items of a list that are not made by the function that defines them. */
const checkItems = (
  list: string,
  items: readonly unknown[],
  isMade: (item: unknown) => boolean,
  expected: string,
): Problem[] =>
  items.flatMap((item, i) =>
    isMade(item) ? [] : [{ path: `${list}[${i}]`, message: `found ${formatValue(item)}; expected ${expected}.` }],
  );

/** Whether the parts are there that the other checks read. */
const isSpec = compile(
  Type.Object(
    {
      name: Type.String({
        // The built-in service has the name vals, and its data folders.
        pattern: '^(?!vals$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
        expected: 'a name of 1–64 of A–Z a–z 0–9 . _ -, other than vals',
      }),
      collections: Type.Array(Type.Unknown()),
      routes: Type.Array(Type.Unknown()),
      datasets: Type.Optional(mapOf(Type.Object({}))),
      findMissing: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: false },
  ),
  'strict',
);

/** Returns a service. @throws DefinitionError with all that is wrong with it */
export function checkService<T extends SandboxTypes>(service: Service<T>): Service<T> {
  const { name, definitions, controlRoutes } = service;
  const routes = listRoutes(service);
  const problems = [
    ...lateChecks.checkCollections(definitions.all, RESERVED),
    ...lateRouteChecks.checkRoutes(routes, definitions.callers !== undefined),
  ];
  // The control routes follow from the collections.
  if (problems.length === 0) problems.push(...lateRouteChecks.findTwins([...routes, ...controlRoutes]));
  if (problems.length > 0) throw new DefinitionError(`service ${name}`, problems);
  return service;
}

/** Adds collections, each of which may refer to those before it, and routes to a service. */
export const extend = (
  service: Service,
  {
    collections = [],
    routes = [],
  }: { readonly collections?: readonly AnyDefinition[]; readonly routes?: readonly Route[] },
): Service => {
  const definitions = makeDefinitions(
    service.name,
    [...service.definitions.all, ...collections],
    service.definitions.datasets,
  );
  return checkService({
    ...service,
    definitions,
    routes: [...service.routes, ...routes],
    controlRoutes: lateRoutes.listControlRoutes({ ...service, definitions }),
  });
};

/** A collection with its name, from which the types of a service follow. */
type Named = AnyDefinition & { readonly name: string };
type ByName<C extends readonly Named[]> = { readonly [D in C[number] as D['name']]: D };
type StateOf<C extends readonly Named[]> = State & CollectionsOf<ByName<C>>;

interface TypesOf<C extends readonly Named[]> extends SandboxTypes {
  readonly fixtures: FixturesOf<ByName<C>>;
  readonly add: AddOf<ByName<C>>;
  readonly exported: ExportedStateOf<ByName<C>>;
  readonly written: ExportedFixturesOf<ByName<C>>;
}

/** Returns what defines routes over these collections, whose handlers get them with their types. */
export const routeOf = <const C extends readonly Named[]>(_collections: C) =>
  routeFor<{ state: StateOf<C>; draft: DraftOf<StateOf<C>>; caller: Caller; credential: never; engine: undefined }>();

interface ServiceSpec<C extends readonly Named[]> {
  /** Names it in messages, and in the files that have its data: `todo`. */
  readonly name: string;
  /** Each may refer to those before it. */
  readonly collections: C;
  readonly routes: readonly Route[];
  /** Fixtures by name. A start loads `default`. Default: one without records */
  readonly datasets?: Readonly<Record<string, FixturesOf<ByName<C>>>>;
  /** Describes a known part of the API that is not emulated, which returns 501. Undefined for another path. */
  findMissing?(method: string, path: string): string | undefined;
}

/**
 * Defines a service.
 * @throws DefinitionError with all that is wrong with it
 */
export function defineService<const C extends readonly Named[]>(spec: ServiceSpec<C>): Service<TypesOf<C>> {
  const subject = `service${spec?.name === undefined ? '' : ` ${spec.name}`}`;
  if (!isSpec({ ...spec })) throw new DefinitionError(subject, describeErrors(isSpec.errors, ''));
  const { name, collections, routes, findMissing } = spec;
  const wrong = [
    ...checkItems('collections', collections, isCollection, 'a collection, as plainCollection returns it'),
    ...checkItems(
      'routes',
      routes,
      (route) => isObject(Object(route).validators),
      'a route, as a function of routeOf returns it',
    ),
  ];
  if (wrong.length > 0) throw new DefinitionError(subject, wrong);
  const datasets: Readonly<Record<string, object>> = { default: {}, ...spec.datasets };
  const definitions = makeDefinitions(name, collections, {
    names: Object.keys(datasets),
    read: (dataset) => ({ ...datasets[dataset] }),
  });
  const source = { definitions, summary: lateSummary.noSummary, ownControlRoutes: [] };
  const service = checkService({
    ...{ name, routes, ...source, extendSandbox: () => ({}) },
    controlRoutes: lateRoutes.listControlRoutes(source),
    findNotImplemented(method, path) {
      const missing = findMissing?.(method, path);
      return missing === undefined ? undefined : new ApiError(501, missing);
    },
  });
  return { ...service, routes: routes.map((route) => guardRoute(route, name)) };
}
