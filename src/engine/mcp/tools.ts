import { isDeepStrictEqual } from 'node:util';
import type { Tool } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { Route } from '../api/route.js';
import { Router } from '../api/router.js';
import { isObject } from '../lib/objects.js';

/** The instructions of the server say what it is. */
const SANDBOX = { type: 'string' };
/** Of a list that the control API sends whole. */
const OFFSET = { type: 'integer', description: 'Items to skip' };

type ControlTool = Pick<
  Route<never>,
  | 'name'
  | 'tool'
  | 'toolOmits'
  | 'method'
  | 'path'
  | 'summary'
  | 'example'
  | 'hints'
  | 'params'
  | 'query'
  | 'body'
  | 'response'
>;

/** A control route in a text. */
const CONTROL_ROUTE = /\b(GET|POST|PUT|PATCH|DELETE) (\/_emulator(?:\/[\w{}-]+)+)/g;

/** The tools for agents that a control API has. */
export function makeTools(controlRoutes: readonly ControlTool[]) {
  const router = new Router(controlRoutes);
  const routes = controlRoutes.filter(({ tool }) => tool !== undefined);
  return {
    names: routes.map(({ tool }) => tool ?? ''),
    /** Lists the tools with their schemas. A description stands once. */
    list(): Tool[] {
      const seen = new Set<string>();
      return routes.map((route) => toTool(route, seen));
    },
    /** Writes a hint for an agent: the tool in place of the control route that it calls. */
    nameIn: (text: string): string =>
      text.replaceAll(CONTROL_ROUTE, (route, method: string, path: string) => {
        // A tool without an id is about all of them.
        const paths = [path, path.replace(/\/[^/]*$/, '')];
        const tool = paths.map((each) => router.match(method, each)?.route.tool).find((each) => each !== undefined);
        return tool === undefined ? route : `the tool ${tool}`;
      }),
    /**
     * Finds what a tool calls: `PUT /_emulator/clock`, whether its results are paged here, and whether the control API pages them.
     * Undefined for an unknown tool.
     */
    find(tool: string) {
      const route = routes.find((each) => each.tool === tool);
      return (
        route && {
          operation: route.name,
          isPaged: isPaged(route),
          hasPages: hasOffset(route),
          /** Omits what agents do not need of a result. */
          select: (result: unknown) => omitKeys(result, route.toolOmits ?? []),
          /** @throws Error for a call without content, where the control API takes any */
          assertContent: (input: object) => assertContent(route, input),
        }
      );
    },
  };
}

/** A body of any keys may be empty, such as the fixtures of an empty sandbox. An agent that sends none has forgotten them. */
function assertContent({ tool, params, query, body, example }: ControlTool, input: object): void {
  const { additionalProperties, properties } = Object(body);
  if (additionalProperties !== true) return;
  const others = [params, query].flatMap((schema) => Object.keys(Object(Object(schema).properties)));
  if (Object.keys(input).some((key) => !others.includes(key))) return;
  const keys = Object.keys(Object(properties)).join(', ');
  const call = example && isObject(example.body) ? `, such as ${JSON.stringify(toArguments(example))}` : '';
  throw new Error(
    `The tool ${tool} has no arguments to act on, and nothing has changed: pass ${keys} or a collection${call}.`,
  );
}

/** Whether a result is a list, or has one, of which the control API sends all at once. */
function isPaged(route: ControlTool): boolean {
  const { type, properties }: Readonly<Record<string, unknown>> = { ...route.response };
  const hasList = type === 'array' || (isObject(properties) && 'total' in properties);
  return isReading(route) && hasList && !hasOffset(route);
}

const hasOffset = ({ query }: ControlTool): boolean => 'offset' in Object(Object(query).properties);

const isReading = ({ method, hints = [] }: ControlTool): boolean => method === 'GET' || hints.includes('readOnly');

function toTool(route: ControlTool, seen: Set<string>): Tool {
  const { tool: name = '', method, summary, example, hints = [] } = route;
  const args = example ? toArguments(example) : {};
  return {
    name,
    description: isTelling(args) && method !== 'GET' ? `${summary}. Example: ${JSON.stringify(args)}` : summary,
    inputSchema: mergeSchemas([route.params, route.query, route.body], isPaged(route) ? { offset: OFFSET } : {}, seen),
    annotations: isReading(route)
      ? { readOnlyHint: true }
      : {
          destructiveHint: hints.includes('destructive'),
          ...(hints.includes('idempotent') && { idempotentHint: true }),
        },
  };
}

