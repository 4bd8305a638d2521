import { STATUS_CODES } from 'node:http';
import { ErrorBody, ErrorWithProblems } from './errors.js';
import { type JsonSchema, SchemaWriter } from './openapi-schemas.js';
import { describeRules, MEANINGS, operationId } from './openapi-words.js';
import { noBody, type RequestExample, type Route } from './route.js';

/** A request and its answer, as a document shows them. */
export interface Exchange {
  readonly request: RequestExample;
  readonly status: number;
  readonly answer: unknown;
}

export interface DocumentSpec<Reach> {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly routes: readonly Route<Reach>[];
  /** Whether this is the /v1 API, with tokens and companions. */
  readonly isApi: boolean;
  /** The tag that a route is listed under. */
  readonly tagOf: (route: Route<Reach>) => string;
  /** What the tags stand for. */
  readonly tags: Readonly<Record<string, string>>;
  /** Statuses that a request can be answered with before it comes to the route. */
  readonly early: (route: Route<Reach>) => readonly number[];
  /** A request to the route that is answered with this status, if there is one. */
  readonly exampleOf: (route: Route<Reach>, status: number) => Exchange | undefined;
}

/** A body by its type. */
type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly [part: string]: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [part: string]: unknown;
}

/** The OpenAPI document of some routes, without the server that has them. */
export function openApiDocument<Reach>(spec: DocumentSpec<Reach>): OpenApiDocument {
  const schemas = new SchemaWriter();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of spec.routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, spec, schemas) };
  }
  const used = new Set(spec.routes.map(spec.tagOf));
  return {
    openapi: '3.1.0',
    info: {
      title: spec.title,
      version: spec.version,
      description: spec.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...used].map((name) => ({ name, description: spec.tags[name] })),
    ...(spec.isApi ? {} : { security: [] }),
    paths,
    components: {
      schemas: schemas.named,
      ...(spec.isApi ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  };
}

function operation<Reach>(route: Route<Reach>, spec: DocumentSpec<Reach>, schemas: SchemaWriter): Operation {
  const { params, query, body } = route.request;
  const success = spec.exampleOf(route, route.status);
  const statuses = new Set([route.status, ...route.errors, ...spec.early(route)]);
  return {
    operationId: operationId(route),
    tags: [spec.tagOf(route)],
    summary: route.summary,
    ...(route.rules ? { description: describeRules(route.rules) } : {}),
    ...(spec.isApi ? { 'x-origin': route.companion ? 'companion' : 'specified' } : {}),
    ...(spec.isApi ? { security: route.needsToken ? [{ token: [] }] : [{}, { token: [] }] } : {}),
    parameters: [
      ...(params ? parameters('path', schemas.write(params, 'input'), success?.request.params) : []),
      ...(query ? parameters('query', schemas.write(query, 'input'), success?.request.query) : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: json(schemas.write(body, 'input'), success?.request.body),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Array.from(statuses, (status) => [status, response(route, schemas, status, spec.exampleOf(route, status))]),
    ),
  };
}

function parameters(where: 'path' | 'query', { properties = {}, required = [] }: JsonSchema, example: object = {}) {
  const examples = new Map<string, unknown>(Object.entries(example));
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === 'object' ? property : {};
    const value = examples.get(name);
    return {
      name,
      in: where,
      required: required.includes(name),
      description,
      schema,
      ...(value === undefined ? {} : { example: schema.type === 'integer' ? Number(value) : value }),
    };
  });
}

const json = (schema: JsonSchema, example: unknown): Content => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

function response<Reach>(route: Route<Reach>, schemas: SchemaWriter, status: number, example: Exchange | undefined) {
  const isSuccess = status === route.status;
  const body = isSuccess ? route.answer : status === 422 ? ErrorWithProblems : ErrorBody;
  return {
    description: (isSuccess ? undefined : MEANINGS[status]) ?? STATUS_CODES[status] ?? String(status),
    ...(status === 429 ? { headers: QUOTA_HEADERS } : {}),
    ...(body === noBody ? {} : { content: json(schemas.write(body, 'output'), example?.answer) }),
  };
}

const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });
const QUOTA_HEADERS = {
  'retry-after': count('Seconds until requests are let through again'),
  'x-ratelimit-limit': count('Requests that a window lets through'),
  'x-ratelimit-remaining': count('Requests left in this window'),
  'x-ratelimit-reset': count('Seconds until the window ends'),
};
