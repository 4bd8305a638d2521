import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Response } from '#engine/openapi/types.js';
import { routes } from '#vals/service/all.routes.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { findViolation } from '../../support/conformance.js';
import { as, emulate } from '../../support/emulate.js';

/** Reads a committed document; `npm run check -- source` finds out when it is stale. */
const readDocument = (name: string): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(`../../../docs/${name}.json`, import.meta.url), 'utf8'));
const documents = {
  openapi: readDocument('openapi'),
  'openapi-spec-only': readDocument('openapi-spec-only'),
  'openapi-control': readDocument('openapi-control'),
};
const { openapi: api, 'openapi-spec-only': specOnly, 'openapi-control': control } = documents;

const listOperations = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

const getOperation = (document: OpenApiDocument, name: string) => {
  const found = listOperations(document).find((other) => other.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found.operation;
};

/** Finds a value by a JSON pointer without escapes. */
const findByPointer = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => Object(part)[key], value);

describe.each(Object.entries(documents))('%s', (_, document) => {
  test('every link names an operation, with values of the response or its request', () => {
    const operations = listOperations(document);
    const linked = operations.filter(({ name }) => getSuccess(document, name).links !== undefined);
    expect(linked).not.toEqual([]);
    for (const { name } of linked) {
      const { links = {}, content } = getSuccess(document, name);
      for (const { operationId, parameters } of Object.values(links)) {
        const target = operations.find(({ operation }) => operation.operationId === operationId)?.operation;
        const inPath = target?.parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => parameter.name);
        expect(Object.keys(parameters), `${name} to ${operationId}`).toEqual(inPath);
        for (const expression of Object.values(parameters)) {
          const [, pointer = ''] = /^\$response\.body#(\/.+)$/.exec(expression) ?? [];
          const body = findByPointer(content?.['application/json']?.example, pointer);
          const isInPath = name.includes(`{${expression.replace('$request.path.', '')}}`);
          expect(isInPath || ['string', 'number'].includes(typeof body), `${name}: ${expression}`).toBe(true);
        }
      }
    }
  });
});

test('parameters have their bounds and defaults', () => {
  expect(getOperation(api, 'GET /v1/me/runs').parameters).toMatchObject([
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    { name: 'offset', in: 'query', required: false, schema: { type: 'integer', minimum: 0, default: 0 } },
    { name: 'since', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'until', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'error', in: 'query', required: false, schema: { type: 'boolean' } },
    {
      name: 'source',
      in: 'query',
      required: false,
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/RunSource' } },
    },
  ]);
  expect(getOperation(api, 'GET /v1/me/comments').parameters).toContainEqual(
    expect.objectContaining({
      name: 'relationship',
      schema: { $ref: '#/components/schemas/CommentRelationship', default: 'any' },
    }),
  );
  expect(getOperation(api, 'GET /v1/search/vals').parameters).toContainEqual({
    name: 'query',
    in: 'query',
    required: true,
    description: expect.any(String),
    schema: { type: 'string', minLength: 1, maxLength: 512 },
    example: 'dice',
  });
  expect(getOperation(api, 'GET /v1/vals/{val_id}/versions/{version}').parameters).toMatchObject([
    { name: 'val_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    { name: 'version', in: 'path', required: true, schema: { type: 'integer', minimum: 0 }, example: 0 },
    { name: 'limit', in: 'query', required: false, schema: { minimum: 1, maximum: 100, default: 20 } },
    { name: 'offset', in: 'query', required: false, schema: { minimum: 0, default: 0 } },
  ]);
});

test('bodies have their bounds', () => {
  expect(api).toMatchObject({
    components: {
      schemas: {
        NewCode: {
          required: ['code'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 48, pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' },
            code: { type: 'string', minLength: 1, maxLength: 256_000 },
            readme: { type: 'string', maxLength: 8_192 },
            privacy: { $ref: '#/components/schemas/Privacy' },
            type: { $ref: '#/components/schemas/NewValType' },
          },
        },
      },
    },
  });
  expect(getOperation(api, 'POST /v1/vals').requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NewCode' } } },
  });
});

test('a token is required or optional as the route declares', () => {
  expect(getOperation(api, 'GET /v1/me').security).toEqual([{ token: ['user:read'] }]);
  expect(getOperation(api, 'GET /v1/vals/{val_id}').security).toEqual([{}, { token: ['val:read'] }]);
  expect(getOperation(specOnly, 'GET /v1/me').security).toEqual([{ token: [] }]);
  expect(control.security).toEqual([]);
});

test('unofficial operations are marked', () => {
  const unofficial = listOperations(api).filter(({ operation }) => operation['x-origin'] === 'unofficial');

  expect(unofficial.map(({ name }) => name).sort()).toEqual(
    routes.flatMap((route) => (route.unofficial ? route.name : [])).sort(),
  );
  expect(unofficial.length).toBeGreaterThan(5);
});

