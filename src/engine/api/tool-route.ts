import { isObject } from '../lib/objects.js';

const PREFIX = 'tool ';

/** Returns the name of the route of a tool, by which filters and faults select its calls. */
export const toToolRoute = <const N extends string>(name: N): `tool ${N}` => `tool ${name}`;

/** Returns the tool whose route has a name. Undefined for another route. */
export const findTool = (route: string | null): string | undefined =>
  route?.startsWith(PREFIX) ? route.slice(PREFIX.length) : undefined;

/** Reads the arguments of a call from the message of the protocol. */
export function readArguments(message: unknown): unknown {
  const { params } = isObject(message) ? message : {};
  return isObject(params) && params.arguments !== undefined ? params.arguments : {};
}

/** Reads the response to a call from its result, or from the message around it: its value, its texts, or its error. */
export function readCallResponse(message: unknown): unknown {
  const { error, result = message } = isObject(message) ? message : {};
  if (!isObject(result)) return error ?? message;
  if (result.structuredContent !== undefined) return result.structuredContent;
  const texts = Array.isArray(result.content)
    ? result.content.map((part) => (isObject(part) ? part.text : undefined))
    : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n') : result;
}

/** Returns the criteria of the calls of a tool with these arguments, among others. */
export const toCallCriteria = (args: object | undefined): { readonly body?: unknown } =>
  args === undefined ? {} : { body: { params: { arguments: args } } };

/** Lists the routes of a tool server: one for its messages, and one for each tool. */
export const listToolRoutes = ({
  path,
  names,
}: {
  readonly path: string;
  readonly names: readonly string[];
}): string[] => [`POST ${path}`, ...names.map(toToolRoute)];
