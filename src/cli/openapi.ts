import { EXAMPLE_SERVER } from '../examples.js';
import { documentOf } from '../openapi.js';
import type { Command } from './command.js';
import { printLine } from './print.js';

interface Flags {
  readonly control: boolean;
  readonly 'spec-only': boolean;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .option('control', { type: 'boolean', default: false, describe: "The emulator's own API instead" })
      .option('spec-only', { type: 'boolean', default: false, describe: 'Only the routes of the specification' })
      .example('$0 openapi > openapi.json', 'to make a client from')
      .epilogue('A running emulator has the same under /_emulator/openapi.json and /_emulator/openapi-control.json.'),
  async handler({ control, 'spec-only': specOnly }) {
    const document = await documentOf(control ? 'control' : 'api', EXAMPLE_SERVER, specOnly);
    printLine(JSON.stringify(document, null, 2));
  },
};
