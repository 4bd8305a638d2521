import type { InferredOptionTypes } from 'yargs';
import { fixturesSchema } from '../../fixtures/json-schema.js';
import { COLLECTION_NAMES } from '../../fixtures/schema.js';
import type { Command } from '../command.js';
import { flag } from '../flags.js';
import { printLine } from '../io.js';

const flags = {
  collection: { ...flag('Print the schema for a single collection file'), choices: COLLECTION_NAMES },
};

export const command: Command = {
  flags: () => flags,
  examples: [
    ['$0 > fixtures.schema.json', 'for { "$schema": "./fixtures.schema.json" } in a fixture'],
    ['$0 --collection vals', 'for vals.json in a folder'],
  ],
  epilogue: 'The package contains the same files in node_modules/val-emulator/schema.',
  async run({ collection }: InferredOptionTypes<typeof flags>, io) {
    printLine(io, JSON.stringify(fixturesSchema(collection), null, 2));
  },
};
