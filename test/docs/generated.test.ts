import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixturesSchema } from '#engine/fixtures/json-schema.js';
import { configSchema } from '#tools/cli/config-file.js';
import { COLLECTION_NAMES, definitions } from '#vals/service/service.collection.js';
import { describeClient } from '../../scripts/docs/client.js';
import { confidenceTexts } from '../../scripts/docs/confidence-tables.js';
import { fill } from '../../scripts/docs/fill.js';
import { describeForModels } from '../../scripts/docs/llms.js';
import { describeFolders } from '../../scripts/docs/map.js';
import { describeGeneralRules, describeOperations } from '../../scripts/docs/operations.js';
import { commandsTable, flagsTable, optionsTable, routesTable, toolsTable } from '../../scripts/docs/tables.js';
import { createDocuments } from '../../scripts/openapi/index.js';
import { scenarioFiles } from '../../scripts/scenarios/index.js';
import { LAYERS } from '../support/layers.js';

// `npm run docs` runs these tests with --update, which writes the files instead of comparing them.
const STALE = 'stale: run npm run docs';
const ROOT = '../..';

const documents = await createDocuments();
const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const TEXTS = {
  routes: routesTable(),
  tools: toolsTable(),
  options: optionsTable(),
  flags: flagsTable(),
  commands: commandsTable(),
  operations: describeOperations(),
  'general-rules': describeGeneralRules(),
  ...confidenceTexts(),
  folders: describeFolders(Object.keys(LAYERS)),
};

const PAGES = ['agents', 'command-line', 'confidence', 'fidelity', 'options', 'routes'].map(
  (name) => `docs/${name}.md`,
);

test.each(['AGENTS.md', ...PAGES])('%s', async (path) => {
  const page = readFileSync(new URL(`${ROOT}/${path}`, import.meta.url), 'utf8');
  await expect(fill(page, TEXTS), STALE).toMatchFileSnapshot(`${ROOT}/${path}`);
});

test.each(Object.entries(documents))('docs/%s.json', async (name, document) => {
  await expect(formatJson(document), STALE).toMatchFileSnapshot(`${ROOT}/docs/${name}.json`);
});

test('the tables of the client', async () => {
  const path = `${ROOT}/src/tools/client/operations.ts`;
  await expect(describeClient(documents['openapi-control']), STALE).toMatchFileSnapshot(path);
});

test.each([undefined, ...COLLECTION_NAMES])('the schema of fixtures: %s', async (collection) => {
  const path = `${ROOT}/schema/${collection ?? 'fixtures'}.schema.json`;
  await expect(formatJson(fixturesSchema(definitions, collection)), STALE).toMatchFileSnapshot(path);
});

test('the schema of the config file', async () => {
  await expect(formatJson(configSchema()), STALE).toMatchFileSnapshot(`${ROOT}/schema/config.schema.json`);
});

test.each(scenarioFiles())('$path', async ({ path, text }) => {
  await expect(text, STALE).toMatchFileSnapshot(`${ROOT}/${path}`);
});

test('llms.txt', async () => {
  await expect(describeForModels(), STALE).toMatchFileSnapshot(`${ROOT}/llms.txt`);
});
