import type { Tool } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { Route } from '#engine/api/route.js';
import { isObject } from '#engine/lib/objects.js';

/** The instructions of the server say what it is. */
const SANDBOX = { type: 'string' };

/** What an agent can do without, since each word costs it tokens: a wrong value gets an error that says what is right. */
const OMITTED =
  /^(?:title|expected|default|const|minimum|maximum|(?:min|max)(?:Length|Items|Properties)|pattern|patternProperties|format|items|additional\w+)$/;

type ControlTool = Pick<
  Route<never>,
  'name' | 'tool' | 'method' | 'summary' | 'example' | 'hints' | 'params' | 'query' | 'body'
>;

/** The tools for agents that a control API has. */
export function makeTools(controlRoutes: readonly ControlTool[]) {
  const routes = controlRoutes.filter(({ tool }) => tool !== undefined);
  return {
    names: routes.map(({ tool }) => tool ?? ''),
    /** Lists the tools with their schemas. */
    list: (): Tool[] => routes.map(toTool),
    /** Finds the operation that a tool calls: `PUT /_emulator/clock`. Undefined for an unknown tool. */
    findOperation: (tool: string): string | undefined => routes.find((route) => route.tool === tool)?.name,
  };
}

function toTool(route: ControlTool): Tool {
  const { tool: name = '', method, summary, example, hints = [] } = route;
  const isReading = method === 'GET' || hints.includes('readOnly');
  return {
    name,
    description: example ? `${summary}. Example: ${JSON.stringify(toArguments(example))}` : summary,
    inputSchema: mergeSchemas([route.params, route.query, route.body]),
    annotations: isReading
      ? { readOnlyHint: true }
      : {
          destructiveHint: hints.includes('destructive'),
          ...(hints.includes('idempotent') && { idempotentHint: true }),
        },
  };
}

const toArguments = ({ params, query, body }: NonNullable<ControlTool['example']>): object => ({
  ...params,
  ...query,
  ...(isObject(body) ? body : {}),
});

/** Makes one schema of the parameters of a route, its query and its body, which are objects. */
function mergeSchemas(schemas: readonly (TSchema | undefined)[]): Tool['inputSchema'] {
  const parts = schemas.flatMap((schema) => (schema ? [toPlain(schema)] : []));
  const properties = Object.assign({}, ...parts.map((part) => part.properties), { sandbox: SANDBOX });
  const required = parts.flatMap((part) => part.required ?? []);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Copies a schema. A property with a default is not required. */
const toPlain = (schema: TSchema): Partial<Tool['inputSchema']> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (OMITTED.test(key)) return undefined;
      const { properties, required } = isObject(value) ? value : {};
      if (!isObject(properties) || !Array.isArray(required)) return value;
      return { ...value, required: required.filter((name) => !hasDefault(properties[name])) };
    }),
  );

const hasDefault = (schema: unknown): boolean => isObject(schema) && 'default' in schema;
