import type { TSchema } from 'typebox';
import { CONDITIONS } from '../api/representation.js';
import type { RequestExample, Route } from '../api/route.js';
import { json, ResponseConverter } from './responses.js';
import { hasDefault, listRequired, type ObjectSchema, SchemaConverter } from './schemas.js';
import { describeServers } from './servers.js';
import type { DocumentSpec, OpenApiDocument, Operation, Parameter } from './types.js';

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
  const pagination = spec.findPagination?.(route);
  return {
    operationId: id,
    tags: [spec.getTag(route)],
    summary: route.summary,
    ...(description ? { description } : {}),
    ...(rules ? { 'x-rules': rules } : {}),
    ...(spec.isApi ? { 'x-origin': route.unofficial ? 'unofficial' : 'specification' } : {}),
    ...(spec.isApi
      ? {
          security: [
            ...(route.auth === 'required' ? [] : [{}]),
            { token: route.scope === undefined ? [] : [route.scope] },
          ],
        }
      : {}),
    ...(pagination ? { 'x-pagination': pagination } : {}),
    parameters: [
      ...(params ? describeParameters('path', params, schemas, success?.request.params) : []),
      ...(query ? describeParameters('query', query, schemas, success?.request.query) : []),
      ...(route.isConditional
        ? CONDITION_PARAMETERS.filter(({ name }) => route.method === 'GET' || !isOfReads(name))
        : []),
    ],
    ...(body
      ? { requestBody: { required: !hasDefault(body), content: json(schemas.convert(body), success?.request.body) } }
      : {}),
    ...(route.bodyType === 'bytes' ? { requestBody: BYTES_BODY } : {}),
    responses: responses.convert(route),
  };
}

/** Whether a condition leads to a 304, which only a GET has. */
const isOfReads = (condition: string): boolean => condition === 'if-none-match' || condition === 'if-modified-since';
const CONDITION_PARAMETERS = Object.entries(CONDITIONS).map(
  ([name, description]): Parameter => ({
    ...{ name, in: 'header', required: false, description },
    schema: { type: 'string' },
  }),
);

const BYTES_BODY = {
  required: false,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

function describeParameters(
  location: Parameter['in'],
  { properties = {}, ...parameters }: TSchema & ObjectSchema,
  schemas: SchemaConverter,
  example: RequestExample['query'] = {},
): Parameter[] {
  const required = listRequired({ properties, ...parameters });
  return Object.entries(properties).map(([name, property]) => {
    const { description, style, explode, ...schema } = schemas.convertParameter(property);
    const value = example[name];
    return {
      name,
      in: location,
      required: required.includes(name),
      description,
      ...(style ? { style, explode } : {}),
      schema,
      ...(value === undefined ? {} : { example: schema.type === 'integer' ? Number(value) : value }),
    };
  });
}
