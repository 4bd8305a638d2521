import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';

const PREFIX = 'tool ';

/** Returns the name of the route of a tool, by which filters and faults select its calls. */
export const toToolRoute = <const N extends string>(name: N): `tool ${N}` => `tool ${name}`;

/** Returns the tool whose route has a name. Undefined for another route. */
export const findTool = (route: string | null): string | undefined =>
  route?.startsWith(PREFIX) ? route.slice(PREFIX.length) : undefined;

interface Named {
  readonly route: string | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
}

/** Names what a request is for: `tool create_file`, or its path. */
export const nameTarget = ({ route, path }: Omit<Named, 'method'>): string =>
  route !== null && findTool(route) !== undefined ? route : path;

/** Names a request for people: `tool create_file`, or `GET /v1/me`. */
export const nameRequest = (request: Named): string => {
  const target = nameTarget(request);
  return target === request.path ? `${request.method} ${target}` : target;
};

export function readArguments(message: unknown): unknown {
  const { params } = isObject(message) ? message : {};
  return isObject(params) && params.arguments !== undefined ? params.arguments : {};
}

/** Returns the JSON of a response of the protocol: of its event stream, or of all of it. */
export const readMessageText = (text: string): string => /^data: (.*)$/m.exec(text)?.[1] ?? text;

/** Reads the response to a call from its result, or from the message around it: its value, its texts, or its error. */
export function readCallResponse(message: unknown): unknown {
  const { error, result = message } = isObject(message) ? message : {};
  if (!isObject(result)) return error ?? message;
  if (result.structuredContent !== undefined) return result.structuredContent;
  return readTexts(result) ?? result;
}

/** Reads the texts of a result. Undefined for one with other content. */
function readTexts({ content }: Readonly<Record<string, unknown>>): string | undefined {
  const texts = Array.isArray(content) ? content.map((part) => (isObject(part) ? part.text : undefined)) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

/** The keys of an error. In a JSON text, a quote before a key is a quote of no value. */
const ERROR_KEY = /"(?:isError|error)":/;

/** Finds why a message of the protocol was refused, in its response: an error, or a result with `isError`. */
export function findCallError(text: string): string | undefined {
  const message = ERROR_KEY.test(text) ? parseJsonIfValid(text) : undefined;
  if (!isObject(message)) return undefined;
  const { error, result = message } = message;
  if (isObject(error)) return String(error.message);
  return isObject(result) && result.isError === true ? (readTexts(result) ?? 'isError') : undefined;
}

/** Returns the criteria of the calls of a tool with these arguments, among others. */
export const toCallCriteria = (args: object | undefined): { readonly body?: unknown } =>
  args === undefined ? {} : { body: { params: { arguments: args } } };

/** Lists the routes of requests to a tool server that call no tool: its messages, and what clients try before. */
export const listHandshakeRoutes = ({
  path,
  discovery = [],
}: {
  readonly path: string;
  readonly discovery?: readonly string[];
}): string[] => [...['POST', 'GET', 'DELETE'].map((method) => `${method} ${path}`), ...discovery];
