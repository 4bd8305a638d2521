import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { OpenApiDocument } from '../../src/contract/openapi.js';
import { operationId } from '../../src/contract/openapi-words.js';
import { controlRoutes } from '../../src/control/routes/index.js';
import { collectExamples } from '../../src/examples.js';
import { documentOf } from '../../src/openapi.js';
import { routes } from '../../src/routes/index.js';
import { complaintAbout } from '../support/conformance.js';
import { as, emulate } from '../support/emulate.js';

const SERVER = 'http://127.0.0.1:4010';
const api = await documentOf('api', SERVER, false);
const control = await documentOf('control', SERVER, false);

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

const operationAt = (document: OpenApiDocument, name: string) => {
  const found = operationsOf(document).find((other) => other.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found.operation;
};

describe.each([
  // Health is told to anybody who asks.
  ['docs/openapi.json', {}],
  ['docs/openapi-control.json', { 'operation-4xx-response': 'off' }],
] as const)('%s', (path, rules) => {
  test('a linter finds nothing in it', async () => {
    const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const config = await createConfig({ extends: ['recommended-strict'], rules });

    const problems = await lintFromString({ source, config });

    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });
});

test('parameters have their bounds and defaults', () => {
  expect(operationAt(api, 'GET /v1/me/runs').parameters).toMatchObject([
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    { name: 'offset', in: 'query', required: false, schema: { type: 'integer', minimum: 0, default: 0 } },
    { name: 'since', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'until', in: 'query', required: false, schema: { type: 'string', format: 'date-time' } },
    { name: 'error', in: 'query', required: false, schema: { type: 'boolean' } },
    { name: 'source', in: 'query', required: false, schema: { type: 'string', pattern: expect.any(String) } },
  ]);
  expect(operationAt(api, 'GET /v1/me/comments').parameters).toContainEqual(
    expect.objectContaining({
      name: 'relationship',
      schema: { type: 'string', enum: ['any', 'received', 'given'], default: 'any' },
    }),
  );
  expect(operationAt(api, 'GET /v1/search/vals').parameters).toContainEqual({
    name: 'query',
    in: 'query',
    required: true,
    description: expect.any(String),
    schema: { type: 'string', minLength: 1, maxLength: 512 },
    example: 'dice',
  });
  expect(operationAt(api, 'GET /v1/vals/{val_id}/versions/{version}').parameters).toMatchObject([
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
  expect(operationAt(api, 'POST /v1/vals').requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NewCode' } } },
  });
});

test('a token is needed, or may come along', () => {
  expect(operationAt(api, 'GET /v1/me').security).toEqual([{ token: [] }]);
  expect(operationAt(api, 'GET /v1/vals/{val_id}').security).toEqual([{}, { token: [] }]);
  expect(control.security).toEqual([]);
});

test('companions are told apart', () => {
  const companions = operationsOf(api).filter(({ operation }) => operation['x-origin'] === 'companion');

  expect(companions.map(({ name }) => name).sort()).toEqual([
    'GET /v1/alias/{username}',
    'GET /v1/alias/{username}/{val_name}',
    'GET /v1/runs/{run_id}',
    'GET /v1/search/vals',
    'GET /v1/users/{user_id}',
    'GET /v1/users/{user_id}/vals',
    'PUT /v1/vals/{val_id}',
  ]);
});

test.each(routes)('$name tells where its rules come from', ({ name, rules = {}, companion }) => {
  if (!companion) expect(rules.specified).not.toEqual([]);
  expect(operationAt(api, name).description).toMatch(companion ? /From the public record/ : /From the specification/);
});

test.each([
  ['GET', '/v1/me/runs', 'getMeRuns'],
  ['GET', '/v1/vals/{val_id}/versions/{version}', 'getValVersion'],
  ['GET', '/v1/alias/{username}/{val_name}', 'getAliasVal'],
  ['DELETE', '/_emulator/sandboxes/{name}', 'deleteSandbox'],
] as const)('%s %s is %s', (method, path, id) => {
  expect(operationId({ method, path })).toBe(id);
});

describe.each([
  ['the API', api, routes],
  ["the emulator's own API", control, controlRoutes],
])('%s', (_, document, all) => {
  test('every parameter tells what it is', () => {
    const Parameters = z.array(z.object({ name: z.string(), description: z.string().optional() }));
    const silent = operationsOf(document).flatMap(({ name, operation }) =>
      Parameters.parse(operation.parameters)
        .filter(({ description }) => description === undefined)
        .map((parameter) => `${name} ${parameter.name}`),
    );

    expect(silent).toEqual([]);
  });

  test('every answer has an example', () => {
    const missing = operationsOf(document).flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { content }]) => content && content['application/json']?.example === undefined)
        .map(([status]) => `${name} ${status}`),
    );

    // A document is no example of itself, and no example has 512 MB.
    expect(missing.filter((place) => !/openapi|^\w+ \/_emulator.* 413$/.test(place))).toEqual([]);
  });

  test('no request is answered with a status that the document has not', async () => {
    const examples = await collectExamples(all);

    for (const [name, found] of examples) {
      const documented = Object.keys(operationAt(document, name).responses);
      expect(
        [...found.keys()].filter((status) => !documented.includes(String(status))),
        name,
      ).toEqual([]);
    }
  });
});

describe('a running emulator', () => {
  test('has its documents, with its own address', async () => {
    const emulator = await emulate({});

    const ofApi = await as(emulator).get('/_emulator/openapi.json');
    const ofControl = await as(emulator).get('/_emulator/openapi-control.json');

    expect(ofApi.body).toEqual({ ...api, servers: [{ url: emulator.url }] });
    expect(ofControl.body).toEqual({ ...control, servers: [{ url: emulator.url }] });
  });

  test('has one in a sandbox, with the address of the sandbox', async () => {
    const emulator = await emulate({});

    const response = await as(emulator).get('/_sandbox/demo/_emulator/openapi.json');

    expect(response.body.servers).toEqual([{ url: `${emulator.url}/_sandbox/demo` }]);
  });

  test('has no companions in it when they are switched off', async () => {
    const emulator = await emulate({}, { specOnly: true });

    const response = await as(emulator).get('/_emulator/openapi.json');

    const origins = operationsOf(response.body).map(({ operation }) => operation['x-origin']);
    expect(origins).toEqual(Array(14).fill('specified'));
  });
});

describe('an answer that the document does not have is found out', () => {
  const request = { method: 'GET', target: '/v1/me', base: SERVER, header: () => undefined, body: undefined };
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const unauthorized = { message: 'Unauthorized', error: 'Unauthorized', statusCode: 401 };

  test.each([
    ['an unknown status', 402, unauthorized, 'is not in the document'],
    ['an unknown key', 401, { ...unauthorized, hint: 'none' }, 'must NOT have additional properties'],
    ['a missing key', 401, { ...unauthorized, error: undefined }, "must have required property 'error'"],
  ])('%s', (_, status, body, complaint) => {
    expect(complaintAbout(request, { status, headers, body: JSON.stringify(body) })).toContain(complaint);
  });

  test('one that it has is fine', () => {
    expect(complaintAbout(request, { status: 401, headers, body: JSON.stringify(unauthorized) })).toBeUndefined();
  });
});
