import type { TSchema } from 'typebox';
import type { Route } from '#engine/api/route.js';
import { routes } from '#vals/service/all.routes.js';
import { definitions } from '#vals/service/service.collection.js';
import { controlRoutes } from '#vals/service/service.control.js';

/** The part of JSON Schema that routes and collections use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** An operation of the API or of the control API. */
export interface Operation extends Pick<Route, 'id' | 'method' | 'path' | 'bodyType'> {
  readonly params: Schema;
  readonly query: Schema;
  readonly body: Schema | undefined;
  readonly isControl: boolean;
  /** The collection to which it adds one record, which its body is. */
  readonly adds?: string;
}

const toSchema = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema));

/** The records of each collection, in fixture format. */
export const RECORDS: Readonly<Record<string, Schema>> = Object.fromEntries(
  definitions.all.map(({ name, schema }) => [name, toSchema(schema)]),
);

/** The route that adds records leaves their keys to the definitions: one operation for each. */
const ADDING: readonly Operation[] = definitions.all.flatMap(({ name, adder }) =>
  adder === undefined
    ? []
    : {
        ...{ id: `add${adder.charAt(0).toUpperCase()}${adder.slice(1)}`, adds: name, isControl: true },
        ...{ method: 'POST', path: '/_emulator/records', params: {}, query: {}, body: RECORDS[name] },
      },
);

/** Every operation: the table that routes, documents and clients are made of. */
export const OPERATIONS: readonly Operation[] = [
  ...[...routes, ...controlRoutes].map(({ id, method, path, bodyType, params = {}, query = {}, body }) => {
    const schemas = { params: toSchema(params), query: toSchema(query), body: body && toSchema(body) };
    const isControl = path.startsWith('/_emulator/');
    return { id, method, path, ...(bodyType && { bodyType }), ...schemas, isControl };
  }),
  ...ADDING,
];

/** Operations on the emulator and on other sandboxes, and those that wait or whose response is never the same twice. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['getHealth', 'getReadiness', 'getCluster', 'getInterception', 'getMetrics', 'signIn', 'signOut'],
  ...['listSandboxes', 'openSandbox', 'closeSandboxes', 'closeSandbox', 'forkSandbox', 'forkSandboxes', 'scoreForks'],
  ...['streamEvents', 'armChaos', 'recordSession', 'exportHar'],
  // Documents, which no request changes.
  ...['getOpenApi', 'getControlOpenApi', 'getImportMap', 'getModule'],
]);

/** The operations on one sandbox. One that is added to the table is one of them. */
export const OF_A_SANDBOX: readonly Operation[] = OPERATIONS.filter(({ id }) => !ELSEWHERE.has(id));

/** The operations on one sandbox without those of the control API on some nouns: `faults`. */
export const without = (...nouns: readonly string[]): readonly Operation[] =>
  OF_A_SANDBOX.filter(({ path, isControl }) => !isControl || !nouns.includes(path.split('/')[2] ?? ''));
