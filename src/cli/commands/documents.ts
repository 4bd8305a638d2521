import { readFileSync } from 'node:fs';
import { fixturesSchema } from '../../fixtures/json-schema.js';
import { COLLECTION_NAMES } from '../../fixtures/schema.js';
import { packageFile } from '../../lib/package.js';
import { defineCommand, flag, jsonFlag } from '../command.js';
import { printLine } from '../io.js';

export const schema = defineCommand('schema', 'Print the JSON Schema of fixtures, for editors', {
  variables: { json: jsonFlag('one line') },
  flags: { collection: { ...flag('Print the schema for a single collection file'), choices: COLLECTION_NAMES } },
  examples: {
    '$0 > fixtures.schema.json': 'for { "$schema": "./fixtures.schema.json" } in a fixture',
    '$0 --collection vals': 'for vals.json in a folder',
  },
  epilogue: 'The package contains the same files in node_modules/val-emulator/schema.',
  async run({ collection, json }, io) {
    printLine(io, JSON.stringify(fixturesSchema(collection), null, json ? 0 : 2));
  },
});

export const openapi = defineCommand('openapi', 'Print the OpenAPI document of the API', {
  variables: { json: jsonFlag('one line') },
  flags: {
    control: { type: 'boolean', default: false, describe: 'Print the document of the control API' },
    'spec-only': { type: 'boolean', default: false, describe: 'Only the routes of the specification' },
  },
  examples: { '$0 > openapi.json': 'generate a client from it' },
  epilogue: 'Also served under /_emulator/openapi.json and /_emulator/openapi-control.json.',
  async run({ control, specOnly, json }, io) {
    const name = control ? 'openapi-control' : specOnly ? 'openapi-spec-only' : 'openapi';
    const text = readFileSync(packageFile(`docs/${name}.json`), 'utf8').trimEnd();
    printLine(io, json ? JSON.stringify(JSON.parse(text)) : text);
  },
});