test('the document of the specification has the other operations', () => {
  const expected = listOperations(api).filter(({ operation }) => operation['x-origin'] === 'specification');
  // Its links do not lead to unofficial operations.
  const isLinked = (part: unknown) =>
    Object.values(Object(Object(part).links)).some((link) => Object(link).operationId !== undefined);
  const withoutLinks = (found: unknown) =>
    JSON.parse(JSON.stringify(found), (_, part) => (isLinked(part) ? { ...part, links: undefined } : part));
  // The specification has no scopes.
  const withoutScopes = expected.map(({ name, operation }) => {
    const { security, responses, ...others } = Object(operation);
    const { 403: _, ...rest } = Object(responses);
    const open = Object(security).map((each: object) => ('token' in each ? { token: [] } : each));
    return { name, operation: { ...others, security: open, responses: rest } };
  });
  expect(withoutLinks(listOperations(specOnly))).toEqual(withoutLinks(withoutScopes));
  expect(JSON.stringify(specOnly)).not.toContain('updateVal');
  expect(listOperations(specOnly)).toHaveLength(14);
  expect(Object.keys(api.components.schemas)).toEqual(expect.arrayContaining(['FullRun', 'User', 'ValSettings']));
  expect(specOnly.components.schemas).not.toHaveProperty('FullRun');
});

test.each(routes)('$name describes the source of its rules', ({ name, rules = {}, unofficial }) => {
  if (!unofficial) expect(rules.specification).not.toEqual([]);
  const { description, 'x-rules': documented } = getOperation(api, name);
  expect(documented).toEqual(rules);
  expect(documented).toHaveProperty(unofficial ? 'record' : 'specification');
  expect(description).toMatch(/^[A-Z][^*\n]{10,150}\.$/);
});

