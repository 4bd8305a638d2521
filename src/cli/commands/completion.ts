import yargs from 'yargs';
import { defineCommand, jsonFlag } from '../command.js';
import { printLine } from '../io.js';

export const completion = defineCommand('completion', 'Print the completion script of your shell ($SHELL)', {
  variables: { json: jsonFlag('the script') },
  examples: {
    '$0 >> ~/.bashrc': 'complete commands and flags in bash',
    'SHELL=zsh $0 >> ~/.zshrc': 'the script of another shell: bash, zsh or fish',
  },
  async run({ json }, io) {
    let script = '';
    const parser = yargs().scriptName('val-emulator').completion('completion');
    parser.parseSync(['completion'], {}, (_error, _input, output) => {
      script = output;
    });
    printLine(io, json ? JSON.stringify({ script }) : script);
  },
});
