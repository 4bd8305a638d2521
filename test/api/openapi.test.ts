import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { formatOperationId } from '../../scripts/openapi/descriptions.js';
import type { OpenApiDocument } from '../../scripts/openapi/document.js';
import { collectExamples } from '../../scripts/openapi/examples.js';
import { createDocuments } from '../../scripts/openapi/index.js';
import { controlRoutes } from '../../src/control/routes/index.js';
import { routes } from '../../src/routes/index.js';
import { findViolation } from '../support/conformance.js';
import { as, emulate } from '../support/emulate.js';

const SERVER = 'http://127.0.0.1:4010';
const documents = await createDocuments();
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

const BODY_SCHEMA = 'content/application~1json/schema';

/** Lists the JSON pointers of all schemas of a document. */
function listSchemas({ paths, components }: OpenApiDocument): string[] {
  const inOperations = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody, responses }]) =>
      [
        ...parameters.map((_, i) => `parameters/${i}/schema`),
        ...(requestBody ? [`requestBody/${BODY_SCHEMA}`] : []),
        ...Object.entries(responses).flatMap(([status, { content }]) =>
          content ? [`responses/${status}/${BODY_SCHEMA}`] : [],
        ),
      ].map((pointer) => `paths/${path.replaceAll('/', '~1')}/${method}/${pointer}`),
    ),
  );
  return [...Object.keys(components.schemas).map((title) => `components/schemas/${title}`), ...inOperations];
}

describe.each(Object.entries(documents))('%s', (name, document) => {
  test('a linter finds nothing in the file', async () => {
    const source = readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8');
    const config = await createConfig({ extends: ['recommended-strict'] });

    const problems = await lintFromString({ source, config });

    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  test('every schema compiles in strict mode', () => {
    const ajv = new Ajv2020({ strict: true }).addVocabulary(Object.keys(document));
    formats.default(ajv);
    ajv.addSchema(document, 'document');

    const validators = listSchemas(document).map((pointer) => ajv.getSchema(`document#/${pointer}`));

    expect(validators.length).toBeGreaterThan(50);
    expect(validators).not.toContain(undefined);
  });

  test('every component is used', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (title) => !text.includes(`"#/components/schemas/${title}"`),
    );

    expect(unused).toEqual([]);
  });
});

