import { fixturesSchema } from '../fixtures/json-schema.js';
import { COLLECTION_NAMES, type CollectionName } from '../fixtures/schema.js';
import type { Command } from './command.js';
import { printLine } from './print.js';

interface Flags {
  readonly collection: CollectionName | undefined;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .option('collection', {
        choices: COLLECTION_NAMES,
        requiresArg: true,
        describe: 'Of the file of this collection in a folder',
      })
      .example('$0 schema > fixtures.schema.json', 'for { "$schema": "./fixtures.schema.json" } in a fixture')
      .example('$0 schema --collection vals', 'for vals.json in a folder')
      .epilogue('The package has the same files in node_modules/val-emulator/schema.'),
  async handler({ collection }) {
    printLine(JSON.stringify(fixturesSchema(collection), null, 2));
  },
};