const omitKeys = (result: unknown, keys: readonly string[]): unknown =>
  isObject(result) && keys.length > 0
    ? Object.fromEntries(Object.entries(result).filter(([key]) => !keys.includes(key)))
    : result;

/** Whether an example says more than its schema: one of few plain values does not. */
const isTelling = (args: object): boolean =>
  Object.keys(args).length > 2 || Object.values(args).some((value) => JSON.stringify(value).includes('{'));

const toArguments = ({ params, query, body }: NonNullable<ControlTool['example']>): object => ({
  ...params,
  ...query,
  ...(isObject(body) ? body : {}),
});

/** Makes one schema of the parameters of a route, its query and its body, which are objects. */
function mergeSchemas(
  schemas: readonly (TSchema | undefined)[],
  others: Readonly<Record<string, PlainSchema>>,
  seen: Set<string>,
): Tool['inputSchema'] {
  const parts = schemas.filter((schema) => schema !== undefined);
  const all = Object.fromEntries<unknown>(parts.flatMap((part) => Object.entries(Object(part).properties)));
  const own = Object.entries(all).map(([name, schema]) => [name, simplify(schema)] as const);
  const properties = { ...describeOnce({ ...Object.fromEntries(own), ...others }, seen), sandbox: SANDBOX };
  // One with a default is not required.
  const required = parts.flatMap((part) => Object(part).required ?? []).filter((name) => !hasDefault(all[name]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Omits the descriptions and the lists of values that an earlier parameter has. */
function describeOnce(properties: Readonly<Record<string, PlainSchema>>, seen: Set<string>) {
  const isNew = (text: string | undefined): boolean => {
    const isKnown = text === undefined || seen.has(text);
    if (text !== undefined) seen.add(text);
    return !isKnown;
  };
  const entries = Object.entries(properties).map(([name, { description, enum: values, ...schema }]) => {
    const parts = {
      ...(values !== undefined && (isNew(`${name}: ${values}`) ? { enum: values } : { type: 'string' })),
      ...(isNew(description) && { description }),
    };
    return [name, { ...schema, ...parts }] as const;
  });
  return Object.fromEntries<PlainSchema>(entries);
}

interface PlainSchema {
  readonly type?: string | readonly string[];
  readonly enum?: unknown;
  readonly description?: string;
  readonly items?: PlainSchema;
}

/**
 * Reduces the schema of a parameter to its type, what it consists of, and its description. Each word costs tokens, and a
 * wrong value gets an error that says what is right.
 */
function simplify(schema: unknown): PlainSchema {
  if (!isObject(schema)) return {};
  const { enum: values, description, properties, contentSchema } = schema;
  // Written as text when it is sent.
  if (contentSchema !== undefined) return simplify(contentSchema);
  const items = [schema, ...listBranches(schema)].map((branch) => branch.items).find((found) => found !== undefined);
  const each = items === undefined ? {} : describeType(Array.isArray(items) ? { anyOf: items } : items);
  const own = describeType(schema);
  // One or several are listed as several.
  const isOneOrSeveral = each.type !== undefined && isDeepStrictEqual(own.type, [each.type, 'array']);
  const keys = Object.keys(Object(properties)).join(', ');
  const texts = [description, keys && `Keys: ${keys}`].filter(Boolean);
  return {
    ...(values === undefined ? (isOneOrSeveral ? { type: 'array' } : own) : { enum: values }),
    ...(items !== undefined && { items: each }),
    ...(texts.length > 0 && values === undefined && { description: texts.join('. ') }),
  };
}

const listBranches = ({ anyOf }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] =>
  Array.isArray(anyOf) ? anyOf.filter(isObject) : [];

function describeType(schema: unknown): Pick<PlainSchema, 'type'> {
  const [type, ...others] = listTypes(schema);
  if (type === undefined) return {};
  return { type: others.length === 0 ? type : [type, ...others] };
}

/** Lists the types that a value may have; none for any. */
function listTypes(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { type } = schema;
  const types = new Set(type === undefined ? listBranches(schema).flatMap(listTypes) : [type].flat().map(String));
  // Each integer is a number.
  if (types.has('number')) types.delete('integer');
  return [...types];
}

const hasDefault = (schema: unknown): boolean => isObject(schema) && 'default' in schema;
