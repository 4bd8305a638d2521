import { readFileSync } from 'node:fs';
import type { InferredOptionTypes } from 'yargs';
import { packageFile } from '../../lib/package.js';
import type { Command, Flags } from '../command.js';
import { printLine } from '../io.js';

const flags = {
  control: { type: 'boolean', default: false, describe: 'Print the document of the control API' },
  'spec-only': { type: 'boolean', default: false, describe: 'Only the routes of the specification' },
} as const satisfies Flags;

export const command: Command = {
  flags: () => flags,
  examples: [['$0 > openapi.json', 'generate a client from it']],
  epilogue: 'Also served under /_emulator/openapi.json and /_emulator/openapi-control.json.',
  async run({ control, 'spec-only': specOnly }: InferredOptionTypes<typeof flags>, io) {
    const name = control ? 'openapi-control' : specOnly ? 'openapi-spec-only' : 'openapi';
    printLine(io, readFileSync(packageFile(`docs/${name}.json`), 'utf8').trimEnd());
  },
};
