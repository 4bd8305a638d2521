import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import type { Route } from '#engine/api/route.js';
import type { Link } from '#engine/openapi/types.js';

/** Where a record has the ids of other operations: by its schema, then by the segment before a parameter and the parameter. */
const POINTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BasicVal: { 'vals/{val_id}': '/id', 'versions/{version}': '/version' },
  ExtendedVal: { 'vals/{val_id}': '/id', 'versions/{version}': '/version' },
  Version: { 'vals/{val_id}': '/val_id', 'versions/{version}': '/version' },
  Run: { 'runs/{run_id}': '/id', 'vals/{val_id}': '/val/id' },
  FullRun: { 'runs/{run_id}': '/id', 'vals/{val_id}': '/val/id' },
  User: { 'users/{user_id}': '/id' },
  Me: { 'users/{user_id}': '/id' },
  Project: { 'vals/{val_id}': '/id' },
  Branch: { 'branches/{branch_id}': '/id' },
  ProjectFile: { 'files/{file_id}': '/id' },
  EnvironmentVariable: { 'environment_variables/{key}': '/key' },
  Organization: { 'orgs/{org_id}': '/id' },
  Comment: { 'vals/{val_id}': '/val/id' },
  Reference: { 'vals/{val_id}': '/reference/id' },
  Fault: { 'faults/{id}': '/id' },
  Snapshot: { 'snapshots/{name}': '/name' },
  Sandbox: { 'sandboxes/{name}': '/name' },
};

/**
 * Lists the operations whose path parameters are in a response, or in the path of its request. A list is linked only to
 * the operations on one of its items.
 */
export function listLinks(route: Route<never>, routes: readonly Route<never>[]): Readonly<Record<string, Link>> {
  if (route.method === 'DELETE') return {};
  const { list, pointers } = findPointers(route.response);
  const inPath = list ? [] : listParameters(route.path).map(({ key, name }) => [key, `$request.path.${name}`] as const);
  const known = new Map([...inPath, ...pointers]);
  const linked = routes.flatMap((other): Link[] => {
    const parameters = listParameters(other.path).map(({ key, name }) => [name, known.get(key)] as const);
    const found = parameters.filter((parameter): parameter is [string, string] => parameter[1] !== undefined);
    const isLinked =
      other !== route &&
      readVersion(other) === readVersion(route) &&
      (!list || other.path.endsWith('}')) &&
      found.length > 0 &&
      found.length === parameters.length;
    return isLinked ? [{ operationId: other.id, parameters: Object.fromEntries(found) }] : [];
  });
  return Object.fromEntries(linked.map((link) => [link.operationId, link]));
}

/** Reads the version of an API, since ids of one are not those of another: `v1` of `/v1/vals`. */
const readVersion = ({ path }: Route<never>): string => path.split('/')[1] ?? '';

/** Lists the parameters of a path, each with the key of its pointers. */
const listParameters = (path: string) =>
  path.split('/').flatMap((segment, i, segments) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [{ key: `${segments[i - 1]}/${segment}`, name }];
  });

/** Finds the pointers into a body: a record, or the first one of a list or page. */
function findPointers(body: TSchema): { readonly list: boolean; readonly pointers: readonly [string, string][] } {
  const data = Type.IsObject(body) ? body.properties.data : body;
  const item = data && Type.IsArray(data) ? data.items : undefined;
  const prefix = !item ? '' : data === body ? '/0' : '/data/0';
  const { title = '' }: TSchemaOptions = { ...(item ?? body) };
  const pointers = Object.entries(POINTERS[title] ?? {});
  return {
    list: item !== undefined,
    pointers: pointers.map(([key, pointer]) => [key, `$response.body#${prefix}${pointer}`]),
  };
}
