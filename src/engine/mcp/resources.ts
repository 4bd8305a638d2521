import { NDJSON } from '../lib/json.js';
import { isObject } from '../lib/objects.js';

const JSON_TYPE = 'application/json';
/** Asks for all of a resource, which may have hundreds of kilobytes. */
const ALL = '?all';

interface Resource {
  readonly name: string;
  readonly title: string;
  /** Below the base URL. */
  readonly target: string;
  readonly mimeType: string;
  summarize(text: string): object;
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'openapi',
    title: 'Operations of the emulated API',
    target: '/_emulator/openapi.json',
    mimeType: JSON_TYPE,
    summarize: listOperations,
  },
  {
    name: 'openapi-control',
    title: 'Operations of the control API',
    target: '/_emulator/openapi-control.json',
    mimeType: JSON_TYPE,
    summarize: listOperations,
  },
  {
    name: 'session',
    title: 'Size of the session of the default sandbox',
    target: '/_emulator/session',
    mimeType: NDJSON,
    summarize: (text) => ({
      bytes: Buffer.byteLength(text),
      lines: text.split('\n').length - 1,
      file: 'the tool save_session writes it',
    }),
  },
];

const toUri = ({ name }: Resource): string => `emulator://${name}`;

export const resourceUris: readonly string[] = RESOURCES.map(toUri);

export const listResources = () =>
  RESOURCES.map((resource) => ({
    ...{ uri: toUri(resource), name: resource.name, title: resource.title, mimeType: JSON_TYPE },
    description: `A summary; ${toUri(resource)}${ALL} is all of it`,
  }));

/**
 * Reads a resource: a summary, or all of it where its address ends in `?all`.
 * @param read returns the body of a response of the control API
 */
export async function readResource(uri: string, url: string, read: (target: string) => Promise<unknown>) {
  const resource = RESOURCES.find((each) => uri === toUri(each) || uri === toUri(each) + ALL);
  if (resource === undefined) return undefined;
  const { target, mimeType, summarize } = resource;
  const value = await read(target);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (uri.endsWith(ALL)) return { uri, mimeType, text };
  const summary = { ...summarize(text), all: `${uri}${ALL}, or GET ${url}${target}` };
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(summary) };
}

/** Lists the operations of an OpenAPI document, a line for each. */
function listOperations(text: string): object {
  const { openapi, info, paths } = JSON.parse(text);
  const operations = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isObject(operation) && 'summary' in operation ? [`${method.toUpperCase()} ${path}: ${operation.summary}`] : [],
    ),
  );
  return { openapi, title: Object(info).title, operations };
}
