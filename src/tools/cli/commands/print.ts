import yargs from 'yargs';
import { fixturesSchema } from '#engine/fixtures/json-schema.js';
import { didYouMean, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { readText } from '#engine/platform/package-files.js';
import { defineCommand, fail, flag, jsonFlag } from '../command.js';
import { startFlags } from '../emulator-flags.js';
import { runService } from '../start-service.js';

export const schema = defineCommand({
  variables: { json: jsonFlag('one line'), service: startFlags.service },
  flags: { collection: flag('Schema of a single collection file: vals') },
  examples: {
    '$0 > fixtures.schema.json': 'for { "$schema": "./fixtures.schema.json" } in a fixture',
    '$0 --collection vals': 'for vals.json in a folder',
    '$0 --service todo.js': 'for fixtures of your own service',
  },
  epilogue: 'The package contains the same files in node_modules/val-emulator/schema.',
  async run({ collection, service }) {
    const { definitions } = await runService(service);
    const { names } = definitions;
    if (collection !== undefined && !names.includes(collection)) {
      const problem = `found ${formatValue(collection)}; expected ${joinAlternatives(names)}`;
      fail(`--collection: ${problem}.${didYouMean(collection, names)}`);
    }
    const value = fixturesSchema(definitions, collection);
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

export const openapi = defineCommand({
  variables: { json: jsonFlag('one line') },
  flags: {
    control: { type: 'boolean', describe: 'Document of the control API', conflicts: 'spec-only' },
    'spec-only': { type: 'boolean', describe: 'Only the routes of the specification' },
  },
  examples: { '$0 > openapi.json': 'generate a client from it' },
  epilogue: 'Also served under /_emulator/openapi.json and /_emulator/openapi-control.json.',
  async run({ control, specOnly }) {
    const name = control ? 'openapi-control' : specOnly ? 'openapi-spec-only' : 'openapi';
    const value: unknown = JSON.parse(readText(`docs/${name}.json`));
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

/**
 * What the scripts of yargs lack. In bash and zsh, a folder is not the end of a path. In zsh and fish, only the words up to the cursor are
 * sent.
 */
const MENDS = [
  [
    '    # if no match was found',
    '    [[ "$COMPREPLY" == */ ]] && compopt -o nospace 2>/dev/null\n\n    # if no match was found',
  ],
  [`"\${words[@]}"`, `"\${(@)words[1,CURRENT]}"`],
  [
    "    _describe 'values' reply",
    `    local -a folders=(\${(M)reply:#*/})
    reply=(\${reply:#*/})
    (( \${#folders} )) && compadd -S '' -- \${(Q)folders}
    (( \${#reply} )) && _describe 'values' reply`,
  ],
  ['(commandline -o)[2..-1]', '(commandline -opc) (commandline -ct | string collect --allow-empty)'],
] as const;

export const completion = defineCommand({
  variables: { json: jsonFlag('the script') },
  examples: {
    '$0 >> ~/.bashrc': 'complete commands, flags and values in bash',
    'SHELL=zsh $0 >> ~/.zshrc': 'the script of another shell: bash, zsh or fish',
  },
  async run() {
    let script = '';
    const parser = yargs().scriptName('val-emulator').completion('completion');
    parser.parseSync(['completion'], {}, (_error, _input, output) => {
      script = output;
    });
    // yargs expects a command of one word.
    script = script.replaceAll('val-emulator completion', 'val-emulator print completion');
    for (const [from, to] of MENDS) script = script.replace(from, () => to);
    return { value: { script }, text: script };
  },
});
