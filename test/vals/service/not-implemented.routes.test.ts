import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: '4e110000-0000-4000-8000-000000000001', code: '1' }],
};

/** Routes of the service that the emulator lacks, each with its purpose. */
const UNSERVED = [
  ['get', '/v1/run/ada/hello', 'run code'],
  ['post', '/v1/run/ada.hello', 'run code'],
  ['get', '/v1/eval/1', 'run code'],
  ['post', '/v1/eval', 'run code'],
  ['get', '/v1/express/ada.hello', 'run code'],
  ['get', '/v1/projects', 'have the early routes of projects, which are at /v2/vals'],
  ['put', '/v1/projects/1/files', 'have the early routes of projects, which are at /v2/vals'],
  ['get', '/v1/me/projects', 'have the early routes of projects, which are at /v2/vals'],
  ['get', '/v1/alias/projects/ada/site', 'have the early routes of projects, which are at /v2/vals'],
  ['delete', '/v1/alias/projects/ada/site/x', 'have the early routes of projects, which are at /v2/vals'],
  ['get', '/v2/me', 'implement this part of version 2 of the API'],
  ['put', '/v2/vals', 'implement this part of version 2 of the API'],
  ['post', '/v3/connections/slack/token', 'give out tokens of other services, which only the real one has'],
  ['post', '/v3/connections/google-docs/token', 'give out tokens of other services, which only the real one has'],
  ['get', '/v3/vals', 'implement versions of the API later than 2, except for the MCP server at POST /v3/mcp'],
] as const;

describe.each(UNSERVED)('%s %s', (method, path, what) => {
  test.each(['ada', undefined])(`returns 501 for %s: the emulator does not ${what}`, async (caller) => {
    const response = await as(await emulate(fixtures), caller)[method](`${path}?q=1`);

    expect(response.status).toBe(501);
    expect(response.body).toStrictEqual({
      message: `The emulator does not ${what}: ${path} is not implemented`,
      error: 'Not Implemented',
      statusCode: 501,
    });
  });

  test('is an unknown route with specOnly', async () => {
    const emulator = await emulate(fixtures, { specOnly: true });

    const response = await as(emulator, 'ada')[method](path);

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(notFound(`Route ${method.toUpperCase()}:${path} not found`));
  });
});

test.each([
  '/v1/telemetries',
  '/v1/runs',
  '/v1/runner',
  '/v1/emails',
  '/v1/blobs',
  '/v1/vals/evaluations',
  '/v/me',
  '/v12/me',
])('%s returns 404 or 400, since the service does not have it', async (path) => {
  const response = await as(await emulate(fixtures), 'ada').get(path);

  expect([400, 404]).toContain(response.status);
});