test('parameters have their bounds and defaults', () => {
  expect(getOperation(api, 'GET /v1/me/runs').parameters).toMatchObject([
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    { name: 'offset', in: 'query', required: false, schema: { type: 'integer', minimum: 0, default: 0 } },
    { name: 'since', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'until', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'error', in: 'query', required: false, schema: { type: 'boolean' } },
    { name: 'source', in: 'query', required: false, schema: { type: 'string', pattern: expect.any(String) } },
  ]);
  expect(getOperation(api, 'GET /v1/me/comments').parameters).toContainEqual(
    expect.objectContaining({
      name: 'relationship',
      schema: { type: 'string', enum: ['any', 'received', 'given'], default: 'any' },
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
            privacy: { enum: ['public', 'unlisted', 'private'] },
            type: { enum: ['httpnext', 'http', 'script', 'email'] },
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

test('a token is required or optional', () => {
  expect(getOperation(api, 'GET /v1/me').security).toEqual([{ token: [] }]);
  expect(getOperation(api, 'GET /v1/vals/{val_id}').security).toEqual([{}, { token: [] }]);
  expect(control.security).toEqual([]);
});

test('unofficial operations are marked', () => {
  const unofficial = listOperations(api).filter(({ operation }) => operation['x-origin'] === 'unofficial');

  expect(unofficial.map(({ name }) => name).sort()).toEqual([
    'GET /v1/alias/{username}',
    'GET /v1/alias/{username}/{val_name}',
    'GET /v1/runs/{run_id}',
    'GET /v1/search/vals',
    'GET /v1/users/{user_id}',
    'GET /v1/users/{user_id}/vals',
    'PUT /v1/vals/{val_id}',
  ]);
});

test('the document of the specification has the other operations', () => {
  expect(listOperations(specOnly)).toEqual(
    listOperations(api).filter(({ operation }) => operation['x-origin'] === 'specification'),
  );
  expect(listOperations(specOnly)).toHaveLength(14);
  expect(Object.keys(api.components.schemas)).toEqual(expect.arrayContaining(['FullRun', 'User', 'ValSettings']));
  expect(specOnly.components.schemas).not.toHaveProperty('FullRun');
});

test.each(routes)('$name describes the source of its rules', ({ name, rules = {}, unofficial }) => {
  if (!unofficial) expect(rules.specification).not.toEqual([]);
  expect(getOperation(api, name).description).toMatch(unofficial ? /From the public record/ : /From the specification/);
});

test.each([
  ['GET', '/v1/me/runs', 'getMeRuns'],
  ['GET', '/v1/vals/{val_id}/versions/{version}', 'getValVersion'],
  ['GET', '/v1/alias/{username}/{val_name}', 'getAliasVal'],
  ['DELETE', '/_emulator/sandboxes/{name}', 'deleteSandbox'],
] as const)('%s %s is %s', (method, path, id) => {
  expect(formatOperationId({ method, path })).toBe(id);
});

describe.each([
  ['the API', api, routes],
  ['the control API', control, controlRoutes],
])('%s', (_, document, all) => {
  test('every parameter has a description', () => {
    const undescribed = listOperations(document).flatMap(({ name, operation }) =>
      operation.parameters
        .filter(({ description }) => description === undefined)
        .map((parameter) => `${name} ${parameter.name}`),
    );

    expect(undescribed).toEqual([]);
  });

  test('every response has an example', () => {
    const missing = listOperations(document).flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { content }]) => content && content['application/json']?.example === undefined)
        .map(([status]) => `${name} ${status}`),
    );

    // No example contains the document itself, or exceeds 512 MB.
    expect(missing.filter((name) => !/openapi|^\w+ \/_emulator.* 413$/.test(name))).toEqual([]);
  });

  test('every response to an example request has a documented status', async () => {
    const examples = await collectExamples(all);

    for (const [name, found] of examples) {
      const documented = Object.keys(getOperation(document, name).responses);
      expect(
        [...found.keys()].filter((status) => !documented.includes(String(status))),
        name,
      ).toEqual([]);
    }
  });
});

describe('a running emulator', () => {
  test('serves its documents with its own address', async () => {
    const emulator = await emulate({});

    const apiResponse = await as(emulator).get('/_emulator/openapi.json');
    const controlResponse = await as(emulator).get('/_emulator/openapi-control.json');

    expect(apiResponse.body).toEqual({ ...api, servers: [{ url: emulator.url }] });
    expect(controlResponse.body).toEqual({ ...control, servers: [{ url: emulator.url }] });
  });

  test('serves them in a sandbox with the address of the sandbox', async () => {
    const emulator = await emulate({});

    const response = await as(emulator).get('/_sandbox/demo/_emulator/openapi.json');

    expect(response.body).toEqual({ ...api, servers: [{ url: `${emulator.url}/_sandbox/demo` }] });
  });

  test('serves no unofficial operations when they are disabled', async () => {
    const emulator = await emulate({}, { specOnly: true });

    const response = await as(emulator).get('/_emulator/openapi.json');

    expect(response.body).toEqual({ ...specOnly, servers: [{ url: emulator.url }] });
  });
});

describe('a response that the document does not allow is found', () => {
  const request = {
    method: 'GET',
    target: '/v1/me',
    base: SERVER,
    header: () => undefined,
    headers: [],
    body: undefined,
  };
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const unauthorized = { message: 'Unauthorized', error: 'Unauthorized', statusCode: 401 };

  test.each([
    ['an unknown status', 402, unauthorized, 'is not in the document'],
    ['an unknown key', 401, { ...unauthorized, hint: 'none' }, 'must NOT have additional properties'],
    ['a missing key', 401, { ...unauthorized, error: undefined }, "must have required property 'error'"],
  ])('%s', (_, status, body, violation) => {
    expect(findViolation(request, { status, headers, body: JSON.stringify(body) })).toContain(violation);
  });

  test('a documented response is none', () => {
    expect(findViolation(request, { status: 401, headers, body: JSON.stringify(unauthorized) })).toBeUndefined();
  });
});
