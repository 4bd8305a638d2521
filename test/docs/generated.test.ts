import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientTypes } from '../../scripts/docs/client.js';
import { fill } from '../../scripts/docs/fill.js';
import { operations } from '../../scripts/docs/operations.js';
import { flagsTable, optionsTable, routesTable } from '../../scripts/docs/tables.js';
import { scenarioFiles } from '../../scripts/scenarios/index.js';
import { EXAMPLE_SERVER } from '../../src/examples.js';
import { fixturesSchema } from '../../src/fixtures/json-schema.js';
import { COLLECTION_NAMES } from '../../src/fixtures/schema.js';
import { documentOf } from '../../src/openapi.js';

// npm run docs runs these tests as well, and has them write what they would otherwise compare.
const STALE = 'stale: run npm run docs';
const ROOT = '../..';

const TEXTS = {
  routes: routesTable(),
  options: optionsTable(),
  flags: flagsTable(),
  operations: operations(),
};

test.each(['README.md', 'docs/fidelity.md'])('%s', async (path) => {
  const page = readFileSync(new URL(`${ROOT}/${path}`, import.meta.url), 'utf8');
  await expect(fill(page, TEXTS), STALE).toMatchFileSnapshot(`${ROOT}/${path}`);
});

test.each([
  ['docs/openapi.json', 'api'],
  ['docs/openapi-control.json', 'control'],
] as const)('%s', async (path, name) => {
  const document = await documentOf(name, EXAMPLE_SERVER, false);
  await expect(`${JSON.stringify(document, null, 2)}\n`, STALE).toMatchFileSnapshot(`${ROOT}/${path}`);
});

test.each([undefined, ...COLLECTION_NAMES])('the schema of fixtures: %s', async (collection) => {
  const text = `${JSON.stringify(fixturesSchema(collection), null, 2)}\n`;
  await expect(text, STALE).toMatchFileSnapshot(`${ROOT}/schema/${collection ?? 'fixtures'}.schema.json`);
});

test.each(scenarioFiles())('$path', async ({ path, text }) => {
  await expect(text, STALE).toMatchFileSnapshot(`${ROOT}/${path}`);
});

test('test/client/api.d.ts', async () => {
  const types = await clientTypes(await documentOf('api', EXAMPLE_SERVER, false));
  await expect(types, STALE).toMatchFileSnapshot('../client/api.d.ts');
});