test('operations have the names of functions, each once', () => {
  const ids = [api, control].flatMap((document) =>
    listOperations(document).map(({ operation }) => operation.operationId),
  );
  // A verb and a noun, in camel case.
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([
    ...['reset', 'reseed', 'explain', 'rewind', 'login'],
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(routes.length + controlRoutes.length);
});

test.each([
  ['POST /v1/vals', 'createVal'],
  ['PUT /v1/vals', 'upsertVal'],
  ['PUT /v1/vals/{val_id}', 'updateVal'],
  ['DELETE /v1/vals/{val_id}', 'deleteVal'],
  ['GET /v1/vals/{val_id}', 'getVal'],
  ['GET /v1/alias/{username}', 'getUserByName'],
  ['GET /v1/search/vals', 'searchVals'],
  ['GET /v1/me/runs', 'listMyRuns'],
])('%s is %s', (name, id) => {
  expect(getOperation(api, name).operationId).toBe(id);
});

test('schemas of pages and enums have names', () => {
  expect(Object.keys(api.components.schemas)).toEqual(
    expect.arrayContaining(['RunPage', 'ValPage', 'VersionPage', 'CommentPage', 'ReferencePage', 'RunError']),
  );
  expect(api.components.schemas).toMatchObject({
    Privacy: { type: 'string', enum: ['public', 'unlisted', 'private'] },
    Tier: { type: 'string', enum: ['free', 'pro'] },
    RunSource: { type: 'string', enum: ['ui', 'api', 'interval', 'email'] },
    ValType: { type: 'string', enum: expect.arrayContaining(['interval', 'httpnext']) },
  });
  // An enum in another schema would get a name from its place in each generated client.
  expect(JSON.stringify(api).match(/"enum"/g)).toHaveLength(
    Object.values(api.components.schemas).filter((schema) => 'enum' in schema).length,
  );
});

test('a page has the places of its items and of the next page', () => {
  const paged = listOperations(api).filter(({ operation }) => operation['x-pagination']);

  expect(paged.map(({ name }) => name)).toEqual(
    listOperations(api).flatMap(({ name, operation: { parameters } }) =>
      parameters.some((parameter) => parameter.name === 'limit') ? name : [],
    ),
  );
  expect(paged.map(({ operation }) => operation.operationId)).toContain('listMyRuns');
  expect(paged[0]?.operation['x-pagination']).toEqual({
    limit: '$request.query.limit',
    offset: '$request.query.offset',
    items: '$response.body#/data',
    next: '$response.body#/links/next',
  });
});

test('the headers of a rate limit have examples', () => {
  const { headers } = api.components.responses.TooManyRequests ?? {};

  expect(headers).toMatchObject({
    'retry-after': { example: 60 },
    'x-ratelimit-limit': { example: 1 },
    'x-ratelimit-remaining': { example: 0 },
    'x-ratelimit-reset': { example: 60 },
  });
});

/** Returns the success of an operation. */
function getSuccess(document: OpenApiDocument, name: string): Response {
  const found = Object.entries(getOperation(document, name).responses).find(([status]) => status.startsWith('2'))?.[1];
  if (!found || '$ref' in found) throw new Error(`${name} has no success`);
  return found;
}

test.each<[name: string, linked: string[], values: Record<string, string>]>([
  ['POST /v1/vals', ['getVal', 'updateVal', 'deleteVal', 'listValVersions'], { val_id: '$response.body#/id' }],
  ['GET /v1/search/vals', ['getVal', 'updateVal', 'deleteVal'], { val_id: '$response.body#/data/0/id' }],
  ['GET /v1/me/runs', ['getRun'], { run_id: '$response.body#/data/0/id' }],
  ['PUT /v1/vals/{val_id}', ['getVal', 'deleteVal'], { val_id: '$request.path.val_id' }],
])('%s is linked to %j', (name, linked, parameters) => {
  const { links = {} } = getSuccess(api, name);

  for (const id of linked) expect(links[id]).toEqual({ operationId: id, parameters });
});

test('a created sandbox is linked to its end', () => {
  expect(getSuccess(control, 'POST /_emulator/sandboxes').links).toEqual({
    closeSandbox: { operationId: 'closeSandbox', parameters: { name: '$response.body#/name' } },
  });
});

describe.each([
  ['the API', api],
  ['the control API', control],
])('%s', (_, document) => {
  test('every parameter has a description', () => {
    const undescribed = listOperations(document).flatMap(({ name, operation }) =>
      operation.parameters
        .filter(({ description }) => description === undefined)
        .map((parameter) => `${name} ${parameter.name}`),
    );

    expect(undescribed).toEqual([]);
  });

  test('every success and every shared error has an example', () => {
    const successes = listOperations(document).map(({ name }) => ({ name, response: getSuccess(document, name) }));
    const shared = Object.entries(document.components.responses).map(([name, response]) => ({ name, response }));
    const missing = [...successes, ...shared].filter(
      ({ response: { content } }) => content && Object.values(content).some(({ example }) => example === undefined),
    );

    // No example contains the document itself, another one or bytes, exceeds 512 MB, fills the memory, or lacks a package.
    const others = missing
      .map(({ name }) => name)
      .filter((name) => !/openapi|PayloadTooLarge|blob|content|Insufficient|NotImplemented/.test(name));
    expect(others).toEqual([]);
  });
});

describe('a running emulator', () => {
  test('serves its documents with its own address', async () => {
    const emulator = await emulate({});

    const apiResponse = await as(emulator).get('/_emulator/openapi.json');
    const controlResponse = await as(emulator).get('/_emulator/openapi-control.json');

    const servers = [
      { url: emulator.url, description: 'The emulator' },
      {
        url: '{url}/_sandbox/{sandbox}',
        description: 'A sandbox of the emulator by its name: 1–64 of A–Z a–z 0–9 . _ -',
        variables: { url: { default: emulator.url }, sandbox: { default: 'demo' } },
      },
    ];
    expect(apiResponse.body).toEqual({ ...api, servers });
    expect(controlResponse.body).toEqual({ ...control, servers });
  });

  test('serves them in a sandbox with the address of the sandbox', async () => {
    const emulator = await emulate({});

    const response = await as(emulator).get('/_sandbox/demo/_emulator/openapi.json');

    expect(response.body).toMatchObject({
      paths: api.paths,
      servers: [
        { url: `${emulator.url}/_sandbox/demo`, description: 'A sandbox of the emulator' },
        { variables: { url: { default: emulator.url } } },
      ],
    });
  });

  test('serves no unofficial operations when they are disabled', async () => {
    const emulator = await emulate({}, { specOnly: true });

    const response = await as(emulator).get('/_emulator/openapi.json');

    expect(response.body).toMatchObject({ paths: specOnly.paths, servers: [{ url: emulator.url }, {}] });
  });
});

describe('a check of responses against the document', () => {
  const request = { method: 'GET', target: '/v1/me' };
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const unauthorized = { message: 'Unauthorized', error: 'Unauthorized', statusCode: 401 };

  test.each([
    ['an unknown status', 402, unauthorized, 'is not in the document'],
    ['an unknown key', 401, { ...unauthorized, hint: 'none' }, 'must NOT have additional properties'],
    ['a missing key', 401, { ...unauthorized, error: undefined }, "must have required property 'error'"],
  ])('rejects %s', (_, status, body, violation) => {
    expect(findViolation(request, { status, headers, body: JSON.stringify(body) })).toContain(violation);
  });

  test('accepts a documented response', () => {
    expect(findViolation(request, { status: 401, headers, body: JSON.stringify(unauthorized) })).toBeUndefined();
  });
});
