import { type TSchema, Type } from 'typebox';
import type { RequestExample, Route } from '#engine/api/route.js';
import { describeServers } from '#engine/control/documents.js';
import type { Link } from './links.js';
import { json, ResponseConverter } from './responses.js';
import { hasDefault, isPaged, isRequired, type JsonSchema, SchemaConverter } from './schemas.js';

/** A request and its response, as a document shows them. */
export interface Example {
  readonly request: RequestExample;
  readonly status: number;
  readonly headers: Headers;
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
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: unknown;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: unknown;
  readonly explode?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: unknown;
  readonly content?: Content;
  readonly links?: Readonly<Record<string, Link>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly [part: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly [part: string]: unknown;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly [part: string]: unknown;
}

/** Creates the OpenAPI document of routes. */
export function createDocument(spec: DocumentSpec): OpenApiDocument {
  const schemas = new SchemaConverter();
  const responses = new ResponseConverter(spec, schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of spec.routes) {
    const operation = describeRoute(route, spec, schemas, responses);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
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
      responses: responses.components,
      ...(spec.isApi ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
    servers: describeServers(spec.server, spec.server),
  };
}

function describeRoute(
  route: Route<never>,
  spec: DocumentSpec,
  schemas: SchemaConverter,
  responses: ResponseConverter,
): Operation {
  const { id, description, params, query, body, rules } = route;
  const success = spec.findExample(route, route.status);
  return {
    operationId: id,
    tags: [spec.getTag(route)],
    summary: route.summary,
    ...(description ? { description } : {}),
    ...(rules ? { 'x-rules': rules } : {}),
    ...(spec.isApi ? { 'x-origin': route.unofficial ? 'unofficial' : 'specification' } : {}),
    ...(spec.isApi ? { security: route.auth === 'required' ? [{ token: [] }] : [{}, { token: [] }] } : {}),
    ...(isPaged(query) ? { 'x-pagination': PAGINATION } : {}),
    parameters: [
      ...(params ? describeParameters('path', params, schemas, success?.request.params) : []),
      ...(query ? describeParameters('query', query, schemas, success?.request.query) : []),
    ],
    ...(body
      ? { requestBody: { required: !hasDefault(body), content: json(schemas.convert(body), success?.request.body) } }
      : {}),
    ...(route.bodyType === 'bytes' ? { requestBody: BYTES_BODY } : {}),
    responses: responses.convert(route),
  };
}

const BYTES_BODY = {
  required: false,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

/** How to read all pages: by the parameters, or by the link to the next page. */
const PAGINATION = {
  limit: '$request.query.limit',
  offset: '$request.query.offset',
  items: '$response.body#/data',
  next: '$response.body#/links/next',
};

function describeParameters(
  location: Parameter['in'],
  parameters: TSchema,
  schemas: SchemaConverter,
  example: RequestExample['query'] = {},
): Parameter[] {
  if (!Type.IsObject(parameters)) throw new TypeError(`Invalid ${location} schema: use an object`);
  return Object.entries(parameters.properties).map(([name, property]) => {
    const { description, style, explode, ...schema } = schemas.convertParameter(property);
    const value = example[name];
    return {
      name,
      in: location,
      required: isRequired(property),
      description,
      ...(style ? { style, explode } : {}),
      schema,
      ...(value === undefined ? {} : { example: schema.type === 'integer' ? Number(value) : value }),
    };
  });
}
