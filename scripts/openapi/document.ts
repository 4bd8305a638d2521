import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import type { RequestExample, Route } from '../../src/api/route.js';
import { describeRules, formatOperationId, STATUS_DESCRIPTIONS } from './descriptions.js';
import { hasDefault, isRequired, type JsonSchema, SchemaConverter } from './schemas.js';

/** A request and its response, as a document shows them. */
export interface Example {
  readonly request: RequestExample;
  readonly status: number;
  /** Undefined for a response without a body. */
  readonly body: unknown;
}

export interface DocumentSpec {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Base URL of the API. */
  readonly server: string;
  readonly routes: readonly Route<never>[];
  /** Whether this is the /v1 API, with tokens and unofficial routes. */
  readonly isApi: boolean;
  /** Returns the tag that groups a route. */
  readonly getTag: (route: Route<never>) => string;
  /** Descriptions of the tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Lists the statuses that a request can receive before it reaches the route. */
  readonly listCommonErrors: (route: Route<never>) => readonly number[];
  /** Returns the schema of the body of an error. */
  readonly getErrorBody: (status: number) => TSchema;
  /** Finds a request to a route with this status. */
  readonly findExample: (route: Route<never>, status: number) => Example | undefined;
}

/** A body by its media type. */
type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: unknown;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Response {
  readonly description: string;
  readonly headers?: unknown;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly [part: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly [part: string]: unknown };
  readonly servers: readonly { readonly url: string }[];
  readonly [part: string]: unknown;
}

/** Creates the OpenAPI document of routes. */
export function createDocument(spec: DocumentSpec): OpenApiDocument {
  const schemas = new SchemaConverter();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of spec.routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route, spec, schemas) };
  }
  const tags = new Set(spec.routes.map(spec.getTag));
  return {
    openapi: '3.1.0',
    info: {
      title: spec.title,
      version: spec.version,
      description: spec.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...tags].map((name) => ({ name, description: spec.tags[name] })),
    ...(spec.isApi ? {} : { security: [] }),
    paths,
    components: {
      schemas: schemas.components,
      ...(spec.isApi ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
    servers: [{ url: spec.server }],
  };
}

function describeRoute(route: Route<never>, spec: DocumentSpec, schemas: SchemaConverter): Operation {
  const { params, query, body, rules } = route;
  const success = spec.findExample(route, route.status);
  const statuses = new Set([route.status, ...route.errors, ...spec.listCommonErrors(route)]);
  return {
    operationId: formatOperationId(route),
    tags: [spec.getTag(route)],
    summary: route.summary,
    ...(rules ? { description: describeRules(rules) } : {}),
    ...(spec.isApi ? { 'x-origin': route.unofficial ? 'unofficial' : 'specification' } : {}),
    ...(spec.isApi ? { security: route.auth === 'required' ? [{ token: [] }] : [{}, { token: [] }] } : {}),
    parameters: [
      ...(params ? describeParameters('path', params, schemas, success?.request.params) : []),
      ...(query ? describeParameters('query', query, schemas, success?.request.query) : []),
    ],
    ...(body
      ? { requestBody: { required: !hasDefault(body), content: json(schemas.convert(body), success?.request.body) } }
      : {}),
    responses: Object.fromEntries(
      Array.from(statuses, (status) => [status, describeResponse(route, status, spec, schemas)]),
    ),
  };
}

function describeParameters(
  location: Parameter['in'],
  parameters: TSchema,
  schemas: SchemaConverter,
  example: RequestExample['query'] = {},
): Parameter[] {
  if (!Type.IsObject(parameters)) throw new TypeError(`Invalid ${location} schema: use an object`);
  return Object.entries(parameters.properties).map(([name, property]) => {
    const { description, ...schema } = schemas.convert(property);
    const value = example[name];
    return {
      name,
      in: location,
      required: isRequired(property),
      description,
      schema,
      ...(value === undefined ? {} : { example: schema.type === 'integer' ? Number(value) : value }),
    };
  });
}

const json = (schema: JsonSchema, example: unknown): Content => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

function describeResponse(
  route: Route<never>,
  status: number,
  { getErrorBody, findExample }: DocumentSpec,
  schemas: SchemaConverter,
): Response {
  const isSuccess = status === route.status;
  const body = isSuccess ? route.response : getErrorBody(status);
  return {
    description: (isSuccess ? undefined : STATUS_DESCRIPTIONS[status]) ?? STATUS_CODES[status] ?? String(status),
    ...(status === 429 ? { headers: RATE_LIMIT_HEADERS } : {}),
    ...(status === 204 ? {} : { content: json(schemas.convert(body), findExample(route, status)?.body) }),
  };
}

const counter = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });
const RATE_LIMIT_HEADERS = {
  'retry-after': counter('Seconds until the next request is allowed'),
  'x-ratelimit-limit': counter('Maximum number of requests in a window'),
  'x-ratelimit-remaining': counter('Number of requests left in this window'),
  'x-ratelimit-reset': counter('Seconds until the window ends'),
};
